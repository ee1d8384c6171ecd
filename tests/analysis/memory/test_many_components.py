"""Types of types of types: beyond a thousand locations of one variable what lies deep in it is one location."""

from pathlib import Path

from snapset.analysis.memory import storage_units
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

LEVELS = "".join(
    f"  type t{k}\n" + "".join(f"    type(t{k - 1}) :: c{j}\n" for j in range(6)) + "  end type\n" for k in range(1, 5))
TEXT = f"""module m
  type t0
    real(8) :: u = 1, v(3) = 2
  end type
{LEVELS}contains
  subroutine inner(a, x)
    type(t2), intent(inout) :: a
    real(8), intent(inout) :: x
    a%c1%c2%u = a%c1%c2%u*x
    x = x*a%c1%c2%u
  end subroutine
end module
subroutine s(x, y)
  use m
  real(8), intent(inout) :: x, y
  type(t4) :: all
  all%c3%c0%c1%c2%u = x*x
  all%c3%c0%c1%c2%v = sin(x)
  call inner(all%c3%c0, x)
  all%c3%c0%c1%c2%u = all%c3%c0%c1%c2%u*x
  all%c3%c1%c1%c1%u = all%c3%c0%c1%c2%u*all%c3%c0%c1%c2%v(2)
  call inner(all%c3%c1, x)
  y = y*x + all%c3%c0%c1%c2%u*all%c3%c1%c1%c1%u
end subroutine
"""


def test_no_variable_has_more_locations_than_that() -> None:
    program = load_text(TEXT)
    leaves = storage_units.Storage(program).leaves(program.procedures["s"].variables["all"])
    assert len(leaves) == 6**3  # 6**4 values and as many arrays are more than a thousand
    assert all(leaf.info.indirect for leaf in leaves)


def test_locations_that_hold_many_components_are_right(tmp_path: Path) -> None:
    proved_by_execution(TEXT, "s(x)>(y)", tmp_path)
