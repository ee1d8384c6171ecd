"""Random programs whose calls are passed several elements or sections of one array, for the replay machine:
``program(random)`` is the text, its head ``p(x)>(y)``.

Elements of lines, columns, cells of derived type and bands, ``call turn(b(j), b(k), x)``, under indices that are
computed, kept in arrays, or changed by the callee; all written, or some only read; also through a procedure that passes
them on, in marked parts, and beside statements that change other elements, or all. Where one of them is written, no
two arguments overlap, as Fortran asks. Procedures and marked parts that write several boxes of one array: its walls,
its ends, a run between two pointers of a row, elements that may be the same.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("pairs::b", "pairs::q", "pairs::c%u", "pairs::c%v", "pairs::at", "pairs::m", "pairs::g", "pairs::row",
             "b", "q", "c%u", "c%v", "at", "m", "g", "row", "q(1, :)", "q(2, :)", "q(3, :)",
             "x", "y", "i", "j", "k", "l", "it", "n")
MODULE = """module pairs
  implicit none
  type :: cell
    real(8) :: u, v
  end type cell
  real(8) :: b(6), q(3, 6), g(0:7, 0:6)
  type(cell) :: c(6)
  integer :: at(6), row(7) = (/1, 2, 2, 4, 6, 6, 7/), m
