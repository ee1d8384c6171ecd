"""The frontier of peak against traffic, against all combinations; its table, JSON and picture."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.placement import pareto_frontier
from snapset.analysis.placement.optimal_partition import OptimalPartition, PartitionSearch, optimise
from snapset.analysis.placement.partition_decisions import Decision
from snapset.analysis.placement.two_sided_allocation import Option, cheapest_within, figures, least_peak
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.results import Frontier
from snapset.frontend.load import load_text
from snapset.render.records.report_json import to_json

from tests.analysis.replay.machine.test_replay import loaded
from tests.support.command import run

# Keeping a to the end holds a(2:2*k), 8*(2*k - 1) bytes, while C's adjoint runs; taping it costs the 8*k that C
# overwrites, every second element.
TRADE = """subroutine p(x, m, k, y)
  integer, intent(in) :: m, k
  real(8) :: x(m), y, a(m), b(m), c, s
  integer :: i
  a = x
  b = 2d0*x
  c = x(1)
  s = sum(a*a) + sum(b*b)
  !$AD CHECKPOINT-START
  do i = 1, k
    a(2*i) = 0.5d0*a(2*i)
    b(2*i) = 0.5d0*b(2*i)
  end do
  c = c*sum(a*a) + sum(b*b)
  do i = 1, 4*m
    c = c*c
  end do
  !$AD CHECKPOINT-END
  y = s + c*c
end subroutine p
"""


def frontier_of(text: str, head: str, assume: dict[str, int]) -> tuple[Frontier, ...]:
    (found,) = parse_heads(head)
    options = AnalysisOptions(assume=assume, pareto=True)
    return analyse(load_text(text), found, parse_strategies("lazy"), options).frontiers


def test_less_peak_for_more_traffic() -> None:
    """By hand, m = 10, k = 3: C's adjoint tapes c 41 times, 328 bytes, more than the snapshot of a, b and c; each
    of a, b adds 40 bytes there (kept in Sbk) or 24 (taped, 24 bytes of traffic)."""
    whole, part = frontier_of(TRADE, "p(x)>(y)", {"m": 10, "k": 3})
    base = 328
    assert [(p.peak - base, p.traffic - whole.points[-1].traffic, p.saved) for p in whole.points] == [
        (48, 48, ()), (64, 24, ("a in Sbk",)), (80, 0, ("a in Sbk", "b in Sbk"))]
    assert whole.exact
    assert whole.marks["lazy"] == whole.marks["optimal"] == (whole.points[0].peak, whole.points[0].traffic)
    assert whole.marks["eager"] == (whole.points[2].peak, whole.points[2].traffic)
    assert (part.title, part.points) == ("p@10", whole.points)


@pytest.mark.parametrize("name", ["eager_wins", "mix_wins", "size_threshold", "table_classes", "nested_loop"])
def test_nothing_beats_the_frontier(name: str) -> None:
    analysis = loaded(name)[2]
    search = PartitionSearch(analysis.adjoints, analysis.order, {})
    optimum = optimise(search)
    all_of_them = [search.measure(frozenset(d for d, yes in zip(optimum.decisions, sides, strict=True) if yes)).figures
                   for sides in product((False, True), repeat=len(optimum.decisions))]
    frontier = pareto_frontier.frontiers(search, optimum, {}, dict.fromkeys(search.places(), "part"))[0]
    points = [(p.peak, p.traffic) for p in frontier.points]
    assert points == sorted({(f.peak, f.traffic) for f in all_of_them if not any(
        g.peak <= f.peak and g.traffic <= f.traffic and (g.peak, g.traffic) != (f.peak, f.traffic)
        for g in all_of_them)})
    assert points[0] == (optimum.best.figures.peak, optimum.best.figures.traffic)


def test_the_same_without_comparing_all() -> None:
    """Effects that add up: the frontier follows from single effects."""
    (head,) = parse_heads("p(x)>(y)")
    analysis = prepare(load_text(TRADE), head)

    def points(exhaustive: int) -> tuple[OptimalPartition, list[tuple[int, int]]]:
        search = PartitionSearch(analysis.adjoints, analysis.order, {"m": 10, "k": 3})
        optimum = optimise(search, exhaustive=exhaustive, every=True)
        found = pareto_frontier.frontiers(search, optimum, {"lazy": frozenset[Decision]()},
                                          dict.fromkeys(search.places(), ""))
        return optimum, [(p.peak, p.traffic) for p in found[0].points]

    assert points(10)[1] == points(0)[1]
    assert points(0)[0].exact
    assert points(10)[0].best.figures == points(0)[0].best.figures


@pytest.mark.parametrize("seed", range(60))
def test_least_traffic_within_a_peak(seed: int) -> None:
    random = Random(seed)
    items = [[Option(*(random.randint(0, 20) for _ in range(4))) for _ in range(random.randint(1, 3))]
             for _ in range(random.randint(1, 6))]
    base = Option(random.randint(0, 30), random.randint(0, 30), 0)
    every = [figures(base, chosen) for chosen in product(*items)]
    assert least_peak(base, items) == min(f.peak for f in every)
    for peak in {f.peak for f in every}:
        taken = cheapest_within(base, items, peak)
        found = figures(base, (item[at] for item, at in zip(items, taken, strict=True)))
        assert found.peak <= peak
        assert (found.traffic, found.snapshot) == min((f.traffic, f.snapshot) for f in every if f.peak <= peak)
    with pytest.raises(ValueError, match="least peak"):
        cheapest_within(base, items, least_peak(base, items) - 1)


def test_table_json_and_picture(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(TRADE)
    picture = tmp_path / "p.svg"
    common = ("report", str(tmp_path / "p.f90"), "--head", "p(x)>(y)", "--assume", "m=10", "--assume", "k=3")
    done = run(*common, "--pareto")
    assert done.returncode == 0, done.stderr
    table = done.stdout.partition("the whole adjoint: peak against traffic")[2]
    assert "lazy, optimal" in table
    assert "a in Sbk, b in Sbk" in table
    done = run(*common, "--pareto-picture", str(picture), "--format", "json")
    assert done.returncode == 0, done.stderr
    (whole, part) = json.loads(done.stdout)["pareto"]
    assert (whole["part"], part["part"], len(whole["points"])) == (None, "p@10", 3)
    assert whole["strategies"].keys() == {"lazy", "eager", "optimal"}
    root = ElementTree.parse(picture).getroot()
    marked = [e.get("class") for e in root.iter("{http://www.w3.org/2000/svg}circle") if e.get("class")]
    assert marked == ["lazy", "eager", "optimal"]*2
    points = [e for e in root.iter("{http://www.w3.org/2000/svg}circle") if e.get("r") == "3.5"]
    assert len(points) == 6


@pytest.mark.parametrize(("name", "complaint"), [("p.png", "ends in .svg"), ("no/p.svg", "no directory")])
def test_a_picture_that_cannot_be_written(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "p.f90").write_text(TRADE)
    done = run("report", str(tmp_path / "p.f90"), "--head", "p(x)>(y)", "--pareto-picture", str(tmp_path / name))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_frontier_unless_asked_for() -> None:
    (head,) = parse_heads("p(x)>(y)")
    result = analyse(load_text(TRADE), head, parse_strategies("lazy"))
    assert (result.frontiers, to_json(result)["pareto"]) == ((), [])
