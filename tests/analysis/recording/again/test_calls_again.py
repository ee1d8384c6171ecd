"""Calls made once more, instead of saving what they gave: which and where; and that the gradient is right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import snapset
from snapset import Choices
from snapset.analysis.operation_counts import MOST_OPERATIONS, effort
from snapset.frontend.load import load_text

from tests.generators.calls import random_small
from tests.generators.fuzz import case

PROGRAM = """module physics
  implicit none
  real(8) :: dry = 0.2d0
  integer :: calls = 0
contains
  real(8) function speed(q, depth)
    real(8), intent(in) :: q, depth
    speed = 0
    if (depth > dry) speed = q/depth
  end function speed
  real(8) function counted(q, depth)
    real(8), intent(in) :: q, depth
    counted = q/depth
    calls = calls + 1
  end function counted
  real(8) function long(q, depth)
    real(8), intent(in) :: q, depth
    integer :: k
    long = 0
    do k = 1, 50
      long = long + q/(depth + k)
    end do
  end function long
  real(8) function stepwise(q, depth)
    real(8), intent(in) :: q, depth
    real(8), save :: last = 0
    stepwise = q/depth + 0*last
    last = depth
  end function stepwise
  recursive function halved(q, depth) result(r)
    real(8), intent(in) :: q, depth
    real(8) :: r
    r = q/depth
    if (r > 10) r = halved(0.5d0*q, depth)
  end function halved
  real(8) function twice(q, depth)
    real(8), intent(in) :: q, depth
    integer :: k
    twice = speed(q, depth)
    do k = 1, 2
      twice = twice + q
    end do
  end function twice
  real(8) function tripled(q)
    real(8), intent(in) :: q
    tripled = 3*q
  end function tripled
  subroutine fluxes(q, depth, f, g)
    real(8), intent(in) :: q, depth
    real(8), intent(out) :: f, g
    f = q*q/depth
    g = speed(q, depth)
  end subroutine fluxes
  subroutine corners(q, c)
    real(8), intent(in) :: q
    real(8), intent(out) :: c(2)
    c(1) = q
    c(2) = q*q
  end subroutine corners
  subroutine change(q, f)
    real(8), intent(in) :: q
    real(8), intent(inout) :: f
    f = f*q
  end subroutine change
end module physics
subroutine flow(x, n, y)
  use physics
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: h(n), f, g, c(2)
  integer :: i
  h = x*x + 1
  y = 1
  f = 1
  do i = 2, n
    {statement}
    {then}
  end do
