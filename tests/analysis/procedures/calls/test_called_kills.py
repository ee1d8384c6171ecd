"""A loop of calls that write every element of an array: what was required of it before is required no more behind."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
EVERY = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*,Opt2+=*,Sbk+=*")


def text_of(loop: str, callee: str, declared: str = "v(n)") -> str:
    return f"""subroutine p(x, y, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: {declared}
  integer :: k, it
  v = 0.3d0*x(1)
  y = 0
  do it = 1, 3
    y = y + sum(v**2)
{loop}
    do k = 1, n - 1
      call meet(v(k), v(k+1))
    end do
  end do
end subroutine p
subroutine meet(a, b)
  real(8), intent(inout) :: a, b
  a = a*b
  b = b*a
end subroutine meet
subroutine step(a)
  real(8), intent(inout) :: a
  {callee}
end subroutine step
"""


@pytest.mark.parametrize(("loop", "callee", "gone"), [
    ("do k = 1, n\ncall step(v(k))\nend do", "a = a + 0.1d0*sin(a)", True),
    ("do k = n, 1, -1\ncall step(v(k))\nend do", "a = a + 0.1d0*sin(a)", True),
    # one element stays
    ("do k = 2, n\ncall step(v(k))\nend do", "a = a + 0.1d0*sin(a)", False),
    # perhaps it is not written
    ("do k = 1, n\ncall step(v(k))\nend do", "if (a > 0.2d0) a = a + 0.1d0*sin(a)", False),
    ("do k = 1, n\nif (v(k) > 0.2d0) call step(v(k))\nend do", "a = a + 0.1d0*sin(a)", False),
    # another statement of the loop meets it
    ("do k = 1, n\ncall step(v(k))\nv(k) = v(k)*v(k)\nend do", "a = a + 0.1d0*sin(a)", None),
    ("do k = 1, n\ncall step(v(k))\ncall step(v(k))\nend do", "a = a + 0.1d0*sin(a)", None),
    ("do k = 1, n\ncall step(v(k))\ny = y + v(1)**2\nend do", "a = a + 0.1d0*sin(a)", False),
    ("do k = 1, n\ny = y + v(n)**2\ncall step(v(k))\nend do", "a = a + 0.1d0*sin(a)", False),
    ("do k = 1, n\ncall step(v(k))\nif (k > 2) v(k - 1) = y\nend do", "a = a + 0.1d0*sin(a)", False),
])
def test_what_is_required_behind_the_loop(loop: str, callee: str, gone: bool | None) -> None:
    program, inputs = load_text(text_of(loop, callee)), Inputs({"n": 4})
    part = next(one for one in analyse(program, HEAD, EVERY, AnalysisOptions()).parts if one.callee == "meet")
    if gone is not None:
        assert ("v" not in part.sets.req) == gone
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True), AnalysisOptions(recompute=True, dag=True),
                    AnalysisOptions(call_checkpoints=False)):
        for run in compare(program, HEAD, EVERY, inputs, options).runs:
            assert run.equal, (options, run.name, run.error)


def test_the_piece_that_holds_all_that_is_read_leaves_nothing_to_what_follows() -> None:
    """benchmarks/realistic/hosted.f90 in small: step's adjoint reads of v and w what its snapshot holds."""
    text = text_of("do k = 1, n\ncall both(v(k), w(k))\nend do", "a = a*a", "v(n), w(n)").replace(
        "  y = 0\n", "  y = 0\n  w = v\n").replace("sum(v**2)", "sum(v**2) + sum(w**2)") + """subroutine both(a, b)
  real(8), intent(inout) :: a, b
  b = b + 0.1d0*sin(a)*b
  a = a + b
end subroutine both
"""
    program, inputs = load_text(text), Inputs({"n": 4})
    found = analyse(program, HEAD, EVERY, AnalysisOptions())
    part = next(one for one in found.parts if one.callee == "meet")
    assert "v" not in part.sets.req
    for run in compare(program, HEAD, EVERY, inputs, AnalysisOptions()).runs:
        assert run.equal, (run.name, run.error)


def test_the_piece_of_a_call_in_no_loop_does() -> None:
    """make's adjoint finds what bend's has put back; of the elements that bend's piece lacks D has to see to that."""
    text = """module room
contains
  subroutine make(a, b)
    real(8), intent(in) :: a(4)
    real(8), intent(out) :: b(4)
    b = sin(a)
  end subroutine make
  subroutine bend(a)
    real(8), intent(inout) :: a(:)
    a = cos(a)
  end subroutine bend
end module room
subroutine p(x, y)
  use room
  real(8) :: x, y, w(4), a(4, 3)
  a = 0.2d0 + x
  call make(a(:, 1), w)
  call bend(a(1, 1:2))
  a(:, 1) = x
  y = sum(w*w) + sum(a*a)
end subroutine p
"""
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True, dag=True)):
        for run in compare(load_text(text), HEAD, EVERY, Inputs({}), options).runs:
            assert run.equal, (options, run.name, run.error)
