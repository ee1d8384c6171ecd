"""Arrays whose last extent is not declared, ``a(lda, *)``: what a snapshot of ``a(:, j:)`` takes, and how the head gets
one. The judge is what the machine pushes."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

FROM_A_COLUMN_ON = """
subroutine f(lda, a, c)
  integer, intent(in) :: lda
  real(8), intent(inout) :: a({low}lda, *), c
  integer :: j, k
  do j = 1, 4
    k = lda + j*(5 - j)/6
    call scale(k, c, a({first}, j))
    c = c*a({first}, j)
  end do
end subroutine
subroutine scale(n, c, x)
  integer, intent(in) :: n
  real(8), intent(in) :: c
  real(8), intent(inout) :: x(*)
  integer :: i
  do i = 1, n
    x(i) = x(i)*x(i)*c
  end do
end subroutine
"""


@pytest.mark.parametrize(("low", "first", "columns"), [("", "1", 5), ("", "1", 9), ("0:", "0", 6)])
def test_the_columns_before_are_not_counted(low: str, first: str, columns: int) -> None:
    text = FROM_A_COLUMN_ON.format(low=low, first=first)
    (head,) = parse_heads("f(a, c)>(a, c)")
    rows = 4 if low else 3
    inputs = Inputs({"lda": 3}, sizes={"a": (rows, columns)})
    (run,) = compare(load_text(text), head, [LAZY], inputs).runs
    assert run.equal
    assert run.peak_bytes > 8*rows*columns
    assert run.predicted_peak_bytes == run.peak_bytes


@pytest.mark.parametrize(("given", "shape"), [
    ({"lda": 4}, (4, 5)), ({"lda": 4, "a": [0.5 + 0.1*k for k in range(28)]}, (4, 7)), ({"lda": 7}, (7, 5)),
])
def test_the_head_gets_as_many_rows_as_are_declared(given: dict[str, object], shape: tuple[int, int]) -> None:
    (head,) = parse_heads("f(a, c)>(a, c)")
    found = compare(load_text(FROM_A_COLUMN_ON.format(low="", first="1")), head, [LAZY], Inputs(given))
    assert [one.shape for one in found.inputs if one.name == "a"] == [shape]
    assert all(run.equal for run in found.runs)


CHARACTERS = """
subroutine f(uplo, names, x, y)
  character(len=1), intent(in) :: uplo
  character(len=3), intent(in) :: names(2)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x
  if (uplo == 'U') y = y*x
  if (names(1) == 'abc') y = y*x
  if (names(2) == 'd') y = y*x
end subroutine
"""


@pytest.mark.parametrize(("given", "power"), [
    ({}, 1), ({"uplo": "U"}, 2), ({"uplo": "u"}, 1), ({"names": "abc"}, 2), ({"names": ["abc", "d"]}, 3),
    ({"uplo": "U", "names": ["abc", "d"]}, 4),
])
def test_characters_are_given(given: dict[str, object], power: int) -> None:
    (head,) = parse_heads("f(x)>(y)")
    found = compare(load_text(CHARACTERS), head, [LAZY], Inputs({"x": 1.5, **given}))
    assert found.reference.values["y"].elements == pytest.approx((1.5**power,))


@pytest.mark.parametrize(("given", "said"), [
    ({"uplo": 3}, "uplo is of type character"), ({"x": "U"}, "x is of type real, neither CHARACTER nor"),
    ({"names": ["a", "b", "c"]}, "names has 2 elements; 3 texts"),
])
def test_what_is_no_text_is_said(given: dict[str, object], said: str) -> None:
    (head,) = parse_heads("f(x)>(y)")
    with pytest.raises(InputError, match=said):
        compare(load_text(CHARACTERS), head, [LAZY], Inputs(given))
