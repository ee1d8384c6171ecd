"""An element of a matrix passed for an assumed-size matrix, from which on the last column is not whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import pick
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot, acc, ix, load
from snapset.frontend.load import load_text

from tests.support.command import run
from tests.support.divided import from_text
from tests.support.execution import plans_agree, proved_by_execution

BLAS = """subroutine p(h, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: h(n)
  real(8), intent(out) :: y
  real(8) :: a(n, n), x(n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = 0.1d0*h(i)*h(j)/(i + j)
    end do
    a(j, j) = 2.0d0 + h(j)**2
  end do
  x = h
  call trsv(n - 1, a(2, 2), n, x(2))
  call scale(n - 2, h(1), a(3, 2), n)
  call trsv(n, a, n, x)
  y = sum(x*a(n, :))
end subroutine p
subroutine trsv(n, a, lda, x)
  integer, intent(in) :: n, lda
  real(8), intent(inout) :: a(lda, *), x(*)
  integer :: i, j
  do j = n, 1, -1
    x(j) = x(j)/a(j, j)
    a(1:j, j) = a(1:j, j)*x(j)
    do i = 1, j - 1
      x(i) = x(i) - x(j)*a(i, j)
    end do
  end do
end subroutine trsv
subroutine scale(n, s, a, lda)
  integer, intent(in) :: n, lda
  real(8), intent(in) :: s
  real(8), intent(inout) :: a(lda, *)
  call one(n, s, a(1, 2), lda)
  !$AD CHECKPOINT-START
  a(n, 1) = a(n, 1)*s*a(1, 2)
  !$AD CHECKPOINT-END
  a(n, 1) = a(n, 1)**2
end subroutine scale
subroutine one(n, s, a, lda)
  integer, intent(in) :: n, lda
  real(8), intent(in) :: s
  real(8), intent(inout) :: a(lda, *)
  a(1:n, 1) = a(1:n, 1)*s
end subroutine one
"""


def test_blocks_of_a_matrix_are_passed(tmp_path: Path) -> None:
    proved_by_execution(BLAS, "p(h)>(y)", tmp_path, {"n": 4})


def test_a_divided_run_goes_on_with_them() -> None:
    one = from_text(BLAS, "p(h)>(y)", n=3)
    found, _, _ = one.gradient(pick(one.divided().steps(), 3), "bisection", next(iter(DRIVERS)))
    assert found is not None
    assert found.same(one.expected)


def test_single_precision_and_elements_in_rows(tmp_path: Path) -> None:
    """Of a vector from its third element on: two columns of three, and one element."""
    text = """subroutine p(h, y)
  real(8), intent(inout) :: h(9)
  real(8), intent(out) :: y
  integer :: v(2)
  v = [3, 1]
  call line(h(3), 3, v)
  y = sum(h*h)
end subroutine p
subroutine line(a, n, v)
  integer, intent(in) :: n, v(2)
  real(8), intent(inout) :: a(0:n - 1, *)
  a(v - 1, 2) = a(v - 1, 1)*a(0, 3)
  a(0, 3) = a(1, 2)*a(2, 1)
end subroutine line
"""
    proved_by_execution(text, "p(h)>(y)", tmp_path)


LARGER = """subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: a(5), w(4, 4)
  integer :: i
  do i = 1, 5
    a(i) = x(1)*i
  end do
  w = x(2)
  call vector(a, x(1), y)
  call matrix(w(2, 2), 4, 3, y)
  call vector(a, x(3), y)
end subroutine p
subroutine vector(a, s, y)
  real(8) :: a(6), s, y
  integer :: i
  y = 0
{body}
end subroutine vector
subroutine matrix(w, ld, n, y)
  integer :: ld, n, i, j
  real(8) :: w(ld, n), y
  do j = 1, n
    do i = 1, n
      w(i, j) = w(i, j)*y
      y = y + sin(w(i, j))
    end do
  end do
end subroutine matrix
"""


def test_an_array_may_be_declared_larger_than_what_is_passed(tmp_path: Path) -> None:
    """As old programs do; what is not there is never touched. gfortran compiles it in files of their own only: its
    opinion is that of the program that declares what is there."""
    larger = LARGER.format(body="  do i = 1, 5\n    a(i) = a(i)*s\n    y = y + a(i)**2\n  end do")
    exact = larger.replace("a(6)", "a(5)").replace("w(ld, n)", "w(ld, *)")
    proved_by_execution(exact, "p(x)>(y)", tmp_path)
    (head,) = parse_heads("p(x)>(y)")
    expected, _ = store_all(head, Machine(load_text(exact), "p"), Inputs())
    analysis = prepare(load_text(larger), head, AnalysisOptions())
    assert plans_agree(head, Machine(analysis.models.program, "p"), analysis).same(expected)


@pytest.mark.parametrize(("body", "says"), [
    ("  do i = 1, 6\n    y = y + a(i)*s\n  end do", "an element that is not there is used"),
    ("  y = s*sum(a)", "a dummy array is larger than its actual argument, and is used as a whole"),
    ("  a = a*s", "a dummy array is larger than its actual argument, and is used as a whole"),
])
def test_but_not_be_used_as_large(body: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "a.f90"
    path.write_text(LARGER.format(body=body))
    done = run("replay", str(path), "--head", "p(x)>(y)")
    assert done.returncode == 2
    assert says in done.stderr


@pytest.fixture
def columns() -> Slot:
    """The elements 2 to 8 of eight, in columns of three."""
    row, adjoint = np.arange(2.0, 9.0), np.zeros(7)
    return Slot(PartialColumns.of(row, (3, 3)), PartialColumns.of(adjoint, (3, 3)), (1, 1))


def test_what_is_not_there_is_out_of_bounds(columns: Slot) -> None:
    assert load(columns, ix(columns, 1, 3)) == 8
    with pytest.raises(ReplayError, match="behind the last one"):
        load(columns, ix(columns, 2, 3))
    with pytest.raises(ReplayError, match="behind the last one"):
        columns.values[1:3, 2]
    with pytest.raises(ReplayError, match="subscript 4 is out of bounds"):
        ix(columns, 1, 4)


def test_all_of_it_is_what_is_there(columns: Slot) -> None:
    kept = columns.values.copy(order="F")
    columns.values[...] = np.nan
    assert np.isnan(columns.values[1, 1])
    columns.values[...] = kept
    assert columns.values.nbytes == 56
    assert columns.values[0:2, 1].tolist() == [5, 6]
    columns.values[1:3, 0] = 0
    assert columns.values.row.tolist() == [2, 0, 0, 5, 6, 7, 8]  # type: ignore[attr-defined]


def test_adjoints_of_vector_subscripts_are_added(columns: Slot) -> None:
    acc(columns, (np.array([0, 0, 2]), 1), np.array([1.0, 2.0, 4.0]))
    assert columns.b is not None
    assert [columns.b[i, 1] for i in range(3)] == [3, 0, 4]
