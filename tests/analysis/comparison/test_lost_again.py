"""Losses that a second look at the holdout's misses found: what is computed again elsewhere, in a branch that turns, or
overwritten by a statement that the source's own adjoint would leave out.

A PUSH and its POP bear the same letter behind a ``!``; gfortran says whether the gradient is another one without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared
from tests.analysis.comparison.test_lost_on_holdout import lacking

AGAIN = AdjointCase("again", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, h, c(4)
  do i = 1, n
    h = x(i)*x(1)
    c(i) = sin(h)
  end do
  y = 0
  do i = 1, n
    h = c(i)*x(2)
    y = y + h*h
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, h, hb, c(4), cb(4)
  do i=1,n
    call pushreal8(h) ! a
    h = x(i)*x(1)
    c(i) = sin(h)
  end do
  y = 0
  do i=1,n
    call pushreal8(h) ! b
    h = c(i)*x(2)
    y = y + h*h
  end do
  cb = 0
  do i=n,1,-1
    h = c(i)*x(2)
    hb = 2*h*yb
    call popreal8(h) ! b
    cb(i) = cb(i) + x(2)*hb
    xb(2) = xb(2) + c(i)*hb
  end do
  yb = 0
  do i=n,1,-1
    hb = cos(h)*cb(i)
    cb(i) = 0
    call popreal8(h) ! a
    xb(i) = xb(i) + x(1)*hb
    xb(1) = xb(1) + x(i)*hb
  end do
end subroutine model_b
""")

EACH = AdjointCase("each", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  y = 1
  do i = 1, n
    t = x(i)*x(1)
    y = y + sin(t)
    t = x(i)*x(2)
    y = y*cos(t)
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, t, tb
  y = 1
  do i=1,n
    call pushreal8(t) ! a
    t = x(i)*x(1)
    y = y + sin(t)
    t = x(i)*x(2)
    call pushreal8(y) ! b
    y = y*cos(t)
  end do
  do i=n,1,-1
    call popreal8(y) ! b
    tb = -(sin(t)*y*yb)
    yb = cos(t)*yb
    xb(i) = xb(i) + x(2)*tb
    xb(2) = xb(2) + x(i)*tb
    t = x(i)*x(1)
    tb = cos(t)*yb
    call popreal8(t) ! a
    xb(i) = xb(i) + x(1)*tb
    xb(1) = xb(1) + x(i)*tb
  end do
  yb = 0
end subroutine model_b
""")
"""t = x(i)*x(2) needs no PUSH: what it overwrites is computed again, behind what reads its own value."""

TURNING = AdjointCase("turning", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, s, t
  s = sqrt(bend(x(1)))
  t = sqrt(bend(x(2)))
  if (x(3) > 100) then
    y = s
  else
    y = bend(x(3))*s*t
  end if
contains
  real(8) function bend(a)
    real(8) :: a
    bend = 1 + a*a
  end function bend
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, s, t, sb, tb
  real(8) :: result1, result1b
  result1 = bend(x(1))
  s = sqrt(result1)
  call pushreal8(result1) ! a
  result1 = bend(x(2))
  t = sqrt(result1)
  if (x(3) > 100) then
    sb = yb
    tb = 0
  else
    call pushreal8(result1) ! b
    result1 = bend(x(3))
    sb = result1*t*yb
    tb = result1*s*yb
    result1b = s*t*yb
    call popreal8(result1) ! b
    call bend_b(x(3), xb(3), result1b)
  end if
  yb = 0
  if (result1 == 0.0) then
    result1b = 0
  else
    result1b = tb/(2*sqrt(result1))
  end if
  call popreal8(result1) ! a
  call bend_b(x(2), xb(2), result1b)
  if (result1 == 0.0) then
    result1b = 0
  else
    result1b = sb/(2*sqrt(result1))
  end if
  call bend_b(x(1), xb(1), result1b)
contains
  subroutine bend_b(a, ab, bendb)
    real(8) :: a, ab, bendb
    ab = ab + 2*a*bendb
  end subroutine bend_b
  real(8) function bend(a)
    real(8) :: a
    bend = 1 + a*a
  end function bend
end subroutine model_b
""")

