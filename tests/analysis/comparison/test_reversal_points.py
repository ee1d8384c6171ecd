"""From where on the backward sweep reads what is lost, and where a second run begins though more is on the stack.

A PUSH and its POPs bear the same letter behind a ``!``; gfortran says whether the gradient is another one without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

AGAIN = AdjointCase("again", "model(x)>(y)", """\
subroutine step(c, v)
  real(8) :: c, v
  v = c*c
end subroutine step
subroutine model(x, n, y)
  integer :: n, i, j
  real(8) :: x(n), y, c, v
  y = 0
  do i = 1, n
    c = x(i)
    call step(c, v)
    do j = 1, 2
      c = c*max(0.2d0, 1d0 - 0.5d0*v)
      call step(c, v)
    end do
    y = y + c*v
  end do
end subroutine model
""", """\
subroutine step_b(c, cb, v, vb)
  real(8) :: c, cb, v, vb
  cb = cb + 2*c*vb
end subroutine step_b
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, j, branch
  real(8) :: x(n), xb(n), y, yb, c, cb, v, vb, max1, max1b
  do i=1,n
    call pushreal8(c) ! c
    c = x(i)
    call pushreal8(v) ! v
    call step(c, v)
    do j=1,2
      if (0.2d0 .lt. 1d0 - 0.5d0*v) then
        call pushreal8(max1) ! m
        max1 = 1d0 - 0.5d0*v
        call pushcontrol1b(0)
      else
        call pushreal8(max1) ! m
        max1 = 0.2d0
        call pushcontrol1b(1)
      end if
      call pushreal8(c) ! d
      c = c*max1
      call step(c, v)
    end do
  end do
  do i=n,1,-1
    cb = v*yb
    vb = c*yb
    do j=2,1,-1
      call step_b(c, cb, v, vb)
      call popreal8(c) ! d
      max1b = c*cb
      cb = max1*cb
      call popcontrol1b(branch)
      if (branch .eq. 0) then
        call popreal8(max1) ! m
        vb = -(0.5d0*max1b)
      else
        call popreal8(max1) ! m
        vb = 0
      end if
    end do
    call popreal8(v) ! v
    call step_b(c, cb, v, vb)
    call popreal8(c) ! c
    xb(i) = xb(i) + cb
  end do
end subroutine model_b
""")
"""The second call of step overwrites v, too, and only the next turn of i reads v on the way back, behind its POP."""

LATER = AdjointCase("later", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t, u, s
  t = x(1)
  u = x(2)
  s = 1
  do i = 1, n
    !$AD CHECKPOINT-START
    t = t*u
    u = u*x(i)*t
    !$AD CHECKPOINT-END
    s = s*x(i)
  end do
  y = t*u*s
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, t, tb, u, ub, s, sb
  t = x(1)
  u = x(2)
  s = 1
  do i=1,n
    call pushreal8(s) ! s
    call pushreal8(u) ! u
    call pushreal8(t) ! t
    t = t*u
    u = u*x(i)*t
    s = s*x(i)
  end do
  tb = u*s*yb
  ub = t*s*yb
  sb = t*u*yb
  do i=n,1,-1
    call popreal8(t) ! t
    call popreal8(u) ! u
    call pushreal8(t)
    t = t*u
    xb(i) = xb(i) + u*t*ub
    tb = tb + u*x(i)*ub
    ub = x(i)*t*ub
    call popreal8(t)
    ub = ub + t*tb
    tb = u*tb
    call popreal8(s) ! s
    xb(i) = xb(i) + s*sb
    sb = x(i)*sb
  end do
  xb(2) = xb(2) + ub
  xb(1) = xb(1) + tb
  yb = 0
end subroutine model_b
""")
"""When the marked part runs again, s is still on the stack."""

