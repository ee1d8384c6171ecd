"""A sample of what ``make stress`` runs: a fixed one, of every kind of input and of the mutants."""

from __future__ import annotations

import mmap

import pytest

from tests.stress.everything import ended, mutated, prepare
from tests.stress.inputs import stresses
from tests.stress.limits import MEMORY

HANDMADE = stresses()[3::23]
MUTANTS = range(7, 3000, 75)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    prepare()


@pytest.mark.sample(8)
@pytest.mark.parametrize("stress", HANDMADE, ids=lambda one: ascii(one.name))
def test_handmade(stress: object) -> None:
    assert ended(stress).failure == ""


@pytest.mark.sample(8)
@pytest.mark.parametrize("number", MUTANTS)
def test_mutated(number: int) -> None:
    assert ended(mutated(number)).failure == ""


def test_what_the_tests_hold_of_memory_is_not_the_commands() -> None:
    """All but nothing of the limit is in use in this process."""
    with mmap.mmap(-1, MEMORY) as held:
        found = ended(next(one for one in stresses() if one.name.startswith("--set of 19 digits")))
        assert len(held) == MEMORY
    assert (found.failure, found.code) == ("", 0)


def test_there_are_enough_of_them() -> None:
    assert len({one.name for one in stresses()}) >= 400
