"""Random programs of small procedures, for calls that are made again: ``program(random)`` is the text, its head
``p(x)>(y)``.

Functions of one to four statements with branches, loops of constant length and calls of each other, that read module
variables; subroutines that give one scalar, two, or a short vector, or change what they are passed; functions that
count their calls, leave something in the module, have a memory, optional arguments or a copy, give a subscript, or are
elemental; what they are passed, and what they gave, is overwritten soon: in loops, behind branches, in parts, by other
calls of the same.
"""

from __future__ import annotations

from random import Random

from tests.generators.dag import random_scalars
from tests.generators.dag.random_scalars import HEAD, SCALARS, numbers

__all__ = ["HEAD", "LOCATIONS", "numbers", "program"]

LOCATIONS = (*random_scalars.LOCATIONS, "q", "u", "o")
FUNCTIONS = ("f1", "f2", "f3")
ONE = """subroutine one(v, z, n)
  real(8), intent(in) :: v
  real(8) :: z
  integer :: n
  z = 0.5d0*z + v/(2 + n)
end subroutine one"""
MODULE = random_scalars.MODULE.replace("  real(8) :: g\n", "  real(8) :: g, last = 0.2d0\n  integer :: cnt = 0\n")
UNLIKE = """real(8) function counts(u)
  real(8), intent(in) :: u
  cnt = mod(cnt + 1, 5)
  counts = u*(1 + 0.1d0*cnt)
end function counts
real(8) function leaves(u)
  real(8), intent(in) :: u
  last = 0.5d0*sin(u)
  leaves = u + last
end function leaves
real(8) function kept(u)
  real(8), intent(in) :: u
  real(8), save :: old = 0.3d0
  kept = 0.5d0*u*old
  old = 0.2d0 + 0.1d0*sin(u)
end function kept
real(8) function either(u, v)
  real(8), intent(in) :: u
  real(8), intent(in), optional :: v
  either = 0.7d0*u
  if (present(v)) either = either*v
end function either
real(8) function copied(u)
  real(8), value :: u
  u = 0.5d0*u
  copied = u*u
end function copied
integer function spot(u, k)
  real(8), intent(in) :: u
  integer, intent(in) :: k
  spot = mod(k, 3)
  if (u > 0.5d0) spot = spot + 1
end function spot
elemental real(8) function each(u)
  real(8), intent(in) :: u
  each = 0.5d0*u*u + 0.1d0
end function each"""
SUBROUTINES = ("s1", "s2", "pair", "vec", "change")


def program(random: Random) -> str:
    """A module with three functions and five subroutines, and the head."""
    writer = _Writer(random, SCALARS, ("one",))
    writer.block(random.randrange(8, 18))
    start = [f"  {name} = {writer.pick('x', 'x*x', '0.5d0', 'sin(x)', '2*x')}" for name in SCALARS]
    return MODULE + "\n".join((
        *(_function(random, name, at) for at, name in enumerate(FUNCTIONS)),
        *(_subroutine(random, name) for name in SUBROUTINES), ONE, UNLIKE, "end module shared", "subroutine p(x, n, y)",
        "  use shared", "  implicit none", "  integer, intent(in) :: n", "  real(8), intent(in) :: x",
        "  real(8) :: y, a, b, c, s, t, w(0:9), q(3), h(0:9)", "  type(point) :: d", "  integer :: i, j, k",
        *start, "  y = x",
        "  g = 0.7d0*x", "  k = 2", "  w = x", "  q = 0.3d0*x", "  h = [(x*i + 0.1d0*i, i = 0, 9)]", *writer.lines,
        f"  y = y + {'*'.join(random.sample(SCALARS, 2))} + q({random.randrange(3) + 1})*w(k) + last",
        "end subroutine p")) + "\n"


def _value(random: Random, names: tuple[str, ...], below: tuple[str, ...] = ()) -> str:
    one, two = random.choice(names), random.choice(names)
    kinds = [f"{one}*{two}", f"0.5d0*{one} + {two}", f"{one}/(2 + {two}**2)", f"sin({one})", f"{one} - 0.2d0*{two}",
             f"max({one}, {two})", f"{one}"]
    kinds += [f"{name}({one}, 0.5d0*{two})" for name in below]
    return random.choice(kinds)