end subroutine flow
"""
NAMES = {"f", "g", "c", "y"}
# what runs once more each iteration, by statement: nothing is saved of what it gave
AGAIN = {"y = y*speed(x(i), h(i))": {"speed@"}, "y = y*twice(x(i), h(i))": {"twice@"},
         "y = y*speed(x(i) + 1, h(i-1))*speed(x(1), h(n))": {"speed@"},
         "call fluxes(x(i), h(i), f, g); y = y*f*g": {"f", "g"}, "call corners(x(i), c); y = y*c(1)*c(2)": {"c"}}
# saved, because it takes too long, does more, or is no longer what it would be
NEVER = ("y = y*counted(x(i), h(i))", "y = y*long(x(i), h(i))", "y = y*stepwise(x(i), h(i))",
         "y = y*halved(x(i), h(i))", "call change(x(i), f); y = y*f")


def analysed(folder: Path, statement: str, then: str = "", **choices: bool) -> tuple[set[str], set[str], bool]:
    """What lazy saves in the loop, what it computes again, and whether the adjoint that is executed is right."""
    file = folder / "flow.f90"
    file.write_text(PROGRAM.format(statement=statement, then=then))
    made = Choices(recompute=True, **choices)  # type: ignore[arg-type]
    inside = [one for one in snapset.report([str(file)], "flow(x)>(y)", made).parts if one.procedure == "flow"]
    saved = {name for one in inside for name in (*one.solutions["lazy"].snp, *one.solutions["lazy"].sbk)}
    again = {entry.location for one in inside for entry in one.solutions["lazy"].again}
    return saved, again, snapset.replay([str(file)], "flow(x)>(y)", made, values={"n": 5}).equal


@pytest.mark.parametrize("statement", AGAIN)
@pytest.mark.parametrize("choices", [{}, {"dag": True}, {"context": True}], ids=str)
def test_a_small_procedure_is_called_again(statement: str, choices: dict[str, bool], tmp_path: Path) -> None:
    saved, again, equal = analysed(tmp_path, statement, **choices)
    assert all(any(one.startswith(name) for one in again) for name in AGAIN[statement])
    assert not any(one.startswith(name) for one in saved for name in AGAIN[statement])
    assert equal


@pytest.mark.parametrize("statement", NEVER)
def test_what_does_more_is_not(statement: str, tmp_path: Path) -> None:
    _, again, equal = analysed(tmp_path, statement)
    assert not again - {"y"}
    assert equal


@pytest.mark.parametrize("then", ["h(i) = h(i)*y", "dry = dry + 0.1d0*x(i)", "h = 0.5d0*h", "dry = 0.3d0"])
def test_what_it_reads_is_there_again_for_its_adjoint(then: str, tmp_path: Path) -> None:
    """An element of what it is passed, a module variable that it reads: overwritten, and needed by its adjoint, too."""
    saved, again, equal = analysed(tmp_path, "y = y*speed(x(i), h(i))", then)
    assert not any(name.startswith("speed") for name in saved)
    assert any(name.startswith("speed") for name in again)
    assert equal


def test_what_its_adjoint_does_not_read_is_not_taped_for_it(tmp_path: Path) -> None:
    """3*f needs no f: to have it again f would be taped, which takes as much."""
    saved, again, equal = analysed(tmp_path, "f = f + x(i)*y; y = y*tripled(f)")
    assert any(name.startswith("tripled") for name in saved)
    assert not any(name.startswith("tripled") for name in again)
    assert equal


def test_without_the_option_it_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "flow.f90"
    file.write_text(PROGRAM.format(statement="y = y*speed(x(i), h(i))", then=""))
    inside = [one for one in snapset.report([str(file)], "flow(x)>(y)").parts if one.procedure == "flow"]
    assert any(name.startswith("speed@") for one in inside for name in one.solutions["lazy"].snp)


def test_the_report_writes_the_call(tmp_path: Path) -> None:
    file = tmp_path / "flow.f90"
    file.write_text(PROGRAM.format(statement="call fluxes(x(i), h(i), f, g); y = y*f*g", then=""))
    inside = [one for one in snapset.report([str(file)], "flow(x)>(y)", Choices(recompute=True)).parts
              if one.procedure == "flow"]
    assert {entry.text for one in inside for entry in one.solutions["lazy"].again} >= {"call fluxes(x(i), h(i), f, g)"}


def test_how_long_a_call_takes() -> None:
    procedures = load_text(PROGRAM.format(statement="y = 1", then="")).procedures

    def of(name: str) -> int:
        return effort(procedures[f"physics::{name.removeprefix('physics::')}"], of)

    assert {name: of(name) for name in ("speed", "fluxes", "corners")} == {"speed": 2, "fluxes": 4, "corners": 1}
    assert of("speed") < of("twice") <= MOST_OPERATIONS < of("long")
    assert of("stepwise") == 3  # what keeps it from being called again is what it leaves behind, whatever it takes


@pytest.mark.sample(6)
@pytest.mark.parametrize("number", [*range(12), *(pytest.param(n, marks=pytest.mark.wide) for n in range(12, 60))])
def test_random_programs_of_small_procedures(number: int) -> None:
    """With every call a part, and all that can be computed again."""
    made = case(Random(1_500_200 + number), programs=random_small)
    assert replace(made, recompute=True, calls=True).wrong() == {}
