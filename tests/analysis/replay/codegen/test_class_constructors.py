"""Structure constructors that give values to CLASS components, of several types, and to none."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled
from tests.support.judged import wrong_plans

HEAD = "s(x)>(y)"

# As a constructor, and spelled out: gfortran 12 ends with an internal error at a constructor with a CLASS component.
BODIES = {
    "of an extension": ("h = holder(y, ext(x*x, y))\n y = y + val(h)",
                        "call give(h, y, ext(x*x, y))\n y = y + val(h)"),
    "of a variable": ("g = holder(x, e)\n y = y + val(g)*g%s", "call give(g, x, e)\n y = y + val(g)*g%s"),
    "of the type itself": ("h = holder(y, ext(x, y))\n h = holder(y, base(x))\n y = y + val(h)",
                           "call give(h, y, base(x))\n y = y + val(h)"),
    "of an object": ("allocate (c, source=e)\n h = holder(x*y, c)\n deallocate (c)\n y = y*0.1d0 + val(h)",
                     "call give(h, x*y, e)\n y = y*0.1d0 + val(h)"),
    "passed": ("y = y + 0.1d0*val(holder(x, base(y))) + val(holder(y, ext(x, x*y)))",
               "call give(h, x, base(y))\n call give(g, y, ext(x, x*y))\n y = y + 0.1d0*val(h) + val(g)"),
    "null": ("h = holder(x, ext(x, y))\n h = holder(s=y, b=null())\n if (.not. allocated(h%b)) y = y*x + h%s",
             "y = y*x + y"),
    "in arrays": ("l(1) = holder(x, ext(x, y))\n l(2) = holder(y, base(x*y))\n l(1) = holder(x, l(2)%b)\n"
                  " y = y + val(l(1))*val(l(2))",
                  "call give(g, x, base(x*y))\n call give(h, y, base(x*y))\n y = y + val(g)*val(h)"),
}


def program(body: str) -> str:
    return f"""module m
  implicit none
  type :: base
    real(8) :: a = 1
  end type
  type, extends(base) :: ext
    real(8) :: w = 2
  end type
  type holder
    real(8) :: s
    class(base), allocatable :: b
  end type
contains
  subroutine give(h, s, b)
    type(holder), intent(inout) :: h
    real(8), intent(in) :: s
    class(base), intent(in) :: b
    h%s = s
    if (allocated(h%b)) deallocate (h%b)
    allocate (h%b, source=b)
  end subroutine
  function val(h) result(r)
    type(holder), intent(in) :: h
    real(8) :: r
    r = h%s*h%b%a
    select type (b => h%b)
    type is (ext)
      r = r + b%w*b%w
    end select
  end function
  subroutine s(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: h, g, l(2)
    type(ext) :: e
    class(base), allocatable :: c
    integer :: i
    y = x
    do i = 1, 3
      e = ext(x*y, y)
      {body}
      y = 0.5d0*y + 0.1d0*x
    end do
  end subroutine
end module
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("what", BODIES)
def test_a_constructor_gives_a_class_component_its_value(what: str, tmp_path: Path) -> None:
    constructed, spelled = map(program, BODIES[what])
    inputs = Inputs({"x": 0.75})
    agrees_with_compiled(spelled, HEAD, tmp_path, inputs, ways=2)
    assert not wrong_plans(constructed, HEAD, inputs)
    slopes = [gradient(text, inputs) for text in (constructed, spelled)]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-12)


def gradient(text: str, inputs: Inputs) -> float:
    (head,), loaded = parse_heads(HEAD), load_text(text)
    found, _ = store_all(head, Machine(loaded, find_procedure(loaded, head).key), inputs)
    return float(found.values["x"])
