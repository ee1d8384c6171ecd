"""What a planner has found for one plan it gives to the next: the same plans, of fewer runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.replay.divide.divide_budgets import within_leaf, within_memory
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divide_results import DividePlan

from tests.support.divided import Divisible, from_corpus

ROOM, TAPE = 900, 400


def plans(one: Divisible, planner: DividePlanner | None) -> Iterator[DividePlan]:
    """With a planner for all, or with one for each."""
    for driver, mid in product(DRIVERS, MIDS):
        for bounded in (True, False):
            now = planner or DividePlanner(one.divided("elements"))
            now.driver = driver
            yield within_memory(now, mid, ROOM) if bounded else within_leaf(now, mid, TAPE, None, None, True)


def test_a_planner_for_all_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    one, sampled, runs = from_corpus("burgers_region"), list[int](), DividePlanner._profile
    alone = list(plans(one, None))
    monkeypatch.setattr(DividePlanner, "_profile", lambda planner, samples: (
        sampled.append(samples), runs(planner, samples))[1])
    assert list(plans(one, DividePlanner(one.divided("elements")))) == alone
    assert len(sampled) == 1