def _lines(random: Random, target: str, names: tuple[str, ...], below: tuple[str, ...] = ()) -> list[str]:
    """Statements that give ``target`` its value."""
    found = [f"  {target} = {_value(random, names, below)}"]
    inner = (*names, target)
    for _ in range(random.randrange(3)):
        more = f"{target} = {_value(random, inner, below)}"
        found += random.choice([[f"  {more}"], [f"  if ({random.choice(names)} > 0.4d0) {more}"],
                                ["  do m = 1, 2", f"    {more}", "  end do"],
                                [f"  if ({random.choice(names)} > 0.6d0) then", f"    {more}", "  else",
                                 f"    {target} = {_value(random, inner)}", "  end if"]])
    return found


def _function(random: Random, name: str, at: int) -> str:
    reads = ("u", "v", "g") if random.randrange(2) else ("u", "v")
    result = random.choice((name, "r"))
    head = f"function {name}(u, v)" + (f" result({result})" if result != name else "")
    return "\n".join((head, "  real(8), intent(in) :: u, v", f"  real(8) :: {result}, z", "  integer :: m",
                      *_lines(random, "z", reads, FUNCTIONS[:at]), *_lines(random, result, (*reads, "z")),
                      f"end function {name}"))


def _subroutine(random: Random, name: str) -> str:
    names = ("u", "g") if random.randrange(3) == 0 else ("u",)
    outs = {"pair": ("o", "r"), "vec": ("o(1)", "o(2)", "o(3)")}.get(name, ("o",))
    dummies = "u, o, r" if name == "pair" else "u, o"
    body, known = list[str](), names
    if name == "change":
        known = (*names, "o")
    for one in outs:
        body += _lines(random, one, known)
        known = (*known, one)
    declared = "  real(8) :: o(3)" if name == "vec" else f"  real(8) :: {dummies[3:]}"
    if name == "s2" and random.randrange(2):
        body.append(f"  {'g'} = {_value(random, ('u', 'o'))}")  # no longer of one output
    return "\n".join((f"subroutine {name}({dummies})", "  real(8), intent(in) :: u", declared, "  integer :: m",
                      *body, f"end subroutine {name}"))


class _Writer(random_scalars.Writer):
    """Statements with calls of the small procedures."""

    def term(self) -> str:
        if self.random.randrange(8) == 0:
            one, two = self.place(), self.place()
            return self.pick(f"counts({one})", f"0.5d0*leaves({one})", f"leaves({one})*{two}", f"kept({one})*{two}",
                             f"either({one})*{two}", f"either({one}, {two})", f"copied({one})*{two}",
                             f"h(spot({one}, k))*{two}", f"w(spot({one}, k))*0.5d0", f"sum(each(q))*{two}*0.2d0",
                             f"last*{one}", f"each({one})*{two}")
        if self.random.randrange(3) == 0:
            name, one, two = self.pick(*FUNCTIONS), self.place(), self.place()
            return self.pick(f"{name}(1d0*{self.read()}, {one})", f"{name}({one}, {two})*0.5d0",
                             f"{name}({two}, 0.3d0)*{self.read()}", f"sin({name}({one}, {two}))")
        return super().term()

    def place(self) -> str:
        """A variable that a call is passed, often one that nobody overwrites."""
        if self.random.randrange(3):
            return self.pick("x", "h(k)", "h(3)", *(f"h({one})" for one in self.loops))
        return self.pick(self.scalar(), self.scalar(), "x", "q(2)", "w(k)", *(f"w({one})" for one in self.loops))

    def statement(self) -> None:
        if self.random.randrange(3):
            super().statement()
            return
        out = self.random.sample(("a", "b", "c", "s", "t", "d%r"), 2)
        given = self.place() if self.random.randrange(3) else f"1d0*{self.read()}"
        if given in (*out, "g") or given.startswith("w("):  # s2 may write g, which nobody else may then
            given = f"({given})"
        self.add(self.pick(
            f"call s1({given}, {out[0]})", f"call s1({given}, w(k))", f"call s2({given}, {out[0]})",
            f"call pair({given}, {out[0]}, {out[1]})", f"call vec(1d0*({given}), q)", f"call vec({out[0]}, q)",
            f"call change({given}, {out[0]})", f"call change({out[0]}, {out[1]})", "q = each(q)", "w = each(h)",
            f"if (copied({given}) > 0.2d0) {out[0]} = 0.5d0*{given}"))
