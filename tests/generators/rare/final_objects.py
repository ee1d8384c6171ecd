"""Objects with a FINAL procedure that nobody notices: it gives up and resets what ends, and nothing else."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

BOX = """  type :: fo_box
    integer :: n = 0
    real(8), allocatable :: w(:)
  contains
    final :: fo_done
  end type fo_box
"""
CALLED = """subroutine fo_done(f)
  type(fo_box), intent(inout) :: f
  if (allocated(f%w)) deallocate (f%w)
  f%n = 0
end subroutine fo_done
subroutine fo_make(f, a, s)
  type(fo_box), intent(out) :: f
  real(8), intent(in) :: a(5)
  real(8), intent(inout) :: s
  f%n = 5
  f%w = 0.6d0*sin(a*s)
  s = 0.5d0*s + 0.2d0*f%w(2)
end subroutine fo_make
subroutine fo_held(a, s)
  real(8), intent(inout) :: a(5), s
  type(fo_box) :: f
  call fo_make(f, a, s)
  a(2:4) = 0.5d0*f%w(1:3)*a(2:4) + 0.1d0*s
end subroutine fo_held
"""


def final_objects(unit: Unit) -> None:
    """One that is made, changed, assigned, given up in a callee, read."""
    module, (scalar, array) = unit.module, unit.first
    module.types["fo_box"] = BOX
    module.procedures["fo_called"] = CALLED
    if "fo" not in unit.locals:
        unit.local("fo", "type(fo_box) :: fo, fo_two", "fo%n = 5", f"fo%w = 0.4d0*{array}",
                   f"fo_two%w = {array}*{scalar}")
        unit.know("fo", ("fo%w(2)", "fo%w(k)", "fo_two%w(3)"), (), ())
    unit.mark("final_objects")
    scalar = unit.pick(*unit.free_scalars("fo"))
    unit.add(unit.pick(
        f"call fo_make(fo, {array}, {scalar})", f"call fo_held({array}, {scalar})", "fo = fo_two",
        f"fo%w({unit.index()}) = 0.5d0*fo%w(k)*{scalar}", f"fo_two%w = 0.6d0*fo%w*{scalar}",
        f"{scalar} = 0.5d0*{scalar} + 0.2d0*fo%w({unit.index()})*fo_two%w(2)"))


FEATURES = (Feature("final_objects", final_objects),)
