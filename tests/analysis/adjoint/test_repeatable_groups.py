"""What several statements make together is computed again as one: what is a group, what is not, and the gradient."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager,Opt1+=*;Opt3+=*")
BOTH = AnalysisOptions(recompute=True, dag=True)
DEAR = "exp(exp(exp(-exp(x(i)))))"


def text_of(body: str) -> str:
    """In each turn of the loop t, u or d are made, and their square is added: its derivative needs them."""
    return f"""subroutine other(y, v)
  real(8), intent(inout) :: y
  real(8), intent(in) :: v
  y = y + v*v
end subroutine other
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: t, u, d(2), e(3), c, q
  integer :: i, im, j
  y = 0.0d0
  c = x(1)
  q = 1.0d0
  u = 0.0d0
  call other(y, c)
  do i = 2, n
{body}
  end do
end subroutine p
"""


def taped(body: str, options: AnalysisOptions = BOTH) -> set[str]:
    """What the loop tapes; every gradient is store-all's, whatever the strategy."""
    text = text_of(body)
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 6}), options)
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    return {one.location for one in found.runs[0].spent if one.kind == "tape"}


def again(body: str) -> set[str]:
    """What the report says is computed again."""
    result = analyse(load_text(text_of(body)), HEAD, STRATEGIES[:1], BOTH)
    return {entry.text for part in result.parts for one in part.solutions.values() for entry in one.again}


@pytest.mark.parametrize(("body", "needs"), [
    ("t = x(i)\nif (x(i) > 0.5d0) t = 2.0d0*x(i)\ny = y + t*t", set()),
    ("if (x(i) > 0.5d0) then\nt = 2.0d0*x(i)\nelse\nt = sin(x(i))\nend if\ny = y + t*t", set()),
    ("if (x(i) > 0.7d0) then\nt = 2.0d0*x(i)\nelse if (x(i) > 0.4d0) then\nt = x(i)**2\nelse\nt = x(i)\nend if\n"
     "y = y + t*t", set()),
    ("t = x(i)\nif (t > 0.5d0) t = t + x(i - 1)\ny = y + t*t", set()),  # it reads its own first value
    ("t = x(i)\nu = 0.5d0*x(i)\nif (x(i) > 0.5d0) then\nt = 3.0d0*x(i)\nu = x(i)\nend if\ny = y + t*t*u", set()),
    ("im = i - 1\nif (im < 3) im = n\ny = y + x(im)**2*q\nq = x(im)*q", {"q"}),
    ("d(1) = x(i) - x(i - 1)\nd(2) = x(i)*x(1)\ny = y + d(1)**2 + d(2)**3", set()),
    ("d(2) = x(i)*x(1)\nt = x(i)\nd(1) = x(i) - x(i - 1)\ny = y + t*d(1)**2 + d(2)**3", set()),
    # no groups: not on every way, an operand is lost, only some elements, elements that read each other
    ("if (x(i) > 0.5d0) u = 2.0d0*x(i)\ny = y + u*u", {"u"}),
    ("t = c\nif (x(i) > 0.5d0) t = 2.0d0*c\nc = x(i)\ny = y + t*t", {"t"}),
    ("if (x(i) > 0.5d0) then\nt = c\nc = x(i)\nelse\nt = x(i)\nend if\ny = y + t*t", {"t"}),
    ("e(1) = x(i)\ne(2) = 2.0d0*x(i)\ny = y + e(1)**2*e(2)", {"e"}),
    ("d(1) = x(i)\nd(2) = d(1)*x(1)\ny = y + d(1)**2 + d(2)**3", {"d"}),
    ("t = x(i)\nif (x(i) > 0.5d0) then\nt = 2.0d0*x(i)\ncall other(y, t)\nend if\ny = y + t*t", {"t"}),
    ("if (t > 0.5d0) then\nt = x(i)\nelse\nt = 2.0d0*x(i)\nend if\ny = y + t*t", {"t"}),  # its own value of before
    ("if (x(i) > 0.5d0) then\ny = y + 0.1d0*t\nt = x(i)\nelse\nt = 2.0d0*x(i)\nend if\ny = y + t*t", set()),
    ("if (x(i) > 0.5d0) then\nt = t*x(i)\nelse\nt = x(i)\nend if\ny = y + t*t", {"t"}),
    ("d(1) = x(i)\ncall other(y, d(1))\nd(2) = x(1)\ny = y + d(1)**2*d(2)", {"d"}),
    # too dear: a test, an inner one, what one way does, an element
    (f"t = x(i)\nif ({DEAR} > 0.5d0) t = 2.0d0*x(i)\ny = y + t*t", {"t"}),
    (f"t = x(i)\nif (x(i) > 0.1d0) then\nif ({DEAR} > 0.5d0) t = 2.0d0*x(i)\nend if\ny = y + t*t", {"t"}),
    (f"t = x(i)\nif (x(i) > 0.1d0) t = {DEAR}\ny = y + t*t", {"t"}),
    (f"t = {DEAR}\nif (x(i) > 0.1d0) t = x(i)\ny = y + t*t", {"t"}),
    (f"d(1) = {DEAR}\nd(2) = x(i)\ny = y + d(1)**2 + d(2)**3", {"d"}),
    (f"d(1) = x(i)\nd(2) = {DEAR}\ny = y + d(1)**2 + d(2)**3", {"d"}),
    # other constructs choose
    ("select case (i)\ncase (3)\nt = x(i)\ncase default\nt = 2.0d0*x(i)\nend select\ny = y + t*t", {"t"}),
    ("t = x(i)\ndo while (t > 0.5d0)\nt = 0.5d0*t\nend do\ny = y + t*t", {"t"}),
])
def test_what_is_taped(body: str, needs: set[str]) -> None:
    assert taped(body) == needs
    if not needs:
        assert taped(body, AnalysisOptions(recompute=True))  # which alone does not see it


