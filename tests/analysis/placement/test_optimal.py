"""The strategy optimal: whole heads against all combinations, many locations, the report, the lock, the replay."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.costs.stack_figures import NOTHING, Cost
from snapset.analysis.equations import PartSets
from snapset.analysis.memory.locations import Space
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.placement.optimal_partition import PartitionSearch, optimise
from snapset.analysis.placement.proved_partition import prove
from snapset.analysis.recording.strategies import OPTIMAL
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.results import HeadResult
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.extrema import OPENED, alternatives, clamp, maximum
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import Quantity, number, of
from snapset.analysis.symbolic.rendering import text
from snapset.analysis.symbolic.thresholds import Condition, condition
from snapset.frontend.load import load_program, load_text

from tests.support.command import run
from tests.support.corpus import CORPUS


def many(count: int, parts: int) -> str:
    """``count`` arrays; each part's adjoint needs them all; they are overwritten inside, behind, or both."""
    names = [f"a{i}" for i in range(count)]
    lines = ["subroutine p(x, y, m, k)", " integer :: m, k, i", " real(8) :: x, y, b"]
    lines += [f" real(8) :: a{i}({i % 17 + 1}*m)" for i in range(count)]
    for i, name in enumerate(names):
        lines += [f" {name} = {i + 1}*x", f" x = x + sum({name}*{name})"]
    lines.append(" b = x")
    for part in range(parts):
        lines.append(" !$AD CHECKPOINT-START")
        for name in names[part::2]:
            lines += [" do i = 1, k", f"  {name}(i) = 0.5d0*{name}(i)", " end do"]
        lines += [f" b = b*sum({name}*{name})" for name in names]
        lines.append(" !$AD CHECKPOINT-END")
        for name in names[::3]:
            lines += [" do i = 1, k", f"  {name}(i) = 0.5d0*{name}(i)", " end do"]
    lines += [" y = b*b", *(f" y = y + sum({name}*{name})" for name in names)]
    return "\n".join([*lines, "end subroutine p", ""])


def search_of(source: str, assume: dict[str, int]) -> PartitionSearch:
    (head,) = parse_heads("p(x)>(y)")
    analysis = prepare(load_text(source), head)
    return PartitionSearch(analysis.adjoints, analysis.order, assume)


