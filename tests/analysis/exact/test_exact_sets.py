"""No set of the recorded programs is other than it was, not by one name."""

from __future__ import annotations

import pytest

from tests.analysis.exact.exact_programs import exact_program
from tests.analysis.exact.exact_record import ExactRecord, found, objection, recorded

EVERY = list(recorded())


@pytest.mark.sample(3, fixed=True)
@pytest.mark.parametrize("before", EVERY, ids=lambda one: one.name)
def test_what_is_said_of_a_program_is_what_was(before: ExactRecord) -> None:
    """A difference is a change of precision, to be explained: python -m tests.analysis.exact.exact_record writes it."""
    now = found(before.name)
    assert now.sum == before.sum, "the program is another one: the record of it is to be written again"
    assert now.lines == before.lines


@pytest.mark.slow
@pytest.mark.parametrize("before", EVERY, ids=lambda one: one.name)
def test_that_is_enough(before: ExactRecord) -> None:
    """By execution, as of all that is recorded before it is."""
    assert objection(exact_program(before.name)) == ""


def test_a_program_that_is_another_one_is_told_apart() -> None:
    assert exact_program("small 1").sum != exact_program("small 2").sum
