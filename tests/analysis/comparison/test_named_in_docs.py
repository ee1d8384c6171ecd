"""What docs/tapenade.md says Tapenade forgets, and docs/compare.md that it saves too much: adjoints of corpus programs
that plan as Tapenade's do, written by hand. That the first four are wrong gradients is executed by benchmarks/peer."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.library.adjoint_comparison import compare

from tests.support.corpus import CORPUS

HIDDEN_COMMON = """\
      subroutine run_b(x, xb, y, yb)
      double precision x, y, xb, yb
      call init(x)
      call march(x)
      call final_b(y, yb)
      call march_b(x, xb)
      call init_b(x, xb)
      yb = 0
      end
      subroutine init_b(x, xb)
      double precision x, xb, h, hb
      common /hid/ h
      common /hid_b/ hb
      xb = xb + hb
      end
      subroutine march_b(x, xb)
      double precision x, xb, h, hb
      common /hid/ h
      common /hid_b/ hb
      xb = h*h*hb
      hb = 2*h*x*hb
      end
      subroutine final_b(r, rb)
      double precision r, rb, h, hb
      common /hid/ h
      common /hid_b/ hb
      hb = 2*h*rb
      end
"""

HIDDEN_MODULE = """\
module state_diff
  implicit none
  real(8) :: w, wb
end module state_diff
subroutine start_nodiff(x)
  use state_diff
  implicit none
  real(8) :: x
  w = x
end subroutine start_nodiff
subroutine step_nodiff(x)
  use state_diff
  implicit none
  real(8) :: x
  w = w*x
end subroutine step_nodiff
subroutine step_b(x, xb)
  use state_diff
  implicit none
  real(8) :: x, xb
  xb = xb + w*wb
  wb = x*wb
end subroutine step_b
subroutine model_b(x, xb, n, y, yb)
  use state_diff
  implicit none
  integer :: n, i
  real(8) :: x, xb, y, yb
  call start_nodiff(x)
  do i = 1, n
    call step_nodiff(x)
  end do
  wb = 2*w*yb
  xb = 0
  do i = n, 1, -1
    call step_b(x, xb)
  end do
  xb = xb + wb
  yb = 0
end subroutine model_b
"""

SAVED = """\
subroutine accum_b(x, xb, r, rb)
  implicit none
  real(8) :: x, xb, r, rb
  real(8), save :: total = 0, totalb = 0
  total = total + x
  totalb = totalb + 2*total*rb
  xb = xb + totalb
end subroutine accum_b
subroutine twice_b(x, xb, y, yb)
  implicit none
  real(8) :: x, xb, y, yb, a, b, ab, bb
  call accum(x, a)
  call accum(x, b)
  ab = b*yb
  bb = a*yb
  xb = 0
  call accum_b(x, xb, b, bb)
  call accum_b(x, xb, a, ab)
  yb = 0
end subroutine twice_b
"""

DEALLOCATED = """\
subroutine releasing_b(x, xb, n, y, yb)
  implicit none
  integer :: n
  real(8) :: x(n), xb(n), y, yb, t, tb
  real(8), allocatable :: w(:), wb(:)
  allocate (w(n), wb(n))
  wb = 0
  w = x
  t = sum(w*w)
  deallocate (w)
  tb = 2*t*yb
  wb = wb + 2*w*tb
  xb = wb
  deallocate (wb)
  yb = 0
end subroutine releasing_b
"""


@pytest.mark.parametrize(("name", "head", "adjoint", "missing"), [
    ("common_hidden.f", "run(x)>(y)", HIDDEN_COMMON, {"/hid/h"}),
    ("module_hidden.f90", "model(x)>(y)", HIDDEN_MODULE, {"state::w"}),
    ("saved_data.f90", "twice(x)>(y)", SAVED, {"accum::total"}),
    ("deallocate.f90", "releasing(x)>(y)", DEALLOCATED, {"w"}),
])
def test_what_tapenade_forgets_is_missing(name: str, head: str, adjoint: str, missing: set[str],
                                          tmp_path: Path) -> None:
    path = tmp_path / f"adjoint_b{Path(name).suffix}"
    path.write_text(adjoint)
    found = compare([str(path)], [str(CORPUS / name)], head)
    assert {one.location for one in found.missing} == missing


BURGERS = """\
subroutine burgers_b(u, ub, n, nsteps, dt, cost, costb)
  implicit none
  integer :: n, nsteps, i, step
  real(8) :: u(n), ub(n), dt, cost, costb, flux(n), fluxb(n), nu
  nu = 1.0d-2
  do step = 1, nsteps
    call pushreal8array(u, n)
    call pushreal8(nu)
    do i = 1, n
      flux(i) = 0.5d0*u(i)*u(i)
    end do
    do i = 2, n - 1
      u(i) = u(i) - dt*(flux(i) - flux(i - 1)) + nu*dt*(u(i + 1) - u(i))
    end do
    call pushreal8(nu)
    nu = nu*(1.0d0 + 1.0d-3*dt)
  end do
  ub = 2*u*costb
  fluxb = 0
  do step = nsteps, 1, -1
    call popreal8(nu)
    call popreal8(nu)
    call popreal8array(u, n)
    do i = n - 1, 2, -1
      fluxb(i) = fluxb(i) - dt*ub(i)
      fluxb(i - 1) = fluxb(i - 1) + dt*ub(i)
      ub(i + 1) = ub(i + 1) + nu*dt*ub(i)
      ub(i) = ub(i) - nu*dt*ub(i)
    end do
    do i = n, 1, -1
      ub(i) = ub(i) + u(i)*fluxb(i)
      fluxb(i) = 0
    end do
  end do
  costb = 0
end subroutine burgers_b
"""


def test_what_is_popped_twice_in_a_row_is_pushed_once_too_often(tmp_path: Path) -> None:
    """The row of burgers_region.f90 in docs/compare.md: 1 of 3 PUSHes."""
    (tmp_path / "burgers_b.f90").write_text(BURGERS)
    found = compare([str(tmp_path / "burgers_b.f90")], [str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)")
    assert [(one.location, one.line, one.pops) for one in found.saved if one.superfluous] == [("nu", 15, (21,))]
    assert len(found.saved) == 3
    assert not found.missing