LEFT_OUT = AdjointCase("left out", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, e(4)
  y = 1
  e(1:n) = 2*x
  do i = 1, n
    y = y + sin(e(i))
    e(i) = 3*e(i)
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, e(4), eb(4)
  y = 1
  e(1:n) = 2*x
  do i=1,n
    y = y + sin(e(i))
    call pushreal8(e(i)) ! a
    e(i) = 3*e(i)
  end do
  eb = 0
  do i=n,1,-1
    call popreal8(e(i)) ! a
    eb(i) = 3*eb(i)
    eb(i) = eb(i) + cos(e(i))*yb
  end do
  xb = xb + 2*eb(1:n)
  yb = 0
end subroutine model_b
""")
"""Nobody reads e(i) once it is overwritten, so that an adjoint need not overwrite it; this one does."""

TWICE = AdjointCase("twice", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, v, h
  y = 0
  do i = 1, n
    h = x(i)
    call pick(x(i), h, v)
    h = h*max(0.2d0, 1 - v)
    call pick(x(i), h, v)
    y = y + v*v
  end do
end subroutine model
subroutine pick(a, h, v)
  real(8), intent(in) :: a, h
  real(8), intent(out) :: v
  v = a*h
end subroutine pick
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, branch
  real(8) :: x(n), xb(n), y, yb, v, vb, h, hb, max1, max1b
  y = 0
  do i=1,n
    call pushreal8(h) ! c
    h = x(i)
    call pushreal8(v) ! a
    call pick(x(i), h, v)
    if (0.2d0 < 1 - v) then
      call pushreal8(max1)
      max1 = 1 - v
      call pushcontrol1b(0)
    else
      call pushreal8(max1)
      max1 = 0.2d0
      call pushcontrol1b(1)
    end if
    call pushreal8(h) ! b
    h = h*max1
    call pick(x(i), h, v)
    y = y + v*v
  end do
  do i=n,1,-1
    vb = 2*v*yb
    hb = 0
    call pick_b(x(i), xb(i), h, hb, v, vb)
    call popreal8(h) ! b
    max1b = h*hb
    hb = max1*hb
    call popcontrol1b(branch)
    if (branch == 0) then
      call popreal8(max1)
      vb = -max1b
    else
      call popreal8(max1)
      vb = 0
    end if
    call popreal8(v) ! a
    call pick_b(x(i), xb(i), h, hb, v, vb)
    call popreal8(h) ! c
    xb(i) = xb(i) + hb
  end do
  yb = 0
end subroutine model_b
subroutine pick_b(a, ab, h, hb, v, vb)
  real(8) :: a, ab, h, hb, v, vb
  ab = ab + h*vb
  hb = hb + a*vb
  vb = 0
end subroutine pick_b
""")
"""The second call overwrites v, which only a MAX reads before, and a control has kept which side it took. What reads v
where the turn back begins reads what that call made."""

AMONG = AdjointCase("among", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, h
  y = 1
  do i = 1, n
    h = x(i)*x(1)
    y = 1 + h*y
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, h, hb
  y = 1
  do i=1,n
    h = x(i)*x(1)
    call pushreal8(y) ! a
    y = 1 + h*y
  end do
  do i=n,1,-1
    h = x(i)*x(1)
    call popreal8(y) ! a
    hb = y*yb
    xb(i) = xb(i) + x(1)*hb
    yb = h*yb
    xb(1) = xb(1) + x(i)*hb
  end do
  yb = 0
end subroutine model_b
""")
"""yb = h*yb is of the statement behind h = ..., though it stands among those of its adjoint: right."""


@pytest.mark.parametrize(("case", "letter", "location"), [
    (AGAIN, "a", "h"), (AGAIN, "b", "h"), (EACH, "b", "y"), (TURNING, "a", "result1"), (TURNING, "b", "result1"),
    (LEFT_OUT, "a", "e"), (TWICE, "a", "v"), (TWICE, "b", "h"), (TWICE, "c", "h"), (AMONG, "a", "y"),
], ids=lambda one: one.name if isinstance(one, AdjointCase) else one)
def test_a_loss_that_changes_the_gradient_is_missing(case: AdjointCase, letter: str, location: str,
                                                     tmp_path: Path) -> None:
    broken = lacking(case, letter)
    assert gradient(case, broken, tmp_path / "broken") != gradient(case, case.adjoint, tmp_path / "right")
    assert {one.location for one in compared(case, broken, tmp_path).missing} == {location}


@pytest.mark.parametrize("case", [AGAIN, EACH, TURNING, LEFT_OUT, TWICE, AMONG], ids=lambda one: one.name)
def test_nothing_is_missing_of_the_whole_adjoint(case: AdjointCase, tmp_path: Path) -> None:
    assert gradient(case, case.adjoint, tmp_path / "right").strip()
    assert not compared(case, case.adjoint, tmp_path).missing
