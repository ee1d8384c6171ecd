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
    """Is r in the snapshot of a call with this body? The gradient is store-all's, with poison."""
    text = "\n".join([
        "module rooms", "  real(8) :: r(9)", "contains", "subroutine put(m, c, a)", "  integer, intent(in) :: m",
        "  real(8), intent(in) :: c", "  real(8), intent(out) :: a(m)", "  a = c", "end subroutine",
        "subroutine scale(m, c, a)", "  integer, intent(in) :: m", "  real(8), intent(in) :: c",
        "  real(8), intent(inout) :: a(m)", "  a = a*c",
        "end subroutine", "subroutine step(x, n, y)",
        "  integer, intent(in) :: n", "  real(8), intent(in) :: x", "  real(8), intent(inout) :: y", "  integer :: i",
        *body, "end subroutine", "end module", "subroutine p(x, n, y)", "  use rooms", "  integer :: n, k",
        "  real(8) :: x, y", "  r = 0.5d0", "  y = x", "  do k = 1, 3", "    call step(x*y, n, y)", "  end do",
        "end subroutine"]) + "\n"
    (head,) = parse_heads(HEAD)
    found = compare(load_text(text), head, parse_strategies("lazy,eager,optimal"), Inputs({"n": 4}), AnalysisOptions())
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    path = tmp_path_factory.mktemp("covers") / "p.f90"
    path.write_text(text)
    part = next(one for one in snapset.report([str(path)], HEAD, snapset.Choices(strategies="lazy")).parts
                if one.callee == "step")
    return any("r" in name for name in part.solutions["lazy"].snp)


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


@pytest.mark.parametrize("first", [0, pytest.param(60, marks=pytest.mark.wide)])
def test_random_programs(first: int) -> None:
    assert failures(first, 15, kind="covers") == []
