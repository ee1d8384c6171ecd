"""MOVE_ALLOC of what pointers lead to, and of objects that hold pointers."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

MOVED = "@moved"  # one root: any two of these names may be one memory
TYPES = """  type :: mo_view
    real(8) :: u = 0.4d0
    real(8), pointer :: l(:) => null()
  end type mo_view
  type :: mo_holder
    real(8) :: w = 0.3d0
    type(mo_view), allocatable :: own(:)
  end type mo_holder"""
SHIFT = """subroutine mo_shift(a, b)
  type(mo_view), allocatable, target, intent(inout) :: a(:), b(:)
  call move_alloc(a, b)
end subroutine mo_shift
subroutine mo_change(a, t)
  type(mo_view), intent(inout) :: a(:)
  real(8), intent(inout) :: t
  a(1)%l(2) = 0.6d0*sin(a(1)%l(2)*t) + 0.2d0*a(2)%u
  t = 0.5d0*t + 0.3d0*a(2)%l(1)
end subroutine mo_change
"""


def moved_targets(unit: Unit) -> None:
    """An array that pointers lead to goes to another variable, and back."""
    unit.local("ma", "real(8), allocatable, target :: ma(:), mb(:)", f"ma = 0.5d0*{unit.first[1]}")
    unit.local("mp", "real(8), pointer :: mp(:), ms", "mp => ma", "ms => ma(2)")
    if "ms" not in unit.scalars:
        unit.know(MOVED, ("ms", "mp(1)", "mp(k)"))
    unit.mark("moved_targets")
    if MOVED in unit.held:  # ma may not be allocated now
        unit.add(f"mp(2) = {unit.expression()}", f"{unit.scalar()} = 0.5d0*mp(3)*ms")
        return
    unit.add(unit.pick("mp => ma", "mp => ma(:)", "ms => ma(k)", "ms => mp(3)", "mp(1:5) => ma"))
    unit.add("call move_alloc(ma, mb)")
    anew = unit.chance(40)
    if anew:
        unit.add(unit.pick(f"ma = 0.6d0*{unit.array(MOVED)}", "allocate(ma(5), source=mb)", "ma = mb(5:1:-1)*0.8d0"))
        unit.add(unit.pick("ms => ma(4)", f"ma(3) = {unit.expression()}", "mb(1) = 0.5d0*ma(1) + 0.2d0*ms"))
    for _ in range(unit.random.randint(1, 3)):
        unit.add(unit.pick(f"mb(k) = {unit.expression()}", f"mp(2) = 0.7d0*mb(2)*{unit.scalar()}",
                           "ms = 0.6d0*sin(mb(2)) + 0.2d0*mp(1)", f"{unit.scalar()} = 0.4d0*mb(3)*mp(3)",
                           "mp => mb", "ms => mb(1)", "mp(2) = 0.8d0*ms"))
    _others(unit)
    if anew:
        unit.add("ms => mb(5)", "mp => mb", "deallocate(ma)")
    unit.add("call move_alloc(mb, ma)")


def moved_objects(unit: Unit) -> None:
    """Objects with pointer components, which other pointers lead to, go to another variable, and back."""
    a, b = _views(unit)
    unit.mark("moved_objects")
    if MOVED in unit.held:  # the array may not be allocated now
        unit.add("mo_e%u = 0.7d0*mo_e%l(2)*mo_z", f"mo_r(3) = {unit.expression()}")
        return
    if unit.chance(50):
        unit.add(_led(unit, a))
    called = unit.chance(20)
    move = "call mo_shift({}, {})" if called else "call move_alloc({}, {})"
    unit.add(move.format(a, b))
    anew = unit.chance(30)
    if anew:
        unit.add(unit.pick(f"{a} = {b}", f"allocate({a}(2), source={b})", f"allocate({a}(2)); {a}(1) = {b}(2); "
                           f"{a}(2)%l => {b}(1)%l"))
        unit.add(_changed(unit, a))
    for _ in range(unit.random.randint(1, 3)):
        unit.add(_led(unit, b) if unit.chance(30) else _changed(unit, b))
    _others(unit)
    if unit.chance(25):
        unit.add(f"call mo_change({b}, {unit.passed_scalar(MOVED)})")
    if anew:
        unit.add(f"mo_e => {b}(2)", f"mo_z => {b}(1)%u", f"deallocate({a})")
    unit.add(move.format(b, a))


def moved_holders(unit: Unit) -> None:
    """Allocatable components that hold pointers: one is moved, or its object is."""
    _views(unit)
    unit.local("mh", "type(mo_holder), allocatable, target :: mh(:), mi(:)\n  type(mo_holder), target :: mg",
               "allocate(mh(2))", f"mh%w = 0.6d0*{unit.first[1]}(1:2)", "allocate(mh(2)%own(2))",
               f"mh(2)%own%u = {unit.first[1]}(3:4)", "mh(2)%own(1)%l => mo_room", "mh(2)%own(2)%l => mo_other(2:)",
               "mo_h => mh(2)%own(1)")
    unit.local("mo_h", "type(mo_view), pointer :: mo_h")
    if "mo_h%u" not in unit.scalars:
        unit.know(MOVED, ("mo_h%u", "mo_h%l(2)"))
    unit.mark("moved_holders")
    if MOVED in unit.held:
        unit.add("mo_h%u = 0.7d0*mo_h%l(2)*mo_z", f"mo_h%l(3) = {unit.expression()}")
        return
    first, second, inner = unit.pick("mh|mi|mi(2)%own", "mh(2)%own|mg%own|mg%own", "mh(2)%own|mh(1)%own|mh(1)%own"
                                     ).split("|")
    unit.add(f"mo_h => mh(2)%own({unit.pick('1', '2')})", f"call move_alloc({first}, {second})")
    for _ in range(unit.random.randint(1, 3)):
        unit.add(unit.pick(f"{inner}(1)%l(2) = {unit.expression()}", "mo_h%u = 0.7d0*mo_h%l(2)*mo_r(2)",
                           f"mo_h%l(3) = 0.6d0*{inner}(2)%u*mo_h%l(3)", f"{inner}(2)%l => mo_room",
                           "mo_h%l => mo_other", f"mo_h => {inner}(2)",
                           f"{unit.scalar()} = 0.4d0*mo_h%u*{inner}(1)%l(2)"))
    if first == "mh" and unit.chance(40):
        unit.add("mi(1) = mi(2)", "mi(1)%own(1)%u = 0.6d0*mi(1)%own(1)%u*mo_h%u", "deallocate(mi(1)%own)")
    unit.add(f"call move_alloc({second}, {first})")


def _others(unit: Unit) -> None:
    """Statements while the memory is moved."""
    if unit.chance(30):
        with unit.scope(MOVED):
            block(unit, 1, 0)


def _views(unit: Unit) -> tuple[str, str]:
    unit.module.types["mo_view"] = TYPES
    unit.module.procedures["mo_shift"] = SHIFT
    unit.local("mo_a", "type(mo_view), allocatable, target :: mo_a(:), mo_b(:)\n  real(8), target :: mo_room(5), "
               "mo_other(6)\n  type(mo_view), pointer :: mo_e\n  real(8), pointer :: mo_r(:), mo_z",
               f"mo_room = 0.7d0*{unit.first[1]}", "mo_other = 0.45d0", f"mo_other(2:6) = 0.8d0*{unit.first[1]}",
               "allocate(mo_a(2))", f"mo_a%u = {unit.first[1]}(1:2)", "mo_a(1)%l => mo_room",
               "mo_a(2)%l => mo_other(2:)", "mo_e => mo_a(1)", "mo_r => mo_a(2)%l", "mo_z => mo_a(2)%u")
    if "mo_z" not in unit.scalars:
        unit.know(MOVED, ("mo_z", "mo_e%u", "mo_e%l(2)", "mo_r(k)", "mo_room(2)"))
    return "mo_a", "mo_b"


def _led(unit: Unit, a: str) -> str:
    """A pointer leads somewhere else."""
    return unit.pick(f"mo_e => {a}(2)", f"mo_e => {a}(k/4 + 1)", "mo_e%l => mo_other", f"{a}(1)%l => mo_other(:5)",
                     f"{a}(2)%l => mo_r", f"mo_r => {a}(1)%l", f"mo_z => {a}(1)%u", "mo_z => mo_room(3)",
                     f"{a}(2)%l => {a}(1)%l", "mo_r => mo_room", f"if ({unit.condition()}) mo_e => {a}(2)")


def _changed(unit: Unit, a: str) -> str:
    return unit.pick(f"{a}(1)%l(2) = {unit.expression()}", f"{a}(2)%u = 0.6d0*{a}(1)%l(3)*{unit.read()}",
                     "mo_e%u = 0.7d0*mo_e%l(2)*mo_z", f"mo_e%l(3) = 0.6d0*{a}(2)%u*mo_r(3)",
                     f"mo_z = 0.5d0*mo_z + 0.3d0*{a}(1)%l(2)", f"{unit.scalar()} = 0.4d0*{a}(1)%u*mo_r(2)",
                     f"{a}%u = 0.6d0*sin({a}(2:1:-1)%u)", f"{unit.scalar()} = 0.2d0*sum({a}(1)%l(2:4))*mo_e%u")


FEATURES = (Feature("moved_targets", moved_targets, 3), Feature("moved_objects", moved_objects, 4),
            Feature("moved_holders", moved_holders, 3))
