"""WHERE around what runs or assigns in its own way: impure elementals, defined assignment, memory of ALLOCATE; MERGE of
objects."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

TYPES = """  type :: wo_pair
    real(8) :: v = 0.5d0, e = 0.3d0
  end type wo_pair
  type :: wo_row
    real(8) :: u = 0.4d0
    real(8) :: f(2) = 0.6d0
  end type wo_row
  type :: wo_own
    real(8), allocatable :: w(:)
    type(wo_pair), allocatable :: q(:)
  end type wo_own
  interface assignment(=)
    module procedure wo_set, wo_scaled
  end interface"""
CALLED = """impure elemental function wo_counted(a) result(r)
  real(8), intent(in) :: a
  real(8) :: r
  wo_total = 0.5d0*wo_total + 0.2d0*a*a
  r = 0.6d0*sin(a) + 0.3d0*wo_total
end function wo_counted
elemental function wo_plain(a, s) result(r)
  real(8), intent(in) :: a, s
  real(8) :: r
  r = 0.6d0*a*s + 0.1d0
end function wo_plain
elemental subroutine wo_set(l, r)
  type(wo_pair), intent(inout) :: l
  type(wo_pair), intent(in) :: r
  l%v = 0.7d0*l%v*r%v
  l%e = 0.6d0*sin(r%e) + 0.2d0*l%e
end subroutine wo_set
elemental subroutine wo_scaled(l, r)
  type(wo_pair), intent(inout) :: l
  real(8), intent(in) :: r
  l%v = 0.8d0*l%v*r + 0.1d0*l%e
