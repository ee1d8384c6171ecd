"""An allocatable array that a WHERE assigns to keeps its memory, and what the mask does not select."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """
module m
  implicit none
  type :: pair
    real(8), allocatable :: c(:), g(:, :)
  end type pair
contains
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(n), g(2, 3)
  real(8), allocatable :: w(:)
  type(pair) :: o(2)
  b = 0.6d0*x*x
  g = 0.4d0*x(1)
  g(2, :) = 0.5d0*x(:3)
  w = 0.2d0*x
  o(1)%c = 0.3d0*x*x(2)
  o(1)%g = g*g
  {}
  y = sum(w*w) + sum(o(1)%c*b) + sum(o(1)%g)
end subroutine p
end module m
"""


@pytest.mark.parametrize("body", [
    "where (b > 0.25d0) w = 0.5d0*b*x",
    "where (b > 0.25d0) w = 0.5d0*b(n:1:-1) + w*b",
    "where (b > 0.25d0)\n o(1)%c = b*x\n elsewhere (b > 0.2d0)\n o(1)%c = sin(w)\n elsewhere\n w = b\n end where",
    "where (g > 0.25d0) o(1)%g = g*g*g",
    "!$AD CHECKPOINT-START\n  where (b > 0.25d0) w = b*b*w(n)\n!$AD CHECKPOINT-END\n  b = b*w\n  w = b",
])
def test_the_mask_counts(body: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(body), "p(x)>(y)", tmp_path, {"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})


SCALARS = """
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type :: held
    real(8) :: v(5)
  end type held
  {}(held), allocatable :: o
  allocate (o)
  o%v = 0.6d0*x*x
  where (o%v > 0.25d0) o%v = o%v([2, 1, 4, 3, 5])*0.7d0
  o%v(1) = o%v(1)*o%v(2)
!$AD CHECKPOINT-START
  where (o%v > 0.2d0) o%v = o%v*x
!$AD CHECKPOINT-END
  y = sum(o%v*x) + o%v(1)*o%v(5)
end subroutine p
"""


@pytest.mark.parametrize("word", ["type", "class"])
def test_the_mask_counts_in_an_allocatable_object(word: str, tmp_path: Path) -> None:
    proved_by_execution(SCALARS.format(word), "p(x)>(y)", tmp_path, {"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})


OBJECTS = """
module m
  implicit none
  type :: pair
    real(8) :: v, e
  end type pair
  interface assignment(=)
    module procedure set, scaled
  end interface
contains
elemental subroutine set(l, r)
  type(pair), intent(inout) :: l
  type(pair), intent(in) :: r
  l%v = l%v*r%v
  l%e = sin(r%e)*l%e
end subroutine set
elemental subroutine scaled(l, r)
  type(pair), intent(inout) :: l
  real(8), intent(in) :: r
  l%v = l%v*r
end subroutine scaled
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(n)
  type(pair), allocatable :: r(:)
  type(pair) :: q(n)
  b = 0.6d0*x*x
  allocate (r(0:n - 1))
  r%v = b
  r%e = 0.3d0*x
  q%v = 0.7d0*x
  q%e = b*b
  {}
  y = sum(r%v*r%e) + r(0)%v*r(n - 1)%e + sum(q%v*q%e)
end subroutine p
end module m
"""


@pytest.mark.parametrize("body", [
    "where (b > 0.25d0) r = q",
    "where (b > 0.25d0) r = 0.5d0*b",
    "where (r%v > 0.25d0)\n r%v = r%e*r%v\n q = r\n elsewhere\n r%e = r%e*b\n end where",
    "!$AD CHECKPOINT-START\n  where (b > 0.25d0) r = q\n!$AD CHECKPOINT-END\n  r%v = r%v*r%e",
])
def test_the_mask_counts_of_objects(body: str, tmp_path: Path) -> None:
    """Defined assignments, to copies first, and components of all elements."""
    proved_by_execution(OBJECTS.format(body), "p(x)>(y)", tmp_path, {"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})


def test_the_mask_counts_of_plain_objects(tmp_path: Path) -> None:
    source = OBJECTS.replace("procedure set, scaled", "procedure scaled")
    proved_by_execution(source.format("where (b > 0.25d0) r = q"), "p(x)>(y)", tmp_path,
                        {"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})


@pytest.mark.parametrize("more", ["", ", allocatable"])
def test_the_mask_is_that_of_all_elements_of_components(more: str, tmp_path: Path) -> None:
    """``where (m) r = q`` with objects that have arrays."""
    rows = OBJECTS.replace("procedure set, scaled", "procedure scaled").replace(":: v, e", ":: v, e, f(2, 3)").replace(
        "  q%v = 0.7d0*x\n", "  q%v = 0.7d0*x\n  r%f(2, 1) = b\n  q%f(2, 1) = x*x(3)\n  q%f(1, 3) = b(2)*x\n").replace(
        "  y = ", "  y = r(1)%f(2, 1)*r(3)%f(2, 1)*r(4)%f(1, 3) + sum(r%f(2, 1)) + ").replace(
        "  r%v = b\n", "  r%v = b\n  r%f(1, 1) = 0\n  r%f(1, 3) = x\n")
    body = "where (b > 0.25d0) r = q\n!$AD CHECKPOINT-START\n where (r%v > 0.5d0)\n q = r\n r = q\n end where\n" \
        "!$AD CHECKPOINT-END\n r%v = r%v*r%f(2, 1)*q%f(1, 3)\n where (r%v > 0.1d0) q = r\n q%e = q%e*q%f(2, 1)"
    source = rows.format(body).replace(
        " :: q(n)", f"{more} :: q({':' if more else 'n'})").replace(
        "allocate (r(0:n - 1))", "allocate (r(0:n - 1)" + (", q(2:n + 1))" if more else ")"))
    proved_by_execution(source, "p(x)>(y)", tmp_path, {"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})
