"""Random programs run element by element: what a run reads, writes and needs is in snapset's sets, part by part.

docs/limits.md says how much larger these are; the figures are those of the slow tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import ModuleType

import pytest
from snapset.frontend.load import load_text

from tests.generators.calls import random_callees
from tests.generators.elements import random_openings, random_pairs, random_recurrences, random_rewrites
from tests.generators.sections import random_covers, random_regions, random_stretches, random_workspaces
from tests.oracles.elements.element_sets import Demands, Verdict, judge
from tests.oracles.elements.element_trace import Trace
from tests.oracles.elements.element_values import NotTracedError
from tests.oracles.elements.followed_reads import FollowedRun

KINDS: Mapping[str, ModuleType] = {"workspaces": random_workspaces, "regions": random_regions,
                                   "callees": random_callees, "stretches": random_stretches}
WITH_JUMPS: Mapping[str, ModuleType] = {"openings": random_openings, "recurrences": random_recurrences,
                                        "covers": random_covers, "pairs": random_pairs, "rewrites": random_rewrites}
CHUNK = 10
CHUNKS = {"workspaces": 19, "regions": 19, "callees": 18, "stretches": 8}  # more than 500 programs are traced
MORE = {"openings": 12, "recurrences": 6, "covers": 6, "pairs": 6, "rewrites": 6}

TEXT = """subroutine mid(a, c)
  real(8), intent(inout) :: a(5)
  real(8), intent(in) :: c
  a(2:3) = a(2:3)*a(1:2)*c
end subroutine mid
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: w(5)
  w = x
  call mid(w, x)
  y = w(2)*w(3) + w(5)
end subroutine p
"""


def verdict(kind: str, number: int) -> Verdict | None:
    """None of a program that the tracer does not know."""
    random, programs = Random(number), {**KINDS, **WITH_JUMPS}[kind]
    text, values = programs.program(random), programs.numbers(random)
    try:
        return judge(text, programs.HEAD, {"x": 0.7, **values}, traced=FollowedRun if kind in WITH_JUMPS else Trace)
    except NotTracedError:
        return None


def test_the_operations_of_a_run_are_those_derived_by_hand() -> None:
    """w(2), w(3) are written again at a time, from themselves, what stands before them, and c, which the derivative
    needs all."""
    trace = Trace(load_text(TEXT), "p", {"x": 0.7}, ["x"])
    (span,), (x,) = trace.spans, trace.slot(trace.frame, "x")[()].ids.flat
    w = [int(cell) for cell in trace.slot(trace.frame, "w")[()].ids]
    (first, second), = trace.operations[span.first:span.last]
    assert (first.target, second.target) == (w[1], w[2])
    assert first.reads == first.flows == first.needs == {w[0], w[1], x}
    assert second.reads == {w[1], w[2], x}
    assert second.needs == {w[1], w[2], x}
    assert trace.memory[w[2]] == pytest.approx(0.7**3)  # of the old w(2)
    (y,) = trace.slot(trace.frame, "y")[()].ids.flat
    assert Demands(trace, {int(y)}).lost_and_needed(span) == {w[1], w[2]}  # w(5) is not written, w(1) neither


def test_sizes_of_a_program_derived_by_hand() -> None:
    """Of w the call reads w(1:3) and writes w(2:3), and x; snapset's use and out hold w whole, its snapshot w(2:3)."""
    found = judge(TEXT, "p(x)>(y)", {"x": 0.7}, "lazy")
    assert not found.missing
    assert found.sizes == {"use": [(6, 4)], "out": [(5, 2)], "kill": [(2, 0)], "saved, lazy": [(2, 2)]}


def test_what_is_missing_is_said() -> None:
    found = Verdict()
    found.compare("out", "p@5", {1, 2}, {2, 3, 4})
    assert found.missing == ["out of p@5: 2 elements"]


@pytest.mark.parametrize("kind", [*KINDS, *WITH_JUMPS])
def test_the_sets_hold_what_a_run_shows(kind: str) -> None:
    found = [one for number in range(900, 906) if (one := verdict(kind, number)) is not None]
    assert found
    assert not [one.missing for one in found if one.missing]
    assert sum(len(sizes) for one in found for sizes in one.sizes.values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "chunk"), [
    (kind, chunk) for kind, chunks in {**CHUNKS, **MORE}.items() for chunk in range(chunks)])
def test_the_sets_of_many_programs_hold_what_a_run_shows(kind: str, chunk: int) -> None:
    for number in range(chunk*CHUNK, (chunk + 1)*CHUNK):
        found = verdict(kind, number)
        assert found is None or not found.missing, number
