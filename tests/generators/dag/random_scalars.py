"""Random programs of scalars, for what is computed again: ``program(random)`` is the text, its head ``p(x)>(y)``.

Few names, cheap assignments, few of them dear: much is overwritten while what it came from still stands there, in
loops, behind branches, in parts, behind them, and around calls that change some of it. All is set before it is read.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
SCALARS = ("a", "b", "c", "s", "t", "g", "d%r")
LOCATIONS = (*SCALARS, "x", "y", "k", "i", "j", "w", "shared::g", "v", "z")
MODULE = """module shared
  implicit none
  type point
    real(8) :: r
  end type point
  real(8) :: g
contains
"""
CALLEES = ("one", "two")


def numbers(random: Random) -> dict[str, int]:
    """Values of the arguments that are integers."""
    return {"n": random.randrange(4)}


def program(random: Random) -> str:
    """A module with two subroutines, and the head."""
    callees = []
    for name in CALLEES:
        writer = Writer(random, ("v", "z", "s", "g"), callees=())
        writer.block(random.randrange(2, 6))
        callees.append("\n".join((
            f"subroutine {name}(v, z, n)", "  integer, intent(in) :: n", "  real(8), intent(in) :: v",
            "  real(8) :: z, s", "  integer :: i, j, k", "  k = 1", "  s = z", *writer.lines,
            f"end subroutine {name}")))
    writer = Writer(random, SCALARS, CALLEES)
    writer.block(random.randrange(8, 20))
    start = [f"  {name} = {writer.pick('x', 'x*x', '0.5d0', 'sin(x)', '2*x')}" for name in SCALARS]
    return MODULE + "\n".join((
        *callees, "end module shared", "subroutine p(x, n, y)", "  use shared", "  implicit none",
        "  integer, intent(in) :: n", "  real(8), intent(in) :: x", "  real(8) :: y, a, b, c, s, t, w(0:9)",
        "  type(point) :: d", "  integer :: i, j, k", *start, "  y = x", "  k = 2", "  w = x", *writer.lines,
        f"  y = y + {'*'.join(random.sample(SCALARS, 2))}", "end subroutine p")) + "\n"


class Writer:
    """Writes the statements of one procedure."""

    def __init__(self, random: Random, scalars: tuple[str, ...], callees: tuple[str, ...]) -> None:
        self.random = random
        self.scalars = scalars
        self.written = tuple(name for name in scalars if name != "v")
        self.callees = callees
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 1
        self.marked = 0

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def scalar(self) -> str:
        return self.pick(*self.scalars)

    def read(self) -> str:
        elements = ("w(k)", f"w({self.loops[-1]})") if self.loops else ("w(k)",)
        own = (*elements, "x") if self.callees else ("v",)
        return self.pick(self.scalar(), self.scalar(), self.scalar(), *own, *self.loops, "k")

    def term(self) -> str:
        one, two, three = self.read(), self.read(), self.read()
        return self.pick(one, f"{one}*{two}", f"2*{one} - {two}*0.3d0", f"{one}*{two}*0.5d0*{three}", f"-{one}",
                         f"max(1d0*{one}, 1d0*{two})", f"abs({one} - {two})", f"{one}/(2 + {two}**2)",
                         f"sin(1d0*{one})", f"merge(1d0*{one}, 1d0*{two}, {three} > 1)", f"0.1d0*{one}**2")

    def block(self, size: int) -> None:
        for _ in range(size):
            self.statement()

    def inside(self, *ends: str) -> None:
        """A block, and what ends it."""
        self.depth += 1
        self.block(self.random.randrange(1, 5))
        self.depth -= 1
        for end in ends:
            self.add(end)

    def statement(self) -> None:
        kind = self.random.randrange(20)
        if kind == 0 and len(self.loops) < 2:
            loop = "ij"[len(self.loops)]
            self.add(self.pick(f"do {loop} = 1, n", f"do {loop} = 3, 1, -1", f"do {loop} = k, n"))
            self.loops.append(loop)
            self.inside("end do")
            self.loops.pop()
        elif kind in (1, 2) and self.depth < 4:
            self.add(f"if ({self.scalar()} > {self.pick('0.2d0', self.scalar())}) then")
            self.inside()
            if self.random.randrange(2):
                self.add("else")
                self.inside()
            self.add("end if")
        elif kind in (3, 4) and self.callees and self.marked < 2:
            self.marked += 1
            self.add("!$AD CHECKPOINT-START")
            self.inside("!$AD CHECKPOINT-END")
            self.marked -= 1
        elif kind in (5, 6) and self.callees:
            self.add(f"call {self.pick(*self.callees)}({self.pick(f'1d0*({self.term()})', f'({self.scalar()})')}, "
                     f"{self.pick('a', 'b', 't', 'd%r', 'y')}, n)")
        elif kind == 7:
            self.add(f"k = {self.pick('mod(k + 1, 4)', 'mod(k + n, 3)', '2')}")
        elif kind == 8 and self.callees:
            self.add(f"w({self.pick('k', *self.loops)}) = {self.term()}")
        elif kind == 9 and self.callees:
            self.add(f"y = y*0.5d0 + {self.scalar()}*{self.scalar()}")
        else:
            self.add(f"{self.pick(*self.written)} = {self.term()}")
