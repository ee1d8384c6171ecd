"""An adjoint in Tapenade's form, and what is wrong with its stack in one place: gfortran says that the gradient is
another one, the comparison says of what."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

CASE = AdjointCase("stack", "model(x)>(y)", """\
subroutine grow(u, n, t)
  integer :: n
  real(8) :: u(n), t
  u = u*u*t
end subroutine grow
subroutine model(x, n, y)
  integer :: n, i, k
  real(8) :: x(n), y, t, s, u(n), v(n)
  t = x(1)
  s = x(2)
  u = x
  v = x
  do i = 1, n
    if (t < 0.9d0) then
      t = t*x(i) + s
    else
      t = sin(t)
    end if
    s = s*t
    call grow(u, n, t)
    do k = 1, n
      v(k) = v(k)*v(k)*t
    end do
  end do
  y = t*s + sum(u) + sum(v)
end subroutine model
""", """\
subroutine grow_b(u, ub, n, t, tb)
  implicit none
  integer :: n
  real(8) :: u(n), ub(n), t, tb
  tb = tb + sum(u**2*ub)
  ub = 2*u*t*ub
end subroutine grow_b
subroutine grow_nodiff(u, n, t)
  implicit none
  integer :: n
  real(8) :: u(n), t
  u = u*u*t
end subroutine grow_nodiff
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, k, branch
  real(8) :: x(n), xb(n), y, yb, t, s, u(n), v(n)
  real(8) :: tb, sb, ub(n), vb(n)
  t = x(1)
  s = x(2)
  u = x
  v = x
  do i=1,n
    if (t .lt. 0.9d0) then
      call pushreal8(t)
      t = t*x(i) + s
      call pushcontrol1b(0)
    else
      call pushreal8(t)
      t = sin(t)
      call pushcontrol1b(1)
    end if
    call pushreal8(s)
    s = s*t
    call pushreal8array(u, n)
    call grow_nodiff(u, n, t)
    do k=1,n
      call pushreal8(v(k))
      v(k) = v(k)*v(k)*t
    end do
  end do
  xb = 0.0_8
  tb = s*yb
  sb = t*yb
  ub = yb
  vb = yb
  do i=n,1,-1
    do k=n,1,-1
      call popreal8(v(k))
      tb = tb + v(k)**2*vb(k)
      vb(k) = 2*v(k)*t*vb(k)
    end do
    call popreal8array(u, n)
    call grow_b(u, ub, n, t, tb)
    call popreal8(s)
    tb = tb + s*sb
    sb = t*sb
    call popcontrol1b(branch)
    if (branch .eq. 0) then
      call popreal8(t)
      xb(i) = xb(i) + t*tb
      sb = sb + tb
      tb = x(i)*tb
    else
      call popreal8(t)
      tb = cos(t)*tb
    end if
  end do
  xb = xb + vb + ub
  xb(2) = xb(2) + sb
  xb(1) = xb(1) + tb
  yb = 0.0_8
end subroutine model_b
""")


def faulty(*changes: tuple[str, str]) -> str:
    text = CASE.adjoint
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


FAULTS = {
    "another place's value": (("s", "y"), faulty(("popreal8(s)", "popreal8(y)"))),
    "a number nobody pushes": (("branch",), faulty(("pushcontrol1b(0)", "pushcontrol1b(1)"))),
    "a loop that is not turned": (("v",), faulty(("do k=n,1,-1", "do k=1,n"))),
    "in some turns only": (("u",), faulty(
        ("    call pushreal8array(u, n)\n", "    if (i .gt. 2) call pushreal8array(u, n)\n"),
        ("    call popreal8array(u, n)\n", "    if (i .gt. 2) call popreal8array(u, n)\n"))),
    "too few elements": (("u",), faulty(
        ("pushreal8array(u, n)", "pushreal8array(u, n - 1)"),
        ("popreal8array(u, n)", "popreal8array(u, n - 1)"))),
    "one element for all": (("v",), faulty(
        ("pushreal8(v(k))", "pushreal8(v(1))"), ("popreal8(v(k))", "popreal8(v(1))"))),
    "no number at all": (("branch",), faulty(
        ("      call pushcontrol1b(0)\n", ""), ("      call pushcontrol1b(1)\n", ""),
        ("    call popcontrol1b(branch)\n", ""))),
}


def test_nothing_is_wrong_with_the_whole_adjoint(tmp_path: Path) -> None:
    found = compared(CASE, CASE.adjoint, tmp_path)
    assert not found.missing
    assert not found.not_followed
    assert all(one.verdict == "needed" for one in found.saved)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_called_missing_and_changes_the_gradient(name: str, tmp_path: Path) -> None:
    places, text = FAULTS[name]
    found = compared(CASE, text, tmp_path)
    assert {one.location for one in found.missing} == set(places)
    assert gradient(CASE, text, tmp_path / "faulty") != gradient(CASE, CASE.adjoint, tmp_path / "right")
