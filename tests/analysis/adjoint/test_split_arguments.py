"""Split mode: arguments that are passed by value, and what of them is lost before the callee's backward sweep."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint.split_calls import SplitCallSite
from snapset.analysis.pipeline import prepare
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.frontend.load import load_text

from tests.analysis.adjoint.test_split import SHARED, SPLIT, replayed, saved
from tests.support.paths import ROOT


def test_an_argument_passed_by_value_is_evaluated_again() -> None:
    run = replayed(SHARED + """
subroutine f(v, e)
  use sh
  real(8) :: v, e, t
  !$AD CHECKPOINT-START
  t = g*e
  e = e*t
  !$AD CHECKPOINT-END
  e = e*v*t
end subroutine
subroutine p(x, y)
  use sh
  real(8) :: x, y
  g = x
  y = x
  call f(2*g*x, y)
  g = sin(y)
  call f(g*x, y)
  g = y
  y = y*g
end subroutine
""")
    assert {name for _, name in saved(run)} == {"e", "t", "g"}


def test_behind_a_part_an_argument_passed_by_value_is_lost_with_its_operands() -> None:
    """v is needed before the part: D overwrites it, as far as the part knows, where the caller overwrites w."""
    run = replayed("""
subroutine f(v, e)
  real(8) :: v, e
  e = e*v
  !$AD CHECKPOINT-START
  e = sin(e)
  !$AD CHECKPOINT-END
end subroutine
subroutine p(x, y)
  real(8) :: x, y, w
  w = x
  y = x
  call f(2*w, y)
  w = 0.5d0
  y = y*w
end subroutine
""")
    assert saved(run)[14, "w"] == 8


# ---------------------------------------------------------------- a machine that would show it


KEPT = """
subroutine g(u, v)
  real(8) :: u, v
  v = sin(u)*v
end subroutine g
subroutine p(x, y)
  real(8) :: x, y, a
  a = x
  y = x
  call g(a, y)
  a = 0.5d0
  y = y*y + sin(a*y)
end subroutine p
"""


@pytest.mark.parametrize(("name", "wrong"), [
    # The subscript is another one when the callee is entered again.
    ("taped", property(lambda self: 0)),
    # Nobody keeps what the callee needs.
    ("forward", lambda self, required, plain, space, through: required),
    # The callee does not know what the caller goes on with.
    ("behind", lambda self, plain: {key: (0, 0) for _, key in self.targets}),
])
def test_a_set_too_small_is_found(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "corpus" / "split_entry.f90"
    text, head = (path.read_text(), "twice(x)>(y)") if name == "taped" else (KEPT, "p(x)>(y)")
    replayed(text, head)
    monkeypatch.setattr(SplitCallSite, name, wrong)
    assert not compare(load_text(text), parse_heads(head)[0], (LAZY,), options=SPLIT).equal


PASSED = SHARED + """
subroutine f(v, e)
  use sh
  real(8), intent(in) :: v{shape}
  real(8), intent(inout) :: e
  e = e*v{first}
  g = g*e
end subroutine
subroutine p(x, y)
  use sh
  real(8) :: x(4), y
  integer :: i
  g = x(1)
  y = x(2)
  {before}
  call f({passed}, y)
  {behind}
  y = y*g
end subroutine
"""
SCALAR = {"shape": "", "first": "", "passed": "2*g"}
ARRAY = {"shape": "(2)", "first": "(1)", "passed": "[2*g, g]"}
ONCE = {"before": "g = sin(g)", "behind": "g = g*x(4)"}
LOOP = {"before": "do i = 1, 3", "behind": "end do"}
JUMPED_TO = {"before": "i = 0\n10 i = i + 1", "behind": "if (i < 3) goto 10"}
AT_A_LABEL = {"before": "i = 0\n10 continue\ni = i + 1\nif (i < 3) goto 20\ng = g*x(3)\n20 &",
              "behind": "if (i < 3) goto 10"}


@pytest.mark.parametrize(("around", "taped"), [(ONCE, 0), (LOOP, 24), (JUMPED_TO, 24), (AT_A_LABEL, 24)])
def test_a_passed_value_that_is_lost_is_kept_by_the_caller(around: dict[str, str], taped: int) -> None:
    """Where the callee overwrites g: what the loop's last value replaces is taped, the first replaces nothing."""
    found = saved(replayed(PASSED.format(**SCALAR, **around)))
    kept = {name: amount for (_, name), amount in found.items() if name.startswith("v")}
    assert sum(kept.values()) == taped
    assert all("@" in name for name in kept)


def test_a_passed_array_that_is_lost_is_taped_when_the_callee_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PASSED.format(**ARRAY, **ONCE)
    assert {name: amount for (_, name), amount in saved(replayed(text)).items() if name == "v"} == {"v": 16}
    monkeypatch.setattr("snapset.analysis.adjoint.code_maker.dying_arguments", lambda call, key, written: 0)
    assert not compare(load_text(text), parse_heads("p(x)>(y)")[0], (LAZY,), options=SPLIT).equal


def test_where_iterations_share_no_variable_none_is_made() -> None:
    loop = {"before": "do concurrent (i = 1:3)", "behind": "end do"}
    program = load_text(PASSED.format(**SCALAR, **loop))
    analysis = prepare(program, parse_heads("p(x)>(y)")[0], SPLIT)
    assert analysis.models.program is program
