"""What pushes most in the whole run: worked out by hand, and beside the traffic that the cost model finds."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import HeadAnalysis
from snapset.analysis.pushed_places import CARRIED, PushedPlaces
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.library.analysis import parse_strategies

from tests.support.paths import ROOT


def analysed(file: Path, head: str, strategy: str) -> HeadAnalysis:
    (wanted,) = parse_heads(head)
    return HeadAnalysis(snapset.load([str(file)], heads=[head]), wanted, parse_strategies(strategy))


def number(amount: Quantity) -> int:
    """With 7 for each name."""
    return amount.evaluate({one.name: 7 for one in amount.names if isinstance(one, Sym)})


@pytest.mark.parametrize("strategy", ["lazy", "eager"])
@pytest.mark.parametrize("name", ["burgers_region", "calls", "nested", "pointer_families", "loop_swap_pointer",
                                  "derived_types"])
def test_without_branches_they_are_the_traffic(name: str, strategy: str) -> None:
    """Nothing is forgotten, nothing counted twice: not what has several names, nor what several parts have behind them.
    """
    file = ROOT / "corpus" / f"{name}.f90"
    head = next(line.removeprefix("head: ") for line in file.with_suffix(".expected").read_text().splitlines()
                if line.startswith("head: "))
    found = analysed(file, head, strategy)
    traffic = found.totals()[strategy].traffic_bytes
    assert traffic is not None
    pushed = PushedPlaces(found.costs).of_head(strategy)
    assert len(pushed) < CARRIED
    assert sum(number(one.bytes) for one in pushed) == number(traffic)


def test_calls_in_loops_count_as_often_as_they_run(tmp_path: Path) -> None:
    """Line 16 tapes k elements of 8 bytes a call: 2*m calls with k = n, one with k = 5. Line 3, before any call, n of
    them. The snapshot of the call in line 5 holds x: n*8 bytes, 2*m times."""
    file = tmp_path / "calls.f90"
    file.write_text("""\
subroutine model(n, m, x, y)
  integer :: n, m, i; real(8) :: x(n), y
  x = sin(x)
  do i = 1, 2*m
    call power(n, x)
  end do
  call power(5, x)
  y = sum(x)
end subroutine
subroutine power(k, x)
  integer :: k; real(8) :: x(k)
  integer :: i
  do i = 1, k
    x(i) = 2*x(i)
  end do
  x = x*x
  x = sin(x)
end subroutine
""")
    pushed = PushedPlaces(analysed(file, "model(x)>(y)", "lazy").costs).of_head("lazy")
    found = {(one.what, one.location, one.part.format(one.line) or one.line): str(one.bytes) for one in pushed}
    assert found["tape", "x", 16] == "16*m*n + 40"
    assert found["tape", "x", 3] == "8*n"
    assert found["Snp", "x", "model@5"] == "16*m*n"


def test_a_recursion_says_how_often_it_runs(tmp_path: Path) -> None:
    """One call from outside runs it ``runs(fall)`` times, and each time line 10 tapes x."""
    file = tmp_path / "fall.f90"
    file.write_text("""\
subroutine model(n, x)
  integer :: n; real(8) :: x
  call fall(n, x)
end subroutine
recursive subroutine fall(k, x)
  integer :: k; real(8) :: x
  if (k > 0) then
    call fall(k - 1, x)
  end if
  x = x*x
  x = sin(x)
end subroutine
""")
    pushed = PushedPlaces(analysed(file, "model(x)>(x)", "lazy").costs).of_head("lazy")
    assert {str(one.bytes) for one in pushed if one.what == "tape"} == {"8*runs(fall)"}
