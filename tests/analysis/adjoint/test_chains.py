"""Values that are computed again from one another: what is taped of a loop's scalars, by hand, and executed."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

TEXT = """subroutine p(x, q, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), q
  real(8), intent(out) :: y
  real(8) :: d, r, v({size})
  integer :: j
  y = 0
  v = q
  d = 0
  do j = 1, n
    {body}
    y = y + r*r*x(j)
  end do
end subroutine p
"""


@pytest.mark.parametrize(("body", "size", "taped"), [
    ("d = x(j) - q; r = d*d", 1, set()),              # a derivative reads d, too
    ("d = x(j) - q; r = d + 1", 1, set()),            # none does: d is made for r alone
    ("d = d + x(j); r = d + 1", 1, {"r = d + 1"}),  # d cannot be had again
    ("d = d*x(j); r = d + 1", 1, {"d = d*x(j)", "r = d + 1"}),  # where r is overwritten d is another
])
@pytest.mark.parametrize("recompute", [False, True])
def test_what_is_taped(body: str, size: int, taped: set[str], recompute: bool) -> None:
    assert tapes(body, size, recompute) == taped


@pytest.mark.parametrize(("size", "again"), [(1, True), (23, True), (24, False)])
def test_what_is_too_dear_to_be_computed_again(size: int, again: bool) -> None:
    """A sum takes as many additions as there are elements, and there is one more; 24 are the most (three exponentials,
    analysis/operation_counts.py)."""
    assert tapes("r = x(j) + sum(v)", size, True) == (set() if again else {"r = x(j) + sum(v)"})


def tapes(body: str, size: int, recompute: bool) -> set[str]:
    """The statements that tape; the gradient is the store-all one."""
    text = TEXT.format(size=size, body="\n    ".join(body.split("; ")))
    (head,) = parse_heads("p(x)>(y)")
    found = compare(load_text(text), head, parse_strategies("lazy"), Inputs({"n": 4}),
                    AnalysisOptions(recompute=recompute))
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    lines = text.splitlines()
    return {lines[one.line - 1].strip() for one in found.runs[0].spent if one.kind == "tape"}


@pytest.mark.parametrize(("read", "attributes"), [
    ("v(j + 1)", ""),
    ("q(j)", ", target"),  # q(j) is v(j + 1), which no subscript shows
])
def test_what_is_made_of_an_element_that_is_overwritten_is_taped(read: str, attributes: str) -> None:
    text = f"""subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8){attributes} :: v(n)
  real(8) :: r
  {"real(8), pointer :: q(:)" if attributes else ""}
  integer :: j
  y = 0
  v = 2
  {"q => v(2:n)" if attributes else ""}
  do j = 1, n - 1
    r = {read}*{read}
    v(j + 1) = x(j)
    y = y + r*r*x(j)
  end do
end subroutine p
"""
    (head,) = parse_heads("p(x)>(y)")
    found = compare(load_text(text), head, parse_strategies("lazy"), Inputs({"n": 4}), AnalysisOptions(recompute=True))
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    lines = text.splitlines()
    assert any(one.kind == "tape" and "r =" in lines[one.line - 1] for one in found.runs[0].spent)
