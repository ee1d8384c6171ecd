"""Elements that are written only sometimes, in a marked part: the snapshot holds them, where the array has them for
certain. The snapshots are derived by hand; each gradient is store-all's, everything else destroyed."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.sections.present_elements import evaluated
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = "top(x)>(y)"
PROGRAM = """
subroutine top(x, y, n, k)
  integer, intent(in) :: n, k
  integer :: i, j
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: b(n), g(n, n)
  real(8), allocatable :: v(:)
  allocate (v(n))
  b = x
  v = x
  g = x
  y = 0
  do j = 1, n - 1
    b = 1.1d0*b
  end do
  do i = 2, n - 1
    !$AD CHECKPOINT-START
    {part}
    !$AD CHECKPOINT-END
    {behind}
  end do
  y = y + sum(b*b) + sum(v*v) + sum(g*g)
end subroutine top
subroutine limit(a, n, k, x)
  integer, intent(in) :: n, k
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: x
  if (a(k) > 0.1d0) a(k) = a(k)**2*x
end subroutine limit
subroutine perhaps(a, n, k, x)
  integer, intent(in) :: n, k
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: x
  if (k > 0) a(k) = a(k)**2*x
end subroutine perhaps
"""
CASES = {
    "the test reads it": ("if (v(i) > 0.4d0) v(i) = 0.4d0*v(i)*x", "", "v(i)"),
    "the loop around is within the bounds": ("if (x > 0.4d0) b(i) = b(i)*b(i)*x", "", "b(i)"),
    "its neighbour is, too": ("if (x > 0.4d0) b(i+1) = b(i+1)*b(i)*x", "", "b(i+1)"),
    "both sides write it": ("if (x > 0.4d0) then; v(k) = v(k)**2; else; v(k) = v(k)**3; end if", "", "v(k)"),
    "only one side does": ("if (k > 0) v(k) = v(k)**2*x", "", "v"),
    "the second operand may not be looked at": ("if (k > 0 .and. v(k) > 0) v(k) = v(k)**2*x", "", "v"),
    "nor what merge does not take": ("if (merge(v(k), x, k > 0) > 0) v(k) = v(k)**2*x", "", "v"),
    "a local array, by its test": ("if (b(k) > 0.4d0) b(k) = 0.4d0*b(k)*x", "", "b(k)"),
    "a call that tests it": ("call limit(b, n, k, x)", "", "b(k)"),
    "a call that does not": ("call perhaps(b, n, k, x); if (k > 0) b(k) = b(k)*x", "", "b"),
    "a dimension each": ("if (g(i, k) > 0.1d0) g(i, k) = g(i, k)**2*x", "", "g(i, k)"),
    "the part alone reads it, and later turns overwrite others": (
        "if (b(i) > 0.1d0) b(i) = 0.1d0*x; y = y + b(i)*b(i)", "b(i+1) = 0.5d0*x", "b(i)"),
    "a loop's test reads each": ("do j = 2, k; if (v(j) > 0.4d0) v(j) = 0.4d0*v(j)*x; end do", "", "v(2:k)"),
    "each in one of two branches": (
        "do j = 2, k; if (x > 0.4d0) then; v(j) = v(j)**2; else; v(j) = x; end if; end do", "", "v(2:k)"),
    "in one of three, by nested ones": (
        "do j = 2, k; if (x > 2) then; v(j) = v(j)**2; else; if (x > 1) then; v(j) = x; else; y = y + v(j)**2; end if; "
        "end if; end do", "", "v(2:k)"),
    "in two dimensions": (
        "do j = 2, k; if (g(j, k) > 0.1d0) g(j, k) = g(j, k)**2*x; end do", "", "g(2:k, k)"),
    "a branch that does not": ("do j = 2, k; if (x > 2) v(j) = v(j)**2*x; end do", "", "v"),
    "one of three that does not": (
        "do j = 2, k; if (x > 2) then; v(j) = v(j)**2; else; if (x > 0.1d0) v(j) = v(j)**2*x; end if; end do", "", "v"),
    "a loop left by EXIT": (
        "do j = 2, k; if (v(j) > 0.4d0) v(j) = 0.4d0*v(j)*x; if (j > 2) exit; end do", "", "v"),
    "branches passed by CYCLE": (
        "do j = 2, k; if (j == 3) cycle; if (x > 0.4d0) then; v(j) = v(j)**2; else; v(j) = x; end if; end do", "", "v"),
    "branches left by EXIT": (
        "do j = 2, k; if (j == 3) exit; if (x > 0.4d0) then; v(j) = v(j)**2; else; v(j) = x; end if; end do", "", "v"),
    "a test of the element before": ("do j = 2, k; if (v(j-1) > 2) v(j) = v(j-1)*v(j)*x; end do", "", "v"),
    "every second": ("do j = 2, k, 2; if (v(j) > 0.4d0) v(j) = 0.4d0*v(j)*x; end do; "
                     "if (x > 2) v(k) = v(k)**2*x", "", "v"),
    "a loop that may not run": (
        "if (x > 2) then; do j = 2, k; if (v(j) > 0.4d0) v(j) = 0.4d0*v(j)*x; end do; end if", "", "v"),
}


def text_of(name: str) -> str:
    part, behind, _ = CASES[name]
    return PROGRAM.replace("{part}", part.replace("; ", "\n    ")).replace("{behind}", behind)


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_sometimes_is_saved_where_it_is(name: str) -> None:
    (head,) = parse_heads(HEAD)
    (part,) = (one for one in analyse(load_text(text_of(name)), head).parts if one.kind != "call")
    found = part.solutions["lazy"]
    assert [found.sections.get(one, one) for one in found.snp] == [CASES[name][2]]


@pytest.mark.parametrize("name", CASES)
def test_it_is_enough(name: str, tmp_path: Path) -> None:
    """With k = 0 the array has no element k, and the test keeps the program from it; of loops to k none may run."""
    part = CASES[name][0]
    for k in (1, 4) if "do j" in part else (0 if "(k > 0" in part else 2,):
        folder = tmp_path / str(k)
        folder.mkdir()
        proved_by_execution(text_of(name), HEAD, folder, {"n": 5, "k": k})


PASSED_BY_ELEMENT = """
module tools
  real(8) :: g(6, 4)
