"""Work arrays larger than what is used: what is set before it is read need not be saved."""

from __future__ import annotations

import pytest
import snapset
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.generators.fuzz import failures

HEAD = "p(x)>(y)"
SET = "do i = 1, n; r(i) = x*i; end do"
USE = "do i = 1, n; r(i) = r(i)*r(i); y = y + r(i); end do"


def saved(tmp_path_factory: pytest.TempPathFactory, *body: str) -> bool:
    """Is r, or w, in the snapshot of a call with this body? What it has read it overwrites in the end, so that only
    what it sets first is nothing to save. The gradient is store-all's, with poison."""
    text = "\n".join([
        "module rooms", "  real(8) :: r(9), w(9, 9)", "contains", "subroutine put(m, c, a)",
        "  integer, intent(in) :: m", "  real(8), intent(in) :: c", "  real(8), intent(out) :: a(m)", "  a = c",
        "end subroutine", "subroutine place(c, a)", "  real(8), intent(in) :: c",
        "  real(8), intent(out) :: a(:)", "  a = c", "end subroutine", "subroutine shift(m, c, a)",
        "  integer, intent(in) :: m", "  real(8), intent(in) :: c", "  real(8), intent(out) :: a(0:m - 1)", "  a = c",
        "end subroutine", "subroutine scale(m, c, a)", "  integer, intent(in) :: m", "  real(8), intent(in) :: c",
        "  real(8), intent(inout) :: a(m)", "  a = a*c",
        "end subroutine", "subroutine step(x, n, y)",
        "  integer, intent(in) :: n", "  real(8), intent(in) :: x", "  real(8), intent(inout) :: y",
        "  integer :: i, j", *body, "  r(2) = y", "  w(2, 2) = y", "end subroutine", "end module",
        "subroutine p(x, n, y)", "  use rooms", "  integer :: n, k", "  real(8) :: x, y", "  r = 0.5d0",
        "  w = 0.5d0", "  y = x", "  do k = 1, 3", "    call step(x*y, n, y)", "  end do", "end subroutine"]) + "\n"
    (head,) = parse_heads(HEAD)
    found = compare(load_text(text), head, parse_strategies("lazy,eager,optimal"), Inputs({"n": 4}), AnalysisOptions())
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    path = tmp_path_factory.mktemp("covers") / "p.f90"
    path.write_text(text)
    part = next(one for one in snapset.report([str(path)], HEAD, snapset.Choices(strategies="lazy")).parts
                if one.callee == "step")
    return any(name.rpartition(":")[2] in ("r", "w") for name in part.solutions["lazy"].snp)


@pytest.mark.parametrize("first", [
    SET, "do i = n, 1, -1; r(i) = x*i; end do", "r(1:n) = x", "call put(n, x, r(1:n))",
    "do i = 1, n; r(n + 1 - i) = x*i; end do"])
def test_what_is_set_first_is_not_saved(tmp_path_factory: pytest.TempPathFactory, first: str) -> None:
    assert not saved(tmp_path_factory, first, USE)


@pytest.mark.parametrize("first", [
    "do i = 2, n; r(i) = x*i; end do", "do i = 1, n, 2; r(i) = x*i; end do", "if (n > 5) r(1:n) = x",
    "do i = 1, n; if (i == 3) exit; r(i) = x*i; end do", "do i = 1, n; if (i > 1) r(i) = x*i; end do",
    "call put(n - 1, x, r(1:n))", "call put(n, r(1) + x, r(1:n))",
    "call scale(n, x, r(1:n))", "r(1:n - 1) = x", "do i = 1, n; y = y + r(i)**2; r(i) = x; end do"])
def test_what_may_be_read_before_is_saved(tmp_path_factory: pytest.TempPathFactory, first: str) -> None:
    assert saved(tmp_path_factory, first, USE)


@pytest.mark.parametrize(("use", "covered"), [
    ("do i = n, 1, -1; y = y + r(i)**2; end do", True),
    ("do i = 1, n; y = y + r(n + 1 - i)**2; end do", True),
    ("do i = 1, n - 1; y = y + r(i)*r(i + 1); end do", True),
    ("do i = 0, n - 1; y = y + r(i + 1)**2; end do", True),
    ("do i = 0, n - 1; y = y + r(i + 2)**2; end do", False),
    ("do i = 2, n; y = y + r(i - 1)**2; end do", True),
    ("do i = 1, n; y = y + r(i + 1)**2; end do", False),
    ("do i = 1, n + 1; y = y + r(i)**2; end do", False),
    ("y = y + r(1)**2", False),  # n may be 0
    ("y = y + r(n)**2", True),  # where r(n) is an element, n is 1 or more
    ("y = y + sum(r(1:n)**2)", True),
    ("y = y + sum(r(1:n + 1)**2)", False),
    ("y = y + sum(r**2)", False),
    ("call scale(n, x, r(1:n)); y = y*sum(r(1:n))", True),
    ("call scale(n, x*r(9), r(1:n)); y = y*sum(r(1:n))", False),
    ("call scale(n, x, r(2:n + 1)); y = y*sum(r(1:n))", False),
])
def test_what_is_read_within_what_was_set(tmp_path_factory: pytest.TempPathFactory, use: str, covered: bool) -> None:
    assert saved(tmp_path_factory, SET, use) is not covered


