"""Random programs (see fuzz.py): fixed ones, and ones that shrink on failure."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import snapset.analysis.replay.machine.plan_builder as planning
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snapset.frontend.load import load_text

from tests.generators.fuzz import Case, case, failures, smallest
from tests.generators.shrink import closing, shrink


def more(firsts: range, always: int) -> list[object]:
    """All these numbers, but only the first in ``make test``, and the first ``always`` in ``make test-wide``."""
    return [first if not at else pytest.param(first, marks=pytest.mark.wide if at < always else pytest.mark.slow)
            for at, first in enumerate(firsts)]


@pytest.mark.parametrize("first", more(range(0, 300, 10), 4))
def test_fixed_programs(first: int) -> None:
    """Numbers 0 to 299, each under the named strategies and a random partition. ``make fuzz`` takes a thousand."""
    assert failures(first, 10) == []


KINDS = ("stretches", "scalars", "pointers", "recursion", "regions", "callees", "pairs", "recurrences", "openings",
         "rotations", "masks", "privates", "logs", "names", "rows", "indices", "lists", "nests", "edits")


@pytest.mark.sample(3, fixed=True)
@pytest.mark.parametrize("kind", KINDS)
def test_some_programs_for_one_thing(kind: str) -> None:
    assert failures(0, 3, kind=kind) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", [pytest.param(first, marks=pytest.mark.wide if first < 20 else pytest.mark.slow)
                                   for first in range(0, 40, 10)])
def test_programs_for_one_thing(kind: str, first: int) -> None:
    """Numbers 0 to 39 of those whose parts write stretches of arrays, of those that compute again, and so on."""
    assert failures(first, 10, kind=kind) == []


@pytest.mark.wide
@settings(max_examples=20, derandomize=True, deadline=None, database=None,
          suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example])
@given(st.randoms(use_true_random=False))
def test_programs_that_shrink(random: Random) -> None:
    one = case(random)
    assert one.wrong() == {}, one.text


@pytest.mark.wide
def test_a_wrong_plan_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that forgets one snapshot is caught, and the program shrinks to a readable one."""
    right = planning.Planner.part

    def forgetful(self: planning.Planner, index: int, node: int) -> planning.PartPlan:
        plan = right(self, index, node)
        return replace(plan, snp=plan.snp[1:])

    monkeypatch.setattr(planning.Planner, "part", forgetful)
    number = next(k for k in range(50) if case(Random(k)).wrong())
    one = case(Random(number))
    small = smallest(one)
    assert len(small.splitlines()) < len(one.text.splitlines()) / 3
    assert Case(small, one.values, one.strategies).wrong()


def test_all_choices_come_from_the_random_source() -> None:
    assert case(Random(5)).text == case(Random(5)).text
    assert case(Random(5)).text != case(Random(6)).text
    assert load_text(case(Random(5)).text).procedures


def test_shrinking_keeps_blocks_whole() -> None:
    lines = ["if (a > b) then", "  do i = 1, 3", "    x = sin(y)", "  end do", "end if", "z = 1"]
    assert closing(lines, 0) == 4
    assert closing(lines, 1) == 3
    assert shrink("\n".join(lines), lambda text: "y" in text) == "    x = y\n"
