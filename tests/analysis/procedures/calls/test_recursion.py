"""Procedures that call themselves and each other: fixpoints of summaries, what is unsafe in them, what they cost."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse, prepare
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.gradient import planned, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.results import HeadResult
from snapset.frontend.load import load_text

from tests.analysis.replay.machine.test_replay import records_of
from tests.generators.calls.random_recursion import HEAD, program
from tests.support.modelled import names


def summary(text: str, key: str) -> dict[str, set[str]]:
    program = load_text(text)
    models = Models(program)
    model = models.by_key[key]
    s = model.summary
    return {"use": names(model, s.use), "out": names(model, s.out), "kill": names(model, s.kill)}


def report(text: str, head: str) -> HeadResult:
    return analyse(load_text(text), parse_heads(head)[0])


COUNTDOWN = """recursive subroutine down(n, a, b, c)
  integer, intent(in) :: n
  real(8) :: a, b, c
  if (n == 0) then
    a = b
  else
    call down(n - 1, a, c, b)
    {after}
  end if
end subroutine"""


def test_what_every_way_down_writes_is_killed() -> None:
    found = summary(COUNTDOWN.format(after="continue"), "down")
    assert found == {"use": {"n", "b", "c"}, "out": {"a"}, "kill": {"a"}}


def test_what_is_written_on_the_way_back_is_written() -> None:
    assert summary(COUNTDOWN.format(after="c = 1"), "down")["out"] == {"a", "b", "c"}


def test_what_is_overwritten_on_one_way_is_not_killed() -> None:
    assert summary(COUNTDOWN.format(after="c = 1"), "down")["kill"] == {"a"}


def test_a_recursion_without_an_end_kills_what_it_likes_and_reads_nothing_behind_it() -> None:
    found = summary("recursive subroutine f(a, b)\nreal a, b\ncall f(b, a)\na = b\nend subroutine", "f")
    assert found["use"] == set()


CIRCLE = """module circle
contains
  recursive subroutine one(x, n)
    real(8), intent(inout) :: x
    integer, intent(in) :: n
    if (n > 0) call two(x, n - 1)
    x = x*x
  end subroutine
  recursive subroutine two(x, n)
    real(8), intent(inout) :: x
    integer, intent(in) :: n
    read (*, *) x
    x = x*x
    call one(x, n)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x
    call one(y, 3)
    call two(y, 3)
  end subroutine
end module"""


def test_what_is_unsafe_anywhere_in_a_circle_is_unsafe_in_every_call_of_it() -> None:
    for part in report(CIRCLE, "f(x)>(y)").parts:
        assert [(d.code, d.span.line) for d in part.diagnostics] == [("SN101", 12)], part.id


def test_an_inner_call_passes_more_activity_on_than_the_outer_one() -> None:
    """z varies in the recursive call alone; its procedure's one adjoint must know."""
    found = report("""recursive subroutine f(n, x, z, y)
      integer, intent(in) :: n
      real(8), intent(in) :: x, z
      real(8), intent(inout) :: y
      real(8) :: t
      if (n > 0) then
        t = x*x
        call f(n - 1, x, t, y)
        y = y*t
      else
        t = z*z
        y = t*x
      end if
    end subroutine""", "f(x)>(y)")
    (part,) = found.parts
    assert "t" in part.sets.use_cbar
    assert not found.diagnostics


def test_what_a_recursion_costs_is_a_name() -> None:
    found = report(CIRCLE.replace("read (*, *) x", ""), "f(x)>(y)")
    assert "recursion(" in str(found.totals["lazy"].peak_bytes)


STRATEGIES = parse_strategies("lazy,eager,Opt1+=*,Opt2+=*,Opt3+=*")


def wrong(text: str, head: str) -> list[str]:
    """The strategies under which the adjoint that is run has another gradient than store-all."""
    program = load_text(text)
    (found,) = parse_heads(head)
    analysis = prepare(program, found)
    machine = Machine(program, analysis.order[0])
    expected, _ = store_all(found, machine, Inputs())
    return [s.name for s in STRATEGIES
            if not planned(found, machine, analysis, records_of(analysis, s), Inputs())[0].same(expected)]


def test_a_caller_whose_adjoint_is_made_before_its_callees() -> None:
    """down, up and apply call each other; the call of down in up has no adjoint, so nothing leads from up to up."""
    text = """module m
      real(8) :: g
    contains
      recursive subroutine down(n, a, b)
        integer, intent(in) :: n
        real(8), intent(inout) :: a, b
        real(8) :: t, u
        if (n <= 0) return
        t = a*0.7d0
        u = b + 0.1d0
        call with(n - 1, t, u)
        g = u
      end subroutine
      recursive subroutine with(n, a, b)
        integer, intent(in) :: n
        real(8), intent(inout) :: a, b
        call up(n, b, a)
      end subroutine
      recursive subroutine up(n, a, b)
        integer, intent(in) :: n
        real(8), intent(inout) :: a, b
        real(8) :: u
        u = b
        a = 0.3d0*a*b
        call down(n - 1, b, u)
      end subroutine
      subroutine h(x, cost)
        real(8), intent(in) :: x
        real(8), intent(out) :: cost
        real(8) :: a, b
        a = x
        b = x*x
        call down(3, a, b)
        cost = a*b*g
      end subroutine
    end module"""
    assert wrong(text, "h(x)>(cost)") == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(24))
def test_random_programs(number: int) -> None:
    assert wrong(program(Random(number)), HEAD) == []
