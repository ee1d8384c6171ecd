"""What may run again its effects alone decide: here anything may take as long as it likes, and gradients are right.

How long something takes stands in the way of running it again before most of these programs get there; so the costs
are switched off. Each program is the least that is wrong if one condition of ``repeatable`` is dropped.
"""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint import available_expressions
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.procedures import model_builder
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
EVERY = parse_strategies("lazy,eager,Opt1+=*;Opt3+=*,Opt1+=*;Opt2+=*;Opt3+=*")
RECOMPUTE = AnalysisOptions(recompute=True)


def text_of(body: str, procedures: str = "", declared: str = "") -> str:
    return f"""module m
  implicit none
  type point
    real(8) :: r
  end type point
  integer :: count = 0
  real(8) :: g = 0.3d0
contains
{procedures}
end module m
subroutine p(x, n, y)
  use m
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, t, w(n)
  integer :: i, k
{declared}
  y = 1
  a = x(1)
  t = 0.5d0
  w = x
{body}
  y = y + sum(w*w)*a + t
end subroutine p
"""


def again(text: str) -> set[str]:
    lines, found = text.splitlines(), prepare(load_text(text), HEAD, RECOMPUTE)
    nodes = found.adjoints.by_key["p"].model.flow.nodes
    return {lines[nodes[n].span.line - 1].strip() for level in record_program(
        found.adjoints, found.order, LAZY)["p"].levels for reruns in (level.again.at, level.again.behind)
        for one in reruns.values() for n in one.assignments}


def assert_equal(text: str) -> None:
    for options in (RECOMPUTE, AnalysisOptions(recompute=True, dag=True), AnalysisOptions(),
                    AnalysisOptions(recompute=True, call_checkpoints=False)):
        found = compare(load_text(text), HEAD, EVERY, Inputs({"n": 4}), options)
        assert found.equal, (options, [(run.name, run.error, run.differences) for run in found.runs])


OUT_OF_REACH = {
    # keep: another random number; what runs next is decided by the call itself
    "random": text_of("do i = 1, n\ncall draw(t)\ny = y*t*x(i)\nend do", """subroutine draw(o)
  real(8), intent(out) :: o
  real(8) :: q
  call random_number(q)
  o = q + 0.5d0
end subroutine draw"""),
    # out is not kill: the other elements of w, of what is given in part, or perhaps not
    "element": text_of("w(1) = x(1)*a\ny = y*w(1)*w(2)\nw = y\ny = y*sum(w*w)"),
    "part": text_of("call fill(x(1), w)\ny = y*sum(w*w)\nw = y\ny = y*sum(w*w)", """subroutine fill(u, o)
  real(8), intent(in) :: u
  real(8), intent(inout) :: o(:)
  o(1) = u*u
end subroutine fill"""),
    "perhaps": text_of("call give(x(1), t)\ny = y*t*t\nt = y\ny = y*t*t", """subroutine give(u, o)
  real(8), intent(in) :: u
  real(8), intent(inout) :: o
  if (u > 5) o = u*u
end subroutine give"""),
    "masked": text_of("where (x > 0.7d0) w = x*a\ny = y*sum(w*w)\nw = y\ny = y*sum(w*w)"),
    # out meets use: a count, a memory
    "counted": text_of("do i = 1, n\ny = y*counted(x(i))\nend do", """real(8) function counted(u)
  real(8), intent(in) :: u
  count = count + 1
  counted = u/(1 + count)
end function counted"""),
    "memory": text_of("do i = 1, n\ny = y*kept(x(i))\nend do", """real(8) function kept(u)
  real(8), intent(in) :: u
  real(8), save :: old = 0.3d0
  kept = u*old
  old = 0.2d0 + 0.1d0*sin(u)
end function kept"""),
    "accumulated": text_of("do i = 1, n\nt = t*x(i) + a\ny = y*t\nend do"),
}


@pytest.mark.parametrize("name", OUT_OF_REACH)
def test_whatever_it_takes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_builder, "call_effort", lambda stmt, of_callee: 0)
    monkeypatch.setattr(available_expressions, "operations", lambda value, extent=None: 0)
    assert_equal(OUT_OF_REACH[name])


WITHIN_REACH = {
    # what outlives the call is set before it is read
    "scratch": ("call s(x(i), t)", """subroutine s(u, o)
  real(8), intent(in) :: u
  real(8), intent(out) :: o
  real(8), save :: z
  z = u*u
  o = z + u
end subroutine s"""),
    "module variable": ("call s(x(i), t)", """subroutine s(u, o)
  real(8), intent(in) :: u
  real(8), intent(out) :: o
  g = u*u
  o = g + u
end subroutine s"""),
    "value": ("t = s(x(i))", """real(8) function s(u)
  real(8), value :: u
  u = 0.5d0*u
  s = u*u
end function s"""),
    "optional": ("t = s(x(i))", """real(8) function s(u, v)
  real(8), intent(in) :: u
  real(8), intent(in), optional :: v
  s = 0.5d0*u*u
end function s"""),
    "own array": ("t = s(x(i))", """real(8) function s(u)
  real(8), intent(in) :: u
  real(8) :: z(2)
  z(1) = u
  z(2) = u*u
  s = z(1)*z(2)
end function s"""),
    "own object": ("t = s(x(i))", """real(8) function s(u)
  real(8), intent(in) :: u
  type(point) :: z
  z%r = u*u
  s = z%r*u
end function s"""),
}


@pytest.mark.parametrize("name", WITHIN_REACH)
def test_what_a_procedure_has_of_its_own(name: str) -> None:
    """... does not keep a call from being made again, of which nothing is saved then."""
    call, procedures = WITHIN_REACH[name]
    text = text_of(f"do i = 1, n\n{call}\ny = y*t\nend do", procedures)
    assert call in again(text)
    assert_equal(text)
