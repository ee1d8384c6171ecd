"""Bytes of a component of one object of an array: its share of ``size(cells%air)``, which counts those of all.

The judge is the machine's stack, where all objects have components of the same size.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.load import load_text

BOTH = parse_strategies("lazy,eager")
CELLS = """\
module types
  type gas
    real(8), allocatable :: c(:)
  end type
  type cell
    type(gas) :: air
  end type
end module
subroutine outer(v, n, y)
  use types
  integer, intent(in) :: n
  real(8), intent(in) :: v(n)
  real(8), intent(out) :: y
  type(cell) :: xs(4)
  integer :: k
  do k = 1, 4
    allocate (xs(k)%air%c(n))
    xs(k)%air%c = v*k
  end do
  BEFORE
  do k = 1, 4
    BODY
    xs(k)%air%c = xs(k)%air%c**2
  end do
  y = sum(xs(2)%air%c)
end subroutine
subroutine integrate(x)
  use types
  type(cell), intent(inout) :: x
  integer :: i
  do i = 1, 3
    x%air%c = x%air%c**2
  end do
end subroutine
subroutine several(x, m)
  use types
  integer, intent(in) :: m
  type(cell), intent(inout) :: x(m)
  integer :: i
  do i = 1, m
    x(i)%air%c = x(i)%air%c**2
  end do
end subroutine
"""
PROGRAMS = {
    "a call": ("", "call integrate(xs(k))"),
    "a part": ("", "!$AD CHECKPOINT-START\nxs(k)%air%c = sin(xs(k)%air%c)\n!$AD CHECKPOINT-END"),
    "a call of all": ("call several(xs, 4)", ""),
    "two of them": ("call several(xs(2:3), 2)", ""),
    "from one on": ("call several(xs(3), 2)", ""),
}


def program(name: str) -> str:
    before, body = PROGRAMS[name]
    return CELLS.replace("BEFORE", before).replace("BODY", body)


def formulas(text: str) -> Mapping[str, tuple[Quantity, Quantity]]:
    """Peak and traffic by strategy."""
    result = analyse(load_text(text), parse_heads("outer(v)>(y)")[0], BOTH)
    return {name: (one.peak_bytes, one.traffic_bytes) for name, one in result.totals.items()
            if isinstance(one.peak_bytes, Quantity) and isinstance(one.traffic_bytes, Quantity)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_bytes_are_the_machines(name: str) -> None:
    """All of the five elements that each of four cells has; where only the callee's name is known, its own total."""
    text = program(name)
    found, said = compare(load_text(text), parse_heads("outer(v)>(y)")[0], BOTH, Inputs({})), formulas(text)
    own = {"two of them": 10, "from one on": 10}.get(name, 20)
    for run in found.runs:
        assert run.equal
        for formula, measured in zip(said[run.name], (run.peak_bytes, run.traffic_bytes), strict=True):
            names = {one.name for one in formula.names if isinstance(one, Sym)}
            given = {one: own if "::" in one else 20 if "size(" in one else 5 for one in names}
            assert formula.evaluate(given) == measured


@pytest.mark.parametrize("name", ["a call", "a part"])
def test_one_size_has_one_name(name: str) -> None:
    for pair in formulas(program(name)).values():
        for formula in pair:
            assert {one.name for one in formula.names if isinstance(one, Sym)} <= {"n", "size(xs%air%c)"}
