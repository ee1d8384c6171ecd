"""Random programs divided, interrupted and resumed at random (tests/generators/fuzz_divide.py), and what they found."""

from __future__ import annotations

from random import Random

import pytest
import snapset.analysis.replay.divide.capsule as capsules

from tests.generators.fuzz_divide import EVERY, tally, tried


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 200, 20))
@pytest.mark.parametrize("kind", EVERY)
def test_random_programs(kind: str, first: int) -> None:
    assert not tally(kind, range(first, first + 20)).wrong


@pytest.mark.wide
@pytest.mark.parametrize("kind", EVERY)
def test_some_programs_of_each_kind(kind: str) -> None:
    found = tally(kind, range(40, 43))
    assert not found.wrong
    assert found.programs == 3
    assert found.leaves > 20
    assert found.resumed > 9


@pytest.mark.wide
def test_programs_of_the_corpus_on_other_numbers() -> None:
    found = tally("corpus", range(7, 19))
    assert not found.wrong
    assert found.divisions == 48


def test_a_program_whose_internal_procedures_are_passed() -> None:
    """Others than its host run them, and may run those of others for all that is known."""
    assert not tried("constructs", 1300358).wrong


def test_what_is_missing_from_capsules_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tenth of all live locations left out programs go wrong."""
    right, random = capsules.memory_of, Random(1)
    monkeypatch.setattr(capsules, "memory_of", lambda *one: () if random.random() < 0.1 else right(*one))
    assert sum(bool(tried("sections", number).wrong) for number in range(3)) == 3
