"""Constructs that end otherwise than they seem to: ALLOCATE and DEALLOCATE that fail, and names of a block's own."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit


def failed_allocation(unit: Unit) -> None:
    """STAT= says that what is allocated cannot be allocated, nor what is not deallocated; `fa` stays, `fb` goes."""
    unit.local("fa", "real(8), allocatable :: fa(:), fb(:)", "allocate (fa(3))", f"fa = 0.4d0*{unit.first[0]}")
    unit.local("ios", "integer :: ios")
    unit.local("why", "character(60) :: why", "why = ' '")
    if "fa(2)" not in unit.scalars:
        unit.know("fa", ("fa(2)", "fa(3)"))
    unit.mark("failed_allocation")
    if "fb" in unit.held:  # in another one of these, which may have allocated it: `deallocate (fb, fa)` would not fail
        unit.add("deallocate (fb, stat=ios)")
    unit.add(unit.pick("allocate (fa(k + 4), stat=ios, errmsg=why)", "allocate (fb(k), fa(4), stat=ios)",
                       f"allocate (fa, source={unit.array()}, stat=ios)", "deallocate (fb, stat=ios, errmsg=why)",
                       "deallocate (fb, fa, stat=ios, errmsg=why)", "allocate (fb(k), stat=ios)",
                       "allocate (fb(2), stat=ios, source=fa(1:2))"))
    with unit.nested(unit.pick("if (ios /= 0) then", "if (ios == 0) then", "if (ios /= 0 .and. size(fa) == 3) then",
                               "if (allocated(fb)) then", "if (why(12:13) == 'al') then",
                               "if (why(12:13) == 'de') then"), "end if"):
        unit.held.append("fb")
        block(unit, 1, 0)
        unit.held.remove("fb")
    unit.add("deallocate (fb, stat=ios)", f"if (ios /= 0) {unit.scalar()} = {unit.expression()}")


def failed_pointer(unit: Unit) -> None:
    """DEALLOCATE of a pointer that leads to nothing."""
    unit.local("fp", "real(8), pointer :: fp(:)", "nullify (fp)")
    unit.local("ios", "integer :: ios")
    unit.mark("failed_pointer")
    if unit.chance(50):
        unit.add("allocate (fp(2), stat=ios)", f"fp = 0.6d0*{unit.scalar()}", f"{unit.scalar()} = 0.4d0*fp(2)*fp(1)")
    unit.add("deallocate (fp, stat=ios)", f"if (ios {unit.pick('/=', '==')} 0) {unit.scalar()} = {unit.expression()}")


def block_use(unit: Unit) -> None:
    """A BLOCK that uses a module itself: kinds of constants, and the module's variables."""
    z = unit.fresh("z")
    unit.mark("block_use")
    kind, use = unit.random.choice((("real64", "real64"), ("wp", "wp => real64"), ("dp", "dp => real64, int32")))
    with unit.nested("block", "end block"):
        unit.add(f"use, intrinsic :: iso_fortran_env, only: {use}", f"real({kind}) :: {z}",
                 f"{z} = 0.3_{kind}*{unit.scalar()}")
        with unit.scope(z, (z,)):
            block(unit, unit.random.randint(1, 2), 1)
        unit.add(f"{unit.scalar()} = 0.4_{kind}*sin({z}) + real(0.3, {kind})*{unit.read()}")


def partial_data(unit: Unit) -> None:
    """DATA that sets elements: read only, because the head runs several times."""
    if "pd" not in unit.locals:
        unit.local("pd", "real(8) :: pd(5), pe(2, 3)")
        unit.local("pj", "integer :: pj, pk")
        unit.local("pd data", unit.pick("data (pd(pj), pj = 1, 4) /0.3d0, 2*0.6d0, 0.9d0/, pe(2, 1) /0.4d0/",
                                        "data pd(2) /0.7d0/, ((pe(pj, pk), pj = 1, 2), pk = 1, 2) /4*0.35d0/",
                                        "data (pd(6 - pj), pe(1, pj), pj = 1, 3) /6*0.45d0/"))
    unit.mark("partial_data")
    unit.add(unit.pick(f"{unit.scalar()} = 0.6d0*{unit.read()} + 0.2d0*pd(k)*{unit.read()}",
                       f"{unit.array()} = 0.5d0*pd + 0.4d0*{unit.read()}",
                       f"{unit.scalar()} = 0.3d0*sum(pe) + 0.4d0*pd(2)*{unit.read()}"))


FEATURES = (
    Feature("partial_data", partial_data, 2),
    Feature("failed_allocation", failed_allocation, 3), Feature("failed_pointer", failed_pointer, 2),
    Feature("block_use", block_use, 2),
)
