"""The rank of RESHAPE is the length of its SHAPE, whatever gives that."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled

SHAPES = {
    "[2, 3]": 2, "shape(m)": 2, "[shape(m)]": 2, "[shape(m(1, :)), 2]": 2, "ubound(m)": 2, "[(i, i = 2, 3)]": 2,
    "dims": 2, "dims(1:2)": 2, "o%dims": 2, "dims + 0": 2, "three": 3, "[dims, 1]": 3, "dims([1, 2, 1])": 3,
    "max(dims, 1)": 2, "[6]": 1, "shape(x)": 1, "dims(2:1:-1)": 2, "-(-dims)": 2,
}


def text(shape: str, rank: int) -> str:
    return f"""subroutine f(x, y)
  implicit none
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  type :: sizes
    integer :: dims(2) = [2, 3]
  end type
  type(sizes) :: o
  integer, parameter :: three(3) = [3, 2, 1]
  integer :: dims(2), i
  real(8) :: m(2, 3)
  real(8), allocatable :: r({", ".join(":"*rank)})
  dims = [2, 3]
  m = 1
  r = reshape(x, {shape}, pad=[x(1)*x(2), x(3)])
  y = sum(r*r) + sum(m)
end subroutine
"""


@pytest.mark.parametrize("shape", SHAPES)
def test_the_rank_is_the_length_of_the_shape(shape: str) -> None:
    body = load_text(text(shape, SHAPES[shape])).procedures["f"].body
    values = (stmt.value for stmt in body if isinstance(stmt, ir.Assign))
    references = (one for value in values for one in walk(value) if isinstance(one, ir.Intrinsic))
    (found,) = (one for one in references if one.name == "reshape")
    assert found.rank == SHAPES[shape]


@pytest.mark.sample(5)
@pytest.mark.parametrize("shape", SHAPES)
def test_its_derivative_is_that_of_differences(shape: str, tmp_path: Path) -> None:
    """With the rank of its source, which is what it had, a matrix's adjoint was summed over a dimension."""
    agrees_with_compiled(text(shape, SHAPES[shape]), "f(x)>(y)", tmp_path, ways=2)
