"""Sections whose bounds nothing tells: ASSOCIATE names for subscripts of what has none."""

from __future__ import annotations

import pytest
from snapset.frontend.load import load_text

PROGRAM = """subroutine f(x, y)
  type cell
    real(8) :: c(4), s
  end type cell
  real(8) :: x(3), y, a
  class(*), allocatable :: any
  type(cell) :: o, p(2)
  y = x(1)
  associate (z => {selector})
    z(1) = 2*z(2)
  end associate
end subroutine f
"""


SELECTORS = ("any(:)", "a(:)", "x(:, :)", "o(:)", "o%s(:)", "p(:, :)", "p(1, :)%s", "o%c(1, :)", "p(2)%c(:, 1:2)")


@pytest.mark.parametrize("selector", SELECTORS)
def test_subscripts_of_what_has_none_are_not_understood(selector: str) -> None:
    """``class(*)``'s has no declared dimension to take the bound from: once an IndexError."""
    program = load_text(PROGRAM.format(selector=selector))
    assert [one.code for one in program.diagnostics] == ["SN202"]


@pytest.mark.parametrize("selector", ["x(:)", "x(2:)", "o%c(:3)", "p(2)%c(1:2)", "p(:)%s"])
def test_sections_of_arrays_are(selector: str) -> None:
    program = load_text(PROGRAM.format(selector=selector))
    assert [one.opaque for one in program.procedures.values()] == [None]
