"""Strategies compared while running: equal or not, what the stack held and for whom, which saved locations matter."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import snapset.analysis.procedures.model_builder as modelling
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare, differences, limited
from snapset.analysis.replay.experiment.gradient import Gradient
from snapset.analysis.replay.experiment.inputs import Inputs, start
from snapset.analysis.replay.experiment.measurements import Comparison, Lost, StrategyRun
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import stopped
from snapset.analysis.replay.machine.stack_profile import HeightRecorder
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.cfg.graph import Node
from snapset.frontend.load import load_program, load_text

from tests.support.corpus import CORPUS, parse_expected

PLAINLY = ExperimentOptions()
SOURCES = {path.stem: path for path in sorted(CORPUS.iterdir()) if path.suffix in (".f", ".f90")}


def comparison(name: str, strategies: str = "lazy,eager", inputs: Inputs | None = None,
               wanted: ExperimentOptions = PLAINLY, options: AnalysisOptions | None = None) -> Comparison:
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    return compare(load_program([str(SOURCES[name])]), head, parse_strategies(strategies), inputs, options, wanted)


def from_text(text: str, head: str, inputs: Inputs | None = None, wanted: ExperimentOptions = PLAINLY) -> Comparison:
    return compare(load_text(text), parse_heads(head)[0], parse_strategies("lazy"), inputs, None, wanted)


def places(run: StrategyRun) -> list[tuple[str | None, str, int, str, int, int]]:
    return [(one.part, one.kind, one.line, one.location, one.bytes, one.pushes) for one in run.spent]


def superfluous(run: StrategyRun) -> list[tuple[str, str | None]]:
    assert run.necessity is not None
    return [(one.saved.location, one.superfluous) for one in run.necessity.superfluous]


# ---------------------------------------------------------------- figures


def test_who_saved_what_in_the_burgers_region() -> None:
    """Five steps: u(2:4) before the part each time; nu is taped behind it, or saved with u."""
    found = comparison("burgers_region")
    lazy, eager = found.runs
    assert found.equal
    assert places(lazy) == [("burgers@13", "snp", 13, "u", 120, 5), (None, "tape", 20, "nu", 40, 5)]
    assert places(eager) == [("burgers@13", "snp", 13, "nu", 40, 5), ("burgers@13", "snp", 13, "u", 120, 5)]
    assert (lazy.peak_bytes, lazy.traffic_bytes, lazy.pushes, lazy.control_bytes) == (160, 160, 10, 0)


@pytest.mark.parametrize("name", ["burgers_region", "nested", "straight_line", "table_classes", "do_while", "calls",
                                  "goto_loop", "back_edge", "where_mask", "loop_taped_only", "inactive_call"])
def test_the_places_add_up_to_the_totals(name: str) -> None:
    inputs = Inputs({"dt": 1e-3}) if name == "calls" else None
    for run in comparison(name, "lazy,eager,Opt1+=*,Opt2+=*,Opt3+=*", inputs).runs:
        assert run.spent
        assert sum(one.bytes for one in run.spent) == run.traffic_bytes
        assert sum(one.pushes for one in run.spent) == run.pushes
        assert sum(one.bytes for one in run.spent if one.kind == "control") == run.control_bytes


def test_what_is_taped_inside_a_part_is_the_parts() -> None:
    text = """subroutine p(x, y)
  real(8) :: x, y, a
  a = x
  !$AD CHECKPOINT-START
  a = a*a
  a = sin(a)
  !$AD CHECKPOINT-END
  y = a*x
end subroutine p
"""
    (run,) = from_text(text, "p(x)>(y)").runs
    assert places(run) == [("p@5", "snp", 5, "a", 8, 1), ("p@5", "tape", 5, "a", 8, 1)]


def test_the_control_of_a_while_loop_has_its_place() -> None:
    text = """subroutine p(x, y)
  real(8) :: x, y
  y = x
  do while (y < 100d0)
    y = 2d0*y*y + 1d0
  end do
end subroutine p
"""
    (run,) = from_text(text, "p(x)>(y)", Inputs({"x": 1.0})).runs
    assert [place for place in places(run) if place[1] == "control"] == [(None, "control", 4, "trip count", 4, 1)]
    assert run.control_bytes == 4


def test_steps_are_statements_tests_and_calls() -> None:
    """Store-all: four and three derivatives. The plan: a = x; call, a*a; turn; the second run needs no statement."""
    text = """subroutine s(a)
  real(8) :: a
  a = a*a
end subroutine s
subroutine p(x, y)
  real(8) :: x, y, a
  a = x
  call s(a)
  y = a*x
