"""State behind the scenes: impure elementals, BLOCK DATA, vector subscripts on both sides, memory made like other."""

from __future__ import annotations

from tests.generators.constructs.objects import item
from tests.generators.constructs.writing import COMMON, Feature, Unit

PACED = """impure elemental subroutine pushed(a, t)
  real(8), intent(inout) :: a
  real(8), intent(in) :: t
  a = 0.6d0*sin(a) + 0.2d0*pace
  pace = 0.5d0*pace + 0.3d0*a*t
end subroutine pushed
impure elemental function paced(a) result(r)
  real(8), intent(in) :: a
  real(8) :: r
  r = 0.4d0*a + 0.3d0*pace
  pace = 0.7d0*pace + 0.1d0*sin(a)
  turns = mod(turns, 4) + 1
end function paced
"""


def impure_elemental(unit: Unit) -> None:
    """Each element leaves something to the next."""
    module = unit.module
    module.procedures["paced"] = PACED
    if "pace" not in module.variables:
        module.variable("pace", "real(8) :: pace", "pace = 0.4d0*x(1)")
        module.variable("turns", "integer :: turns", "turns = 1")
        module.scalars.append("pace")
    if "pace" not in unit.scalars:
        unit.scalars.append("pace")
    a, b = unit.passed(2)
    s = unit.passed_scalar(a, b)
    t = unit.scalar("pace", a, b)
    unit.mark("impure_elemental")
    unit.add(unit.pick(
        f"call pushed({a}, {b})", f"call pushed({a}, {s})", f"call pushed({a}(5:1:-2), {b}(2:4))",
        f"call pushed({a}(turns:), 0.5d0*{s})", f"call pushed({a}, 0.3d0*{b})", f"{a} = paced({a})",
        f"{a}(1:3) = 0.5d0*paced({b}(ix(2:4)))", f"{t} = 0.3d0*sum(paced({a}))", f"{t} = paced({s})",
        f"if (sum(paced({a})) > 0.7d0) {t} = 0.5d0*{s}"))


def block_data(unit: Unit) -> None:
    """A COMMON block of which BLOCK DATA gives some variables their start values; these nobody changes."""
    number = unit.module.number
    unit.module.before["bdata"] = f"""block data d{number}
  real(8) :: c(4), d
  integer :: n(3)
  common /bdk{number}/ c, d, n
  data c(2) /0.3d0/, (c(i), i = 3, 4) /2*0.6d0/, n /2, 1, 3/
end block data d{number}
"""
    if unit.level:
        unit.local("bdc", f"real(8) :: bdc(5)\n  integer :: bdn(3)\n  common /bdk{number}/ bdc, bdn")
        unit.values += [one for one in ("bdc(3)", "bdc(2)") if one not in unit.values]
    else:
        unit.local("bdc", f"real(8) :: bdc(4), bdd\n  integer :: bdn(3)\n  common /bdk{number}/ bdc, bdd, bdn",
                   f"bdc(1) = 0.5d0*{unit.first[0]}", "bdd = 0.7d0*bdc(1)")
        if "bdd" not in unit.scalars:
            unit.know(COMMON, ("bdd", "bdc(1)"), (), ("bdc(2)", "bdc(4)", "bdc(bdn(3))"))
    unit.mark("block_data")
    unit.add(f"{unit.scalar()} = 0.6d0*bdc(bdn({unit.pick('1', '3')}))*{unit.read()}", "k = bdn(mod(k, 3) + 1)")


def scattered(unit: Unit) -> None:
    """Vector subscripts on both sides of an assignment."""
    unit.local("jx", "integer :: jx(3)", "jx = [4, 1, 3]")
    unit.local("sc2", "real(8) :: sc2(3, 4)", f"sc2 = 0.5d0*{unit.first[0]}")
    if "sc2(2, 3)" not in unit.scalars:
        unit.know("sc2", ("sc2(2, 3)", "sc2(1, k)"))
    a, b, s = unit.array(), unit.array(), unit.read()
    unit.mark("scattered")
    unit.add(unit.pick(f"{a}(ix) = 0.7d0*{b}(ix(5:1:-1))*{s}", f"{a}(jx) = 0.6d0*{a}(ix(1:3))",
                       f"{a}([2, 5, 3]) = {b}([3, 3, 1])*0.8d0", f"{a}(ix(jx)) = sin({b}(jx))*{a}(ix(2:4))",
                       "sc2([3, 1], jx) = 0.5d0*sc2([1, 2], jx(3:1:-1))",
                       f"sc2(k/2 + 1, jx) = {a}(jx)*{s}", "jx = jx([2, 3, 1])"))


def made_like(unit: Unit) -> None:
    """ALLOCATE with SOURCE= and MOLD=, of CLASS objects too, and of texts."""
    name = unit.fresh("ml")
    a = unit.array()
    unit.mark("made_like")
    if unit.chance(40):
        o = item(unit)
        with unit.nested("block", "end block"):
            unit.add(f"class(base), allocatable :: {name}, {name}m", f"character(:), allocatable :: {name}c",
                     f"allocate ({name}, source={o})", f"allocate ({name}m, mold={name})",
                     f"allocate (character(k) :: {name}c)", f"{name}c = 'ab'",
                     f"{name}m%u = 0.5d0*{name}%u*len({name}c)",
                     f"{unit.scalar()} = 0.6d0*{name}m%u + 0.2d0*{name}%v(2)*{name}m%v(1)")
        return
    with unit.nested("block", "end block"):
        unit.add(f"real(8), allocatable :: {name}(:), {name}m(:)",
                 unit.pick(f"allocate ({name}, source={a}*0.5d0)", f"allocate ({name}(5), source={unit.read()})",
                           f"allocate ({name}(0:4), source=0.4d0)"),
                 f"allocate ({name}m, mold={name})", f"{name}m = 0.5d0*{name}")
        unit.add(f"{unit.scalar()} = 0.3d0*sum({name}m)*{unit.read()}")


def run_time_text(unit: Unit) -> None:
    name = unit.fresh("said")
    unit.module.procedures[name] = f"""function {name}(n, s) result(r)
  integer, intent(in) :: n
  real(8), intent(in) :: s
  real(8) :: r
  character(n) :: word
  word = 'abcdefg'
  r = 0.1d0*s*len(word)
  if (word(n:n) == 'c') r = 0.5d0*r
end function {name}
"""
    unit.mark("run_time_text")
    unit.add(f"{unit.scalar()} = {name}(k, {unit.read()})")


FEATURES = (Feature("impure_elemental", impure_elemental, 3), Feature("block_data", block_data),
            Feature("scattered", scattered, 3), Feature("made_like", made_like),
            Feature("run_time_text", run_time_text))
