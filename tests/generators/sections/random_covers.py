"""Random programs with work arrays that are larger than what is used, for the replay machine: ``program(random)`` is
the text, its head ``p(x)>(y)``.

A module's arrays of 8 and 8 by 8 elements; procedures that set a part of one by nests of loops, by sections, by calls,
in branches or not, left early or not, and read that part, or one element more, or before it is set, in later nests, in
the same turn, in the turn before, through arguments; called from a loop, and by each other. All indices stay within
bounds, everything is set before it is read, and values stay small.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("rooms::r", "rooms::w", "rooms::z", "rooms::v", "v", "r",
             "w", "z", "a", "x", "y", "t", "i", "j", "k", "n", "m")
FIXED = """  subroutine put(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    integer :: i
    do i = 1, n
      b(i) = sin(a(i))
    end do
  end subroutine put
  subroutine some(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    integer :: i
    do i = 1, n - 1
      b(i) = a(i)*a(i + 1)
    end do
  end subroutine some
  subroutine bend(a)
    real(8), intent(inout) :: a(:)
    a = a*cos(a)
  end subroutine bend
"""


class Writer:
    def __init__(self, random: Random, callees: tuple[str, ...]) -> None:
        self.random, self.callees = random, callees
        self.lines: list[str] = []

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, depth: int, text: str) -> None:
        self.lines.append("  " * (depth + 2) + text)

    def value(self, one: str, two: str) -> str:
        """Of elements at i, and at i and j."""
        line, at = self.pick("r", "z"), self.pick(one, f"max(1, {one} - 1)", f"{one} + 1", "1", "n")
        if self.random.randrange(10):
            at, other = one, self.pick("r", "z")
            return self.pick(f"x*{line}({at})", f"{line}({at})**2", f"sin({line}({at}))*{other}({at})", "x*x",
                             *([f"v({one}, {two})*x", f"{line}({at})*v({one}, {two})"] if two == "j" else []))
        other = self.pick(f"w({one}, {two})", f"w({two}, {one})", f"w({one}, 1)", f"w(n, {one})")
        return self.pick(f"x*{line}({at})", f"{line}({at})**2", f"sin({line}({at}))", f"{other}*x", f"{other}**2",
                         "x", "x*x", f"{line}({at})*{other}")

    def nest(self) -> None:
        low, high, step = self.pick("1|n|", "1|n|", "1|n|", "2|n|", "1|n - 1|", "n|1|, -1", "1|n|, 2",
                                    "1|4|").split("|")
        depth = self.random.randrange(2)
        self.add(0, f"do i = {low}, {high}{step}")
        if depth:
            self.add(1, f"do j = {self.pick('1, n', '1, n', '1, i', '2, n', '1, 4')}")
        for _ in range(self.random.randint(1, 3)):
            two = "j" if depth else self.pick("1", "2", "n")
            target = self.pick("r(i)", "z(i)", "r(i)", "z(i)", f"w(i, {two})", f"v(i, {two})", f"w({two}, i)",
                               *(["r(i + 1)", "z(9 - i)"] if self.random.randrange(4) == 0 else []))
            guard = self.pick("", "", "", "", "if (x > 0.4d0) ", f"if ({target} > 0.3d0) ", "if (i > 1) ")
            inner = self.pick("", "", f"0.3d0*{target} + ")
            self.add(1 + depth, f"{guard}{target} = {inner}0.5d0*({self.value('i', two)})")
        if self.random.randrange(8) == 0:
            self.add(1 + depth, f"if (i > {self.pick('2', 'm')}) {self.pick('exit', 'cycle')}")
        if depth:
            self.add(1, "end do")
        self.add(0, "end do")

    def prelude(self) -> None:
        """Sets what is used, nearly always all of it."""
        low = self.pick("1", "1", "1", "1", "2")
        self.add(0, self.pick(f"do i = {low}, n", f"do i = {low}, n", f"do i = n, {low}, -1"))
        guard = self.pick("", "", "", "if (x > 0.4d0) ", "if (m > 1) ")
        if self.random.randrange(6) == 0:
            self.add(1, f"if (i > {self.pick('2', 'm')}) {self.pick('exit', 'cycle')}")
        for target in self.random.sample(["r(i)", "z(i)"], 2):
            self.add(1, f"{guard}{target} = {self.pick('x', 'x*x', '0.3d0*x', 'r(i)*x', 'z(i)')}")
            guard = ""
        self.add(0, "end do")
        self.add(0, f"do j = 1, {self.pick('n', 'n', 'n', 'n - 1')}")
        self.add(1, f"do i = {self.pick('1, n', '1, n', '1, j')}")
        self.add(2, f"v(i, j) = {self.pick('x', 'r(i)*x', 'r(i)*z(j)')}")
        self.add(1, "end do")
        self.add(0, "end do")
        if self.random.randrange(3) == 0:
            self.add(0, self.pick("call put(n, z(1:n), r(1:n))", "call put(n, r(1:n), z(1:n))"))

    def whole(self) -> None:
        part = self.pick("1:n", "1:n", "1:n", "1:n", "2:n", "1:n", "1:n", "1:n + 1")
        self.add(0, self.pick(
            f"r({part}) = x*0.3d0", f"z({part}) = 0.2d0*r({part})", f"w({part}, 1) = r({part})",
            f"call put(n, {self.pick('r', 'z')}(1:n), w(1:n, {self.pick('1', '2', 'n')}))",
            "call put(n, r(1:n), z(1:n))", "call put(n, z(1:n), r(1:n))",
            "call put(n - 1, z(1:n), r(1:n))",
            "call some(n, r(1:n), z(1:n))", f"call bend(z({part}))", "call bend(w(:, 1))", "call bend(v(1:n, 1))",

            *(["call put(n, z(1), r(1))"] if self.random.randrange(4) == 0 else []),
            *(f"call {name}(x*0.5d0, n, m, y)" for name in self.callees)))

    def statements(self) -> None:
        for _ in range(self.random.randint(2, 5)):
            kind = self.random.randrange(10)
            if kind < 6:
                self.nest()
            elif kind < 9:
                self.whole()
            else:
                self.add(0, self.pick("if (m > 2) then", "do k = 1, 2", "do k = 1, m"))
                self.nest()
                self.add(0, "end if" if "if (m" in self.lines[-1] or self.opened() else "end do")

    def opened(self) -> bool:
        """Is the construct that is open an IF?"""
        last = next(line for line in reversed(self.lines) if line.strip().startswith(("if (m > 2) then", "do k =")))
        return last.strip().startswith("if")


def procedure(random: Random, name: str, callees: tuple[str, ...]) -> list[str]:
    writer = Writer(random, callees)
    if random.randrange(6):
        writer.prelude()
    writer.statements()
    return [f"  subroutine {name}(x, n, m, y)", "    integer, intent(in) :: n, m", "    real(8), intent(in) :: x",
            "    real(8), intent(inout) :: y", "    integer :: i, j, k", *writer.lines, "    do i = 1, n",
            f"      y = y + {writer.value('i', '1')}", "    end do", f"  end subroutine {name}"]


def program(random: Random, size: int = 3) -> str:
    """A module and the head."""
    names = tuple(f"step{k}" for k in range(random.randint(1, size)))
    lines = ["module rooms", "  implicit none", "  real(8) :: r(8), z(8), w(8, 8), v(8, 8)", "contains",
             *FIXED.splitlines()]
    for place, name in enumerate(names):
        lines += procedure(random, name, names[:place])
    calls = [f"    call {random.choice(names)}(x*{random.choice(('0.5d0', '1.5d0', 'y'))}, n, m, y)"
             for _ in range(random.randint(1, 3))]
    between = random.choice(("y = y + r(2)*z(3)", "r(7) = sin(r(7)) + x", "z = 0.5d0*z + r*x", "y = sin(y)"))
    return "\n".join([*lines, "end module rooms", "subroutine p(x, n, m, y)", "  use rooms", "  implicit none",
                      "  integer :: n, m, k", "  real(8) :: x, y", "  r = 0.1d0*x; z = 0.3d0 + x",
                      "  w = 0.2d0*x; v = 0.1d0; y = x",
                      "  do k = 1, 3", *calls, f"    {between}", "  end do",
                      "  y = y + sum(r*r) + sum(sin(z)) + sum(w*w) + sum(v)", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"n": random.choice((5, 4, 6, 2, 1)), "m": random.choice((3, 2, 1, 0))}