RENAMED = AdjointCase("renamed", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, e, a, b
  a = x(2)
  b = x(4)
  e = exp(-bend(x(1)))
  a = bend(a) + a*e
  e = exp(-bend(x(3)))
  b = bend(b) + b*e
  y = a*b
contains
  real(8) function bend(a)
    real(8) :: a
    bend = 1 + a*a
  end function bend
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, e, eb, a, ab, b, bb
  real(8) :: result1, result1b
  a = x(2)
  b = x(4)
  result1 = bend(x(1))
  e = exp(-result1)
  result1 = bend(a)
  call pushreal8(a) ! a
  a = result1 + a*e
  result1 = bend(x(3))
  call pushreal8(e) ! e
  e = exp(-result1)
  result1 = bend(b)
  call pushreal8(b) ! b
  b = result1 + b*e
  ab = b*yb
  bb = a*yb
  yb = 0
  call popreal8(b) ! b
  result1b = bb
  eb = b*bb
  bb = e*bb
  call bend_b(b, bb, result1b)
  result1b = -e*eb
  call bend_b(x(3), xb(3), result1b)
  call popreal8(e) ! e
  call popreal8(a) ! a
  result1b = ab
  eb = a*ab
  ab = e*ab
  call bend_b(a, ab, result1b)
  result1b = -e*eb
  call bend_b(x(1), xb(1), result1b)
  xb(4) = xb(4) + bb
  xb(2) = xb(2) + ab
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
"""Two assignments to e, neither of which the adjoint has as the source has it."""


def lost(case: AdjointCase, letter: str) -> str:
    return "".join(line for line in case.adjoint.splitlines(keepends=True) if f"! {letter}" not in line)


@pytest.mark.parametrize("case", [AGAIN, LATER, RENAMED], ids=lambda case: case.name)
def test_nothing_is_missing_in_the_right_adjoint(case: AdjointCase, tmp_path: Path) -> None:
    assert not compared(case, case.adjoint, tmp_path).missing


@pytest.mark.parametrize(("case", "letter", "location"), [
    (AGAIN, "v", "v"), (AGAIN, "d", "c"), (LATER, "u", "u"), (LATER, "s", "s"), (RENAMED, "e", "e"),
    (RENAMED, "b", "b"),
], ids=lambda one: one.name if isinstance(one, AdjointCase) else one)
def test_what_is_lost_is_called_missing(case: AdjointCase, letter: str, location: str, tmp_path: Path) -> None:
    less = lost(case, letter)
    right = gradient(case, case.adjoint, tmp_path / "right")
    assert right.split()
    assert gradient(case, less, tmp_path / "less") not in ("", right)
    (tmp_path / "said").mkdir()
    assert location in {one.location for one in compared(case, less, tmp_path / "said").missing}


def test_what_repeats_no_pops_changes_nothing(tmp_path: Path) -> None:
    """ADSTACK_STARTREPEAT between which and its end no POP is left: what has run before it has run."""
    repeats = "".join(f"    call adstack_{name}repeat()\n" for name in ("start", "reset", "end"))
    place = "    call popreal8(t) ! t\n"
    found = compared(LATER, LATER.adjoint.replace(place, repeats + place), tmp_path)
    assert not found.missing
    assert [one.location for one in found.saved if one.superfluous] == []
    less = lost(LATER, "u").replace(place, repeats + place)
    assert [one.location for one in compared(LATER, less, tmp_path).missing] == ["u"]


def test_what_is_repeated_is_given_back_one_within_the_other(tmp_path: Path) -> None:
    """Both t and u are read off the stack before the second run, and popped behind it, and s after them."""
    pops = "    call popreal8(t) ! t\n    call popreal8(u) ! u\n"
    start, *end = (f"    call adstack_{name}repeat()\n" for name in ("start", "reset", "end"))
    text = LATER.adjoint.replace(pops, "".join((start, pops, *end)))
    text = text.replace("    call popreal8(s) ! s\n", pops + "    call popreal8(s) ! s\n")
    assert gradient(LATER, text, tmp_path / "read") == gradient(LATER, LATER.adjoint, tmp_path / "popped")
    (tmp_path / "said").mkdir()
    assert not compared(LATER, text, tmp_path / "said").missing
    less = "".join(line for line in text.splitlines(keepends=True) if "! u" not in line)
    assert "u" in {one.location for one in compared(LATER, less, tmp_path / "said").missing}
