"""Objects that are reached by two links and more: their sizes asked for, their links set, arrays of theirs passed."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

TYPES = """  type :: bl_t
    real(8) :: v = 0.6d0
    real(8), allocatable :: w(:)
    type(bl_t), pointer :: p => null()
  end type bl_t"""
PROCEDURES = {
    "bl_asks": """subroutine bl_asks(v, s)
  real(8), intent(in) :: v(:)
  real(8), intent(inout) :: s
  s = 0.5d0*sin(s)*(1 + 0.1d0*size(v))
end subroutine bl_asks
""",
    "bl_step": """subroutine bl_step(o, s)
  type(bl_t), intent(inout) :: o
  real(8), intent(inout) :: s
  s = 0.5d0*s + 0.1d0*o%v*s
  o%v = 0.7d0*o%v + 0.1d0*s
  if (associated(o%p)) o%p%v = 0.5d0*o%p%v + 0.1d0*s
end subroutine bl_step
""",
    "bl_relink": """subroutine bl_relink(a, b, c)
  type(bl_t), target, intent(inout) :: a, b, c
  if (associated(a%p, b)) then
    a%p => c
  else
    a%p => b
  end if
end subroutine bl_relink
""",
}


def behind_links(unit: Unit) -> None:
    """``s = s*size(a%p%p%w)``, ``a%p => c`` and ``q => a%p%p``, in a ring of three objects and a pointer."""
    unit.module.types["bl_t"] = TYPES
    unit.module.procedures |= PROCEDURES
    objects = ("bl_a", "bl_b", "bl_c")
    unit.local("bl_a", "type(bl_t), target :: bl_a, bl_b, bl_c\n  type(bl_t), pointer :: bl_q\n  real(8) :: bl_s\n"
               "  integer :: bl_i", "bl_a%p => bl_b", "bl_b%p => bl_c", "bl_c%p => bl_a", "bl_q => bl_b",
               f"bl_s = {unit.first[0]}", f"bl_a%w = 0.4d0*{unit.first[1]}", f"bl_b%w = [0.3d0*{unit.first[0]}, bl_s]",
               "bl_c%w = [bl_s, 0.5d0, bl_s]", f"bl_c%v = {unit.first[0]}")
    unit.mark("behind_links")
    looped = unit.chance(60)
    if looped:
        unit.add("do bl_i = 1, 3")
    for _ in range(unit.random.randint(2, 5)):
        o = unit.pick(*objects, "bl_q", "bl_a%p", "bl_q%p", "bl_a%p%p")
        one, other, third = unit.random.sample(objects, 3)
        if unit.chance(20):
            unit.add("!$AD NOCHECKPOINT", f"call bl_step({o}, bl_s)")
            continue
        unit.add(unit.pick(
            f"bl_s = 0.5d0*bl_s*(1 + 0.1d0*size({o}%p%w))", f"bl_s = 0.5d0*bl_s + 0.2d0*{o}%p%p%v",
            f"bl_s = 0.5d0*bl_s + 0.2d0*sum({o}%p%w)", f"{o}%p%v = 0.6d0*bl_s*{unit.read()}",
            f"{o}%w(1) = 0.7d0*{o}%w(2)*bl_s", f"if (associated({o}%p, {one})) bl_s = 0.8d0*bl_s",
            f"bl_q => {o}", f"bl_q => {o}%p", f"{one}%p => {other}", f"{o}%p => {other}",
            f"call bl_asks({o}%p%w, bl_s)", f"call bl_step({o}%p, bl_s)", f"call bl_relink({one}, {other}, {third})",
            f"{one}%w = {other}%p%w", f"{one}%v = {other}%p%v*{unit.read()}"))
    if looped:
        unit.add("end do")
    unit.add(f"{unit.scalar()} = 0.5d0*bl_s + 0.2d0*bl_a%p%v*bl_q%v", "bl_a%p => bl_c", "bl_q => bl_a")


FEATURES = (Feature("behind_links", behind_links, 3),)
