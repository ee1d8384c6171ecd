"""Functions in WHERE: in masks, in masked ELSEWHERE, in what is assigned; each is evaluated once, before that.

gfortran runs a scalar function again for each element, and an array function of a mask twice, so that it gives other
values where these have side effects or read what is assigned. By the standard (10.2.3.2) each reference is evaluated
once, without the mask: the judge of those is gfortran on the same statements written out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled
from tests.support.judged import judge, wrong_plans

HEAD = "run(x)>(y)"
GIVEN = Inputs({"x": [0.6, 0.9, 1.2, 0.7]})
FRAME = """
module m
  implicit none
  real(8) :: shared(4), hidden = 0.5d0
  integer :: calls = 0
contains
  subroutine run(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: w(4), v(4), t1(4), t2(4), t3(4), t4(4), t
    logical :: m1(4), m2(4), e1(4), e2(4)
    shared = x
    calls = 0
    w = x*1.1d0
    v = 0.3d0
{body}
    y = sum(v*w) + 0.01d0*calls + sum(shared)
  end subroutine
  function arr(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(size(a))
    calls = calls + 1
    r = a*hidden + shared(2)*calls*0.1d0
    shared(2) = shared(2)*0.9d0
  end function
  real(8) function limit(a)
    real(8), intent(in) :: a
    calls = calls + 1
    limit = a*a + shared(1)
    shared(1) = shared(1) + 0.1d0*a
  end function
  elemental real(8) function sh(a)
    real(8), intent(in) :: a
    sh = sin(a) + a*a
  end function
end module
"""
WHERE = """
    where (arr(w) > 0.8d0)
      v = w*arr(w)
    elsewhere (w < limit(w(1)))
      v = sh(w) + limit(w(2))
    elsewhere
      v = sh(w)*sh(shared)
    end where
    where (arr(v) > 0.9d0)
      shared = limit(v(1))
    elsewhere
      shared = shared - arr(shared)
    end where
"""
WRITTEN_OUT = """
    t1 = arr(w)
    m1 = t1 > 0.8d0
    t2 = arr(w)
    where (m1) v = w*t2
    t = limit(w(1))
    e1 = .not. m1 .and. w < t
    t = limit(w(2))
    where (e1) v = sh(w) + t
    e2 = .not. m1 .and. .not. e1
    where (e2) v = sh(w)*sh(shared)
    t3 = arr(v)
    m2 = t3 > 0.9d0
    t = limit(v(1))
    where (m2) shared = t
    t4 = arr(shared)
    where (.not. m2) shared = shared - t4
"""
PURE = """
module m
  implicit none
  real(8) :: shared(4), hidden = 0.5d0
  integer :: calls = 0
contains
  subroutine run(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: w(4), v(4)
    shared = x
    calls = 0
    w = x*1.1d0
    ! masks: array function with side effect, scalar function, elemental function
    where (arr(w) > 0.8d0)
      v = w*arr(w)
    elsewhere (w < limit(w(1)))
      v = sh(w) + limit(w(2))
    elsewhere
      v = sh(w)*sh(shared)
    end where
    where (sh(v) > 0.4d0) v = v*sh(v)
    where (merge(arr(v), w, v > 1.0d0) > 0.6d0) w = merge(sh(w), v, arr(w) > 0.9d0)
    v = v + w
    where (v > sum(arr(v))/4)
       v = sum(arr(v)) - v
       w = v*arr(w)
    elsewhere (arr(v) > 1.d0)
       w = v
       v = w*w
    end where
    y = sum(v*w) + 0.01d0*calls
  end subroutine
  function arr(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(size(a))
    r = a*hidden + shared(2)*0.1d0
  end function
  function limit(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r(4)
    r = a*a + shared(1)
  end function
  elemental real(8) function sh(a)
    real(8), intent(in) :: a
    sh = sin(a) + a*a
  end function
end module
"""


def found(text: str) -> list[Array]:
    """The dependents' values and the gradient."""
    (head,) = parse_heads(HEAD)
    wanted = ExperimentOptions(limit=1_000_000, predict=False)
    reference = compare(load_text(text), head, (LAZY,), GIVEN, wanted=wanted).reference
    return [np.array(one.elements) for one in (*reference.values.values(), *reference.gradient.values())]


def test_functions_with_side_effects_are_evaluated_once(tmp_path: Path) -> None:
    where, written_out = (FRAME.replace("{body}", body) for body in (WHERE, WRITTEN_OUT))
    agrees_with_compiled(written_out, HEAD, tmp_path, GIVEN, ways=3)
    for one, other in zip(found(where), found(written_out), strict=True):
        assert np.allclose(one, other, rtol=1e-13, atol=0)
    assert not wrong_plans(where, HEAD, GIVEN)


def test_functions_that_read_what_is_assigned(tmp_path: Path) -> None:
    judge(PURE, HEAD, tmp_path, GIVEN)
