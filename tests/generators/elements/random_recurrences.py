"""Random programs with recurrences, for the replay machine: ``program(random)`` is the text, its head ``p(x)>(y)``.

Elements that are computed from those 1 to 3 before or behind them, upward and downward, with starts before the loop
that do or do not cover what the first turns read; loops of step 1 and of others, that do not run, that skip turns or
are left; limits that change between a write and a read; two dimensions; arrays with more elements than are used, of a
module, of the size of a dummy argument; a tridiagonal solver; runs of what was written, read behind it, or passed. All
indices stay within bounds, everything has a value before it is read, and values stay small.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("c", "d", "e", "g", "h", "q", "t", "x", "y", "hi", "room::q", "k", "j", "i")
ROOM = """module room
  implicit none
  real(8) :: q(-3:12)
contains
  subroutine solve(n, a, r, z)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), r(n)
    real(8), intent(inout) :: z(n)
    real(8) :: cp(20), dp(20), m
    integer :: k
    cp(1) = 0.2d0/(2d0 + a(1)*0.1d0)
    dp(1) = r(1)/(2d0 + a(1)*0.1d0)
    do k = 2, n
      m = 2d0 - 0.3d0*a(k)*cp(k - 1)
      cp(k) = 0.2d0/m
      dp(k) = (r(k) - 0.3d0*a(k)*dp(k - 1))/m
    end do
    z(n) = dp(n)
    do k = n - 1, 1, -1
      z(k) = dp(k) - cp(k)*z(k + 1)
    end do
  end subroutine solve
  subroutine mix(w, v)
    real(8), intent(in) :: w
    real(8), intent(inout) :: v
    v = 0.5d0*sin(w)*v + 0.3d0*w
  end subroutine mix
  subroutine make(m, w, v)
    integer, intent(in) :: m
    real(8), intent(in) :: w(m)
    real(8), intent(out) :: v(m)
    integer :: i
    do i = 1, m
      v(i) = 0.6d0*cos(w(i))
    end do
  end subroutine make
  subroutine roll(x)
    real(8), intent(in) :: x
    integer :: k
    q(1) = 0.4d0*x
    do k = 2, 5
      q(k) = 0.5d0*sin(q(k - 1)) + 0.2d0*q(k - 1)*x
    end do
  end subroutine roll
