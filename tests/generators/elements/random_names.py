"""Random programs in which memory has several names: ``program(random)`` is the text, its head ``p(x)>(y)``.

Pointers to halves of complex numbers, to elements and sections, associated anew anywhere; selectors in parentheses,
which are values, and others, which are names; substrings of ASSOCIATE names; arguments whose values are read through
pointers to what the call overwrites; elements of the host's array passed to an internal procedure that uses the array;
dummy arguments with TARGET that are a module's variable, or each other.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("q", "r", "z", "zz", "w", "t", "y", "x", "k", "i", "c", "mt", "pt=>", "pr=>", "ph=>", "pz=>", "d",
             "e")
NAMES = ("q", "r(k)", "r(2)", "r(3)", "pt", "pr(1)", "pr(k)", "ph", "pz(k)", "pz(2)", "z%re", "z%im", "zz(k)%re",
         "zz(2)%im", "w(k)", "w(2)", "w(0)", "t", "y", "mt")
MOVES = ("pt => q", "pt => r(2)", "pt => r(k)", "pt => z%re", "pt => mt", "pt => zz(2)%im", "ph => z%re", "ph => z%im",
         "ph => zz(k)%re", "ph => pt", "ph => pr(2)", "pr => r", "pr => r(4:1:-1)", "pr => r(2:3)", "pr(0:) => r",
         "pr => pz", "pz => zz%re", "pz => zz%im", "pz => zz(3:1:-1)%re", "k = 3 - k", "k = 2")
PICKED = ("q", "pt", "ph", "r(2)", "pr(k)", "mt")  # what TARGET dummies get
MODULE = """module several
  implicit none
  real(8), target :: mt
contains
subroutine sets(v, d)
  real(8), intent(in) :: v
  real(8), intent(out) :: d
  d = 0.5d0*v*v
  if (v > 0.3d0) d = d*v
end subroutine sets
subroutine fills(v, d)
  real(8), intent(in) :: v(:)
  real(8), intent(inout) :: d(:)
  integer :: j
  do j = 1, 2
    d(j) = 0.5d0*v(j)*v(3 - j) + 0.1d0*d(j)
  end do
  d(1) = d(1)*v(2)
end subroutine fills
function half(v) result(d)
  real(8), intent(in) :: v(:)
  real(8) :: d(size(v))
  d = 0.5d0*v
end function half
real(8) function read_by(v)
  real(8), pointer, intent(in) :: v
  read_by = 0.4d0*v*v
end function read_by
subroutine global(d)
  real(8), target, intent(inout) :: d
  real(8) :: e
  e = 0.2d0
{changed}
end subroutine global
subroutine two(d, e)
  real(8), target, intent(inout) :: d, e
{two}
end subroutine two
end module several
"""
START = """subroutine p(x, y)
  use several
  implicit none
  real(8), intent(in) :: x
  real(8) :: y, t, w(0:4)
  real(8), target :: q, r(4)
  complex(8), target :: z, zz(3)
  real(8), pointer :: pt, ph, pr(:), pz(:)
  character(6) :: c
  integer :: i, k
  q = 0.6d0*x
  r = sin(x)
  z = cmplx(0.4d0*x, 0.7d0*x, 8)
  zz = z
  w = 0.5d0*x
  t = x*x
  mt = 0.8d0*x
  c = 'abcdef'
  k = 2
  pt => q
  ph => z%im
  pr => r
  pz => zz%re
  y = x
"""
END = """  y = y + q*pt*0.3d0 + sum(r*r)*0.1d0 + sin(real(z*z, 8)) + aimag(zz(1)*zz(2))
  y = y + sum(w*w)*0.1d0 + pz(1)*ph + t*mt
