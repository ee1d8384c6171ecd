"""The measurements of docs/dag.md on small sizes: how near to the optimum, and how time is taken."""

from __future__ import annotations

import pytest
from snapset.analysis.dag.solvers.solve import Options

from benchmarks import dag_gap as gap
from benchmarks import dag_speed as speed


@pytest.fixture(scope="module")
def cases() -> dict[str, list[object]]:
    return {name: [gap.measured(name, gap.FAMILIES[name](seed), 60.0) for seed in range(10)]
            for name in ("graphs", "graphs, weighted", "more graphs")}


def test_every_optimum_is_proved_and_nothing_beats_it(cases: dict[str, list[gap.Case]]) -> None:
    for case in (case for found in cases.values() for case in found):
        assert case.proved
        assert case.lower <= case.search <= case.heuristic


def test_the_search_closes_at_least_half_of_the_heuristics_gap(cases: dict[str, list[gap.Case]]) -> None:
    every = [case for found in cases.values() for case in found]
    lost = sum(case.heuristic - case.lower for case in every)
    assert lost > 0
    assert 2 * sum(case.search - case.lower for case in every) <= lost


def test_the_heuristic_stays_near(cases: dict[str, list[gap.Case]]) -> None:
    ratios = [case.heuristic / case.lower for found in cases.values() for case in found if case.lower]
    assert sum(ratios) / len(ratios) < 1.1
    assert max(ratios) <= 1.5


def test_a_row() -> None:
    found = [gap.Case("a", 12, 11, 10, True), gap.Case("b", 4, 4, 4, False), gap.Case("c", 0, 0, 0, True)]
    assert gap.row("some", found).split() == [
        "some", "3", "2", "1.067", "1.200", "2", "1.033", "1.100", "2", "2", "1", "50", "%"]
    assert gap.row("none", found[1:])[-1] == "-"


@pytest.mark.parametrize("kind", speed.KINDS)
def test_programs_of_every_kind_are_measured(kind: str) -> None:
    text = speed.program(kind, 30)
    assert sum("=" in line for line in text.splitlines()) == 32
    row = speed.measured(kind, 30, Options(method="biclique")).split()
    assert row[:2] == [kind, "30"]
    cost, *bounds = map(int, row[-4:])
    assert cost <= min(bounds)