end subroutine p
"""
    found = from_text(text, "p(x)>(y)")
    assert found.reference.primal_steps == 4
    assert found.reference.adjoint_steps == 4 + 3
    assert found.runs[0].recomputed_steps == 2
    assert found.runs[0].adjoint_steps == 1 + 2 + 3


def test_a_call_in_a_first_run_counts_with_what_it_calls() -> None:
    found = comparison("calls", "lazy", Inputs({"dt": 1e-3}))
    program = load_program([str(SOURCES["calls"])])
    (head,) = parse_heads(found.head)
    machine = Machine(program, find_procedure(program, head).key)
    with np.errstate(all="ignore"):
        plain = machine.run(start(machine, Inputs({"dt": 1e-3})))
    assert found.reference.primal_steps == plain + machine.in_callees


def test_two_statements_of_a_line_are_one_place() -> None:
    text = "subroutine p(x, y)\n real(8) :: x, y, a\n a = x\n a = a*a; a = a*a\n y = a*a\nend subroutine p\n"
    (run,) = from_text(text, "p(x)>(y)").runs
    assert places(run) == [(None, "tape", 4, "a", 16, 2)]


def test_callees_of_a_callee_are_steps_of_a_first_run() -> None:
    text = """subroutine t(a)
  real(8) :: a
  a = a*a
end subroutine t
subroutine s(a)
  real(8) :: a
  call t(a)
end subroutine s
subroutine p(x, y)
  real(8) :: x, y
  call s(x)
  y = x*x
end subroutine p
"""
    assert from_text(text, "p(x)>(y)").runs[0].recomputed_steps == 3  # call s, call t, a*a


# ---------------------------------------------------------------- differences


def test_the_first_differing_element_by_its_fortran_subscripts() -> None:
    right = np.array([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]])
    wrong = right.copy()
    wrong[1, 0] = 2.5
    wrong[0, 2] = math.nan
    (one,) = differences(Gradient({"x": right}, {"x": (0, -1)}), Gradient({"x": wrong}))
    assert (one.independent, one.element, one.store_all, one.found, one.count) == ("x", (1, -1), 2.0, 2.5, 2)


def test_equal_is_bit_for_bit() -> None:
    zero, nan = np.array(0.0), np.array(math.nan)
    assert differences(Gradient({"x": zero}), Gradient({"x": -zero}))[0].element == ()
    assert not differences(Gradient({"x": nan}), Gradient({"x": nan.copy()}))


def test_a_wrong_analysis_shows_which_independent_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write of an element is taken to rewrite its whole array."""
    right = modelling.effect

    def wrong(node: Node, refs: modelling.References) -> Effect:
        found = right(node, refs)
        return replace(found, kill=found.out) if node.kind == "simple" else found

    monkeypatch.setattr(modelling, "effect", wrong)
    found = comparison("element_read", "lazy")
    (one,) = found.runs[0].differences
    assert not found.equal
    assert one.independent == "x"
    assert math.isfinite(one.store_all)


def test_a_plan_that_cannot_run_says_where() -> None:
    """The second run draws another number, and so makes another array."""
    text = ("subroutine p(x, y)\n real(8) :: x, y, r\n real(8), allocatable :: w(:)\n !$AD CHECKPOINT-START\n"
            " call random_number(r)\n allocate (w(1 + int(1d6*r)))\n w = x*x\n !$AD CHECKPOINT-END\n"
            " y = sum(w*w)\nend subroutine p\n")
    (run,) = from_text(text, "p(x)>(y)").runs
    assert not run.equal
    assert run.error is not None
    assert run.error.endswith(":4: a second run leaves something allocated otherwise than the first one did")
    assert run.peak_bytes is None


def test_a_program_that_goes_wrong_is_bad_input_with_its_line() -> None:
    text = "subroutine p(x, y, n)\n real(8) :: x(3), y\n integer :: n\n y = x(n)\nend subroutine p\n"
    with pytest.raises(InputError, match=r":4:2: error: the program stopped on these inputs: subscript 7 is out of"):
        from_text(text, "p(x)>(y)", Inputs({"n": 7}))


def test_arithmetic_that_goes_wrong_has_the_innermost_place() -> None:
    inner = stopped(ZeroDivisionError("by zero"), Span("a.f90", 3, 3))
    outer = stopped(inner, Span("a.f90", 9, 9))
    assert (str(outer), outer.span) == ("arithmetic went wrong: by zero", Span("a.f90", 3, 3))


def test_bounds_that_go_wrong_are_bad_input() -> None:
    text = "subroutine p(x, y, n)\n integer :: n\n real(8) :: x(10/(n - 5)), y\n y = x(1)\nend subroutine p\n"
    with pytest.raises(InputError, match="integer division by zero"):
        from_text(text, "p(x)>(y)")


@pytest.mark.parametrize(("statement", "what"), [("y = 0d0*x + 3d0", "zero everywhere"), ("y = log(x - 9d0)*x", "not")])
def test_a_reference_that_proves_little_is_remarked(statement: str, what: str) -> None:
    text = f"subroutine p(x, y)\n real(8) :: x, y\n {statement}\nend subroutine p\n"
    (one,) = from_text(text, "p(x)>(y)").diagnostics
    assert (one.code, one.severity) == ("SN401", "warning")
    assert f"is {what}" in one.message


def test_a_partition_of_nothing_is_bad_input() -> None:
    with pytest.raises(InputError, match="no part's Opt3 holds 'zz'"):
        comparison("burgers_region", "Opt3+=zz")


# ---------------------------------------------------------------- necessity


