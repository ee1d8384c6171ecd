"""Behind which writes of an array a value made of its elements can be had again: by hand, and all executed."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager")
BOTH = AnalysisOptions(recompute=True, dag=True)


def text_of(read: str, writes: str) -> str:
    """t is made of elements, others are written, then t is used: it is taped unless it can be made again behind them.
    The derivatives of the writes need what they overwrite, so that the elements themselves are there."""
    return f"""module parts
  type pair
    real(8) :: a(3), b(3)
  end type pair
end module parts
subroutine scaled(v, s)
  real(8), intent(inout) :: v
  real(8), intent(in) :: s
  v = v*sin(v)*s
end subroutine scaled
subroutine p(x, n, y)
  use parts
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(7), z(7, 7), t, o(7), over(7)
  complex(8) :: c(7)
  type(pair) :: q
  equivalence (o(2), over(1))
  integer :: i, j, k, m, s
  w = 0.3d0 + x(1)
  z = 0.4d0 + x(2)
  q%a = x(3)
  q%b = x(4)
  o = x(5)
  over(7) = x(6)
  c = cmplx(x(1), x(2), 8)
  y = 0.0d0
  m = 2
  s = 1
  if (x(1) > 5.0d0) s = -1
  do i = 2, 5
    t = {read}
{writes}
    y = y + t*t
  end do
  y = y + sum(w) + sum(z) + sum(q%a) + sum(q%b) + sum(over) + real(sum(c))
end subroutine p
"""


GROUP = """
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(6), c(6), s, t
  integer :: i, k
  b(:5) = 0.6d0*x
  b(6) = 0.5d0
  c = 0.8d0
  s = x(1)
  t = x(2)
  do i = 2, 4
    k = i
    if (b(k) > 0.2d0) then
      k = k + 1
    else
      k = k + 2
      if (k > 5) k = 5
    end if
    t = t*s*c(k)
    {write}
    c(k) = t*s
    k = 5 - i
    s = s*c(k)
  end do
  y = sum(b) + t + s
end subroutine p
"""


@pytest.mark.parametrize("write", [
    "b(k - 1) = -0.3d0*s",  # where k has become i + 1 that is b(i), which the test has read
    "b(k + 1) = b(k + 1)*s",
    "b(k - 1) = -0.3d0*s\n    b(k - 1) = b(k - 1)*b(k)",
])
def test_a_subscript_that_is_half_made_is_another_one_behind(write: str) -> None:
    """The IF construct makes k, and reads the element of the k that it has made so far."""
    program, x = load_text(GROUP.format(write=write)), [0.51, 0.62, 0.73, 0.84, 0.95]
    found = compare(program, HEAD, STRATEGIES, Inputs({"n": 5, "x": x}), BOTH)
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}


def made_again(read: str, writes: str) -> bool:
    """Is t not taped? Every gradient is store-all's."""
    program = load_text(text_of(read, writes))
    found = compare(program, HEAD, STRATEGIES, Inputs({"n": 7}), BOTH)
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    return "t" not in {one.location for one in found.runs[0].spent if one.kind == "tape"}


def loop(bounds: str, write: str = "w(j) = w(j)*w(j)") -> str:
    return f"do j = {bounds}\n{write}\nend do"


@pytest.mark.parametrize(("bounds", "apart"), [
    ("i + 1, 7", True),
    ("i, 7", False),
    ("1, i - 1", True),
    ("1, i", False),
    ("i + 1, 7, 2", True),
    ("i, 7, 2", False),
    ("7, i + 1, -1", True),
    ("7, i, -1", False),
    ("i - 1, 1, -1", True),
    ("i, 1, -1", False),
    ("i - 1, 1", True),  # no iteration but for i = 2, w(1)
    ("2*i, 7", True),
    ("i + 1 - m, 7", False),
    ("i + 1, 7, s", False),  # nobody says which end is the lower one
    ("i - 1, 1, s - 2", False),
])
def test_a_variable_is_between_its_bounds(bounds: str, apart: bool) -> None:
    """i itself is no value of j, if the bounds say so; so w(i) is left alone."""
    assert made_again("w(i)*x(i)", loop(bounds)) is apart


