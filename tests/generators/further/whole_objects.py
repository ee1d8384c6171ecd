"""Whole objects handed round whose components get other sizes, and arrays whose sizes functions give."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

TYPES = """  type :: wh_t
    real(8) :: h = 0.4d0
    real(8), allocatable :: e(:)
  end type wh_t"""
PROCEDURES = {
    "wh_renew": """subroutine wh_renew(o, k, s)
  type(wh_t), intent(inout) :: o
  integer, intent(in) :: k
  real(8), intent(in) :: s
  if (allocated(o%e)) deallocate(o%e)
  allocate(o%e(0:k))
  o%e = 0.5d0*s
  o%h = 0.6d0*o%h + 0.1d0*s
end subroutine wh_renew
""",
    "wh_smooth": """subroutine wh_smooth(o, s)
  type(wh_t), intent(inout) :: o
  real(8), intent(inout) :: s
  if (.not. allocated(o%e)) return
  o%e = 0.7d0*sin(o%e)*o%h
  s = 0.5d0*s + 0.2d0*sum(o%e)
end subroutine wh_smooth
""",
}
NEEDED = """pure integer function wh_need(n) result(r)
  integer, intent(in) :: n
  r = max(1, min(n, wh_state))
end function wh_need
"""
SIZED = """subroutine wh_sized(a, s)
  real(8), intent(inout) :: a(:), s
  real(8) :: t(wh_need(size(a))), u(0:size(t))
  t = a(:size(t))*s
  u = 0.3d0
  u(1:) = 0.5d0*t*t
  s = 0.5d0*s + 0.1d0*sum(t) + 0.2d0*u(size(t) - 1)
  a(1) = 0.6d0*u(size(t))
  wh_state = mod(wh_state, 4) + 1
end subroutine wh_sized
"""


def whole_objects(unit: Unit) -> None:
    """``h = g; c(2) = h``, each time with arrays of another size than before."""
    unit.module.types["wh_t"] = TYPES
    unit.module.procedures |= PROCEDURES
    unit.local("wh_c", "type(wh_t) :: wh_c(2), wh_g, wh_h  ! wh_h is handed on alone\n  integer :: wh_n, wh_i",
               "wh_n = 1", f"wh_c(1)%h = {unit.first[0]}", f"wh_g%h = 0.3d0*{unit.first[0]}", "allocate(wh_g%e(2))",
               f"wh_g%e = {unit.first[0]}")
    unit.mark("whole_objects")
    places = ("wh_c(1)", "wh_c(2)", "wh_g", "wh_c(1 + mod(k, 2))")
    looped = unit.chance(60)
    if looped:
        unit.add("do wh_i = 1, 3")
    one, other = unit.random.sample(places[:3], 2)
    unit.add("wh_n = mod(wh_n, 3) + 1", f"if (allocated({one}%e)) deallocate({one}%e)",
             f"allocate({one}%e(wh_n))", f"{one}%e = 0.4d0*{unit.read()}", f"wh_h = {one}", f"{other} = wh_h")
    for _ in range(unit.random.randint(0, 3)):
        target, source = unit.random.sample(places, 2)
        unit.add(*unit.pick((f"call wh_renew({target}, {unit.pick('1', '2', 'k')}, {unit.read()})",),
                            (f"call wh_smooth({target}, {unit.passed_scalar('wh_c')})",),
                            ("!$AD NOCHECKPOINT", f"call wh_smooth({target}, {unit.passed_scalar('wh_c')})"),
                            (f"{target} = {source}",)))
    if looped:
        unit.add("end do")
    unit.add(f"if (allocated(wh_g%e)) {unit.scalar()} = 0.5d0*sum(wh_g%e)*{unit.read()}",
             f"if (allocated(wh_c(2)%e)) {unit.scalar()} = 0.3d0*wh_c(2)%e(ubound(wh_c(2)%e, 1))*wh_c(1)%h")


def sized_by_functions(unit: Unit) -> None:
    """A callee's own arrays have sizes that a pure function gives, which reads a variable of the module."""
    unit.module.types["wh_state"] = "  integer :: wh_state = 2"
    unit.module.procedures |= {"wh_need": NEEDED, "wh_sized": SIZED}
    unit.local("wh_s", "real(8) :: wh_s(5), wh_y", f"wh_s = 0.8d0*{unit.first[1]}", f"wh_y = {unit.first[0]}",
               "wh_state = 2")
    unit.mark("sized_by_functions")
    if unit.chance(60):
        unit.add(unit.pick("wh_state = k", "wh_state = 1 + mod(k, 3)"))
    unit.add(f"call wh_sized({unit.pick('wh_s', 'wh_s(2:4)')}, wh_y)", f"wh_s(2) = 0.7d0*wh_y*{unit.read()}",
             f"{unit.scalar()} = 0.5d0*wh_s(1) + 0.2d0*wh_y*{unit.read()}")


FEATURES = (Feature("whole_objects", whole_objects, 3), Feature("sized_by_functions", sized_by_functions, 2))
