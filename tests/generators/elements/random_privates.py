"""Random programs of values that are nobody else's: ``program(random)`` is the text, its head ``p(x)>(y)``.

Scalars, small arrays, an allocatable and variables that share their memory are set, read and soon overwritten, in the
head or in its internal procedure, which has the host's for its own, too: in loops left early or never entered, behind
tests, in ASSOCIATE and BLOCK, under masks, through pointers, in parts, around parts that do not touch them, and
around calls that read or change them, as a whole or in part, draw random numbers that no derivative reads, or count.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
SCALARS = ("a", "b", "c", "s", "t", "e1", "e2(1)", "e2(2)", "d(1)", "d(2)", "al(1)", "q1", "q2", "pt")
WRITTEN = (*SCALARS, "t", "s", "d(k)", "w(k)", "pt")
ARRAYS = ("d", "e2", "al", "f")
LOCATIONS = ("a", "b", "c", "s", "t", "e1", "e2", "d", "al", "al[]", "q1", "q2", "pt=>", "w", "f", "x", "y", "k", "i",
             "j", "v", "z", "o", "m1", "m2")
MODULE = """module shared
  implicit none
  real(8) :: g = 0.4d0
  integer :: count = 0
contains
subroutine reads(v, z)
  real(8), intent(in) :: v
  real(8), intent(inout) :: z
  z = 0.5d0*z + 0.3d0*v*v
  z = z - 0.1d0*z*v
end subroutine reads
subroutine sets(v, z)
  real(8), intent(in) :: v
  real(8), intent(out) :: z
  z = 0.5d0*v
  if (v > 0.3d0) z = z*v
end subroutine sets
subroutine both(v, o)
  real(8), intent(in) :: v
  real(8), intent(inout) :: o(2)
  o(1) = 0.5d0*v*v
  if (v > 0.6d0) o(2) = 0.2d0 + 0.1d0*v
end subroutine both
subroutine fills(v, o)
  real(8), intent(in) :: v
  real(8), intent(out) :: o(:)
  o = 0.5d0*v*v
  o(1) = 0.3d0*v
end subroutine fills
subroutine scratch(v, z)
  real(8), intent(in) :: v
  real(8), intent(out) :: z
  real(8), save :: kept
  real(8) :: own(2)
  kept = 0.3d0*v
  own = kept*v
  z = own(1) + kept
end subroutine scratch
subroutine drawn(z)
  real(8), intent(out) :: z
  integer :: m
  count = mod(count + 3, 7)
  m = count
  z = 0.2d0 + 0.1d0*m
end subroutine drawn
subroutine leaves(v, z, *)
  real(8), intent(in) :: v
  real(8), intent(inout) :: z
  z = 0.5d0*z + 0.2d0*v
  if (v > 0.5d0) return 1
end subroutine leaves
real(8) function small(v, z)
  real(8), intent(in) :: v, z
  small = 0.4d0*v*z
  if (z > g) small = small + 0.1d0*z
end function small
real(8) function given(v, z)
  real(8), intent(in) :: v
  real(8), intent(in), optional :: z
  given = 0.5d0*v
  if (present(z)) given = given*z
end function given
integer function upto(v, k)
  real(8), intent(in) :: v
  integer, intent(in) :: k
  upto = k - 1
  if (v > 0.4d0) upto = k + 1
end function upto
end module shared
"""
INNER = """subroutine inner(z)
    real(8), intent(inout) :: z
    integer :: k, i, j
    real(8) :: s, a, m1, m2
    s = 0.3d0*z
    a = 0.2d0
    k = 1