end subroutine wo_scaled
"""
ROW = "[0.5d0*{0}(1), {0}(2), 0.4d0*{0}(3), {0}(4), 0.7d0*{0}(5)]"


def _known(unit: Unit) -> None:
    module = unit.module
    module.types["wo_pair"], module.procedures["wo_set"] = TYPES, CALLED
    if "wo_total" not in module.variables:
        module.variable("wo_total", "real(8) :: wo_total", "wo_total = 0.4d0*x(3)")
        module.scalars.append("wo_total")
    if "wo_total" not in unit.scalars:
        unit.scalars.append("wo_total")
    if "wo_p" not in unit.locals:
        first = unit.first[1]
        unit.local("wo_p", "type(wo_pair) :: wo_p(5), wo_q(5)", f"wo_p%v = 0.6d0*{first}", f"wo_q%e = {first}*{first}")
        unit.local("wo_a", "type(wo_pair), allocatable :: wo_a(:)", "allocate(wo_a(0:4))", f"wo_a%e = 0.5d0*{first}",
                   f"wo_a%v = {first}")
        unit.local("wo_o", "type(wo_own) :: wo_o\n  type(wo_row) :: wo_r(5), wo_t", f"wo_o%w = 0.8d0*{first}",
                   "allocate(wo_o%q(5))", f"wo_o%q%v = 0.7d0*{first}", f"wo_r%u = 0.3d0*{first}",
                   f"wo_r%f(2) = {first}")
        unit.know("wo_p", ("wo_p(2)%v", "wo_q(k)%e"))
        unit.know("wo_a", ("wo_a(1)%v", "wo_a(k)%e"))
        unit.know("wo_o", ("wo_o%w(2)", "wo_o%q(k)%v"))
        unit.know("wo_r", ("wo_r(3)%u", "wo_r(k)%f(2)", "wo_t%f(1)"))


def _mask(unit: Unit) -> str:
    value = unit.pick(unit.array(), "wo_p%v", "wo_a%e", "wo_o%w", "wo_o%q%v", "wo_r%f(2)", unit.array())
    return f"{value} {unit.pick('>', '<')} {unit.pick('0.21d0', '0.43d0', '0.65d0')}"


def impure_in_where(unit: Unit) -> None:
    """Impure elementals run for the elements of the mask alone, in array element order."""
    _known(unit)
    a, b, c = unit.array("wo_total"), unit.array(), unit.array()
    unit.mark("impure_in_where")
    with unit.nested(f"where ({_mask(unit)})", "end where"):
        unit.add(unit.pick(f"{a} = wo_counted({b})", f"{a} = 0.5d0*wo_counted({b}) + wo_plain({c}, 0.7d0)",
                           f"{a} = wo_counted(wo_plain({b}, {c}))", "wo_o%w = wo_counted(wo_o%w)*0.8d0"))
        if unit.chance(40):
            unit.add(f"where ({c} > 0.33d0) {a} = 0.7d0*wo_counted({a})")
        between = unit.chance(40)
        if between:
            unit.add(f"elsewhere ({b} < 0.77d0)", f"  {a} = 0.4d0*wo_counted(0.5d0*{c})*{b}")
        if unit.chance(50):  # of two arms alone gfortran makes one loop, in which the procedures meet in another order
            value = unit.pick(f"0.6d0*{b}", f"wo_counted({c})" if between else f"wo_plain({c}, 0.4d0)",
                              f"wo_plain({b}, 0.5d0)")
            unit.add("elsewhere", f"  {a} = {value}")


def objects_in_where(unit: Unit) -> None:
    """Assignments to objects, by a procedure or plainly, and to memory of ALLOCATE."""
    _known(unit)
    unit.mark("objects_in_where")
    a, s = unit.array(), unit.scalar()
    body = (
        "wo_p = wo_q", "wo_a = wo_p", f"wo_a = 0.6d0*{a}", "wo_p(5:1:-1) = wo_a", f"wo_q = {s}", "wo_o%q = wo_p",
        "wo_r = wo_r(5:1:-1)", "wo_r = wo_t", f"wo_o%w = 0.7d0*wo_o%w*{a}", "wo_a%v = 0.6d0*wo_a%e*wo_a%v",
        f"wo_o%q%e = sin({a})", "wo_r%u = 0.5d0*wo_r%f(1)", "wo_r%f(2) = wo_p%v*0.9d0", f"{a} = 0.8d0*wo_o%w",
        "wo_p%v = wo_p(5:1:-1)%v*0.8d0",
    )
    if unit.chance(40):
        unit.add(f"where ({_mask(unit)}) {unit.pick(*body)}")
    else:
        with unit.nested(f"where ({_mask(unit)})", "end where"):
            unit.add(*(unit.pick(*body) for _ in range(unit.random.randint(1, 2))))
            if unit.chance(50):
                unit.add(unit.pick("elsewhere", f"elsewhere ({_mask(unit)})"), f"  {unit.pick(*body)}")
    if unit.chance(40):
        unit.add(f"{s} = 0.3d0*wo_p(2)%v*wo_a(3)%e + 0.2d0*sum(wo_o%w) + 0.1d0*wo_r(4)%f(2)")


def merged_objects(unit: Unit) -> None:
    _known(unit)
    a, s = unit.array(), unit.scalar()
    unit.mark("merged_objects")
    unit.add(unit.pick(
        f"wo_r = merge(wo_r(5:1:-1), wo_r, {a} > 0.37d0)", f"wo_r(2) = merge(wo_r(k), wo_t, {unit.condition()})",
        f"wo_t = merge(wo_r(3), wo_row(0.5d0*{s}, 0.3d0), {unit.condition()})",
        f"wo_r = merge(wo_t, wo_r, {_mask(unit)})", f"wo_p = merge(wo_p, wo_q, {_mask(unit)})",
        f"wo_r(2:4) = merge(wo_r(1:3), wo_r(3:5), {a}(2:4) < 0.6d0)",
        f"wo_r = merge(wo_row({s}, [0.2d0, {s}]), wo_r, wo_r%u > 0.2d0)"))
    if unit.chance(50):
        unit.add(f"{s} = 0.3d0*sum(wo_r%f(2)) + 0.2d0*wo_t%u")


FEATURES = (Feature("impure_in_where", impure_in_where, 3), Feature("objects_in_where", objects_in_where, 4),
            Feature("merged_objects", merged_objects, 3))