"""


class Writer:
    """Writes the statements of the head."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.loops: dict[str, int] = {}  # the least value of each DO variable
        self.depth = 1

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def array(self) -> str:
        return self.pick("c", "c", "c", "d", "d", "e", "h", "q")

    def element(self, array: str = "", apart: tuple[int, ...] = (-3, -2, -1, -1, 0, 0, 1, 1, 2)) -> str:
        """An element, near the DO variable where there is one."""
        array = array or self.array()
        running = [one for one in ("k", "j") if one in self.loops]
        if not running or self.random.randrange(8) == 0:
            return f"{array}({self.pick('1', '2', '3', 'n', 'hi', 'n - 1' if array != 'e' else '4')})"
        var = running[self.random.randrange(len(running))]
        off = apart[self.random.randrange(len(apart))]
        if array == "e" and self.loops[var] + off < 1:
            off = 0
        return f"{array}({shifted(var, off)})"

    def pair(self) -> str:
        """An element of two dimensions."""
        ones = [shifted(one, self.random.choice((-1, 0, 0, 1))) for one in ("k", "j") if one in self.loops]
        ones += [self.pick("1", "2", "n", "3") for _ in range(2 - len(ones))]
        return f"g({ones[0]}, {ones[1]})"

    def value(self) -> str:
        one, other = (self.pair() if self.random.randrange(5) == 0 else self.element() for _ in "ab")
        return self.pick(f"0.5d0*sin({one}) + 0.2d0*x", f"0.4d0*{one}*{other} + 0.1d0", f"0.3d0*{one}",
                         f"0.6d0*cos({one}) + 0.2d0*{other}", "0.7d0*x*x", f"t*0.3d0 + 0.2d0*{one}**2")

    def recurrence(self) -> None:
        """A statement of a loop's body that goes on from what other turns have written."""
        if self.random.randrange(5) == 0 and "j" in self.loops and "k" in self.loops:
            self.add(f"g(k, j) = 0.3d0*sin({self.pair()}) + 0.2d0*{self.pair()}*x")
            return
        array, var = self.array(), "k" if "k" in self.loops else "j"
        target = f"{array}({shifted(var, self.random.choice((0, 0, 0, 0, 1)))})"
        before = self.element(array, (-1, -1, -2, -3, 1, 1, 2, 3))
        self.add(target + " = " + self.pick(f"0.5d0*sin({before}) + 0.2d0*x",
                                            f"0.4d0*{before}*{self.element()} + 0.1d0",
                                            f"0.3d0*{before} + 0.2d0*{self.element(array, (-1, -2, 1, 2))}**2"))

    def assign(self) -> None:
        array = self.pick("c", "d", "h", "q", "e")
        self.add(self.pick(
            f"{self.element()} = {self.value()}", f"{self.element()} = {self.value()}", f"t = 0.4d0*t + {self.value()}",
            f"{array}(1:{self.pick('2', '3', 'n', 'hi', 'n + 1')}) = {self.value()}",
            f"{array}({self.pick('2', '3')}:n) = {self.value()}", f"{array} = {self.value()}",
            f"t = 0.3d0*t + 0.1d0*sum({array}({self.pick('1', '2')}:{self.pick('n', 'hi', '3')})**2)",
            f"g({self.pick('1', 'n', '1:n')}, {self.pick('1:n', ':', '1')}) = {self.value()}",
            f"{self.pair()} = {self.value()}",
            f"hi = {self.pick('n', 'max(m, 1)', '2', 'min(hi + 1, 5)', 'max(hi - 1, 1)')}",
            "t = 0.5d0*t + 0.1d0*sum(g(1:n, 1)**2)"))

    def call(self) -> None:
        one, other = self.pick("c|d", "d|c", "c|h", "q|d", "e|c").split("|")
        self.add("call " + self.pick(
            f"solve(n, {one}(1:n), {other}(1:n), e(1:n))" if one != "e" else "solve(n, d(1), c(1:n), h(1:n))",
            f"make(n, {one}(1:n), {other}(1:n))", f"make(n, {one}(1), {other}(1))", "roll(x)",
            f"mix({self.element(one)}, {self.element(other)})", f"make(3, {one}(2:4), {other}(1:3))"))

    def loop(self, deep: int) -> None:
        free = [one for one in ("k", "j", "i") if one not in self.loops]
        if len(free) < 2:
            return self.assign()
        var, least = free[0], self.random.choice((1, 1, 2, 2, 2, 3, 4))
        last = self.pick("n", "n", "n", "hi", "m", "5", "n - 1", "n + 1")
        self.add(self.pick(f"do {var} = {least}, {last}", f"do {var} = {least}, {last}",
                           f"do {var} = {last}, {least}, -1", f"do {var} = {last}, {least}, -1",
                           f"do {var} = {least}, {last}, 2", f"do {var} = {last}, {least}, -2"))
        self.loops[var] = least
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.randrange(100)
            if kind < 50:
                self.recurrence()
            elif kind < 60:
                self.add(f"if ({var} {self.pick('>', '/=')} {self.pick('2', '3', 'hi')}) {self.pick('cycle', 'exit')}"
                         if self.random.randrange(3) == 0 else f"if ({var} > 2) {self.element()} = {self.value()}")
            elif kind < 80:
                self.statement(deep)
            else:
                self.assign()
        self.depth -= 1
        del self.loops[var]
        return self.add("end do")

    def start(self) -> None:
        """A start, and its recurrence."""
        array, up, apart = self.array(), self.random.randrange(2) == 0, self.random.randint(1, 3)
        given = self.random.randint(max(1, apart - 1), apart)
        ends = [str(at) if up else shifted("n", 1 - at) for at in range(1, given + 1)]
        if array == "e" and not up:
            array = "c"
        for end in ends:
            self.add(f"{array}({end}) = {self.pick('0.4d0*x', '0.3d0*t', '0.2d0*x*x + 0.1d0')}")
        first = apart + 1 if array == "e" or self.random.randrange(3) else given + 1
        self.add(f"do k = {first}, {self.pick('n', 'n', 'hi', '5')}" if up else
                 f"do k = {shifted('n', 1 - first)}, 1, -1")
        at = shifted("k", -apart if up else apart)
        near = shifted("k", -1 if up else 1)
        guard = self.pick("", "", "", "if (t > 0.2d0) ", "if (k > 2) ")
        self.add(f"  {guard}{array}(k) = 0.4d0*sin({array}({at})) + 0.2d0*{array}({near})*x")
        self.add("end do")
        self.add(self.pick(f"t = 0.5d0*t + 0.2d0*{array}(n)**2", f"t = 0.3d0*t + 0.1d0*sum({array}(1:n)**2)",
                           f"h(1:n) = sin({array}(1:n))", f"t = t*0.5d0 + 0.1d0*{array}(2)*{array}(1)"))

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 25 or deep == 0:
            self.assign()
        elif kind < 45 and not self.loops:
            self.start()
        elif kind < 72:
            self.loop(deep - 1)
        elif kind < 82:
            self.call()
        elif kind < 93:
            self.around("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END", deep)
        else:
            test = self.pick("m > 2", "t > 0.3d0", "hi > 2")
            self.around(f"if ({test}) then", "end if", deep)

    def around(self, begin: str, end: str, deep: int) -> None:
        self.add(begin)
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement(deep - 1)
        self.depth -= 1
        self.add(end)


def shifted(name: str, by: int) -> str:
    return name if not by else f"{name} {'+' if by > 0 else '-'} {abs(by)}"


def program(random: Random, size: int = 5) -> str:
    """A module and the head."""
    writer = Writer(random)
    again = random.randrange(2) == 0
    if again:
        writer.add("do i = 1, 2")
        writer.loops["i"], writer.depth = 1, 2
    for _ in range(random.randint(2, size)):
        writer.statement(3) if random.randrange(3) else writer.around("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END", 3)
    if again:
        writer.depth = 1
        writer.add("end do")
    return ROOM + "end module room\n" + "\n".join([
        "subroutine p(x, n, m, y)", "  use room", "  implicit none", "  integer, intent(in) :: n, m",
        "  real(8) :: x, y, t, c(-3:12), d(-3:12), e(12), g(-3:9, -3:9), h(-3:n + 8)", "  integer :: i, j, k, hi",
        "  hi = n; t = 0.5d0*x; c = 0.3d0*x; d = 0.2d0 + x; e = 0.1d0 - x; g = 0.2d0*x; h = 0.4d0*x; q = 0.3d0*x*x",
        *writer.lines, "  y = t + sum(c*c) + sum(sin(d)) + sum(e*e) + sum(g*g) + sum(h*h) + sum(q*q)",
        "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"n": random.choice((5, 4, 3, 2, 1)), "m": random.choice((3, 2, 1, 0))}
