"""A PUSH that stands behind the statement that overwrites what it should save, and values that are overwritten unread.

gfortran says that the gradient of the whole adjoint is another one than that of the spoilt one; `compare` says what is
missing there, and of the whole one nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

SUMMED = AdjointCase("summed", "model(x)>(y)", """\
module cells
  type cell
    real(8) :: q, z
  end type
contains
  subroutine step(c, y)
    type(cell) :: c
    real(8) :: y
    y = y + 0.1d0*c%q*c%q
    c%z = y
  end subroutine step
end module cells
subroutine model(x, n, y)
  use cells
  integer :: n, i, k, it
  type(cell) :: r(n)
  real(8) :: x(n), y
  y = 1
  do it = 1, 3
    do i = 1, n
      r(i)%q = 0
      do k = 1, 2
        r(i)%q = r(i)%q + k*x(i)*y
      end do
    end do
    do i = 1, n
      call step(r(i), y)
    end do
  end do
end subroutine model
""", """\
subroutine step_b(c, cb, y, yb)
  use cells
  type(cell) :: c, cb
  real(8) :: y, yb
  yb = yb + cb%z
  cb%z = 0
  cb%q = cb%q + 0.2d0*c%q*yb
end subroutine step_b
subroutine model_b(x, xb, n, y, yb)
  use cells
  integer :: n, i, k, it
  type(cell) :: r(n), rb(n)
  real(8) :: x(n), xb(n), y, yb
  y = 1
  do it = 1, 3
    do i = 1, n
      call pushreal8(r(i)%q) ! q
      r(i)%q = 0
      do k = 1, 2
        r(i)%q = r(i)%q + k*x(i)*y
      end do
    end do
    do i = 1, n
      call pushreal8(y) ! y
      call step(r(i), y)
    end do
  end do
  rb%q = 0
  rb%z = 0
  do it = 3, 1, -1
    do i = n, 1, -1
      call popreal8(y) ! y
      call step_b(r(i), rb(i), y, yb)
    end do
    do i = n, 1, -1
      do k = 2, 1, -1
        xb(i) = xb(i) + k*y*rb(i)%q
        yb = yb + k*x(i)*rb(i)%q
      end do
      call popreal8(r(i)%q) ! q
      rb(i)%q = 0
    end do
  end do
  yb = 0
end subroutine model_b
""")
"""What r(i)%q is summed up from is overwritten by the next summand, and no derivative reads it."""

PASSED = AdjointCase("passed", "model(x)>(y)", """\
subroutine grow(a, k, t)
  integer :: k
  real(8) :: a, t
  t = t + a*a/k
end subroutine grow
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  do i = 1, n
    call grow(x(i)*t, i + 1, t)
    t = t*x(i)
  end do
  y = t
end subroutine model
""", """\
subroutine grow_b(a, ab, k, t, tb)
  integer :: k
  real(8) :: a, ab, t, tb
  ab = ab + 2*a*tb/k
end subroutine grow_b
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, arg2
  real(8) :: x(n), xb(n), y, yb, t, tb, arg1, arg1b
  t = 1
  do i = 1, n
    call pushreal8(arg1) ! arg1
    arg1 = x(i)*t
    arg2 = i + 1
    call pushreal8(t) ! t
    call grow(arg1, arg2, t)
    call pushreal8(t) ! u
    t = t*x(i)
  end do
  tb = yb
  do i = n, 1, -1
    call popreal8(t) ! u
    xb(i) = xb(i) + t*tb
    tb = x(i)*tb
    call popreal8(t) ! t
    arg2 = i + 1
    arg1b = 0
    call grow_b(arg1, arg1b, arg2, t, tb)
    call popreal8(arg1) ! arg1
    xb(i) = xb(i) + t*arg1b
    tb = tb + x(i)*arg1b
  end do
  yb = 0
end subroutine model_b
""")
"""The tool has made arg1, and the adjoint of what is called reads it."""

WRITTEN = AdjointCase("written", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, w
  y = 0
  w = 1
  do i = 1, n
    w = w + x(i)
    w = w*(1 + abs(x(i)))
    w = w*w
    y = y + w
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, branch
  real(8) :: x(n), xb(n), y, yb, w, wb, abs0, abs0b
  y = 0
  w = 1
  do i = 1, n
    w = w + x(i)
    if (x(i) >= 0) then
      call pushreal8(abs0) ! b
      abs0 = x(i)
      call pushcontrol1b(0)
    else
      call pushreal8(abs0) ! b
      abs0 = -x(i)
      call pushcontrol1b(1)
    end if
    call pushreal8(w) ! w
    w = w*(1 + abs0)
    call pushreal8(w) ! v
    w = w*w
    y = y + w
  end do
  wb = 0
  do i = n, 1, -1
    wb = wb + yb
    call popreal8(w) ! v
    wb = 2*w*wb
    call popreal8(w) ! w
    abs0b = w*wb
    wb = (1 + abs0)*wb
    call popcontrol1b(branch)
    if (branch .eq. 0) then
      call popreal8(abs0) ! b
      xb(i) = xb(i) + abs0b
    else
      call popreal8(abs0) ! b
      xb(i) = xb(i) - abs0b
    end if
    xb(i) = xb(i) + wb
  end do
  yb = 0
end subroutine model_b
""")
"""The tool has written w = w*(1 + abs(x(i))) in another way."""