def test_groups_alone() -> None:
    """No statement that could run again for itself."""
    text = """\
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: d(2)
  integer :: i
  do i = 2, n
    d(1) = x(i)
    d(2) = x(i - 1)
    y = y*d(1) + d(2)**2
  end do
end subroutine p
"""
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 6, "y": 1.0}), BOTH)
    assert found.equal
    assert "d" not in {one.location for one in found.runs[0].spent if one.kind == "tape"}


def test_the_report_names_the_statements() -> None:
    """With the tests before them."""
    found = again("t = x(i)\nif (t > 0.5d0) then\nt = t + x(i - 1)\nelse\nt = 0.1d0*t\nend if\ny = y + t*t")
    assert found >= {"t = x(i)", "if (t>0.5d0) t = t+x(i-1)", "else t = 0.1d0*t"}


def test_half_made_values_are_none() -> None:
    """Where c is overwritten u = c is lost, and what is made of u; but t is there not yet what the group makes."""
    taped("c = c + x(i)\nu = c\nt = x(i)\ny = y + t*t\nif (x(i) > 0.5d0) then\nc = 0.3d0*c\nt = 3.0d0*u\nend if\n"
          "y = y + t**3*u")


@pytest.mark.parametrize(("loop", "again_there"), [
    ("t = d(1)*x(i)\nd(2) = x(i)*d(2)\ny = y + t*t + d(2)**2", True),
    ("t = d(2)*x(i)\nd(2) = x(i)*d(2)\ny = y + t*t + d(2)**2", False),
])
def test_other_elements_are_left_alone(loop: str, again_there: bool) -> None:
    """t can be had again behind a write of another element of what it is made of."""
    assert ("t" not in taped(f"d = x(i)\n{loop}")) is again_there


CHOSEN = """\
module m
  implicit none
  real(8) :: g, c
contains
subroutine maker(x, a)
  real(8), intent(in) :: x
  real(8), intent(inout) :: a
  if (g > 0.2d0) a = x
end subroutine
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a
  g = x
  c = 0.2d0
  a = sin(x)*g
  {test}
  call maker(x, a)
  y = a*x + g*c
end subroutine
end module
"""


@pytest.mark.parametrize("test", [
    "if (g > 0.2d0) g = 0.3d0*c*a",
    "if (g <= 0.2d0) then\nelse\ng = 0.3d0*c*a\nend if",
    "if (g > 0.2d0) then\nif (x < 5d0) g = 0.3d0*c*a\nend if"])
@pytest.mark.parametrize("x", [0.1, 1.0, 9.0])
def test_behind_the_test_is_not_behind_the_construct(test: str, x: float) -> None:
    """On the way that gives g no value the group ends at the test: behind that, on the other way, g is half made."""
    found = compare(load_text(CHOSEN.format(test=test)), HEAD, STRATEGIES, Inputs({"x": x}), BOTH)
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