BOTH = "do i = 1, n; do j = 1, n; y = y + w(i, j)**2; end do; end do"


@pytest.mark.parametrize(("first", "use", "covered"), [
    ("do i = 1, n; r(i) = x*i; y = y + r(i)**2; end do", "", True),
    ("do i = 1, n; r(i) = x*i; y = y + r(i + 1)**2; end do", "", False),
    ("do i = 1, n; y = y + r(i)**2; r(i) = x*i; end do", "", False),
    ("do i = 1, n; if (x > 1) then; r(i) = x; else; r(i) = 2*x; end if; end do", USE, True),
    ("where (r(1:n) > 1) r(1:n) = x", USE, False),
    ("call place(x, r(1:n))", USE, True),
    ("call place(x, r(1:n - 1))", USE, False),
    ("call put(n, x, r(2:n))", USE, False),
    ("call shift(n, x, r(1:n))", USE, True),  # from 0 on, and as many
    ("do j = 1, n; do i = 1, n; w(i, j) = x*i; end do; end do", BOTH, True),
    ("do j = 1, n; do i = n, 1, -1; w(j, i) = x*i; end do; end do", BOTH, True),
    ("do j = 1, n; do i = 1, j; w(i, j) = x*i; end do; end do", BOTH, False),
    ("do j = 1, n; do i = 2, n; w(i, j) = x*i; end do; end do", BOTH, False),
    ("do j = 1, n; do i = 1, n; w(i + j, j) = x*i; end do; end do", BOTH, False),
    ("do j = 1, n; do i = 1, n; w(2*i, j) = x*i; end do; end do", BOTH, False),
    ("do j = 1, n; do i = 1, n; w(i, 1) = x*i; end do; end do", BOTH, False),
    ("do j = 1, n; w(j, j) = x; end do", BOTH, False),
    ("do j = 1, n; w(1:n, j) = x; end do", BOTH, True),
    ("do j = 1, n; w(j, 1:n) = x; end do", BOTH, True),
    ("do j = 1, n; w(1:j, j) = x; end do", BOTH, False),
    ("do j = 1, n, 2; w(1:n, j) = x; end do", BOTH, False),
    ("do j = 1, n; call put(n, x, w(1:n, j)); end do", BOTH, True),
    ("do j = 1, n; call put(n, x, w(j, 1:n)); end do", BOTH, True),
    ("do j = n, 1, -1; call put(n, x, w(1:n, j)); end do", BOTH, True),
    ("do j = 1, n; call put(n, x, w(1:n, n + 1 - j)); end do", BOTH, True),
    ("do j = 0, n - 1; call put(n, x, w(1:n, j + 1)); end do", BOTH, True),
    ("do j = 2, n; call put(n, x, w(1:n, j)); end do", BOTH, False),
    ("do j = 1, n - 1; call put(n, x, w(1:n, j)); end do", BOTH, False),
    ("do j = 1, n, 2; call put(n, x, w(1:n, j)); end do", BOTH, False),
    ("do j = 1, n; call put(n, x, w(1:n, 2*j - 1)); end do", BOTH, False),
    ("do j = 1, n; call put(n, x, w(1:n, 1)); end do", BOTH, False),
    ("do j = 1, n; if (j > 1) call put(n, x, w(1:n, j)); end do", BOTH, False),
    ("do j = 1, n; if (x > 9) exit; call put(n, x, w(1:n, j)); end do", BOTH, False),
    ("do j = 1, n; call put(n - 1, x, w(2:n, j)); end do", BOTH, False),
    ("do j = 1, n; call put(n + 1 - 1, x, w(1:n, j)); end do", BOTH, True),
    ("do j = 1, n; call put(j, x, w(1:j, j)); end do", BOTH, False),
    ("do j = 1, n; if (j == n) cycle; w(1:n, j) = x; end do", BOTH, False),
])
def test_what_is_set(tmp_path_factory: pytest.TempPathFactory, first: str, use: str, covered: bool) -> None:
    assert saved(tmp_path_factory, first, *([use] if use else [])) is not covered


@pytest.mark.parametrize("first", [0, pytest.param(60, marks=pytest.mark.wide)])
def test_random_programs(first: int) -> None:
    assert failures(first, 8, kind="covers") == []
