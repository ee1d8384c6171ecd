"""Where values are computed again, lazy keeps to the end (Sbk) what it saves anyway, so that no adjoint has to put it
back: cases by hand, and all strategies executed with and without the option."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import snapset
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.load import load_text

from tests.support.paths import ROOT

(HEAD,) = parse_heads("p(x)>(y)")
EVERY = parse_strategies("lazy,eager,optimal,Opt1+=*,Opt1+=*;Opt2+=*")
AGAIN = AnalysisOptions(recompute=True)


def text_of(body: str) -> str:
    return f"""module control
  real(8) :: heat, air
  real(8), allocatable :: w(:)
contains
  subroutine switch(set)
    real(8), intent(in) :: set
    if (air < set) then
      heat = 0.7d0*(set - air)
    else if (air > set + 0.2d0) then
      heat = 0.1d0*air
    end if
  end subroutine switch
  subroutine hold(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a, b
    real(8), intent(out) :: c
    integer :: k
    c = a/(a + b)
    do k = 1, n
      c = c + 0.1d0*c*c*b
    end do
  end subroutine hold
end module control
subroutine p(x, n, y)
  use control
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b, c, t, u(n)
  integer :: i
  a = x(1)
  b = x(2)
  y = a
  air = 0.9d0
  heat = 0.4d0
  allocate(w(3))
  w = x(1)
  u = x
{body}
  y = y + air + sum(w) + sum(u)
  deallocate(w)
end subroutine p
"""


def saved(text: str, options: AnalysisOptions) -> tuple[set[str], set[str]]:
    """What any part keeps in Sbk, and what any adjoint tapes, under lazy."""
    found = prepare(load_text(text), HEAD, options)
    kept, taped = set[str](), set[str]()
    for key, record in record_program(found.adjoints, found.order, LAZY).items():
        infos = found.adjoints.by_key[key].model.space.infos
        for level in record.levels:
            kept |= {infos[i].name for one in level.solved.values() for i in members(one.choice.sbk)}
            taped |= {infos[i].name for bits in level.taped.values() for i in members(bits)}
    return kept, taped


def executed(text: str, options: AnalysisOptions) -> Mapping[str, StrategyRun]:
    return {run.name: run for run in compare(load_text(text), HEAD, EVERY, Inputs({"n": 5}), options).runs}


SWITCHED = """do i = 1, n
  !$AD CHECKPOINT-START
  call switch(x(i))
  air = air + 0.1d0*heat*air
  !$AD CHECKPOINT-END
  y = y + heat*heat*air
end do"""
CALLED = """do i = 1, n
  call hold(n, a, y, c)
  y = y + c*c*x(i)
end do"""
ELEMENTS = """do i = 1, n
  y = y + u(1)*u(2)
  !$AD CHECKPOINT-START
  u(1:2) = x(i)*y
  y = y + u(1)*u(2)*0.1d0
  !$AD CHECKPOINT-END
end do"""
COMPUTED = """do i = 1, n
  t = a*b
  y = y + t*t
  !$AD CHECKPOINT-START
  t = y*a
  t = t*t
  y = y + t*t*0.1d0
  !$AD CHECKPOINT-END
end do"""
ALLOCATED = """do i = 1, n
  y = y + w(1)*w(2)
  !$AD CHECKPOINT-START
  w = w*y*0.3d0
  w = w*w
  !$AD CHECKPOINT-END
end do"""

@pytest.mark.parametrize(("body", "kept", "fewer"), [
    (SWITCHED, {"heat"}, True),          # air is put back for the part's own derivatives
    (CALLED, {"c"}, True),               # before a call, whose adjoint tapes what it was given to overwrite
    (ELEMENTS, {"u"}, True),             # the same elements are saved for both sets
    (COMPUTED, set(), False),            # t is in no snapshot
    (ALLOCATED, set(), False),
])
def test_what_is_kept_to_the_end(body: str, kept: set[str], fewer: bool) -> None:
    text = text_of(body)
    assert saved(text, AnalysisOptions())[0] == set()
    assert saved(text, AGAIN)[0] == kept
    plain, again = executed(text, AnalysisOptions()), executed(text, AGAIN)
    for runs in (plain, again):
        for run in runs.values():
            assert run.equal, (run.name, run.error)
    assert (again["lazy"].traffic_bytes or 0) <= (plain["lazy"].traffic_bytes or 0)
    assert ((again["lazy"].traffic_bytes or 0) < (plain["lazy"].traffic_bytes or 0)) >= fewer


def test_it_costs_no_second_push() -> None:
    """In both sets, and pushed once: as much as eager, which keeps it as well."""
    plain, again = (executed(text_of(CALLED), one) for one in (AnalysisOptions(), AGAIN))
    assert (plain["lazy"].traffic_bytes or 0) - (again["lazy"].traffic_bytes or 0) >= 8*5
    assert again["lazy"].traffic_bytes == again["Opt1+=*;Opt2+=*"].traffic_bytes


def test_not_where_the_call_inside_saves_a_piece_for_it() -> None:
    """crane.f: were its workspace kept, nobody would have the rest of it put back behind the first call in the step,
    and that call would save all of it instead of six elements: 46,320 bytes for 35,760."""
    path = ROOT / "benchmarks" / "realistic" / "crane.f"
    head = path.with_suffix(".head").read_text().strip()
    (run,) = snapset.replay([str(path)], head, snapset.Choices(strategies="lazy", recompute=True)).runs
    assert run.equal
    assert (run.traffic_bytes or 0) - (run.control_bytes or 0) <= 35_760


MOVED = """module m
  real(8) :: w(5)
  integer :: at(5)
contains
  subroutine mend(e, k, f)
    real(8), intent(inout) :: e, f
    integer, intent(inout) :: k
    e = f*f
    f = f*e*e
    k = mod(k, 5) + 1
    f = f*w(k)*f
  end subroutine mend
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(5), s
    integer :: k, i
    w = 0.3d0*x(1)
    v = 0.5d0*x(1)
    v(3) = 0.7d0*x(2)
    s = x(1)*x(2)
    s = s*v(2)*v(3)*v(2)
    v(4) = s*v(1)
    at = [2, 3, 1, 4, 5]
    k = 2
    do i = 1, 2
      s = s*v(2)*v(3)
      CALL
    end do
    y = s*v(2)*v(3)
  end subroutine p
end module m
"""


@pytest.mark.parametrize("call", ["call mend(v(k), k, s)", "call mend(v(at(k)), at(k), s)", "call mend(v(6 - k), k, s)",
                                  "call mend(v(k), k, s); k = 2"])
@pytest.mark.parametrize("options", [AnalysisOptions(), AGAIN, AnalysisOptions(recompute=True, dag=True)])
def test_what_is_put_back_behind_a_calls_adjoint_is_found_there(call: str, options: AnalysisOptions) -> None:
    """The call, and so its adjoint, moves k: v(k) would come back into another element."""
    program = load_text(MOVED.replace("CALL", call.replace("; ", "\n      ")))
    found = compare(program, HEAD, EVERY, Inputs({"n": 2, "x": [0.8, 0.9]}), options)
    assert {run.name: run.error for run in found.runs if not run.equal} == {}


def test_all_is_saved_of_what_would_not_be_found() -> None:
    """With eager v(k) in Sbk is all of v; lazy has it in Snp alone, where the call's adjoint gets it, with k."""
    program = load_text(MOVED.replace("CALL", "call mend(v(k), k, s)"))
    analysis = prepare(program, HEAD, AnalysisOptions())
    eager, lazy = (record_program(analysis.adjoints, analysis.order, one) for one in parse_strategies("eager,lazy"))
    (v,) = (i for i, info in enumerate(analysis.models.by_key["m::p"].space.infos) if info.name == "v")
    for record, whole in ((eager, True), (lazy, False)):
        (solved,) = record["m::p"].levels[0].solved.values()
        assert bool(solved.choice.sbk >> v & 1) == whole == (v not in solved.pieces)
