"""What the cost model says of a run is never less than the run pushes: programs made small that were above it, and
random ones of every kind with options at random. The judge is the machine's stack."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.generators.fuzz_loops import EVERY, source

DEFAULT = AnalysisOptions()
BOTH = parse_strategies("lazy,eager")


def runs(text: str, head: str, inputs: Inputs, options: AnalysisOptions = DEFAULT) -> list[StrategyRun]:
    """Those that ended with the right gradient."""
    found = compare(load_text(text), parse_heads(head)[0], BOTH, inputs, options, ExperimentOptions(limit=300_000))
    return [one for one in found.runs if one.equal]


def above(every: list[StrategyRun]) -> Iterator[str]:
    """A prediction that names a size nobody knows is none, and says so."""
    for one in every:
        if one.predicted_peak_bytes is None or one.predicted_traffic_bytes is None:
            continue
        assert one.peak_bytes is not None
        assert one.traffic_bytes is not None
        if one.peak_bytes > one.predicted_peak_bytes or one.traffic_bytes > one.predicted_traffic_bytes:
            yield (f"{one.name}: {one.peak_bytes}, {one.traffic_bytes} bytes above {one.predicted_peak_bytes}, "
                   f"{one.predicted_traffic_bytes}")


# By another name: a pointer's target, taped as what a recursive type's links may lead to.
ALIAS = """\
type :: object
  real(8), pointer :: p(:) => null()
  type(object), pointer :: next => null()
end type
real(8), target :: a(3), b(3)
type(object), target :: o, w
type(object), pointer :: l
b = 2
o%p => a
l => o
l%p = x
y = sum(a*b)"""
# Of an array of a type with allocatable components: an allocation for each element, and for each component.
COMPONENTS = """\
type :: heap
  real(8), allocatable :: w(:), v(:)
end type
type(heap) :: h(3), q
q%w = x
q%v = x
h = q
call last(h(3)%w(2))
h = h(3:1:-1)
y = h(3)%w(2) + h(2)%v(2)
contains
subroutine last(t)
  real(8), intent(inout) :: t
  t = x(1)
end subroutine"""
SECTION = COMPONENTS.replace("h = h(3:1:-1)", "h(1:2) = h(2:3)").replace(
    "call last(h(3)%w(2))", "h(1)%w(1) = sum(h(3)%w)")
# Each item of a READ is pushed by itself.
ITEMS = """\
real(8) :: given(3), a(3)
character(60) :: page
integer :: i, k
page = '1.5 2.5 3.5'
given = 1
k = 2
a = x
do i = 1, 2
  a(i + 1) = a(i)*given(1)
  read (page, *) given(k), given(3), given(1)
end do
y = sum(a*x)"""


@pytest.mark.parametrize("body", [ALIAS, COMPONENTS, SECTION, ITEMS], ids=["alias", "components", "section", "items"])
def test_programs_that_pushed_more_than_was_said(body: str) -> None:
    text = ("subroutine p(x, y)\n implicit none\n real(8), intent(in) :: x(3)\n real(8), intent(out) :: y\n"
            f"{body}\nend subroutine\n")
    found = runs(text, "p(x)>(y)", Inputs({}))
    assert found
    assert list(above(found)) == []


def random_options(kind: str, number: int) -> AnalysisOptions:
    random = Random(f"{kind} {number}")
    yes = [random.random() < 0.3 for _ in range(4)]
    return AnalysisOptions(recompute=yes[0], dag=yes[1], context=yes[2], call_checkpoints=not yes[3])


@pytest.mark.wide
@pytest.mark.parametrize("first", [2000, pytest.param(2040, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", EVERY)
def test_no_random_program_pushes_more_than_is_said(kind: str, first: int) -> None:
    seen = 0
    for number in range(first, first + 12):
        text, head, inputs = source(kind, number)
        try:
            found = runs(text, head, inputs, random_options(kind, number))
        except InputError:
            continue
        seen += len(found)
        assert list(above(found)) == [], (kind, number)
    assert seen
