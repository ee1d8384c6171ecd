"""What one pointer alone leads to is told apart element by element, as the memory of an allocatable is; executed.

    type(band) :: b;  allocate (b%snow(n))           ! and nothing else is ever associated with a band's snow
    b%snow(i) = b%snow(i) - melt                     ! overwrites nothing that the other elements' adjoints read
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.modelled import names

TEXT = """module m
  type band
    real(8), {kind} :: snow(:), age(:)
  end type
contains
  subroutine climate(b, x)
    type(band), intent(inout) :: b
    real(8), intent(in) :: x(3)
    integer :: i
    do i = 1, 3
      b%age(i) = 0.3d0 + x(i)
    end do
  end subroutine
  subroutine melt(b, y)
    type(band), intent(inout) :: b
    real(8), intent(inout) :: y
    real(8) :: w
    integer :: i
    do i = 1, 3
      w = min(b%age(i)*b%age(i), b%snow(i))
      b%snow(i) = b%snow(i) - 0.5d0*w
      y = y + w*b%age(i)
    end do
  end subroutine
  {procedures}
end module
subroutine f(x, y)
  use m
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(band) :: b
  real(8), {kind} :: u(:), v(:)
  integer :: i, k
  {declared}
  allocate (b%snow(3), b%age(3), u(3), v(3))
  b%snow = x
  b%age = x
  u = x
  v = 0
  y = 0
  do k = 1, 3
    call climate(b, x)
    call melt(b, y)
    do i = 1, 3
      v(i) = u(i)*x(i)
      u(i) = u(i) + 0.1d0*v(i)*v(i)
    end do
    {body}
  end do
  y = y + sum(u*v) + sum(b%snow)
end subroutine
"""
ALONE = {
    "allocated once": {},
    "allocated anew": {"body": "deallocate (v)\nallocate (v(3))\nv = u*x"},
    "allocated anew, the old memory left": {"body": "allocate (v(3))\nv = u*x"},
    "nullified": {"body": "y = y + v(2)**2\nnullify (v)\nallocate (v(3))\nv = x*u"},
    "passed on": {"body": "call plain(u, v(2))", "procedures": "subroutine plain(a, e)\n"
                  "real(8), intent(inout) :: a(:), e\na(2) = a(2)*e\ne = e*a(1)\nend subroutine"},
    "by a construct's name": {"body": "associate (a => u(1:2))\na = a*x(2)\na(1) = a(1)*u(3)\nend associate"},
    "a block's": {"body": "block\nreal(8), pointer :: w(:)\nallocate (w(3))\nw = x*u\nw(2) = w(2)*w(1)\n"
                  "y = y + w(2)*u(1)\ndeallocate (w)\nend block"},
}
OTHERS = {
    "associated": {"body": "p => u(1:2)\np = p*x(1:2)", "declared": "real(8), pointer :: p(:)"},
    "associated with each other": {"body": "v => u\nv(2) = v(2)*x(1)"},
    "passed to a pointer": {"body": "call led(u, u)", "procedures": "subroutine led(a, c)\n"
                            "real(8), pointer :: a(:), c(:)\na(2) = a(2)*c(1)\nc(2) = c(2)*a(2)\nend subroutine"},
    "passed to a target": {"body": "call led(u, u)", "procedures": "subroutine led(a, c)\nreal(8), target :: a(:)\n"
                           "real(8), pointer :: c(:)\na(2) = a(2)*c(1)\nc(2) = c(2)*a(2)\nend subroutine"},
    "a result": {"body": "v => other(u)\nv(1) = v(1)*u(2)", "procedures": "function other(a) result(r)\n"
                 "real(8), pointer :: a(:), r(:)\nr => a\nend function"},
}


def text_of(kind: str, parts: dict[str, str]) -> str:
    return TEXT.format(**{"procedures": "", "declared": "", "body": "", "kind": kind, **parts})


def pushed(text: str, options: AnalysisOptions) -> int:
    found = compare(load_text(text), parse_heads("f(x)>(y)")[0], parse_strategies("lazy"), Inputs({}), options)
    (run,) = found.runs
    assert run.equal, run.error
    return (run.traffic_bytes or 0) - (run.control_bytes or 0)


def alone(text: str, *wanted: str) -> bool:
    space = Models(load_text(text), root="f").by_key["f"].space
    return all(info.alone for info in space.infos if info.name in wanted)


@pytest.mark.parametrize("case", ALONE)
def test_as_an_allocatable(case: str, tmp_path: Path) -> None:
    text = text_of("pointer", ALONE[case])
    assert alone(text, "u", "v", "b%snow", "b%age")
    proved_by_execution(text, "f(x)>(y)", tmp_path)


@pytest.mark.parametrize("options", [AnalysisOptions(), AnalysisOptions(recompute=True)], ids=["plain", "recompute"])
def test_no_byte_more_than_with_allocatables(options: AnalysisOptions) -> None:
    assert pushed(text_of("pointer", {}), options) == pushed(text_of("allocatable", {}), options)


@pytest.mark.parametrize("case", OTHERS)
def test_what_has_other_names_is_not(case: str, tmp_path: Path) -> None:
    text = text_of("pointer", OTHERS[case])
    assert not alone(text, "u")
    model = Models(load_text(text), root="f").by_key["f"]
    assert model.space.other_names & model.space.named("u")
    assert names(model, model.space.other_names) >= {"u"}
    proved_by_execution(text, "f(x)>(y)", tmp_path)
