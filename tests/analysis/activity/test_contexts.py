"""--context: an adjoint code for each calling pattern, where that makes less of it; proved by execution."""

from __future__ import annotations

import json

import pytest
from snapset.analysis.activity import calling_contexts
from snapset.analysis.activity.active_sets import Border
from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.code_table import Pattern
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.results import HeadResult
from snapset.check.lock_file import keys
from snapset.frontend.load import load_text
from snapset.render.pages.report_text import render
from snapset.render.records.report_json import to_json

from tests.support.paths import ROOT

RESET = (ROOT / "corpus" / "reset_context.f90").read_text()
TWICE = "twice(x)>(y)"
STRATEGIES = parse_strategies("lazy,eager,optimal")


def analysed(text: str, head: str, context: bool = True, calls: bool = True) -> HeadResult:
    options = AnalysisOptions(context=context, call_checkpoints=calls)
    return analyse(load_text(text), parse_heads(head)[0], parse_strategies("lazy,eager"), options)


def traffic(text: str, head: str, context: bool, calls: bool = True) -> int:
    """Of lazy; all strategies' gradients are right."""
    options = AnalysisOptions(context=context, call_checkpoints=calls)
    found = compare(load_text(text), parse_heads(head)[0], STRATEGIES, options=options)
    assert found.equal
    assert all(run.predicted_traffic_bytes in (None, run.traffic_bytes) for run in found.runs)
    return found.runs[0].traffic_bytes or 0


def codes(text: str, head: str) -> tuple[str, ...]:
    return prepare(load_text(text), parse_heads(head)[0], AnalysisOptions(context=True)).order


def test_one_adjoint_for_all_calls_is_the_default() -> None:
    assert analysed(RESET, TWICE, context=False).contexts == ()


def test_the_call_whose_argument_does_not_vary_needs_less() -> None:
    """Before the second call c does not vary: v is not read there."""
    default, own = analysed(RESET, TWICE, context=False), analysed(RESET, TWICE)
    assert [part.sets.use_cbar for part in default.parts] == [("c", "y"), ("c", "y")]
    assert [part.sets.use_cbar for part in own.parts] == [("c", "y"), ("c",)]
    (code,) = own.contexts
    assert (code.procedure, code.number, [line for _, line in code.calls]) == ("scale", 1, [24])
    assert (code.varied, code.useful) == (("v",), ("v",))


@pytest.mark.parametrize("calls", [True, False])
def test_the_smaller_sets_give_the_right_gradient(calls: bool) -> None:
    assert traffic(RESET, TWICE, True, calls) < traffic(RESET, TWICE, False, calls)


CHAIN = """
subroutine inner(a, b)
  real(8) :: a, b
  a = a*b
end subroutine inner
subroutine outer(a, b)
  real(8) :: a, b
  b = b + 1
  call inner(a, b)
  !$AD CHECKPOINT-START
  a = sin(a)
  !$AD CHECKPOINT-END
end subroutine outer
subroutine p(x, y)
  real(8) :: x, y, one, two
  one = 2
  two = x
  y = x
  call outer(y, one)
  call outer(y, two)
  call outer(y, one)
end subroutine p
"""


def test_what_gains_further_down_gets_its_own_code_all_the_way() -> None:
    assert codes(CHAIN, "p(x)>(y)") == ("p", "outer", "outer 1", "inner", "inner 1")
    result = analysed(CHAIN, "p(x)>(y)")
    assert [(code.procedure, [line for _, line in code.calls]) for code in result.contexts] == [
        ("inner", [9]), ("outer", [19, 21])]
    ids = [part.id for part in result.parts]
    assert ids == ["p@19", "p@20", "p@21", "outer@9", "outer@11", "outer@9:context1", "outer@11:context1"]
    assert traffic(CHAIN, "p(x)>(y)", True) <= traffic(CHAIN, "p(x)>(y)", False)


def test_patterns_that_gain_nothing_share_the_default_code() -> None:
    text = CHAIN.replace("one = 2", "one = x*x")
    assert codes(text, "p(x)>(y)") == ("p", "outer", "inner")


def test_a_recursion_keeps_one_code() -> None:
    text = ("recursive subroutine r(a, b, n)\n real(8) :: a, b\n integer :: n\n a = a*b\n"
            " if (n > 0) call r(a, b, n - 1)\nend subroutine\nsubroutine p(x, y)\n real(8) :: x, y, c\n c = 2\n y = x\n"
            " call r(y, c, 3)\n c = x\n call r(y, c, 2)\nend subroutine\n")
    assert codes(text, "p(x)>(y)") == ("p", "r")
    assert codes(text, "r(a)>(a)") == ("r",)


def test_too_many_patterns_share_the_default_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling_contexts, "LIMIT", 2)
    assert codes(CHAIN, "p(x)>(y)") == ("p", "outer", "inner")


def test_an_activity_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine shows it where a pattern is taken to be less than it is."""
    program, (head,) = load_text(RESET), parse_heads(TWICE)
    spread = prepare(program, head)
    assert spread.order == ("twice", "scale")
    right = calling_contexts._patterns

    def forgetful(activity: Activity, start: Pattern) -> object:
        """The patterns, what varies at their calls forgotten in part."""
        calls = Activity.calls

        def less(self: Activity, key: str, border: Border) -> object:
            found = calls(self, key, border).items()
            return {at: Border(varied=one.varied & ~2, useful=one.useful, once=one.once) for at, one in found}

        with monkeypatch.context() as patched:
            patched.setattr(Activity, "calls", less)
            return right(activity, start)

    monkeypatch.setattr(calling_contexts, "_patterns", forgetful)
    assert not compare(program, head, STRATEGIES[:1], options=AnalysisOptions(context=True)).equal


# ---------------------------------------------------------------- the faces


def test_text_json_and_lock() -> None:
    result = analysed(CHAIN, "p(x)>(y)")
    text = " ".join(render(result).split())
    assert "outer has a code of its own (context 1) for the calls at x.f90:19, x.f90:21: varied a; useful a" in text
    assert "in outer (context 1)" in text
    found = json.loads(json.dumps(to_json(result)))
    assert found["contexts"][1] == {
        "procedure": "outer", "context": 1, "varied": ["a"], "useful": ["a"],
        "calls": [{"file": "x.f90", "line": 19}, {"file": "x.f90", "line": 21}]}
    assert [region["context"] for region in found["regions"]] == [0, 0, 0, 0, 0, 1, 1]
    assert "outer (context 1), part 1" in keys(result.parts)
