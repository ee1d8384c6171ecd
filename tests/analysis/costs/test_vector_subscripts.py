"""Elements that a vector subscript selects: as many as the vector has, whatever it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset

PROGRAM = """subroutine s(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: c(3, 4)
  integer :: i, ix(5)
  ix = [1, 2, 3, 2, 1]
  c = x
  do i = 1, n
    c(:, {vector}) = 0.7d0*sin(c(:, {vector}))*c(1, 1)
  end do
  y = sum(c)
end subroutine s
"""
COLUMNS = {"[4, 1]": 2, "[ix(2), 1, 4]": 3, "ix(1:3)": 3, "ix(1:3) + 1": 3, "-ix(1:2) + 4": 2, "4": 1, "2:3": 2}


@pytest.mark.parametrize("vector", COLUMNS)
def test_bytes_of_what_is_overwritten(vector: str, tmp_path: Path) -> None:
    """By hand: three reals in a column, taped in each of four iterations; and so it is when it runs."""
    path = tmp_path/"s.f90"
    path.write_text(PROGRAM.format(vector=vector))
    found = snapset.report([str(path)], "s(x)>(y)").totals["lazy"]
    assert str(found.traffic_bytes) == f"{24*COLUMNS[vector]}*n"
    run = snapset.replay([str(path)], "s(x)>(y)", values={"n": 4}).runs[0]
    assert (run.equal, run.traffic_bytes, run.predicted_traffic_bytes) == (True, *(4*24*COLUMNS[vector],)*2)


def test_a_vector_of_unknown_length_counts_as_the_whole_array(tmp_path: Path) -> None:
    path = tmp_path/"s.f90"
    path.write_text(PROGRAM.format(vector="[(ix(k), k = 2, i)]").replace("integer :: i", "integer :: k, i"))
    assert str(snapset.report([str(path)], "s(x)>(y)").totals["lazy"].traffic_bytes) == "96*n"
