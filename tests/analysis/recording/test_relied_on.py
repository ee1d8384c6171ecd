"""What is not taped by value must be there all the same for whoever relies on it: by hand, each a needed condition."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager,Opt1+=*,Opt3+=*")
PROGRAM = """
module m
contains
subroutine middle(v, f)
  real(8), intent(inout) :: v(5), f
  f = f*1.1d0
  call last(v, f)
  f = f + 0.5d0
end subroutine middle
subroutine last(v, f)
  real(8), intent(inout) :: v(5), f
  integer :: q
  do q = 2, 5
    v(q) = v(q) + sin(v(q - 1))
    f = f + v(q - 1)
  end do
end subroutine last
subroutine second(v, f)
  real(8), intent(inout) :: v(5), f
  f = f*sin(v(1))*v(3)*v(4)
  v(2) = f*v(2)
end subroutine second
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(5), s, t, z
  integer :: i, q
  b = 0.6d0*x*x
  s = 0.7d0*x(1)
  t = 0.7d0*x(2)
  {}
  y = s + t
end subroutine p
end module m
"""
GROWS = """do i = {}, 5
    b(i) = b(i) + sin(b(i - 1))
    t = t + b(i - 1)
  end do
"""


@pytest.mark.parametrize("body", [
    "s = s*b(1)*b(3)*b(4)*b(5)\n!$AD CHECKPOINT-START\n" + GROWS.format(2) + "!$AD CHECKPOINT-END",
    "s = s*b(1)*b(3)*b(4)*b(5)\n  call middle(b, t)",
])
def test_a_part_that_does_not_run_first_writes_all_the_same(body: str) -> None:
    """Nobody needs b behind the part, so its first run writes nothing: but its second run does, before the product's
    derivative reads b."""
    same_gradients(body)


@pytest.mark.parametrize("body", [
    "!$AD CHECKPOINT-START\n  s = s*sin(b(1))*b(3)*b(4)\n  b(2) = s*b(2)\n!$AD CHECKPOINT-END\n  " + GROWS.format(3),
    "call second(b, s)\n  " + GROWS.format(3),
])
def test_a_piece_in_a_snapshot_is_not_all_that_is_read(body: str) -> None:
    """b(2) is saved; b(3) and b(4), which the part's adjoint reads, are left to the loop behind it."""
    same_gradients(body)


@pytest.mark.parametrize("between", ["if (s > 0.1d0) s = 0.5d0*s + 0.2d0*s*s", "z = 0.6d0*t", "t = t*s"])
def test_what_a_part_between_leaves_alone_is_told_to_the_part_behind(between: str) -> None:
    """The squares' derivative reads b behind both parts. The first does not touch b, nor does D̄ as far as anybody can
    see, since the second's derivative reads b: so b is in no Req there, but the second must put back b(1), too."""
    same_gradients(f"""s = s + 0.1d0*sum(b*b)
!$AD CHECKPOINT-START
  {between}
!$AD CHECKPOINT-END
  i = 2
!$AD CHECKPOINT-START
  do q = 2, 5
    z = 0.5d0*b(q)*x(1)
    b(1) = 0.6d0*b(1) - 0.2d0*z
    b(i) = 0.2d0*b(i)
    i = 2
  end do
!$AD CHECKPOINT-END
  t = t + sum(b*b) + z*s""")


def test_what_is_required_of_other_iterations_is_not_put_back_in_this_one() -> None:
    """z is computed from b(i) when the snapshot is back, if b(i) is: the loop overwrites it, and requires the others'.
    """
    same_gradients("""do i = 1, 4
    z = 2*b(i)
!$AD CHECKPOINT-START
    s = s*z*z
    z = s
!$AD CHECKPOINT-END
    b(i) = s*0.5d0
    t = t*b(i)
  end do""")


def same_gradients(body: str) -> None:
    program, inputs = load_text(PROGRAM.format(body)), Inputs({"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})
    for options in (AnalysisOptions(), AnalysisOptions(dag=True), AnalysisOptions(recompute=True),
                    AnalysisOptions(recompute=True, dag=True)):
        found = compare(program, HEAD, STRATEGIES, inputs, options)
        assert found.equal, (options, {run.name: run.error or run.differences for run in found.runs})