"""


def numbers(random: Random) -> dict[str, int]:
    """The head has no integers."""
    return {}


def program(random: Random) -> str:
    """A module with procedures, and the head with one of its own."""
    outer = Writer(random, NAMES)
    inner = Writer(random, ("e", "w(k)", "w(k + 1)", "q", "pt", "ph", "z%re", "t", "d"))
    outer.block(random.randrange(6, 13))
    inner.block(random.randrange(2, 6))
    both = []
    for names in (("d", "mt", "e"), ("d", "e")):
        writer = Writer(random, names, plain=True)
        writer.use_and_lose()
        writer.block(random.randrange(1, 4))
        both.append("\n".join(writer.lines))
    return MODULE.format(changed=both[0], two=both[1]) + START + "\n".join((
        *outer.lines, END + "contains", "subroutine inner(d)", "  real(8), intent(inout) :: d", "  real(8) :: e",
        "  integer :: i, k", "  k = 1", "  e = 0.3d0*d", *inner.lines, "end subroutine inner", "end subroutine p", ""))


class Writer:
    """Writes the statements of one procedure. ``names``: what it reads and writes; ``plain``: and nothing else."""

    def __init__(self, random: Random, names: tuple[str, ...], plain: bool = False) -> None:
        self.random, self.names, self.plain = random, names, plain
        self.outer = "y" in names
        self.lines: list[str] = []
        self.depth = 1
        self.marked = False

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines += ["  " * self.depth + line for line in text.split("\n")]

    def name(self) -> str:
        return self.pick(*self.names)

    def term(self) -> str:
        one, two = self.name(), self.name()
        return self.pick(f"0.5d0*{one}*{two}", f"0.6d0*{one} - 0.2d0*{two}", f"sin({one})", f"{one}/(2 + {two}**2)",
                         f"0.7d0*{one}", f"sin({one})*{two}")

    def block(self, size: int) -> None:
        for _ in range(size):
            self.statement()

    def inside(self, first: str, *last: str) -> None:
        self.add(first)
        self.depth += 1
        self.block(self.random.randrange(1, 4))
        self.depth -= 1
        for line in last:
            self.add(line)

    def statement(self) -> None:
        kind = self.random.randrange(20)
        if kind < 4 and not self.marked and self.depth < 4:
            self.marked = True
            self.inside("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END")
            self.marked = False
        elif kind == 4 and self.depth < 4:
            self.inside(f"if ({self.name()} > 0.3d0) then", "end if")
        elif kind == 5 and self.outer and self.depth < 2:
            self.inside("do i = 1, 2", "end do")
        elif kind < 9 and not self.plain:
            self.add(self.pick(*MOVES))
        elif kind < 12 and not self.plain:
            self.call()
        elif kind < 14 and not self.plain and self.depth < 4:
            self.associate()
        elif kind == 15 and not self.marked:
            self.use_and_lose()
        elif kind == 14 and not self.plain:
            self.add(self.pick("pr(1:2) = 0.5d0*r(2:3)*pr(2:1:-1)", "r = sin(r)*ph", "zz%im = 0.5d0*zz%re*pz",
                               "zz = 0.5d0*zz*zz(2)", "z = z*zz(k)*0.5d0", "pz = sin(pz)*z%re",
                               "r(1:2) = half(pr(1:2))*pt"))
        else:
            self.add(f"{self.name()} = {self.term()}")

    def use_and_lose(self) -> None:
        """A part reads what is overwritten behind it, perhaps by another name, and without being read."""
        self.add(f"!$AD CHECKPOINT-START\n{self.name()} = {self.term()}\n!$AD CHECKPOINT-END")
        for _ in range(2):
            self.add(f"{self.name()} = 0.5d0*{self.term()}")

    def call(self) -> None:
        one, target = self.pick("pt", "ph", "pr(k)", "q", "pz(1)", "z%im"), self.pick("q", "pt", "ph", "r(k)", "pz(1)")
        options = [f"call sets({value}, {target})" for value in (
            f"2*{one}", f"({one})", "0.5d0*sum(pr)", f"read_by(pt)*{one}", "real(z*z, 8)", "sum(half(pr(1:2)))")]
        options += [f"call fills({value}, {array})" for value in (
            "0.5d0*pr", "(pr)", "half(pr)", f"[{one}, ph]", "half(pz)", "(r(2:3))")
            for array in ("r", "pr", "pz", "r(1:2)")]
        options += [f"call global({self.pick(*PICKED)})", f"call two({self.pick(*PICKED)}, {self.pick(*PICKED)})"]*4
        if self.outer:
            options += ["call inner(w(0))", "call inner(w(4))", "call inner(y)"]*4
        self.add(self.pick(*options))

    def associate(self) -> None:
        """A value or a name for what is changed meanwhile; or a substring of a name."""
        if self.random.randrange(4) == 0:
            self.add("associate (u => c(2:5))")
            self.add(self.pick("u(2:3) = 'xy'", "u(k:k) = 'x'", "c(3:3) = 'x'"))
            self.add(f"if ({self.pick('c(3:3)', 'u(2:2)')} == 'x') {self.name()} = {self.term()}")
            self.add("end associate")
            return
        value = self.pick("(t)", "(q)", "(pt)", "(r(k))", "q*ph", "(z%im)")
        here = self.pick("t", "q", "pt", "r(k)", "pr(2)", "z%im", "z%re", "zz(k)%im", "w(k)", "ph")
        names, self.names = self.names, (*self.names, "v", "v", "v") if self.random.randrange(2) else self.names
        selector = here if self.names is not names else value
        self.inside(f"associate (v => {selector})")
        self.names = names
        self.add(f"{self.name()} = {self.pick('v*v', 'sin(v)', '0.5d0*v*' + self.name())}")
        self.add("end associate")
