"""A marked part that the adjoint does not run again: nothing reads what it computes. docs/examples has the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared
from tests.support.paths import ROOT


def for_the_driver(text: str) -> str:
    """Called as the driver does: four cells, three steps, and x for t."""
    text = text.replace("t, tb, n, steps, cost, costb", "t, tb, n, cost, costb").replace("rod", "model")
    text = text.replace("t, n, steps, cost", "t, n, cost").replace("integer, intent(in) :: n, steps",
                                                                   "integer, intent(in) :: n")
    return text.replace("integer :: i, step", "integer :: i, step, steps\n  steps = 3", 1)


def rod() -> AdjointCase:
    source, adjoint = (for_the_driver((ROOT / "docs" / "examples" / name).read_text())
                       for name in ("rod.f90", "rod_b.f90"))
    return AdjointCase("rod", "model(t)>(cost)", source, adjoint.replace("t(n), tb(n), cost, costb",
                                                                         "t(n), tb(n), cost, costb", 1))


def lines_without(text: str, *gone: str) -> str:
    """Without the first PUSH of these, and its POP."""
    for one in gone:
        assert one in text
        text = text.replace(one, "", 1)
    return text


LOST = {
    "the state": (("t",), ("    call pushreal8array(t, n)\n", "    call popreal8array(t, n)\n")),
    "both": (("t", "k"), ("    call pushreal8array(t, n)\n", "    call popreal8array(t, n)\n",
                          "    call pushreal8(k)\n", "    call popreal8(k)\n",
                          "    call pushreal8(k)\n", "    call popreal8(k)\n")),
}


def test_nothing_is_missing_of_the_whole_adjoint(tmp_path: Path) -> None:
    found = compared(rod(), rod().adjoint, tmp_path)
    assert not found.missing
    assert [one.location for one in found.saved if one.superfluous] == ["k"]


def test_what_is_superfluous_leaves_the_gradient_as_it_is(tmp_path: Path) -> None:
    one = rod()
    smaller = lines_without(one.adjoint, "    call pushreal8(k)\n", "    call popreal8(k)\n")
    assert gradient(one, smaller, tmp_path / "smaller") == gradient(one, one.adjoint, tmp_path / "right")


@pytest.mark.parametrize("name", LOST)
def test_a_lost_snapshot_is_missing(name: str, tmp_path: Path) -> None:
    places, gone = LOST[name]
    one = rod()
    broken = lines_without(one.adjoint, *gone)
    assert {lost.location for lost in compared(one, broken, tmp_path).missing} == set(places)
    assert gradient(one, broken, tmp_path / "broken") != gradient(one, one.adjoint, tmp_path / "right")


def test_what_the_part_overwrites_before_it_is_read_is_not_asked_for(tmp_path: Path) -> None:
    """t = 2*t reads nothing back, and its result is kept where the next lines overwrite it."""
    one, doubled = rod(), "    t = 2*t\n    do i = 1, n - 1\n      f(i)"
    source = one.original.replace("    do i = 1, n - 1\n      f(i)", doubled)
    adjoint = lines_without(one.adjoint, "    call pushreal8array(t, n)\n").replace(
        "    do i = 1, n - 1\n      f(i)", doubled).replace(
        "    do i = 1, n - 1\n      t(i)", "    call pushreal8array(t, n)\n    do i = 1, n - 1\n      t(i)")
    pops = "    call popreal8(k)\n    call popreal8(k)\n    call popreal8array(t, n)\n"
    adjoint = adjoint.replace(pops, "    call popreal8(k)\n    call popreal8array(t, n)\n    call popreal8(k)\n")
    adjoint = adjoint.replace("    end do\n  end do\n  costb", "    end do\n    tb = 2*tb\n  end do\n  costb")
    case = AdjointCase("doubled", one.head, source, adjoint)
    assert not compared(case, adjoint, tmp_path).missing
    broken = lines_without(adjoint, "    call pushreal8array(t, n)\n", "    call popreal8array(t, n)\n")
    assert gradient(case, broken, tmp_path / "broken") != gradient(case, adjoint, tmp_path / "right")
