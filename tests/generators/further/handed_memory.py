"""Memory that a procedure makes by a pointer of its own: handed on, or its scratch."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

HANDED = "@handed"  # one root: any two of these names may be one memory
TYPES = """  type :: hm_node
    real(8) :: v = 0.4d0
    real(8), pointer :: w(:) => null()
    type(hm_node), pointer :: next => null()
  end type hm_node"""
ARRAY = """subroutine hm_array(p, s)
  real(8), pointer, intent(inout) :: p(:)
  real(8), intent(in) :: s
  real(8), pointer :: t(:)
  allocate(t(6))
  t = 0.5d0*s
  t(2:6) = t(2:6) + 0.3d0*p
  p => t(2:)
end subroutine hm_array
"""
NODE = """subroutine hm_push(h, s)
  type(hm_node), pointer, intent(inout) :: h
  real(8), intent(in) :: s
  type(hm_node), pointer :: t
  allocate(t)
  t%v = sin(s)
  t%next => h
  h => t
end subroutine hm_push
subroutine hm_fill(h, s)
  type(hm_node), pointer, intent(in) :: h
  real(8), intent(inout) :: s
  real(8), pointer :: t(:)
  allocate(t(3))
  t = 0.6d0*s
  t(2) = t(1)*h%v
  h%w => t
  s = 0.5d0*s + 0.3d0*t(2)
end subroutine hm_fill
subroutine hm_total(h, s)
  type(hm_node), pointer, intent(in) :: h
  real(8), intent(inout) :: s
  type(hm_node), pointer :: at
  integer :: i
  at => h
  do i = 1, 4
    if (.not. associated(at)) exit
    s = 0.5d0*s + 0.3d0*sin(at%v*s)
    if (associated(at%w)) s = 0.7d0*s + 0.2d0*at%w(2)
    at => at%next
  end do
end subroutine hm_total
"""
SCRATCH = """subroutine hm_scratch(a, s)
  real(8), intent(inout) :: a(5), s
  real(8), pointer :: t(:)
  type(hm_node), pointer :: n
  allocate(t(5), n)
  t = a(5:1:-1)*s
  n%v = t(2)*s
  a = 0.6d0*a + 0.3d0*sin(t*n%v)
  s = 0.5d0*s + 0.2d0*t(3)
  deallocate(t, n)
end subroutine hm_scratch
"""


def handed_arrays(unit: Unit) -> None:
    """A pointer comes back with an array that the callee has made, by another name."""
    unit.module.procedures["hm_array"] = ARRAY
    unit.local("hm_p", "real(8), target :: hm_room(5)\n  real(8), pointer :: hm_p(:)",
               f"hm_room = 0.7d0*{unit.first[1]}", "hm_p => hm_room")
    if "hm_p(2)" not in unit.scalars:
        unit.know(HANDED, ("hm_p(2)", "hm_p(k)"))
    unit.mark("handed_arrays")
    split(unit)
    unit.add(f"call hm_array(hm_p, {unit.passed_scalar(HANDED)})")
    unit.add(f"hm_p(3) = 0.6d0*hm_p(2)*{unit.read()}", f"{unit.scalar()} = 0.4d0*hm_p(3)*hm_p(k)")
    if unit.chance(30):
        unit.add("hm_p => hm_room")


def handed_nodes(unit: Unit) -> None:
    """A list grows, and its nodes get arrays."""
    unit.module.types["hm_node"] = TYPES
    unit.module.procedures["hm_push"] = NODE
    unit.local("hm_l", "type(hm_node), target :: hm_one\n  type(hm_node), pointer :: hm_l",
               f"hm_one%v = {unit.first[0]}", "hm_l => hm_one")
    if "hm_l%v" not in unit.scalars:
        unit.know(HANDED, ("hm_l%v", "hm_one%v"))
    unit.mark("handed_nodes")
    for _ in range(unit.random.randint(1, 2)):
        split(unit)
        unit.add(f"call {unit.pick('hm_push', 'hm_push', 'hm_fill')}(hm_l, {unit.passed_scalar(HANDED)})")
        unit.add(unit.pick(f"hm_l%v = 0.6d0*hm_l%v*{unit.read()}", f"{unit.scalar()} = 0.5d0*hm_l%v*{unit.read()}"))
    if unit.chance(40):
        block(unit, 1, 0)
    unit.add(f"call hm_total(hm_l, {unit.passed_scalar(HANDED)})")


def scratch_pointers(unit: Unit) -> None:
    """Memory that nothing leads to when the callee returns."""
    unit.module.types["hm_node"] = TYPES
    unit.module.procedures["hm_scratch"] = SCRATCH
    unit.local("hm_a", "real(8) :: hm_a(5), hm_s", f"hm_a = 0.8d0*{unit.first[1]}", f"hm_s = {unit.first[0]}")
    unit.mark("scratch_pointers")
    unit.add("call hm_scratch(hm_a, hm_s)", f"hm_a(2) = 0.7d0*hm_s*{unit.read()}",
             f"{unit.scalar()} = 0.5d0*hm_a(k) + 0.2d0*hm_s*{unit.read()}")


def split(unit: Unit) -> None:
    """Mostly the next call is none of the parts."""
    if unit.chance(70):
        unit.add("!$AD NOCHECKPOINT")


FEATURES = (Feature("handed_arrays", handed_arrays, 3), Feature("handed_nodes", handed_nodes, 3),
            Feature("scratch_pointers", scratch_pointers, 2))
