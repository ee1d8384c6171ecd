"""A sample of what ``make stress`` runs: a fixed one, of every kind of input and of the mutants."""

from __future__ import annotations

import pytest

from tests.stress.everything import ended, mutated, prepare
from tests.stress.inputs import stresses

HANDMADE = stresses()[3::23]
MUTANTS = range(7, 3000, 75)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    prepare()


@pytest.mark.sample(4)
@pytest.mark.parametrize("stress", HANDMADE, ids=lambda one: ascii(one.name))
def test_handmade(stress: object) -> None:
    assert ended(stress).failure == ""


@pytest.mark.sample(4)
@pytest.mark.parametrize("number", MUTANTS)
def test_mutated(number: int) -> None:
    assert ended(mutated(number)).failure == ""


def test_there_are_enough_of_them() -> None:
    assert len({one.name for one in stresses()}) >= 400