contains
  subroutine fill(m, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(m)
    real(8), intent(out) :: y(m)
    integer :: i
    do i = 1, m
      y(i) = cos(x(i))*x(max(1, i - 1))
    end do
  end subroutine fill
end module tools
subroutine p(x, y)
  use tools
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i, k, old, new
  old = 1
  new = 2
  do k = 1, 4
    do i = 1, 6
      g(i, k) = 0.3d0*x + 0.1d0*i
    end do
  end do
  !$AD CHECKPOINT-START
  call fill(6, g(1, 1), g(1, 4))
  !$AD CHECKPOINT-END
  call fill(3, g(1:3, new), g(2, old))
  y = sum(g*g)
end subroutine p
"""


def test_a_call_reads_more_than_the_element_that_it_is_passed(tmp_path: Path) -> None:
    """``g(1, 1)`` stands for six elements, which the code behind the part overwrites (regions 3300136)."""
    proved_by_execution(PASSED_BY_ELEMENT, "p(x)>(y)", tmp_path)


OF_THEIR_OWN = """
module cells
  type cell
    real(8), allocatable :: w(:)
  end type cell
end module cells
subroutine top(x, y, n)
  use cells
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(cell) :: c(n)
  integer :: i, k, m
  do i = 1, n
    allocate (c(i)%w(i))
    c(i)%w = x*i
  end do
  y = x
  do i = 1, n
    k = n
    m = n + 1 - i
    !$AD CHECKPOINT-START
    y = y + 0.1d0*c({read})%w(m)*c(i)%w(1)
    if (m <= i) c(i)%w(m) = c(i)%w(m)*y
    !$AD CHECKPOINT-END
    c(i)%w = c(i)%w*y*0.5d0
  end do
  do i = 1, n
    y = y + sum(c(i)%w**2)
  end do
end subroutine top
"""


@pytest.mark.parametrize(("read", "piece"), [("k", "c(i)%w"), ("i", "c(i)%w(m)")])
def test_each_element_has_a_component_of_its_own_length(read: str, piece: str, tmp_path: Path) -> None:
    """That ``c(k)%w`` has an element m says nothing of ``c(i)%w``: the snapshot held ``c(i)%w(m)``, out of its
    bounds."""
    text = OF_THEIR_OWN.replace("{read}", read)
    (head,) = parse_heads(HEAD)
    (part,) = analyse(load_text(text), head).parts
    found = part.solutions["lazy"]
    assert {found.sections.get(one) for one in found.snp if "%" in one} == {piece}
    if read == "k":
        proved_by_execution(text, HEAD, tmp_path, {"n": 4})


@pytest.mark.parametrize(("value", "expected"), [
    ("merge(b(1), c(1), a(1) > 0)", "a"),
    ("merge(b(1), c(1), a(1) > 0) + c(2)", "a c"),
    ("max(a(1), b(1))*c(1)", "a b c"),
    ("merge(1d0, c(1), a(1) > 0 .and. b(1) > 0)", "a"),
    ("merge(1d0, c(1), .not. (a(1) > 0 .or. b(1) > 0))", "a"),
    ("size(a)*b(1)", "b"),
    ("sum(a)*b(1)", "b"),
])
def test_what_is_certainly_evaluated(value: str, expected: str) -> None:
    text = f"subroutine s(a, b, c, y)\nreal(8) :: a(2), b(2), c(2), y\ny = {value}\nend subroutine s\n"
    (stmt,) = statements(load_text(text).procedures["s"].body)
    assert isinstance(stmt, ir.Assign)
    assert " ".join(sorted({one.name for one in evaluated(stmt.value)})) == expected
