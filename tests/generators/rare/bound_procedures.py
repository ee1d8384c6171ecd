"""Type-bound procedures with PASS(name), NOPASS and GENERIC, bound operators and assignments, and objects whose values
are made of their own components."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

TYPES = """  type :: bp_t
    real(8) :: v = 0.5d0
    real(8) :: w = 0.4d0
  contains
    procedure, pass(self) :: mixed => bp_mixed
    procedure, nopass :: sized => bp_sized
    procedure, pass(o) :: bp_one
    procedure, pass(o) :: bp_two
    generic :: go => bp_one, bp_two
    procedure, pass(b) :: bp_plus
    generic :: operator(+) => bp_plus
    procedure :: bp_from
    generic :: assignment(=) => bp_from
  end type bp_t
  type, extends(bp_t) :: bp_u
    real(8) :: z = 0.6d0
  contains
    procedure, pass(self) :: mixed => bp_mixed_u
  end type bp_u
"""
CALLED = """subroutine bp_mixed(s, self, k, q)
  real(8), intent(inout) :: s
  class(bp_t), intent(inout) :: self
  integer, intent(in) :: k
  real(8), intent(in), optional :: q
  s = sin(s*self%v)*0.6d0 + 0.1d0*k
  self%v = 0.5d0*self%v + 0.2d0*s*self%w
  if (present(q)) self%w = 0.7d0*self%w*cos(q)
end subroutine bp_mixed
subroutine bp_mixed_u(s, self, k, q)
  real(8), intent(inout) :: s
  class(bp_u), intent(inout) :: self
  integer, intent(in) :: k
  real(8), intent(in), optional :: q
  self%z = 0.5d0*self%z*s + 0.1d0*k
  if (present(q)) s = 0.8d0*s*q
  self%w = 0.6d0*self%w + 0.2d0*self%z
end subroutine bp_mixed_u
function bp_sized(a) result(r)
  real(8), intent(in) :: a
  real(8) :: r
  r = 0.5d0*a*cos(a)
end function bp_sized
subroutine bp_one(a, o)
  real(8), intent(inout) :: a
  class(bp_t), intent(inout) :: o
  a = 0.7d0*a*o%v
  o%v = 0.6d0*sin(a + o%w)
end subroutine bp_one
subroutine bp_two(o, a, b)
  class(bp_t), intent(inout) :: o
  real(8), intent(inout) :: a, b
  a = 0.5d0*a*b + 0.2d0*o%w
  b = 0.6d0*b*o%v
  o%w = 0.5d0*o%w + 0.3d0*a
end subroutine bp_two
function bp_plus(a, b) result(r)
  real(8), intent(in) :: a
  class(bp_t), intent(in) :: b
  type(bp_t) :: r
  r%v = 0.5d0*a*b%w
  r%w = 0.6d0*sin(a) + 0.2d0*b%v
end function bp_plus
subroutine bp_from(o, a)
  class(bp_t), intent(inout) :: o
  real(8), intent(in) :: a
  o%v = 0.5d0*o%w*a
end subroutine bp_from
"""


def bound_procedures(unit: Unit) -> None:
    """Calls of them, the object among the other arguments, in objects of known type, of CLASS, and allocatable."""
    unit.module.types["bp"], unit.module.procedures["bp"] = TYPES, CALLED
    scalar = unit.first[0]
    if "bp_a" not in unit.locals:
        unit.local("bp_a", "type(bp_t) :: bp_a\n  type(bp_u) :: bp_b\n  type(bp_t), allocatable :: bp_c\n"
                   "  class(bp_t), allocatable :: bp_d", f"bp_a%v = 0.5d0*{scalar}", f"bp_b%z = 0.4d0*{scalar}",
                   f"bp_c = bp_t({scalar}, 0.3d0)", "allocate (bp_d, source=bp_b)")
        unit.know("bp_a", ("bp_a%v", "bp_a%w", "bp_b%z"))
        unit.values += ["bp_c%v", "bp_c%w", "bp_d%v", "bp_d%w"]
    o = unit.pick("bp_a", "bp_b", "bp_c", "bp_d")
    s = unit.passed_scalar("bp_a")
    t = unit.passed_scalar("bp_a", s)
    other = unit.scalar("bp_a", s)
    unit.mark("bound_procedures")
    unit.add(unit.pick(
        f"call {o}%mixed({s}, 2)", f"call {o}%mixed({s}, k, 0.5d0*{t})", f"call {o}%mixed(k=3, s={s})",
        f"call {o}%mixed({s}, q={t}, k=1)", f"call {o}%go({s})", f"call {o}%go({s}, {t})", f"call {o}%go(b={s}, a={t})",
        f"{other} = {o}%sized({unit.read()})", f"{o} = {unit.read()}", f"bp_a = {unit.read()} + {o}",
        f"bp_c = bp_t({unit.read()}, 0.4d0*bp_c%w) ", f"bp_c = bp_t(bp_c%w, 0.7d0*bp_c%v*{other})",
        f"bp_a = bp_t(0.5d0*bp_a%w, bp_a%v*{other})", f"bp_b = bp_u(bp_b%z, bp_b%v, 0.6d0*bp_b%w*{other})"))


FEATURES = (Feature("bound_procedures", bound_procedures, 4),)