contains
  subroutine walls(s)
    real(8), intent(in) :: s
    g(0, 1:4) = sin(g(6, 1:4))
    g(7, 1:4) = s*g(1, 1:4)
    g(:, 0) = g(:, 4)*g(:, 1)
    if (s > 0.2d0) g(:, 5) = cos(g(:, 1))
  end subroutine walls
  subroutine ends(f, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: f(*)
    real(8), intent(in) :: s
    f(1) = s*f(1)*f(n)
    if (s > 0.25d0) then
      f(n) = sin(f(n))
    else
      f(n) = f(1)*f(n)
    end if
  end subroutine ends
  subroutine border(f, s)
    real(8), intent(inout) :: f(:, :)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, size(f, 2)
      f(1, i) = f(1, i)*s
      f(size(f, 1), i) = cos(f(1, i))*f(size(f, 1), i)
    end do
    f(:, 2) = f(:, 2)*f(:, 1)
  end subroutine border
  subroutine run(v, i, s)
    real(8), intent(inout) :: v(6)
    integer, intent(in) :: i
    real(8), intent(in) :: s
    v(row(i):row(i + 1) - 1) = sin(v(row(i):row(i + 1) - 1)*s)
  end subroutine run
  subroutine poke(i, k, s)
    integer, intent(in) :: i, k
    real(8), intent(in) :: s
    b(at(i)) = b(at(i))*s
    q(1, i) = q(1, i)*b(k)
    if (k > 2) q(3, at(k)) = cos(q(1, i))
    b(k) = sin(b(k)*q(2, i))
  end subroutine poke
  subroutine turn(f, g, s)
    real(8), intent(inout) :: f, g
    real(8), intent(in) :: s
    real(8) :: t
    t = cos(s)*f + g*g
    g = sin(g*t)
    f = 0.5d0*t
  end subroutine turn
  subroutine first(f, g, s)
    real(8), intent(inout) :: f
    real(8), intent(in) :: g, s
    f = 0.3d0*f*g + sin(g*s)
  end subroutine first
  subroutine made(f, g, s)
    real(8), intent(out) :: f
    real(8), intent(inout) :: g
    real(8), intent(in) :: s
    f = g*s
    if (s > 0.3d0) g = 0.5d0*f*f
  end subroutine made
  subroutine onward(f, g, s)
    real(8), intent(inout) :: f, g
    real(8), intent(in) :: s
    m = 1 + mod(m, 5)
    f = f*cos(g)
    call turn(g, f, s)
  end subroutine onward
  subroutine copied(f, g, i, s)
    real(8), intent(inout) :: f(6), g
    integer, value :: i
    real(8), value :: s
    f(i) = f(i)*s
    i = 1 + mod(i, 6)
    if (i > 3) s = s*cos(f(i))
    f(i) = f(i)*s
    i = 3
    s = sin(s)
    g = g*f(i)*s
  end subroutine copied
  subroutine kick(f, g, s)
    real(8), intent(inout) :: f(3), g(3)
    real(8), intent(in) :: s
    f = 0.5d0*f + s*f*g
    g(2:3) = cos(f(1:2))*g(2:3)
  end subroutine kick
  subroutine lines(f, g, s)
    real(8), intent(inout) :: f(:), g(:)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, min(size(f), size(g))
      call turn(f(i), g(i), s)
    end do
  end subroutine lines
  subroutine flow(f, g, s)
    type(cell), intent(inout) :: f, g
    real(8), intent(in) :: s
    f%u = 0.4d0*f%u*g%v + s
    g%u = 0.4d0*g%u - f%u*f%v
  end subroutine flow
end module pairs
"""


class Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, depth: int, text: str) -> None:
        self.lines.append("  " * (depth + 2) + text)

    def index(self) -> str:
        """An integer from 1 to 6, of i and it from 1 to 5."""
        return self.pick("i", "i + 1", "6 - i", "1 + mod(3*i, 6)", "at(i)", "7 - at(i)", "1 + mod(i*it, 6)", "it", "m",
                         "max(1, i - 1)", "2", "5")

    def indices(self) -> None:
        for name in ("j", "k", "l"):
            self.add(0, f"{name} = {self.index()}")

    def element(self, index: str, line: str) -> str:
        return {"b": f"b({index})", "q": f"q(2, {index})", "u": f"c({index})%u", "at": f"b(at({index}))"}[line]

    def call(self) -> str:
        """A call that is passed elements at j and k of one array, where these are two."""
        shape, s = self.random.randrange(9), self.pick("x", "0.3d0", "0.2d0*x")
        if shape < 4:
            callee, line = self.pick("turn", "turn", "first", "made", "onward"), self.pick("b", "q", "u", "at")
            if callee in ("first", "made") and self.random.randrange(3) == 0:
                s = self.element("l", line)
            return f"call {callee}({self.element('j', line)}, {self.element('k', line)}, {s})"
        if shape == 4:
            return f"call kick({self.pick('q(:, j), q(:, k)', 'q(1, j), q(1, k)', 'q(1:3, j), q(:, k)')}, {s})"
        if shape == 8:
            return "call copied(" + self.pick("b, y", "b, q(2, j)", "g(1:6, 2), y", "g(1:6, k), b(j)") + ", " + (
                self.pick("2", "j", "7 - k", "at(j)") + f", {self.pick(s, '0.7d0', '0.4d0 + x')})")
        if shape == 5:
            return f"call flow(c(j), c(k), {s})"
        if shape == 6:
            return f"call turn({self.pick('q(1, j), q(3, j)', 'q(1, j), q(2, k)', 'c(j)%u, c(k)%v')}, {s})"
        return "call lines(" + self.pick("b(1:3), b(4:6)", "b(1:6:2), b(2:6:2)", "q(1, :), q(3, :)", "q(:, j), q(:, k)",
                                         "b(:m), b(m + 1:)", "q(1:2, j), q(2:3, k)") + f", {s})"

    def statement(self) -> None:
        if self.random.randrange(4) == 0:
            self.add(0, self.pick("call walls(x)", "call walls(0.1d0)", "call ends(b, 6, x)",
                                  "call ends(q(1, k), 3, x)",
                                  "call ends(b(j), 7 - j, x)", "call run(b, i, x)", "call run(b, j, 0.3d0)",
                                  "call poke(j, k, x)", "call poke(at(j), l, x)", "call poke(i, m, 0.4d0)",
                                  "call border(q, x)", "call border(g(1:6:2, :), x)", "call border(g, 0.5d0)"))
            return
        at = self.pick("j", "k", "l", "i", "3")
        line = self.pick("b", "q", "u", "at")
        one, other = self.element(at, line), self.element(self.pick("j", "k", "l", "i"), self.pick("b", "q", "u"))
        self.add(0, self.pick(
            f"{one} = 0.5d0*{one}*{other}", f"{one} = sin({other})", f"y = y + {one}*{other}", f"y = cos(y)*{one}",
            "b = 0.7d0*b", "b(2:5) = b(1:4)*x", "q(:, k) = sin(q(:, j))", "c%u = 0.9d0*c%v*c%u",
            "q(2, :) = cos(q(1, :))",
            "m = 1 + mod(m + i, 5)", f"if ({one} > 0.2d0) {one} = 0.3d0*{other}"))

    def boxes(self) -> None:
        """A marked part that writes several boxes of an array."""
        self.add(0, "!$AD CHECKPOINT-START")
        for _ in range(self.random.randint(1, 3)):
            at = self.pick("j", "k", "1", "6", "at(j)", "at(k)", "m", "i")
            line = self.pick("b", "b", "q", "u")
            one = self.element(at, line)
            if self.random.randrange(6) == 0:
                self.add(0, self.pick("g(0, :) = sin(g(1, :))", "g(:, j) = g(:, k)*x", "g(1:2, i) = g(1:2, i)**2",
                                      "b(row(j):row(j + 1) - 1) = 0.3d0", "q(:, j) = q(:, j)*x"))
            self.add(0, f"{self.pick('', '', f'if ({one} > 0.1d0) ')}{one} = {one}*{self.pick('x', one, 'cos(y)')}")
        if self.random.randrange(3) == 0:
            self.add(0, self.pick("j = 1 + mod(j, 5)", "m = j", "l = at(j); at(j) = at(k); at(k) = l"))
        self.add(0, "!$AD CHECKPOINT-END")

    def turn(self) -> None:
        """One of the things that a loop's turn does."""
        kind = self.random.randrange(10)
        if kind == 9:
            self.boxes()
        elif kind < 6:
            marked = self.random.randrange(5) == 0
            inside = marked and self.random.randrange(2) == 0
            if self.random.randrange(3):
                self.indices()
            if marked and not inside:
                self.add(0, "!$AD CHECKPOINT-START")
            self.add(0, "if (j /= k .and. k /= l .and. j /= l) then")
            if inside:
                self.add(1, "!$AD CHECKPOINT-START")
            self.add(1, self.call())
            if inside:
                self.add(1, "!$AD CHECKPOINT-END")
            self.add(0, "end if")
            if marked and not inside:
                self.add(0, "!$AD CHECKPOINT-END")
        else:
            self.statement()


def program(random: Random) -> str:
    """The text of a program."""
    writer = Writer(random)
    for _ in range(random.randint(1, 2)):
        writer.add(-1, "do i = 1, n")
        writer.indices()
        for _ in range(random.randint(2, 6)):
            writer.turn()
        writer.add(-1, "end do")
    return MODULE + """subroutine p(x, y, n)
  use pairs
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i, j, k, l, it
  do i = 1, 6
    b(i) = x*i*0.2d0
    q(:, i) = 0.3d0*x + 0.1d0*i
    c(i)%u = 0.5d0*x
    c(i)%v = x*x*0.1d0*i
    at(i) = 1 + mod(5*i, 6)
    g(i, :) = 0.1d0*x*i
  end do
  g(0, :) = x
  g(7, :) = x*x
  m = 2
  y = x
  do it = 1, 2
""" + "\n".join(writer.lines) + """
  end do
  y = y + sum(b) + sum(q*q) + sum(c%u*c%v) + sum(g*g)
end subroutine p
"""


def numbers(random: Random) -> dict[str, int]:
    """How often the inner loops run."""
    return {"n": random.choice((3, 2, 5, 1, 0))}
