"""Function references in an implied DO run once for each of its items."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = """module functions
  implicit none
contains
  pure real(8) function f(x)
    real(8), intent(in) :: x
    f = x*sin(x)
  end function f
  pure real(8) function g(i, x)
    integer, intent(in) :: i
    real(8), intent(in) :: x
    g = cos(i*x)*x**2
  end function g
  pure integer function count_of(i)
    integer, intent(in) :: i
    count_of = i + 1
  end function count_of
  function two(x)
    real(8), intent(in) :: x
    real(8) :: two(2)
    two = (/x*x, sin(x)/)
  end function two
end module functions
subroutine head(n, x, y)
  use functions
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(2*n), c(n, n)
  real(8), allocatable :: d(:)
  integer :: i, j, k
  i = 1
  {text}
end subroutine head
"""

TEXTS = {
    "one item": "a = [(f(x(i)), i = 1, n)]\ny = a(1)*a(2) + a(n)**2",
    "in an expression": "a = [(2*f(x(i)) + i, i = 1, n)]*x\ny = product(a)",
    "several items": "b = (/(f(x(i)), g(i, x(i))*x(1), i = 1, n)/)\ny = product(b) + b(2)",
    "among others": "d = [x(1)**2, (g(i, x(i)), i = 1, n), f(x(2))]\ny = sum(d**2)*d(1)",
    "a step": "d = [(g(i, x(i)), i = n, 1, -2)]\ny = d(1)*sum(d)",
    "nested": "c = reshape([((g(i*j, x(i)), i = 1, n), j = 1, n)], [n, n])\ny = sum(c(:, 1)*c(2, :))",
    "nested, a triangle": "d = [((g(i, x(j)), f(x(j)), i = 1, j), j = 1, n)]\ny = product(d) + d(2)**2",
    "nested, calls outside alone": "d = [((x(i)*j, i = 1, j), f(x(j)), j = 1, n)]\ny = sum(d**3)",
    "calls in the bounds": "d = [(g(i, x(1)), i = 1, count_of(1))]\ny = d(1)*d(2)",
    "calls in inner bounds": "d = [((x(j)**i, i = 1, count_of(j)), j = 1, n)]\ny = sum(d)*d(2)",
    "an array-valued function": "b = [(two(x(i)), i = 1, n)]\ny = product(b)",
    "nothing": "d = [(f(x(i)), i = 2, 1), x(1)**2]\ny = size(d)*d(1)",
    "calls in calls": "a = [(f(f(x(i))), i = 1, n)]\ny = sum(a*a)",
    "as an argument": "y = sum([(f(x(i)), i = 1, n)])\ny = y*f(sum([(g(i, x(i)), i = 1, n)]))",
    "in a loop": "y = 1\ndo k = 1, n\n d = [(f(x(i)*y), i = 1, k)]\n y = y + d(k)*d(1)\n end do",
    "in a part": "a = x\n!$AD CHECKPOINT-START\na = [(f(a(i)), i = 1, n)]\na = a*a\n!$AD CHECKPOINT-END\n"
                 "y = product(a)",
    "the index is its own": "y = sum([(f(x(i)), i = 1, n)])*f(x(i))",
    "in WHERE": "a = x\nwhere (x > 0.5d0) a = [(f(x(i)), i = 1, n)]\ny = product(a)",
    "in DO CONCURRENT": "do concurrent (j = 1:n)\n a(j) = sum([(g(i, x(j)), i = 1, j)])\n end do\ny = product(a)",
    "in DO WHILE": "y = 0\ndo while (sum([(f(x(i)), i = 1, n)]) + y < 4d0)\n y = y + f(x(1))\n end do",
    "in a condition": "y = x(1)\nif (sum([(f(x(i)), i = 1, n)]) > 0d0) y = sum([(f(x(i)), i = 2, n)])*x(1)",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_function_references_in_array_constructors(text: str, tmp_path: Path) -> None:
    proved_by_execution(HEAD.format(text=text), "head(x)>(y)", tmp_path, {"n": 3, "x": [0.7, 1.1, 0.4]})


WRITTEN = {
    "one item": "write (s, '(3f20.16)') (f(x(i)), i = 1, n)",
    "nested": "write (s, '(9f7.3)') ((f(x(i))*j, i = 1, n), j = 1, 2)",
    "calls outside alone": "write (s, '(9f7.3)') ((x(i), i = 1, n), f(x(j)), j = 1, 2)",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_the_variables_of_written_implied_dos_have_their_last_values(text: str, tmp_path: Path) -> None:
    body = f"j = 1\n{text}\ny = f(x(1))*i + j*x(2)**2"
    written = HEAD.format(text=body).replace("integer :: i, j, k", "integer :: i, j, k\n character(200) :: s")
    proved_by_execution(written, "head(x)>(y)", tmp_path, {"n": 3, "x": [0.7, 1.1, 0.4]})


@pytest.mark.parametrize("text", [
    "read (5, *) (a(count_of(i)), i = 1, n - 1)", "read (5, *) k, (a(i), i = 1, count_of(k))",
    "read (5, *) k, a(count_of(k))"])  # fmt: skip
def test_a_read_whose_calls_run_between_its_items_is_not_understood(text: str) -> None:
    (said,) = (d for d in load_text(HEAD.format(text=text)).diagnostics if d.code == "SN202")
    assert "READ" in said.message


def test_a_read_with_one_call_before_it_is_understood() -> None:
    found = load_text(HEAD.format(text="read (5, *) a(count_of(i))"))
    assert not found.diagnostics


def test_items_of_several_types_are_not_understood() -> None:
    found = load_text(HEAD.format(text="a = [real(8) :: (f(x(i)), i, i = 1, n)]"))
    assert [d.code for d in found.diagnostics] == ["SN202"]
