"""Random programs that write the same element several times, for the replay machine: ``program(random)`` is the text,
its head ``p(x)>(y)``.

``b(i) = 2 - a(i); if (j > 1) b(i) = b(i) + t``: sums made element by element, in branches and inner loops, of vectors,
columns, components of elements and an integer vector that is itself a subscript; read in between by derivatives, by
other iterations and by parts; subscripts that change on the way, counters that a statement moves, EXIT and CYCLE. All
indices stay within bounds, everything is set before it is read, and values stay small.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("a", "b", "c", "ia", "s%q", "s%r", "x", "y", "t", "u", "i", "j", "ic", "jc", "tools::g", "z", "cond")
TOOLS = """module tools
  implicit none
  type cell
    real(8) :: q, r(2)
  end type cell
  real(8) :: g(6)
contains
  subroutine one(z, cond)
    real(8), intent(inout) :: z
    real(8), intent(in) :: cond
    z = sin(z)*(1.0d0 - 0.2d0*cond)
  end subroutine one
  subroutine all_of(z)
    real(8), intent(inout) :: z(6)
    integer :: i
    do i = 2, 6
      z(i) = 0.5d0*z(i)
      z(i) = z(i) + 0.1d0*z(i - 1)**2
      if (z(i) > 0.3d0) z(i) = z(i)*cos(z(i - 1))
    end do
  end subroutine all_of
  subroutine turn(cond)
    real(8), intent(in) :: cond
    g(2) = 0.3d0*cond
    g(2) = g(2) + sin(g(3))
    g(3) = g(3)*g(2) + 0.1d0
  end subroutine turn
"""


class Writer:
    """Writes the statements of one procedure. A few elements are chosen first, so that many writes hit one of them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 2
        self.favourites = random.sample(["a", "b", "c", "q", "r", "g"], 3)

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def subscript(self) -> str:
        """1 to 6."""
        return self.pick("2", "3", "ic", "jc", "ia(3)", "ia(ic)", *(2*[*self.loops] or ["ic"]),
                         *(f"7 - {one}" for one in self.loops), *(f"max(1, {one} - 1)" for one in self.loops))

    def element(self, array: str = "") -> str:
        array, at = array or self.pick(*self.favourites, *self.favourites, "a"), self.subscript()
        match array:
            case "c":
                return f"c({at}, {self.pick('1', '2', '1 + mod(ic, 3)')})"
            case "q":
                return f"s({at})%q"
            case "r":
                return f"s({at})%r({self.pick('1', '2')})"
            case _:
                return f"{array}({at})"

    def value(self) -> str:
        read, other = self.element(), self.element()
        return self.pick(read, f"0.3d0*{read}", f"sin({read})", f"{read}*{other}", f"0.2d0*{read} - 0.1d0*{other}",
                         "x", "t", "u*u", "0.4d0", f"max({read}, {other})", f"{read}*x")

    def assign(self) -> None:
        target = self.element()
        for _ in range(self.random.randint(1, 3)):
            text = self.pick(f"{target} = {self.value()}", f"{target} = 0.5d0*{target} + 0.3d0*({self.value()})",
                             f"{target} = {target} + 0.1d0*x", f"{target} = 0.6d0*{target}*cos({self.value()})",
                             f"{target} = 0.25d0")
            if self.random.randrange(4) == 0:
                text = f"if ({self.condition()}) {text}"
            self.add(text)
            if self.random.randrange(4) == 0:
                self.other()

    def other(self) -> None:
        """Something between two writes."""
        self.add(self.pick(f"t = {self.value()}", f"u = sin({self.value()})", "ic = mod(ic, 6) + 1",
                           "jc = 1 + mod(ic + jc, 6)", "jc = ic", f"ia({self.pick('3', 'ic')}) = 1 + mod(ic*2, 6)",
                           f"y = y + {self.element()}*{self.element()}", f"y = y + 0.1d0*{self.value()}",
                           "a = 0.7d0*a", "c(:, 1) = 0.5d0*c(:, 2)", "c(:, 2) = c(:, 2)*x"))

    def condition(self) -> str:
        return self.pick("ic > 3", "m > 2", "x > 0.4d0", f"{self.element()} > 0.2d0", *(f"{k} > 2" for k in self.loops))

    def call(self) -> None:
        self.add("call " + self.pick(f"one({self.element()}, 0.3d0*x)", f"one({self.element()}, t)",
                                     f"all_of({self.pick('a', 'b', 'g', 'c(:, 1)', 'c(1, 2)')})", "turn(u)"))

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 50 or deep == 0:
            self.assign()
        elif kind < 62:
            self.other()
        elif kind < 70:
            self.call()
        elif kind < 88:
            self.loop(deep - 1)
        elif kind < 93:
            self.add("!$AD CHECKPOINT-START")
            self.block(deep - 1)
            self.add("!$AD CHECKPOINT-END")
        else:
            self.add(f"if ({self.condition()}) then")
            self.inside(deep)
            if self.random.randrange(2):
                self.add("else")
                self.inside(deep)
            self.add("end if")

    def inside(self, deep: int) -> None:
        self.depth += 1
        self.block(deep - 1)
        self.depth -= 1

    def loop(self, deep: int) -> None:
        free = [one for one in "ijk" if one not in self.loops]
        if not free:
            return self.assign()
        var = free[0]
        self.add(f"do {var} = " + self.pick("1, 6", "2, 5", "5, 2, -1", "1, 6, 2", "1, m", "3, 6"))
        self.loops.append(var)
        self.inside(deep + 1)
        if self.random.randrange(6) == 0:
            self.depth += 1
            self.add(f"if ({self.condition()}) {self.pick('exit', 'cycle')}")
            self.assign()
            self.depth -= 1
        self.loops.pop()
        return self.add("end do")

    def block(self, deep: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(deep)


def program(random: Random, size: int = 6) -> str:
    """A module and the head."""
    writer = Writer(random)
    for _ in range(random.randint(2, size)):
        writer.statement(3)
    return TOOLS + "end module tools\n" + "\n".join([
        "subroutine p(x, m, y)", "  use tools", "  implicit none", "  integer :: m",
        "  real(8) :: x, y, a(6), b(6), c(6, 3), t, u", "  type(cell) :: s(6)", "  integer :: i, j, k, ic, jc, ia(6)",
        "  ic = 2; jc = 4; t = 0.5d0*x; u = 0.3d0; y = 0.1d0*x; g = 0.3d0*x", "  do i = 1, 6",
        "    a(i) = 0.1d0*i*x; b(i) = sin(1.0d0*i) + x; c(i, :) = 0.2d0*i - x; ia(i) = 7 - i",
        "    s(i)%q = 0.3d0*i*x; s(i)%r = 0.5d0*x", "  end do", *writer.lines,
        "  y = y + sum(a*a) + sum(sin(b)) + sum(c*c) + sum(g) + t*u", "  do i = 1, 6",
        "    y = y + s(i)%q*s(i)%r(1) - 0.3d0*s(i)%r(2)", "  end do", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"m": random.choice((6, 3, 1, 0))}