"""


def numbers(random: Random) -> dict[str, int]:
    """Values of the arguments that are integers."""
    return {"n": random.randrange(4)}


def program(random: Random) -> str:
    """A module with procedures, and the head with one of its own."""
    inner = Writer(random, False)
    inner.block(random.randrange(3, 8))
    writer = Writer(random, True)
    writer.block(random.randrange(7, 15))
    start = [f"  {name} = {random.choice(('x', 'x*x', '0.5d0', 'sin(x)', '0.7d0*x'))}"
             for name in ("a", "b", "c", "s", "t", "e2", "d", "f", "q1", "q2", "w")]
    return MODULE + "\n".join((
        "subroutine p(x, n, y)", "  use shared", "  implicit none", "  integer, intent(in) :: n",
        "  real(8), intent(in) :: x", "  real(8) :: y, a, b, c, s, t, e1, e2(2), d(2), w(0:9), f(3), m1, m2",
        "  real(8), target :: q1, q2", "  real(8), pointer :: pt", "  real(8), allocatable :: al(:)",
        "  integer :: i, j, k", "  equivalence (e1, e2)", *start, "  allocate (al(2))", "  al = 0.3d0*x", "  pt => q1",
        "  y = x", "  k = 2", *writer.lines, "  y = y + a*b + s*t + e1*d(1) + sum(w*w)*0.1d0 + f(2)*q1",
        "contains", INNER.rstrip(), *inner.lines, "end subroutine inner", "end subroutine p")) + "\n"


class Writer:
    """Writes the statements of one procedure. ``outer``: of the head."""

    def __init__(self, random: Random, outer: bool) -> None:
        self.random, self.outer = random, outer
        self.result = "y" if outer else "z"
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 1
        self.label = 10
        self.marked = self.around = False

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def read(self) -> str:
        return self.pick(*SCALARS, "s", "t", "t", "w(k)", "x", "g", "1d0*k", *(f"w({one})" for one in self.loops))

    def term(self) -> str:
        one, two = self.read(), self.read()
        return self.pick(f"0.5d0*{one}*{two}", f"0.6d0*{one} - 0.2d0*{two}", f"sin({one})", f"max({one}, {two})",
                         f"{one}/(2 + {two}**2)", f"0.7d0*{one}", f"small({one}, {two})", f"given({one})",
                         f"given({one}, {two})", f"abs({one} - 0.3d0*{two})")

    def block(self, size: int) -> None:
        for _ in range(size):
            self.statement()

    def inside(self, first: str, *last: str) -> None:
        self.add(first)
        self.depth += 1
        self.block(self.random.randrange(1, 5))
        self.depth -= 1
        for line in last:
            self.add(line)

    def statement(self) -> None:
        kind = self.random.randrange(30)
        if kind < 3 and len(self.loops) < 2:
            self.loop()
        elif kind in (3, 4) and self.depth < 4:
            self.inside(f"if ({self.read()} > {self.pick('0.3d0', self.read())}) then")
            if self.random.randrange(2):
                self.inside("else")
            self.add("end if")
        elif kind in (5, 6) and not self.marked and self.depth < 4:
            self.marked = True
            self.inside("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END")
            self.marked = False
        elif kind in (7, 8, 9):
            self.call()
        elif kind == 10:
            self.construct()
        elif kind in (11, 12):
            array = self.pick(*ARRAYS)
            self.add(self.pick(f"{array} = {self.term()}", f"{array}(:) = 0.5d0*{array}(:) + {self.read()}",
                               f"where ({array} > 0.3d0) {array} = {self.term()}",
                               f"forall (j = 1:2) {array}(j) = 0.5d0*{array}(3 - j)",
                               f"{self.result} = {self.result}*0.5d0 + 0.1d0*sum({array}*{array})"))
        elif kind == 13:
            self.add(self.pick("pt => q1", "pt => q2", "k = mod(k + 1, 2) + 1", "k = 1", "k = 2"))
        elif kind == 14 and not self.marked:
            self.add("deallocate (al)")
            self.add(f"allocate (al({self.pick('2', '3', 'k + 1')}))")
            self.add(f"al = {self.term().replace('al(1)', 'x')}")  # it has no value yet
        elif kind in (15, 16, 17, 18):
            self.add(f"{self.result} = 0.5d0*{self.result} + 0.3d0*{self.read()}*{self.read()}")
        elif kind == 19 and self.loops:
            self.add(f"if ({self.read()} > 0.6d0) {self.pick('cycle', 'exit')}" if not self.marked and not self.around
                     else f"{self.pick(*WRITTEN)} = {self.term()}")
        elif kind in (20, 21, 22):
            self.chain()
        else:
            self.add(f"{self.pick(*WRITTEN)} = {self.term()}")

    def chain(self) -> None:
        """One scalar makes another, which is read behind a part that may save the first."""
        result = self.result
        self.add(f"m1 = {self.pick(f'0.5d0*{result}', '0.4d0*x', self.read(), f'g*{self.read()}')}")
        self.add(self.pick(f"{result} = 0.5d0*{result} + m1*m1", f"{result} = 0.7d0*{result} + 0.1d0*m1"))
        self.add(f"m2 = {self.pick('3*m1', 'm1*m1', 'sin(m1)', '0.5d0*m1 + 0.1d0*x')}")
        if self.marked or self.random.randrange(3) == 0:
            self.add(f"call reads({self.pick('m1', 'm2', self.read())}, {result})")
        else:
            self.add("!$AD CHECKPOINT-START")
            self.add(f"{result} = {result}*{self.pick('m1', '0.5d0*x', self.read())}")
            self.add("!$AD CHECKPOINT-END")
        self.add(f"{result} = sin({result} + m2*m2)")

    def loop(self) -> None:
        """Upward, downward, perhaps not at all, or as long as a call says."""
        loop = "ij"[len(self.loops)]
        first = self.pick(f"do {loop} = 1, n", f"do {loop} = 3, 1, -1", f"do {loop} = k, n",
                          f"do {loop} = 1, upto({self.read()}, k)")
        self.loops.append(loop)
        marked, around = self.marked, self.around
        self.marked = self.around = False
        self.inside(first, "end do")
        self.marked, self.around = marked, around
        self.loops.pop()

    def call(self) -> None:
        one, two = self.read(), self.pick("a", "b", "c", "s", "t", "q1", "e1", "d(1)", "w(k)", self.result)
        options = [f"call reads(1d0*{one}, {two})", f"call sets(1d0*{one}, {two})", f"call both(1d0*{one}, d)",
                   f"call both(1d0*{one}, e2)", f"call fills(1d0*{one}, {self.pick(*ARRAYS)})", f"call drawn({two})",
                   f"call scratch(1d0*{one}, {two})"]
        if self.outer:
            options.append(f"call inner({self.pick('y', 'w(0)')})")
        if self.random.randrange(6):
            self.add(self.pick(*options))
            return
        self.label += 1
        label = self.label
        self.add(f"call leaves(1d0*{one}, {two}, *{label})")
        self.add(f"{self.pick(*WRITTEN)} = {self.term()}")
        self.add(f"{label} continue")

    def construct(self) -> None:
        marked, around = self.marked, self.around
        if self.random.randrange(2):
            name = self.pick("a", "t", "d(k)", "w(k)", "e1")
            self.around = True
            self.inside(f"associate (here => {name})", f"here = {self.term()}",
                        f"{self.result} = 0.5d0*{self.result} + 0.2d0*here*here", "end associate")
        else:
            self.add("block")
            self.add("real(8) :: own")
            self.add(f"own = {self.term()}")
            self.around = True
            self.inside(f"{self.result} = 0.4d0*{self.result} + 0.2d0*own*own", f"own = {self.term()}",
                        f"{self.result} = 0.4d0*{self.result} + 0.2d0*own*own", "end block")
        self.marked, self.around = marked, around
