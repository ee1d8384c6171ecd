"""Whole objects handed round whose components get other sizes, and arrays whose sizes functions give."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

TYPES = """  type :: wo_t
    real(8) :: h = 0.4d0
    real(8), allocatable :: e(:)
  end type wo_t"""
PROCEDURES = {
    "wo_renew": """subroutine wo_renew(o, k, s)
  type(wo_t), intent(inout) :: o
  integer, intent(in) :: k
  real(8), intent(in) :: s
  if (allocated(o%e)) deallocate(o%e)
  allocate(o%e(0:k))
  o%e = 0.5d0*s
  o%h = 0.6d0*o%h + 0.1d0*s
end subroutine wo_renew
""",
    "wo_smooth": """subroutine wo_smooth(o, s)
  type(wo_t), intent(inout) :: o
  real(8), intent(inout) :: s
  if (.not. allocated(o%e)) return
  o%e = 0.7d0*sin(o%e)*o%h
  s = 0.5d0*s + 0.2d0*sum(o%e)
end subroutine wo_smooth
""",
}
NEEDED = """pure integer function wo_need(n) result(r)
  integer, intent(in) :: n
  r = max(1, min(n, wo_state))
end function wo_need
"""
SIZED = """subroutine wo_sized(a, s)
  real(8), intent(inout) :: a(:), s
  real(8) :: t(wo_need(size(a))), u(0:size(t))
  t = a(:size(t))*s
  u = 0.3d0
  u(1:) = 0.5d0*t*t
  s = 0.5d0*s + 0.1d0*sum(t) + 0.2d0*u(size(t) - 1)
  a(1) = 0.6d0*u(size(t))
  wo_state = mod(wo_state, 4) + 1
end subroutine wo_sized
"""


def whole_objects(unit: Unit) -> None:
    """``h = g; c(2) = h``, each time with arrays of another size than before."""
    unit.module.types["wo_t"] = TYPES
    unit.module.procedures |= PROCEDURES
    unit.local("wo_c", "type(wo_t) :: wo_c(2), wo_g, wo_h  ! wo_h is handed on alone\n  integer :: wo_n, wo_i",
               "wo_n = 1", f"wo_c(1)%h = {unit.first[0]}", f"wo_g%h = 0.3d0*{unit.first[0]}", "allocate(wo_g%e(2))",
               f"wo_g%e = {unit.first[0]}")
    unit.mark("whole_objects")
    places = ("wo_c(1)", "wo_c(2)", "wo_g", "wo_c(1 + mod(k, 2))")
    looped = unit.chance(60)
    if looped:
        unit.add("do wo_i = 1, 3")
    one, other = unit.random.sample(places[:3], 2)
    unit.add("wo_n = mod(wo_n, 3) + 1", f"if (allocated({one}%e)) deallocate({one}%e)",
             f"allocate({one}%e(wo_n))", f"{one}%e = 0.4d0*{unit.read()}", f"wo_h = {one}", f"{other} = wo_h")
    for _ in range(unit.random.randint(0, 3)):
        target, source = unit.random.sample(places, 2)
        unit.add(*unit.pick((f"call wo_renew({target}, {unit.pick('1', '2', 'k')}, {unit.read()})",),
                            (f"call wo_smooth({target}, {unit.passed_scalar('wo_c')})",),
                            ("!$AD NOCHECKPOINT", f"call wo_smooth({target}, {unit.passed_scalar('wo_c')})"),
                            (f"{target} = {source}",)))
    if looped:
        unit.add("end do")
    unit.add(f"if (allocated(wo_g%e)) {unit.scalar()} = 0.5d0*sum(wo_g%e)*{unit.read()}",
             f"if (allocated(wo_c(2)%e)) {unit.scalar()} = 0.3d0*wo_c(2)%e(ubound(wo_c(2)%e, 1))*wo_c(1)%h")


def sized_by_functions(unit: Unit) -> None:
    """A callee's own arrays have sizes that a pure function gives, which reads a variable of the module."""
    unit.module.types["wo_state"] = "  integer :: wo_state = 2"
    unit.module.procedures |= {"wo_need": NEEDED, "wo_sized": SIZED}
    unit.local("wo_s", "real(8) :: wo_s(5), wo_y", f"wo_s = 0.8d0*{unit.first[1]}", f"wo_y = {unit.first[0]}",
               "wo_state = 2")
    unit.mark("sized_by_functions")
    if unit.chance(60):
        unit.add(unit.pick("wo_state = k", "wo_state = 1 + mod(k, 3)"))
    unit.add(f"call wo_sized({unit.pick('wo_s', 'wo_s(2:4)')}, wo_y)", f"wo_s(2) = 0.7d0*wo_y*{unit.read()}",
             f"{unit.scalar()} = 0.5d0*wo_s(1) + 0.2d0*wo_y*{unit.read()}")


FEATURES = (Feature("whole_objects", whole_objects, 3), Feature("sized_by_functions", sized_by_functions, 2))
