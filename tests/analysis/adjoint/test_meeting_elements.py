"""Elements that meet under two names, or that something else reaches, are taped when they are written."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.analysis.adjoint.test_element_tape import STRATEGIES, TAPE, executed, text_of

INC = """subroutine inc(m)
  integer, intent(inout) :: m
  m = m + 1
end subroutine inc
"""
# What could make two elements seem apart that are one: numbers and bounds that change between a read and a write, loops
# that are left or entered anew, parts within.
MEETING = {
    "m changed between": """\
  m = 3
  b(1) = sin(a(m))
  m = m + 1
  a(m - 1) = 0.5d0*b(1)
  b(2) = a(3)*b(1)""",
    "m changed, loops": """\
  m = 2
  do i = 1, 2
    b(i) = sin(a(m + i))
  end do
  m = m + 1
  do i = 1, 2
    a(m + i - 1) = 0.5d0*b(i)
  end do
  b = b*a""",
    "m changed in loop": """\
  m = 1
  do i = 1, n - 1
    b(i) = sin(a(m))
    m = m + 1
    a(m - 1) = 0.5d0*b(i)
  end do
  b = b*a""",
    "bound changed inside": """\
  m = n
  do i = 1, m
    b(i) = b(i)*sin(a(i))
    m = 2
  end do
  do i = 3, n
    a(i) = a(i) + b(i)
  end do
  b = b*a""",
    "bound changed between": """\
  m = 2
  do i = m, n
    b(i) = b(i)*sin(a(i))
  end do
  m = 4
  do i = 2, m - 1
    a(i) = 0.3d0*b(i)
  end do
  b = b*a""",
    "var after loop": """\
  do i = 1, 3
    b(i) = a(i)**2
  end do
  a(i - 1) = 0.5d0*b(1)
  b = b*a""",
    "var after loop 2": """\
  do i = 1, 3
    b(i) = a(i)**2
  end do
  b(1) = b(1)*sin(a(i))
  a(4) = 0.5d0*b(1)
  b = b*a""",
    "index reused": """\
  do i = 1, n
    b(i) = b(i)*sin(a(i))
    do j = 1, i
      a(j) = a(j) + 0.1d0*b(i)
    end do
  end do
  b = b*a""",
    "index reused down": """\
  do i = n, 1, -1
    b(i) = b(i)*sin(a(i))
    do j = 1, i - 1
      a(j) = a(j) + 0.1d0*b(i)
    end do
  end do
  b = b*a""",
    "cycle": """\
  do i = 2, n
    b(i) = b(i)*sin(a(i - 1))
    if (x(1) > 0.0d0 .and. i == 3) cycle
    a(i) = 0.5d0*a(i) + b(i)
  end do
  b = b*a""",
    "goto back": """\
  m = 0
10 m = m + 1
  do i = 2, n
    a(i) = a(i) + a(i - 1)**2
  end do
  if (m < 3) goto 10
  b = b*a""",
    "while around": """\
  m = 0
  do while (m < 3)
    do i = 2, n
      a(i) = a(i) + a(i - 1)**2
    end do
    m = m + 1
  end do
  b = b*a""",
    "step two": """\
  do i = 1, n, 2
    b(i) = b(i)*sin(a(i))
  end do
  do i = 2, n, 2
    a(i) = 0.3d0*a(i) + b(i)
  end do
  do i = 1, n, 2
   a(i) = 0.2d0*a(i) + b(i)
  end do
  b = b*a""",
    "negative unknown step": """\
  m = -1
  do i = n, 2, m
    a(i - 1) = a(i - 1) + a(i)**2
  end do
  m = 1
  do i = 1, n - 1, m
    a(i + 1) = a(i + 1) + a(i)**2
  end do
  b = b*a""",
    "section": """\
  do i = 2, n
    b(1:i) = b(1:i)*sin(a(1:i))
    a(i) = 0.5d0*a(i) + b(i)
  end do
  b = b*a""",
    "section shift": """\
  do i = 1, 3
    a(2:n) = a(2:n) + 0.1d0*a(1:n-1)**2
    b = b*a
  end do""",
    "if both": """\
  do i = 2, n
    if (b(i) > 0.5d0) then
      a(i) = a(i) + a(i-1)**2
    else
      a(i - 1) = a(i - 1) + a(i)**2
    end if
  end do
  b = b*a""",
    "exit": """\
  do k = 1, 3
    do i = 2, n
      a(i) = a(i) + 0.1d0*a(i-1)**2
      if (i == k + 1) exit
    end do
    b(k) = b(k)*a(i)
  end do""",
    "call changes m": """\
  m = 2
  b(1) = sin(a(m))
  call inc(m)
  a(m - 1) = 0.5d0*b(1)
  b = b*a""",
    "part in loop": """\
  do k = 1, 3
!$AD CHECKPOINT-START
    b = b*sin(a)
    do i = 2, n
      a(i) = a(i) + 0.1d0*a(i - 1)**2
    end do
!$AD CHECKPOINT-END
    a(1) = a(1)*b(2)
    b(k) = b(k)*a(k + 1)
  end do""",
    "part whose m changes": """\
  m = 1
  do k = 1, 3
!$AD CHECKPOINT-START
    b(m) = b(m)*sin(a(m))
    m = m + 1
    a(m - 1) = 0.3d0*b(m)
!$AD CHECKPOINT-END
    b(k) = b(k)*a(k + 1)
  end do""",
    "implicit wrap": """\
  do k = 1, 2
    do i = 1, n
      m = i + 1
      if (m > n) m = 1
      a(i) = a(i) + 0.1d0*a(m)**2
    end do
  end do
  b = b*a""",
    "inner uses outer after": """\
  do k = 1, 3
    do i = k, n
      b(i) = b(i)*sin(a(k))
    end do
    a(k) = 0.3d0*b(k)
    if (k > 1) a(k - 1) = 0.4d0*b(k)
  end do
  b = b*a""",
    "changed loop var by name": """\
  do i = 1, 3
    b(i) = sin(a(i))
  end do
  do j = 1, 3
    i = j
    a(i) = 0.5d0*b(i)
  end do
  b = b*a""",
}


@pytest.mark.parametrize("name", MEETING)
def test_elements_that_meet_are_taped(name: str) -> None:
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True), AnalysisOptions(recompute=True, dag=True),
                    AnalysisOptions(first_run="whole"), AnalysisOptions(call_checkpoints=False)):
        executed(text_of(MEETING[name], INC), options)


@pytest.mark.parametrize("step", ["n - 2", "max(1, n - 2)", "2 - n"])
def test_a_loop_whose_direction_is_not_known_has_no_bounds(step: str) -> None:
    """``do i = 1, 3, n - 2; y = y + a(i)**2`` may run up or down: what it read of a is overwritten behind it."""
    first, last = (3, 1) if step == "2 - n" else (1, 3)
    text = f"""subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(9)
  integer :: i
  a = 0.2d0*x
  y = 0
  do i = {first}, {last}, {step}
    y = y + a(i)**2
  end do
  a(1:n) = x
  y = y + sum(a*a)
end subroutine p
"""
    (head,) = parse_heads("p(x)>(y)")
    for options in (AnalysisOptions(), TAPE, AnalysisOptions(recompute=True)):
        assert compare(load_text(text), head, STRATEGIES, Inputs({"n": 3}), options).equal
