"""Branches that are not recorded but evaluated again: which, what they read is kept, and that it suffices by
execution (the machine evaluates them again, from what stands there then)."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.load import load_text

PROGRAM = """subroutine p(x, n, k0, y)
  integer, intent(in) :: n, k0
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b(n)
  integer :: i, k, m(n)
  logical :: on
  y = 0
  a = x(1)
  b = x
  k = k0
  m = 1
  on = k0 > 0
  do i = 1, n
{body}
  end do
{behind}
end subroutine p
"""
ALL = "lazy,eager,Opt1+=*,Opt2+=*,Opt3+=*"
RECORD = AnalysisOptions(record_branches=True)
EVALUATE = AnalysisOptions()
N = 6


def text_of(body: str, behind: str = "") -> str:
    return PROGRAM.format(body=body, behind=behind)


def analysed(text: str) -> Analysis:
    (head,) = parse_heads("p(x)>(y)")
    return prepare(load_text(text), head, EVALUATE)


def evaluated(text: str) -> set[int]:
    """The lines of the branches that are evaluated again."""
    return {adjoint.model.flow.nodes[test].span.line for adjoint in analysed(text).adjoints.by_key.values()
            for test in adjoint.branches}


def run(text: str, options: AnalysisOptions = EVALUATE) -> StrategyRun:
    """What lazy takes; the gradient is right under it and others."""
    (head,) = parse_heads("p(x)>(y)")
    runs = compare(load_text(text), head, parse_strategies(ALL), Inputs({"n": N, "k0": 2}), options).runs
    assert all(one.equal for one in runs), [(one.strategy, one.differences, one.error) for one in runs]
    return runs[0]


@pytest.mark.parametrize("condition", ["k > 1", "on", "on .and. x(1) > 0", "i == 1", "mod(i, 2) == k0", "b(i) > 0.5d0",
                                       "size(b) > 3 .and. m(i) == 1", "x(i) > maxval(b)"])
def test_nothing_is_recorded_where_the_operands_keep_their_values(condition: str) -> None:
    text = text_of(f"    if ({condition}) a = a*x(i)\n    y = y + a*a")
    found, recorded = run(text), run(text, RECORD)
    assert evaluated(text) == {15}
    assert (found.control_bytes, recorded.control_bytes) == (0, N)
    assert found.traffic_bytes == (recorded.traffic_bytes or 0) - N


@pytest.mark.parametrize("body", [
    "    select case (k)\n    case (1)\n      a = a*x(i)\n    case (2:4)\n      a = sin(a)\n    case default\n"
    "      y = 2*y\n    end select\n    y = y + a*a",
    "    if (k == 1) then\n      a = a*x(i)\n    else if (i > 3) then\n      a = sin(a)\n    end if\n    y = y + a*a",
    "    if (i == 2) cycle\n    a = a*x(i)\n    if (k > 5) cycle\n    y = y + a*a",
    "    if (on) then\n      if (i > 2) a = a*x(i)\n      y = y + a\n    end if\n    y = y + a*a",
    "    if (i == 3) goto 10\n    a = sin(a)\n    if (on) goto 10\n    a = a*x(i)\n10  y = y + a*a",
])
def test_every_structured_branch(body: str) -> None:
    found = run(text_of(body))
    assert found.control_bytes == 0
    assert run(text_of(body), RECORD).control_bytes


@pytest.mark.parametrize("body", [
    "    if (a > 0.3d0) a = a*x(i)\n    y = y + a*a",                        # the branch overwrites what it reads
    "    if (k > 1) then\n      k = k - 1\n      a = a*x(i)\n    end if\n    y = y + a*a",
    "    if (i > 4) exit\n    a = a*x(i)\n    y = y + a*a",                  # its ways meet behind the loop
    "    k = k + 1\n    if (mod(k, 2) == 0) a = a*x(i)\n    y = y + a*a",    # k would be taped, 4 bytes for 1
])
def test_recorded_all_the_same(body: str) -> None:
    assert evaluated(text_of(body)) == set()
    assert run(text_of(body)).control_bytes


def test_an_index_that_is_taped_anyway_decides_again_for_nothing() -> None:
    text = text_of("    k = mod(k + i, n) + 1\n    if (m(k) == 1 .and. k > 1) a = a*x(i)\n    y = y + a*a*b(k)",
                   "  m = 0")
    found = run(text_of("    k = mod(k + i, n) + 1\n    if (k > 1) a = a*x(i)\n    y = y + a*a*b(k)"))
    assert found.control_bytes == 0
    assert found.traffic_bytes == (run(text, RECORD).traffic_bytes or 0) - N


def test_a_switch_overwritten_once_is_kept() -> None:
    text = text_of("    if (k > 1) a = a*x(i)\n    y = y + a*a", "  k = 3\n  y = y*k")
    assert evaluated(text) == {15}
    found, recorded = run(text), run(text, RECORD)
    assert (found.control_bytes, recorded.control_bytes) == (0, N)
    assert found.traffic_bytes == (recorded.traffic_bytes or 0) - N + 4


def test_within_its_ways_a_part_leaves_it_to_d_to_keep_the_switch() -> None:
    """Snapshot k at the part (Opt3+) and it would come back only when the branch has been decided."""
    part = "      !$AD CHECKPOINT-START\n      a = sin(a)*x(i)\n      !$AD CHECKPOINT-END\n"
    body = f"    do j = 1, n\n    if (k > 1) then\n{part}    else\n{part}    end if\n    end do\n    y = y + a*a"
    text = text_of(body, "  k = 3\n  y = y*k").replace("integer :: i,", "integer :: i, j,")
    assert evaluated(text) == {16}
    run(text)


def test_nor_does_a_part_in_a_loop_keep_its_bounds() -> None:
    text = text_of("    do j = 1, k\n      !$AD CHECKPOINT-START\n      a = sin(a)*x(i)\n      !$AD CHECKPOINT-END\n"
                   "    end do\n    y = y + a*a", "  k = 3\n  y = y*k").replace("integer :: i,", "integer :: i, j,")
    adjoint = analysed(text).adjoints.by_key["p"]
    (k,) = (1 << i for i, info in enumerate(adjoint.model.space.infos) if info.name == "k")
    (inner,) = (loop for loop in adjoint.model.flow.loops if adjoint.model.effects[loop.init].use & k)
    assert adjoint.reversal.preserved[inner.end] == k  # behind the loop, where its reversal begins
    assert run(text).control_bytes == 0


def test_what_is_allocated_may_have_changed() -> None:
    text = text_of("    if (allocated(c)) a = a*x(i)\n    y = y + a*a").replace(
        "  logical :: on\n", "  logical :: on\n  real(8), allocatable :: c(:)\n")
    assert evaluated(text) == set()
    assert run(text).control_bytes == N


@pytest.mark.parametrize(("loop", "control"), [
    ("do j = 1, n\n      if (a < {limit}) exit\n      a = sin(a)\n    end do", 4 + 1),      # its count, and which way
    ("do\n      if (a < {limit}) exit\n      a = sin(a)\n    end do", 4),                   # there is one way
    ("do\n      if (a < {limit}) exit\n      a = sin(a)\n      if (a > 2) then\n        a = 1\n        exit\n"
     "      end if\n    end do", 4 + 1),
    ("do while (a > 0.05d0)\n      if (a < {limit}) exit\n      a = sin(a)\n    end do", 4 + 1),
    ("do j = 1, 9\n      if (on) then\n        if (a < {limit}) exit\n      end if\n      a = sin(a)\n    end do",
     None),                                                                                   # IF (on)
])
def test_a_loop_left_by_exit_records_once_how(loop: str, control: int | None) -> None:
    """Not at each iteration: how many there were does not matter, but for what an EXIT itself depends on."""
    found = [run(text_of(f"    {loop}\n    y = y + a*a*x(i)".replace("{limit}", limit)).replace(
        "integer :: i,", "integer :: i, j,"), RECORD).control_bytes for limit in ("0.7d0", "0.5d0")]
    assert [one == N*(control or 0) for one in found] == [control is not None]*2


def test_a_jump_out_of_a_loop_is_recorded_each_time() -> None:
    text = text_of("    do j = 1, n\n      if (a < 0.3d0) goto 10\n      a = sin(a)\n    end do\n    a = 2*a\n"
                   "10  y = y + a*a*x(i)").replace("integer :: i,", "integer :: i, j,")
    assert (run(text).control_bytes or 0) > 5*N


BEHIND_AN_ENTRY = """
module m
  implicit none
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(3), y
    call remember(x(1)*0.6d0)
    call stir(x)
    call recall(y)
    y = y*x(2)
  end subroutine head
  subroutine remember(s)
    real(8), intent(in) :: s
    real(8), intent(inout) :: v(3), r
    real(8), save :: ring(3)
    ring = s
    return
  entry recall(r)
    r = ring(2)*r
    if (r > 0.55d0) return
  entry stir(v)
    ring(2) = 0.5d0*v(1)*ring(2)
  end subroutine remember
end module m
"""


def test_a_test_above_the_entry_that_is_called_is_not_looked_at() -> None:
    (head,) = parse_heads("m%head(x, y)>(x, y)")
    runs = compare(load_text(BEHIND_AN_ENTRY), head, parse_strategies(ALL), Inputs(), EVALUATE).runs
    assert all(one.equal for one in runs)
