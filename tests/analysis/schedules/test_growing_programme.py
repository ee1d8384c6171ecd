"""One programme for many budgets: the same schedules as one solved for each, and it is solved a few times only."""

from __future__ import annotations

from random import Random

import pytest
import snapset.analysis.schedules.mixed.mixed_constant as constant
from snapset.analysis.schedules.best_schedule import best_schedule
from snapset.analysis.schedules.mixed.mixed_constant import ConstantSizes, GrowingProgramme, programme_of


@pytest.mark.parametrize("seed", range(20))
def test_what_was_solved_for_more_answers_as_what_was_solved_for_less(seed: int) -> None:
    random = Random(seed)
    n, r, d = random.randint(1, 25), random.randint(1, 9), random.randint(0, 9)
    by_span = sorted(random.randint(0, r) for _ in range(random.choice((0, 0, 2))))
    by_span += [r] if by_span else []
    growing = GrowingProgramme(n, r, d, by_span)
    for budget in random.sample(range(r, r + n*max(r, d)), 3):
        found, alone = growing.up_to(budget), ConstantSizes(n, r, d, budget, by_span)
        assert [found.forward_steps(k, budget) for k in range(n + 1)] == [
            alone.forward_steps(k, budget) for k in range(n + 1)]
        for j in range(1, n + 1):
            assert found.choice(0, j, budget, False) == alone.choice(0, j, budget, False)


def test_a_table_of_budgets_is_solved_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty budgets, one after the other; by hand: 1, 2, 4 ... 64."""
    solved, plain = list[int](), ConstantSizes._solve

    def solve(self: ConstantSizes) -> None:
        solved.append(self.steps)
        plain(self)

    monkeypatch.setattr(constant.ConstantSizes, "_solve", solve)
    programme_of.cache_clear()
    steps = [best_schedule(steps=60, restart=3, dependencies=3, budget=3*s).forward_steps for s in range(1, 51)]
    assert steps == sorted(steps, reverse=True)
    assert len(solved) <= 7