def test_a_head_too_large_to_measure_is_still_never_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any work left only lazy, eager and what is smaller are compared, and nothing is said to be the best."""
    whole = optimise(search_of(many(5, 2), {"m": 10, "k": 40}), None, exhaustive=0)
    monkeypatch.setattr("snapset.analysis.placement.optimal_partition.WORK", 0)
    search = search_of(many(5, 2), {"m": 10, "k": 40})
    found = optimise(search, None, exhaustive=0)
    assert len(found.points) < len(whole.points)
    assert not found.exact
    lazy, eager = search.measure(frozenset()), search.measure(search.eager(found.decisions))
    assert found.best.figures <= min(lazy.figures, eager.figures)


@pytest.mark.wide
def test_two_hundred_locations_take_a_few_measurements() -> None:
    search = search_of(many(300, 1), {"m": 100, "k": 500})
    found = optimise(search, prove)
    assert len(found.decisions) == 200  # every second in Opt1, of the others every third in Opt3
    assert found.exact
    assert len(found.points) < 10
    lazy, eager = search.measure(frozenset()), search.measure(search.eager(found.decisions))
    assert found.best.figures < min(lazy.figures, eager.figures)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("k", "parts"), [(1, 1), (40, 1), (200, 1), (1, 2), (40, 2), (200, 2)])
def test_the_best_of_all_combinations(k: int, parts: int) -> None:
    """Without comparing all combinations, at one part and at two."""
    assume = {"m": 10, "k": k}
    search = search_of(many(5, parts), assume)
    found = optimise(search, prove, exhaustive=0)
    decisions = found.decisions
    assert 3 <= len(decisions) <= 10
    every = min(search.measure(frozenset(d for d, yes in zip(decisions, sides, strict=True) if yes)).figures
                for sides in product((False, True), repeat=len(decisions)))
    assert found.best.figures == every
    assert optimise(search_of(many(5, parts), assume), prove).best.figures == every


@pytest.mark.parametrize("parts", [2, 3])
def test_nothing_is_saved_that_lowers_nothing(parts: int) -> None:
    """Of the best combination no decision can be taken as lazy takes it for the same figures or better."""
    search = search_of(many(8, parts), {"m": 10, "k": 40})
    found = optimise(search, prove, exhaustive=0)
    assert found.best.plus
    assert all(search.measure(found.best.plus - {d}).figures > found.best.figures for d in found.best.plus)


@pytest.mark.parametrize("parts", [1, 2])
def test_one_combination_after_another_costs_what_it_costs_alone(parts: int) -> None:
    """What is kept from the best so far is what would come out again: of the head and of each part."""
    assume = {"m": 10, "k": 40}
    search = search_of(many(5, parts), assume)
    decisions, draw = search.decisions(), Random(parts)
    seen = set()
    for _ in range(12):
        plus = frozenset(d for d in decisions if draw.random() < 0.5)
        alone = search_of(many(5, parts), assume)
        assert search.with_parts(plus) == alone.with_parts(plus)
        seen.add(search.measure(plus).figures)
    assert len(seen) > 2


def test_names_without_a_number_count_a_hundred() -> None:
    found = optimise(search_of(many(2, 1), {"m": 10}), prove)
    assert found.defaulted == ("k",)
    assert found.best.figures == optimise(search_of(many(2, 1), {"m": 10, "k": 100}), prove).best.figures


def test_optimal_has_to_be_chosen_first() -> None:
    with pytest.raises(ValueError, match="costs"):
        OPTIMAL.partition(PartSets.of((0, 0, 0, 0, 0)), Space())


# ---------------------------------------------------------------- conditions


N, M, K = (clamp(of(Sym(name))) for name in "nmk")


@pytest.mark.parametrize(("one", "other", "expected"), [
    (N.scaled(8), M.scaled(8), "n < m"),
    (N.scaled(8) + number(8), M.scaled(8) + number(8), "n < m"),
    (N*M.scaled(8), N*K.scaled(8), "m < k"),
    (N.scaled(8), N*M.scaled(8), "below"),
    (N*M, N, "above"),
    (maximum((N, M)), maximum((M, N)), "same"),
    (maximum((N.scaled(16), N*M.scaled(8))), N.scaled(16), "above"),
    (maximum((N, M)), maximum((N, M, K)), "below"),
    (N.scaled(4), M.scaled(6) + K.scaled(2), "2*n < k + 3*m"),
])
def test_condition(one: Quantity, other: Quantity, expected: str) -> None:
    found = condition(one, other)
    assert (f"{text(found.low)} < {text(found.high)}" if isinstance(found, Condition) else found) == expected


def test_the_maximum_of_many_is_not_all_opened() -> None:
    """Calls one after another, each with sizes of its own: every one may be where the peak is."""
    calls = [(clamp(of(Sym(f"n{i}"))), clamp(of(Sym(f"m{i}")))) for i in range(300)]
    whole = NOTHING
    for left, inside in reversed(calls):
        whole = Cost(left, inside, left + inside).then(whole)
    assert len(alternatives(whole.peak)) <= OPENED + 1
    draw = Random(1)
    for _ in range(5):
        numbers = {f"{letter}{i}": draw.randrange(1000) for letter in "nm" for i in range(300)}
        below = [sum(numbers[f"n{j}"] for j in range(i)) for i in range(301)]
        highest = max(below[300], *(below[i] + numbers[f"m{i}"] for i in range(300)))
        assert value(whole.peak, lambda sym, numbers=numbers: numbers[sym.name]) == highest


# ---------------------------------------------------------------- reports


def optimal(name: str, head: str, assume: dict[str, int]) -> HeadResult:
    (found,) = parse_heads(head)
    program = load_program([str(CORPUS / f"{name}.f90")])
    return analyse(program, found, parse_strategies("lazy,eager,optimal"), AnalysisOptions(assume=assume))


def test_the_report_names_the_threshold() -> None:
    (part,) = optimal("size_threshold", "sparse(x)>(y)", {}).parts
    assert part.solutions["optimal"].moves == ()  # 100 and 100: both cost the same
    for given, side, instead, over in (({"n": 300}, "Snp", "Req_D", "lazy"), ({"m": 300}, "Req_D", "Snp", "eager")):
        (part,) = optimal("size_threshold", "sparse(x)>(y)", given).parts
        (move,) = part.solutions["optimal"].moves
        assert (move.location, move.side, move.instead, move.over) == ("w", side, instead, (over,))
        assert (move.peak, move.traffic) == (8*200, 8*200)
    page = run("report", "--sets", CORPUS / "size_threshold.f90", "--head", "sparse(x)>(y)", "--strategy", "all",
               "--assume", "n=3").stdout
    assert "3 < m; else Snp" in page
    assert "optimal: 100 stands for m; --assume gives other numbers" in page


def test_both_lose_to_a_mix() -> None:
    """The three figures of docs/cost.md."""
    result = optimal("mix_wins", "mix(x)>(y)", {})
    figures = {name: text(total.peak_bytes) for name, total in result.totals.items()
               if isinstance(total.peak_bytes, Quantity)}
    assert figures == {"lazy": "8*n*sweeps + 8", "eager": "16*n", "optimal": "8*n + 8"}
    moves = {(m.location, m.side, m.over, m.low) for m in result.parts[0].solutions["optimal"].moves}
    assert moves == {("u", "Snp", ("lazy",), None), ("v", "Req_D", ("eager",), None)}


def test_json_of_a_move() -> None:
    done = run("report", CORPUS / "size_threshold.f90", "--head", "sparse(x)>(y)", "--strategy", "optimal",
               "--assume", "n=3", "--format", "json")
    answer = json.loads(done.stdout)
    assert answer["optimal"] == {"exact": True, "decisions": 1, "peak": 24, "least_peak": 24, "default": 100,
                                 "defaulted": ["m"]}
    assert answer["regions"][0]["solutions"]["optimal"]["moves"] == [{
        "location": "w", "side": "Req_D", "instead": "Snp", "over": ["eager"], "peak_bytes": 776, "traffic_bytes": 776,
        "if": "3 < m"}]


def test_check_and_replay(tmp_path: Path) -> None:
    source = (CORPUS / "mix_wins.f90").read_text()
    (tmp_path / "mix.f90").write_text(source)
    common = ("mix.f90", "--head", "mix(x)>(y)", "--strategy", "optimal")
    assert run("check", *common, "--update", cwd=tmp_path).returncode == 0
    assert run("check", *common, cwd=tmp_path).returncode == 0
    (tmp_path / "mix.f90").write_text(source.replace("v(1) = 0.5d0*v(1)", "v = 0.5d0*v"))
    changed = run("check", *common, cwd=tmp_path)
    assert (changed.returncode, "optimal" in changed.stdout) == (1, True)
    (tmp_path / "mix.f90").write_text(source)
    done = run("replay", "mix.f90", "--head", "mix(x)>(y)", "--strategy", "all", "--set", "n=7", "--set", "sweeps=3",
               "--format", "json", cwd=tmp_path)
    runs = json.loads(done.stdout)["strategies"]
    assert {name: (one["equal"], one["peak_bytes"]) for name, one in runs.items()} == {
        "lazy": (True, 8*7*3 + 8), "eager": (True, 16*7), "optimal": (True, 8*7 + 8)}
    assert all(one["predicted_peak_bytes"] == one["peak_bytes"] for one in runs.values())


def test_random_choices_are_never_below_the_optimum() -> None:
    search = search_of(many(9, 2), {"m": 3, "k": 20})
    found = optimise(search, prove)
    assert found.exact
    random = Random(1)
    for _ in range(60):
        some = frozenset(d for d in found.decisions if random.random() < 0.5)
        assert found.best.figures <= search.measure(some).figures