SCALED = AdjointCase("scaled", "model(x)>(y)", """\
subroutine grow(a, t)
  real(8) :: a, t
  t = t + a*a
end subroutine grow
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t, s
  t = 1
  s = 0.5d0
  do i = 1, n
    call grow(s*x(i), t)
    s = min(1.3d0*s, 1d0)
  end do
  y = t
end subroutine model
""", """\
subroutine grow_b(a, ab, t, tb)
  real(8) :: a, ab, t, tb
  ab = ab + 2*a*tb
end subroutine grow_b
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, branch
  real(8) :: x(n), xb(n), y, yb, t, tb, s, arg1, arg1b
  t = 1
  s = 0.5d0
  do i = 1, n
    arg1 = s*x(i)
    call grow(arg1, t)
    if (1.3d0*s .gt. 1d0) then
      call pushreal8(s) ! s
      s = 1d0
      call pushcontrol1b(0)
    else
      call pushreal8(s) ! s
      s = 1.3d0*s
      call pushcontrol1b(1)
    end if
  end do
  tb = yb
  do i = n, 1, -1
    call popcontrol1b(branch)
    if (branch .eq. 0) then
      call popreal8(s) ! s
    else
      call popreal8(s) ! s
    end if
    arg1 = s*x(i)
    arg1b = 0
    call grow_b(arg1, arg1b, t, tb)
    xb(i) = xb(i) + s*arg1b
  end do
  yb = 0
end subroutine model_b
""")
"""arg1 is computed again, from s; the tool has written min(1.3d0*s, 1d0) in another way."""

ELEMENTS = AdjointCase("elements", "model(x)>(y)", """\
subroutine fill(w, n, r)
  integer :: n
  real(8) :: w(n), r
  r = 0.2d0*r + sum(w*w)
end subroutine fill
subroutine water(w, n, r)
  integer :: n, k
  real(8) :: w(n), r
  do k = 1, n
    w(k) = w(k) + 0.1d0*sin(w(k))*r
  end do
end subroutine water
subroutine model(x, n, y)
  integer :: n, it
  real(8) :: x(n), y, w(n), r
  w = x
  r = 1
  do it = 1, 3
    call fill(w, n, r)
    call water(w, n, r)
  end do
  y = r + sum(w)
end subroutine model
""", """\
subroutine fill_b(w, wb, n, r, rb)
  integer :: n
  real(8) :: w(n), wb(n), r, rb
  wb = wb + 2*w*rb
  rb = 0.2d0*rb
end subroutine fill_b
subroutine fill_nodiff(w, n, r)
  integer :: n
  real(8) :: w(n), r
  r = 0.2d0*r + sum(w*w)
end subroutine fill_nodiff
subroutine water_b(w, wb, n, r, rb)
  integer :: n, k
  real(8) :: w(n), wb(n), r, rb
  do k = 1, n
    call pushreal8(w(k)) ! w
    w(k) = w(k) + 0.1d0*sin(w(k))*r
  end do
  do k = n, 1, -1
    call popreal8(w(k)) ! w
    rb = rb + 0.1d0*sin(w(k))*wb(k)
    wb(k) = wb(k) + 0.1d0*cos(w(k))*r*wb(k)
  end do
end subroutine water_b
subroutine water_nodiff(w, n, r)
  integer :: n, k
  real(8) :: w(n), r
  do k = 1, n
    w(k) = w(k) + 0.1d0*sin(w(k))*r
  end do
end subroutine water_nodiff
subroutine model_b(x, xb, n, y, yb)
  integer :: n, it
  real(8) :: x(n), xb(n), y, yb, w(n), wb(n), r, rb
  w = x
  r = 1
  do it = 1, 3
    call pushreal8(r)
    call fill_nodiff(w, n, r)
    call pushreal8array(w, n)
    call water_nodiff(w, n, r)
  end do
  rb = yb
  wb = yb
  do it = 3, 1, -1
    call popreal8array(w, n)
    call water_b(w, wb, n, r, rb)
    call popreal8(r)
    call fill_b(w, wb, n, r, rb)
  end do
  xb = xb + wb
  yb = 0
end subroutine model_b
""")
"""water_b has to leave w as it found it: fill_b reads it next."""

CASES = (SUMMED, PASSED, WRITTEN, SCALED, ELEMENTS)


def lost(case: AdjointCase, letter: str) -> str:
    return "".join(line for line in case.adjoint.splitlines(keepends=True) if f"! {letter}\n" not in line)


def moved(case: AdjointCase, name: str) -> str:
    """The PUSH that bears a name behind the statement that it stands before."""
    lines = case.adjoint.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if "push" in line and f"! {name}\n" in line:
            lines[at], lines[at + 1] = lines[at + 1], line
            return "".join(lines)
    raise AssertionError(name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_is_missing_in_what_is_right(case: AdjointCase, tmp_path: Path) -> None:
    assert not compared(case, case.adjoint, tmp_path).missing


@pytest.mark.parametrize(("case", "spoil", "name", "location"), [
    (SUMMED, lost, "q", "r%q"), (SUMMED, lost, "y", "y"), (PASSED, moved, "arg1", "arg1"),
    (PASSED, lost, "arg1", "arg1"),
    (WRITTEN, moved, "w", "w"), (WRITTEN, lost, "w", "w"), (WRITTEN, moved, "v", "w"),
    (SCALED, moved, "s", "s"), (SCALED, lost, "s", "s"), (ELEMENTS, moved, "w", "w"), (ELEMENTS, lost, "w", "w"),
], ids=lambda one: one.name if isinstance(one, AdjointCase) else getattr(one, "__name__", one))
def test_what_a_moved_or_lost_push_does_not_save_is_missing(case: AdjointCase, spoil: object, name: str, location: str,
                                                            tmp_path: Path) -> None:
    assert callable(spoil)
    wrong = spoil(case, name)
    right = gradient(case, case.adjoint, tmp_path / "right")
    assert right.split()
    assert gradient(case, wrong, tmp_path / "wrong") not in ("", right)
    assert location in {one.location for one in compared(case, wrong, tmp_path).missing}
