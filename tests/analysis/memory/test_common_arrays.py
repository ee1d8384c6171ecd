"""Arrays in COMMON that all procedures declare alike are as those of a module: their elements are told apart."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.generators.fuzz import failures

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*")
SHARED = "real(8) :: u(6, 6), ap(6, 6), su(6, 6)"
BLOCK = f"{SHARED}\n  common /f/ u, ap, su"
MODULE = f"module f\n  {SHARED}\nend module f\n"


def text_of(block: str, more: str = "", module: str = "") -> str:
    """``relax`` writes inner elements of ap and su before it reads them. ``block``: how it and the head see these."""
    use = "use f\n  " if module else ""
    seen = "" if module else block
    return f"""{module}subroutine p(x, n, y)
  {use}implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(6, 6)
  real(8), intent(out) :: y
  {seen}
  integer :: it
  u = x
  ap = 1
  su = 2
  do it = 1, n
    call relax(0.3d0*it)
    {more}
  end do
  y = sum(u**2) + sum(ap) + sum(su)
end subroutine p
subroutine relax(a)
  {use}implicit none
  real(8), intent(in) :: a
  {seen}
  integer :: i, j
  do j = 2, 5
    do i = 3, 5
      ap(i, j) = 2 + u(i, j)*a
      su(i, j) = u(i - 1, j)*a
    end do
  end do
  do j = 2, 5
    do i = 3, 5
      u(i, j) = (u(i + 1, j) + su(i, j))/ap(i, j)
    end do
  end do
end subroutine relax
"""


def saved(text: str) -> frozenset[str]:
    """What lazy pushes of, all strategies giving the store-all gradient with poison."""
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 3}), AnalysisOptions())
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    return frozenset(one.location for one in found.runs[0].spent if one.kind != "control")


def seen_otherwise(declared: str, body: str) -> str:
    return f"subroutine other(w)\n  real(8), intent(in) :: w\n  {declared}\n  {body}\nend subroutine other\n"


def test_what_a_part_writes_before_it_reads_is_not_saved() -> None:
    assert saved(text_of(BLOCK)) == {"u"}


def test_as_in_a_module() -> None:
    assert saved(text_of("", module=MODULE)) == {"u"}


def test_other_names_are_the_same_arrays() -> None:
    other = seen_otherwise("real(8) :: a(6, 6), b(6, 6), c(6, 6)\n  common /f/ a, b, c", "a(2:3, 2) = sin(a(2:3, 3))*w")
    assert saved(text_of(BLOCK, "call other(x(1, 1))") + other) == {"u"}


@pytest.mark.parametrize("declared", [
    "real(8) :: a(6, 6), b(36), c(6, 6)\n  common /f/ a, b, c",
    "real(8) :: a(6, 6), b(0:5, 6), c(6, 6)\n  common /f/ a, b, c",
    "real(8) :: a(6, 6), b(6, 12)\n  common /f/ a, b",
    "real(8) :: a(6, 6), d, b(35), c(6, 6)\n  common /f/ a, d, b, c"])
def test_another_shape_somewhere_leaves_one_location(declared: str) -> None:
    """The same subscripts would be other elements there. ``other`` is never called: that it might be is enough."""
    assert "ap" in saved(text_of(BLOCK) + seen_otherwise(declared, "b(2, 2) = w" if "12" in declared else "continue"))


def test_what_another_name_wrote_is_kept() -> None:
    """b is ap: what relax reads of it beyond what it writes comes from there. It is saved before the call of other."""
    other = seen_otherwise("real(8) :: a(6, 6), b(6, 6), c(6, 6)\n  common /f/ a, b, c", "b(6, 2:5) = b(6, 2:5)*sin(w)")
    text = text_of(BLOCK, "call other(x(1, 1))").replace("/ap(i, j)", "/(ap(i, j) + ap(i + 1, j))")
    assert "ap" in saved(text + other)


@pytest.mark.parametrize("first", [0, pytest.param(40, marks=pytest.mark.wide)])
def test_random_programs(first: int) -> None:
    """Of other kinds, with their arrays in COMMON, under all strategies, with poison."""
    assert failures(first, 5, kind="commons") == []
