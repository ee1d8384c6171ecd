"""Checkpoint trees against the published tables: 330 trees of both drivers, and revolve's least recomputation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from snapset.analysis.divide.pick import StoppingRule, pick
from snapset.analysis.divide.split_points import MIDS, optimal, reruns
from snapset.analysis.divide.tree import CheckpointTree, planned_tree

TABLE = Path(__file__).with_name("divide_and_conquer.tsv")


@dataclass(frozen=True)
class Row:
    n: int
    alpha: int
    stop: str
    d: int
    t: int
    mid: str
    leaves: int
    longest: int
    live: int
    recomputed: int
    most: int
    revolve: int | None


def rows() -> list[Row]:
    lines = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    found = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    return [Row(int(r["n"]), int(r["alpha"]), r["stop"], int(r["d"]), int(r["t"]), r["mid"], int(r["leaves"]),
                int(r["longest"]), int(r["live"]), int(r["recomputed"]), int(r["most"]),
                None if r["revolve"] == "-" else int(r["revolve"])) for r in found]


def chosen(row: Row) -> StoppingRule:
    """The rule as the row's stop asks for it."""
    match row.stop:
        case "log":
            return pick(row.n, row.alpha, log=True)
        case "space":
            return pick(row.n, row.alpha, d=row.d)
        case "time":
            return pick(row.n, row.alpha, t=row.t)
    return pick(row.n, row.alpha)


def figures(tree: CheckpointTree) -> tuple[int, int, int, int, int]:
    return len(tree.leaves), tree.longest, tree.live, tree.recomputed, tree.most


def test_all_trees_of_the_table() -> None:
    assert len(rows()) == 330
    for row in rows():
        rule = chosen(row)
        assert (rule.d, rule.t) == (row.d, row.t), row
        one, other = (planned_tree(row.n, rule, row.mid, driver) for driver in ("binary", "treeverse"))
        assert figures(one) == (row.leaves, row.longest, row.live, row.recomputed, row.most), row
        assert figures(other) == figures(one), row
        assert other.leaves == one.leaves, row
        assert one.live <= rule.d
        assert one.most <= rule.t


def test_leaves_are_the_run_backwards_and_none_is_empty() -> None:
    for row in rows():
        at = row.n
        for leaf in planned_tree(row.n, chosen(row), row.mid).leaves:
            assert (leaf.phi, leaf.steps > 0) == (at, True)
            at = leaf.sigma
        assert at == 0


def test_optimal_is_revolve_s_least_recomputation() -> None:
    known = [row for row in rows() if row.revolve is not None and row.mid == "binomial"]
    assert len(known) == 42
    for row in known:
        rule = StoppingRule(row.live, reruns(row.live, row.n), 1, "all")
        tree = planned_tree(row.n, rule, "optimal")
        assert tree.recomputed == row.revolve, row
        assert tree.live <= row.live
        assert tree.longest == 1
    reached = [row for row in known if row.recomputed == row.revolve]
    assert len(known) - len(reached) == 16
    full = [row for row in rows() if row.mid == "binomial" and row.alpha == 1 and chosen(row).eta == row.n]
    assert {(row.n, row.recomputed) for row in full} >= {(10, 20), (10, 15), (56, 210), (56, 140)}
    assert all(row.recomputed == row.revolve for row in full)


@cache
def least(length: int, snapshots: int) -> float:
    """revolve's recurrence, by trying every split."""
    if length <= 1:
        return 0
    if snapshots == 0:
        return float("inf")
    return min(k + least(length - k, snapshots - 1) + least(k, snapshots) for k in range(1, length))


@pytest.mark.parametrize("snapshots", range(1, 7))
def test_optimal_splits_as_the_recurrence_does(snapshots: int) -> None:
    for length in range(2, 60):
        kappa = optimal(snapshots, reruns(snapshots, length), 1, 0, length)
        assert kappa + least(length - kappa, snapshots - 1) + least(kappa, snapshots) == least(length, snapshots)
        tree = planned_tree(length, pick(length, 1, d=snapshots), "optimal")
        assert tree.recomputed == least(length, snapshots)
        assert tree.most <= pick(length, 1, d=snapshots).t


@pytest.mark.parametrize("mid", MIDS)
def test_limits_hold_for_every_rule(mid: str) -> None:
    for n in (1, 2, 3, 7, 30, 101):
        for alpha in (1, 2, 5, 200):
            for rule in (pick(n, alpha, log=True), pick(n, alpha, d=0), pick(n, alpha, t=0), pick(n, alpha, d=2),
                         pick(n, alpha, t=3), pick(n, alpha), pick(n, d=2, t=2), pick(n, alpha, d=1, t=1)):
                tree = planned_tree(n, rule, mid)
                assert tree.live <= rule.d
                assert tree.most <= rule.t
                assert sum(leaf.steps for leaf in tree.leaves) == n
                assert all(leaf.steps > 0 for leaf in tree.leaves)
                if mid == "optimal" and rule.holds(n) and rule.d and rule.t:
                    assert tree.longest <= rule.alpha


@pytest.mark.parametrize("alpha", [1, 7, 100])
def test_halves_by_log_reach_the_leaves_that_are_wanted(alpha: int) -> None:
    """With the d = t of eq. (23) the longest leaf has n / 2^d steps: 62 for n = 1000, d = 4, with leaves of 10."""
    for n in (1, 2, 99, 1000, 12_345):
        rule = pick(n, alpha, log=True, halved=True)
        tree = planned_tree(n, rule, "bisection")
        assert tree.longest <= alpha
        assert max(tree.live, tree.most) <= rule.d == rule.t == max(1, (-(-n // alpha) - 1).bit_length())


def test_leaves_of_several_steps_are_units_of_the_optimum() -> None:
    tree = planned_tree(100, pick(100, 7, d=3), "optimal")
    assert [leaf.steps for leaf in tree.leaves] == [7] * 14 + [2]


def test_a_left_spine_may_be_long() -> None:
    tree = planned_tree(2_000, StoppingRule(1, 2_000, 1, "all"), "binomial")
    assert (tree.live, len(tree.leaves)) == (1, 2_000)


@pytest.mark.parametrize("given", [{"d": -1}, {"t": -1}, {"alpha": 0}, {}, {"d": 1, "log": True}])
def test_what_cannot_be_picked(given: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="snapshots"):
        pick(10, **given)  # type: ignore[arg-type]