@pytest.mark.parametrize(("read", "bounds", "write", "apart"), [
    ("w(i)*x(i)", "m + i - 1, 7", "w(j) = w(j)*w(j)", False),  # nobody says that m is 2
    ("w(i)*x(i)", "i + 1, 7", "w(j) = w(j)*w(j)\nm = j", True),  # no bound
    ("w(m)*x(i)", "m + 1, 7", "w(j) = w(j)*w(j)", True),
    ("w(m)*x(i)", "m + 1, 7", "w(j) = w(j)*w(j)\nm = 2", False),  # lost with m
    ("w(i)*w(i + 1)", "i + 2, 7", "w(j) = w(j)*w(j)", True),
    ("w(i)*w(i + 1)", "i + 1, 7", "w(j) = w(j)*w(j)", False),  # one of two
    ("w(i + 1)*w(i)", "i + 1, 7", "w(j) = w(j)*w(j)", False),
    ("w(i)*x(i)", "i + 1, 7", "w(j - 1) = w(j - 1)*w(j)", False),
    ("w(i)*x(i)", "i + 1, 7", "w(j - i) = w(j - i)*w(j)", False),
    ("w(1)*x(i)", "i, 7", "w(j) = w(j)*w(j)", True),  # i is 2 or more, by the loop around
    ("w(2)*x(i)", "i, 7", "w(j) = w(j)*w(j)", False),
    ("w(6)*x(i)", "1, i", "w(j) = w(j)*w(j)", True),
    ("w(5)*x(i)", "1, i", "w(j) = w(j)*w(j)", False),
    ("w(size(w))*x(i)", "i, size(w) - 1", "w(j) = w(j)*w(j)", True),
    ("w(size(w))*x(i)", "i, size(w)", "w(j) = w(j)*w(j)", False),
    ("z(i, 1)*x(i)", "i + 1, 7", "z(j, 1) = z(j, 1)*z(j, 2)", True),
    ("z(i, 1)*x(i)", "1, 7", "z(j, 2) = z(j, 2)*z(j, 1)", True),
    ("z(1, i)*x(i)", "i + 1, 7", "z(1, j) = z(1, j)*x(1)", True),
    ("z(1, i)*x(i)", "1, 7", "z(1, j) = z(1, j)*x(1)", False),
    ("sum(z(:, i))*x(i)", "i + 1, 7", "z(:, j) = z(:, j)*z(:, j)", True),
    ("sum(z(:, i))*x(i)", "i, 7", "z(:, j) = z(:, j)*z(:, j)", False),
    ("sum(z(:, i))*x(i)", "i + 1, 7", "z(j, :) = z(j, :)*z(j, :)", False),
    ("sum(z(i, :))*x(i)", "i + 1, 7", "z(j, :) = z(j, :)*z(j, :)", True),
    ("w(i)*x(i)", "i + 1, 7", "call scaled(w(j), x(j))", False),  # what a call writes is not looked at
])
def test_what_is_read_and_written(read: str, bounds: str, write: str, apart: bool) -> None:
    assert made_again(read, loop(bounds, write)) is apart


INNER = "do k = j + 1, 7\nw(k) = w(k)*w(j)\nend do"


@pytest.mark.parametrize(("read", "writes", "apart"), [
    ("w(i)*x(i)", loop("i, 6", INNER), True),  # k is above j, and j not below i
    ("w(i)*x(i)", loop("i - 1, 6", INNER), False),
    ("w(i)*x(i)", "j = i + 1\ndo while (j < 8)\nw(j) = w(j)*w(j)\nj = j + 1\nend do", False),
    ("w(i)*x(i)", "k = i + 1\ndo j = k, 7\nw(j) = w(j)*w(j)\nk = 1\nend do", False),  # a bound that changes is none
    ("w(i)*x(i)", "k = i - 1\ndo j = 1, k\nw(j) = w(j)*w(j)\nk = 1\nend do", False),
    ("w(1)*x(i)", "w(2) = w(2)*w(2)", True),
    ("w(2)*x(i)", "w(2) = w(2)*w(2)", False),
    ("w(i)*x(i)", "w(i + 1) = w(i + 1)*w(i)", True),
    ("w(i)*x(i)", "w(i) = w(i)*w(i)", False),
    ("w(i)*x(i)", "w(m) = w(m)*w(m)", False),
    ("w(size(w))*x(i)", "w(size(w) - 1) = w(size(w) - 1)*w(2)", True),
    ("w(size(w))*x(i)", "w(7) = w(7)*w(2)", False),
    ("x(1)*w(i)", "x(2) = x(2)*x(2)", True),
    ("x(1)*w(i)", "x(1) = x(2)*x(1)", False),
    ("o(2)*x(i)", "over(2) = over(2)*over(2)", False),  # o(3), but it is not told apart
    ("o(2)*x(i)", "over(1) = over(2)*over(1)", False),
    ("real(c(1))*x(i)", "c(2) = c(2)*c(2)", True),
    ("real(c(1))*x(i)", "c(2)%im = x(i)*c(1)%im", False),  # half of an element is not told apart
    ("real(c(1))*x(i)", "c(1)%re = x(i)*c(2)%im*c(1)%re", False),
    ("q%a(1)*x(i)", "q%a(2) = q%a(2)*q%a(2)", True),
    ("q%a(1)*x(i)", "q%a(1) = q%a(2)*q%a(1)", False),
    ("q%a(1)*x(i)", "q%b(1) = q%b(2)*q%b(1)", True),
])
def test_writes_in_other_shapes(read: str, writes: str, apart: bool) -> None:
    assert made_again(read, writes) is apart