def test_everything_is_needed_in_the_burgers_region() -> None:
    for run in comparison("burgers_region", wanted=ExperimentOptions(necessity=True)).runs:
        assert run.necessity is not None
        assert (run.necessity.saved, run.necessity.superfluous, run.necessity.share) == (2, (), 1.0)


BRANCH = """subroutine p(x, k, y)
  integer :: k
  real(8) :: x, y, a, b
  a = x
  b = 2d0*x
  !$AD CHECKPOINT-START
  if (k > 3) a = a*b
  b = b*b
  !$AD CHECKPOINT-END
  y = b*b
  if (k < 3) y = y + a*a
end subroutine p
"""


def test_what_is_superfluous_on_this_input_and_why() -> None:
    """With k = 4 the part overwrites a, and nothing needs it; with k = 1 it does not, and its adjoint reads no a."""
    found = from_text(BRANCH, "p(x)>(y)", Inputs({"k": 4}), ExperimentOptions(necessity=True))
    assert ("b", None) not in superfluous(found.runs[0])
    assert superfluous(found.runs[0]) == [("a", "unused")]
    found = from_text(BRANCH, "p(x)>(y)", Inputs({"k": 1}), ExperimentOptions(necessity=True))
    assert superfluous(found.runs[0]) == [("a", "unused")]


def test_what_is_not_overwritten_on_this_input_is_unchanged() -> None:
    (run,) = comparison("if_arithmetic", "lazy", None, ExperimentOptions(necessity=True),
                        AnalysisOptions(save_intact=True)).runs
    assert superfluous(run) == [("a", "unchanged")]
    assert run.necessity is not None
    assert run.necessity.share == 0.0


def test_what_is_not_saved_on_this_input_does_not_count() -> None:
    text = BRANCH.replace("a = x\n", "a = x\n  if (k == 5) return\n")
    (run,) = from_text(text, "p(x)>(y)", None, ExperimentOptions(necessity=True)).runs
    assert run.necessity is not None
    assert run.necessity.share is None


def test_rows_are_the_same_on_every_input() -> None:
    def rows(k: int) -> set[tuple[int, str]]:
        (run,) = from_text(BRANCH, "p(x)>(y)", Inputs({"k": k}), ExperimentOptions(necessity=True)).runs
        assert run.necessity is not None
        return {(one.row, one.saved.location) for one in run.necessity.lost}

    assert rows(1) <= rows(4) or rows(4) <= rows(1)


def test_a_lost_trip_count_ends_soon() -> None:
    """Without n the first loop of the second run would run two thousand million times."""
    text = """subroutine p(x, y)
  real(8) :: x, y
  integer :: n, i
  n = 3
  y = x
  !$AD CHECKPOINT-START
  do i = 1, n
    y = y*y
  end do
  n = 2000000000
  !$AD CHECKPOINT-END
  y = y*n
end subroutine p
"""
    (run,) = from_text(text, "p(x)>(y)", None, ExperimentOptions(necessity=True)).runs
    assert run.necessity is not None
    lost = {one.saved.location: one.superfluous for one in run.necessity.lost}
    assert lost["n"] is None


def test_the_limit_of_such_runs_ends_with_them() -> None:
    program = load_text("subroutine p(x, y)\n real(8) :: x, y\n y = x\nend subroutine p\n")
    machine = Machine(program, find_procedure(program, parse_heads("p(x)>(y)")[0]).key)
    before = machine.limits.left
    with limited(machine, 1000):
        assert machine.limits.left == 1000
    assert machine.limits.left == before


def test_lost_knows_its_place() -> None:
    (run,) = comparison("if_arithmetic", "lazy", None, ExperimentOptions(necessity=True),
                        AnalysisOptions(save_intact=True)).runs
    assert run.necessity is not None
    (one,) = run.necessity.lost
    assert isinstance(one, Lost)
    assert (one.saved.part, one.saved.kind, one.saved.line, one.saved.bytes) == ("arith@7", "snp", 7, 8)


# ---------------------------------------------------------------- heights


def test_the_profile_of_a_run() -> None:
    (run,) = comparison("burgers_region", "lazy", wanted=ExperimentOptions(profile=True)).runs
    assert run.profile is not None
    assert max(run.profile.high) == run.peak_bytes
    assert run.profile.last[-1] == 0
    assert list(run.parts.values()) == ["burgers@13"]
    (taken,), (restored,) = run.profile.taken.values(), run.profile.restored.values()
    assert len(taken) == len(restored) == 5
    assert max(taken) * run.profile.width < run.profile.turn <= min(restored) * run.profile.width


def test_a_long_run_is_thinned_and_keeps_its_peaks() -> None:
    heights = HeightRecorder(limit=8)
    for time in range(1000):
        heights.note(time, 5000 if time == 17 else time)
        if time == 217:
            heights.mark(217, "taken", ("p", 1))
    profile = heights.profile(1000)
    assert len(profile.high) == len(profile.low) == len(profile.last) <= 8
    assert profile.width == 128
    assert max(profile.high) == 5000
    assert profile.high[0] == 5000
    assert profile.last[-1] == 999
    assert profile.low[2] == 255  # the height the bucket starts with
    assert profile.taken == {("p", 1): (217 // 128,)}
