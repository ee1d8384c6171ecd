"""Adjoints of loops that EXIT or RETURN may leave, or that are written with GOTO: each PUSH is taken away alone, with
its POP, and gfortran says whether the gradient is another one then.

leaving/*_b.f90 have the form that Tapenade 3.16 gives them: turns are counted, the last was not a whole one, jumps
lead over what it did not do. A PUSH and its POP bear one letter; several PUSHes that one POP may take bear the same.
"""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

FOLDER = Path(__file__).parent / "leaving"

DRIVER = """\
program drive
  implicit none
  real(8) :: x(6), xb(6), y, yb
  integer :: k
  do k = 1, 8
    x = [1.2d0, 1.1d0, 0.4d0, 1.3d0, 1.25d0, 0.9d0]
    if (k == 2) x = 0.3d0
    if (k == 3) x = 1.6d0
    if (k == 4) x = [3.0d0, 0.5d0, 0.2d0, 1.1d0, 2.0d0, 0.3d0]
    if (k == 5) x = [-0.9d0, 0.5d0, 0.7d0, -1.1d0, 2.0d0, 0.3d0]
    if (k == 6) x = 2.45d0
    if (k == 7) x = [5.5d0, -0.01d0, 1.0d0, 2.0d0, 5.5d0, 7.0d0]
    if (k == 8) x = [0.5d0, 4.0d0, 2.5d0, 5.3d0, 0.5d0, 1.0d0]
    xb = 0
    yb = 1
    call model_b(x, xb, 6, y, yb)
    write (*, '(6z18)') xb
  end do
end program drive
"""


class Leaving(AdjointCase):
    @property
    def driver(self) -> str:
        return DRIVER


def _case(name: str) -> Leaving:
    return Leaving(name, "model(x)>(y)", *((FOLDER / f"{name}{end}.f90").read_text() for end in ("", "_b")))


NAMES = ("midexit", "twoexit", "early", "dowhile", "forever", "nestedin", "selexit", "repeated", "outerexit",
         "jumpback", "computed", "labelled", "hunting", "afresh", "rerun")
UNNAMED = {"outerexit": "f", "rerun": "bcde"}
"""What is neither superfluous nor named: the variable of an outer loop whose reversal is written with labels; what is
taped in a marked part's second run, and in the loop around it."""
CASES = {name: _case(name) for name in NAMES}


def without(adjoint: str, letter: str) -> str:
    """Without the PUSHes and POPs of a letter; labels stay."""
    return re.sub(rf"call (push|pop)\w+\(.*\)  ! {letter}$", "continue", adjoint, flags=re.MULTILINE)


def letters(adjoint: str) -> list[str]:
    return [one for one in string.ascii_lowercase if f"  ! {one}\n" in adjoint]


@pytest.mark.parametrize("name", CASES)
def test_each_push_is_paired_and_none_is_missing(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    found = compared(case, case.adjoint, tmp_path)
    assert not found.not_followed
    assert not found.missing
    lines = case.adjoint.splitlines()
    for one in found.saved:
        assert one.verdict != "not judged"
        assert {lines[line - 1][-1] for line in one.pops} == {lines[one.line - 1][-1]}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_what_is_taken_away_is_superfluous_or_changes_the_gradient(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    found = compared(case, case.adjoint, tmp_path)
    lines = case.adjoint.splitlines()
    gone = {lines[one.line - 1][-1] for one in found.saved if one.superfluous}
    right = gradient(case, case.adjoint, tmp_path / "right")
    assert right.count("\n") == 8
    for letter in letters(case.adjoint):
        same = gradient(case, without(case.adjoint, letter), tmp_path / letter) == right
        assert same == (letter in gone), letter


@pytest.mark.parametrize("name", CASES)
def test_of_what_is_taken_away_the_values_are_missing(name: str, tmp_path: Path) -> None:
    """Of all that is not superfluous, counts of turns and the variables of loops among them."""
    case = CASES[name]
    lines = case.adjoint.splitlines()
    found = compared(case, case.adjoint, tmp_path)
    gone = {lines[one.line - 1][-1] for one in found.saved if one.superfluous}
    named = ""
    for letter in letters(case.adjoint):
        found = compared(case, without(case.adjoint, letter), tmp_path)
        (place,) = {line.partition("(")[2].partition(")  !")[0] for line in lines if line.endswith(f"  ! {letter}")}
        if found.missing:
            named += letter
            assert {one.location for one in found.missing} == {place}
    assert set(named) == set(letters(case.adjoint)) - gone - set(UNNAMED.get(name, ""))
