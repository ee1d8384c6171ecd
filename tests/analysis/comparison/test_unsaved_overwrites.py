"""What a statement overwrites while no PUSH is attached to it, although others of the same variable have one.

A PUSH and its POP bear the same letter behind a ``!``. Without them gfortran's gradient is another one, and `compare`
says what is missing, and before which line; of the whole adjoint nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

ELEMENTS = AdjointCase("elements", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, k
  real(8) :: x(n), y, d(n)
  d = x
  do k = 2, n
    d(k) = d(k)*d(k-1)
  end do
  d(n) = d(n)*d(n)
  do k = n - 1, 1, -1
    d(k) = d(k)*d(k+1)
  end do
  y = sum(d)
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, k
  real(8) :: x(n), xb(n), y, yb, d(n), db(n)
  d = x
  do k = 2, n
    call pushreal8(d(k)) ! a
    d(k) = d(k)*d(k-1)
  end do
  call pushreal8(d(n)) ! b
  d(n) = d(n)*d(n)
  do k = n - 1, 1, -1
    call pushreal8(d(k)) ! c
    d(k) = d(k)*d(k+1)
  end do
  db = yb
  do k = 1, n - 1
    call popreal8(d(k)) ! c
    db(k+1) = db(k+1) + d(k)*db(k)
    db(k) = d(k+1)*db(k)
  end do
  call popreal8(d(n)) ! b
  db(n) = 2*d(n)*db(n)
  do k = n, 2, -1
    call popreal8(d(k)) ! a
    db(k-1) = db(k-1) + d(k)*db(k)
    db(k) = d(k-1)*db(k)
  end do
  xb = xb + db
  yb = 0
end subroutine model_b
""")

PART = AdjointCase("part", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, k
  real(8) :: x(n), y, t, c
  y = 1
  t = x(1)
  do k = 1, n
    t = t - 0.25d0
    t = t*t*x(k)
    call adjust(t, c)
    y = y*c
  end do
end subroutine model
subroutine adjust(t, c)
  real(8) :: t, c
  c = t*t
  t = t + 0.1d0*c
end subroutine adjust
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, k
  real(8) :: x(n), xb(n), y, yb, t, tb, c, cb
  y = 1
  t = x(1)
  do k = 1, n
    t = t - 0.25d0
    call pushreal8(t) ! a
    t = t*t*x(k)
    call pushreal8(c) ! b
    call pushreal8(t) ! c
    call adjust(t, c)
    call pushreal8(y) ! d
    y = y*c
  end do
  tb = 0
  xb = 0
  do k = n, 1, -1
    call popreal8(y) ! d
    cb = y*yb
    yb = c*yb
    call popreal8(t) ! c
    call popreal8(c) ! b
    call adjust_b(t, tb, c, cb)
    call popreal8(t) ! a
    xb(k) = xb(k) + t*t*tb
    tb = 2*t*x(k)*tb
  end do
  xb(1) = xb(1) + tb
  yb = 0
end subroutine model_b
subroutine adjust_b(t, tb, c, cb)
  real(8) :: t, tb, c, cb
  cb = cb + 0.1d0*tb
  tb = tb + 2*t*cb
  cb = 0
end subroutine adjust_b
""")

MADE = AdjointCase("made", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i, p
  real(8) :: x(n), y, v(n)
  do i = 1, n
    p = mod(i, n) + 1
    v(i) = x(p)*x(i)
  end do
  y = 0
  do i = 1, n
    p = mod(i + 1, n) + 1
    y = y + v(p)*x(max(i - 1, 1))
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, p, max1, branch
  real(8) :: x(n), xb(n), y, yb, v(n), vb(n)
  do i = 1, n
    call pushinteger4(p) ! a
    p = mod(i, n) + 1
    v(i) = x(p)*x(i)
  end do
  do i = 1, n
    call pushinteger4(p) ! b
    p = mod(i + 1, n) + 1
    if (i - 1 < 1) then
      call pushinteger4(max1) ! c
      max1 = 1
      call pushcontrol1b(0)
    else
      call pushinteger4(max1) ! d
      max1 = i - 1
      call pushcontrol1b(1)
    end if
  end do
  xb = 0
  vb = 0
  do i = n, 1, -1
    vb(p) = vb(p) + x(max1)*yb
    xb(max1) = xb(max1) + v(p)*yb
    call popcontrol1b(branch)
    if (branch == 0) then
      call popinteger4(max1) ! c
    else
      call popinteger4(max1) ! d
    end if
    call popinteger4(p) ! b
  end do
  do i = n, 1, -1
    xb(p) = xb(p) + x(i)*vb(i)
    xb(i) = xb(i) + x(p)*vb(i)
    call popinteger4(p) ! a
  end do
  yb = 0
end subroutine model_b
""")


def lacking(case: AdjointCase, letter: str) -> str:
    return "".join(line for line in case.adjoint.splitlines(keepends=True) if not line.endswith(f"! {letter}\n"))


@pytest.mark.parametrize(("case", "letter", "location", "line"), [
    (ELEMENTS, "a", "d", 6), (ELEMENTS, "b", "d", 8), (ELEMENTS, "c", "d", 10), (PART, "a", "t", 8),
    (PART, "b", "c", None), (PART, "c", "t", None), (PART, "d", "y", 10), (MADE, "a", "p", 5), (MADE, "b", "p", 10),
    (MADE, "d", "max1", None),
], ids=lambda one: one.name if isinstance(one, AdjointCase) else str(one))
def test_what_is_overwritten_without_its_push_is_missing(case: AdjointCase, letter: str, location: str,
                                                         line: int | None, tmp_path: Path) -> None:
    """``line``: of the source, which overwrites it; None: a part does, or the tool's own statement."""
    broken = lacking(case, letter)
    assert gradient(case, broken, tmp_path / "broken") != gradient(case, case.adjoint, tmp_path / "right")
    found = compared(case, broken, tmp_path)
    assert {one.location for one in found.missing} == {location}
    assert line is None or any(line in one.before for one in found.missing), found.missing
    assert location in str(found)


@pytest.mark.parametrize("case", [ELEMENTS, PART, MADE], ids=lambda one: one.name)
def test_nothing_is_missing_of_the_whole_adjoint(case: AdjointCase, tmp_path: Path) -> None:
    assert gradient(case, case.adjoint, tmp_path / "right").strip()
    assert not compared(case, case.adjoint, tmp_path).missing


def test_what_the_next_statement_overwrites_unread_is_not_missing(tmp_path: Path) -> None:
    """v(i) = 0 gives v(i) a value that nothing reads before the line below overwrites it."""
    original = ELEMENTS.original.replace("    d(k) = d(k)*d(k+1)\n", "    d(k) = 0\n    if (k > 1) d(k) = x(k)*x(k)\n")
    adjoint = ELEMENTS.adjoint.replace("    d(k) = d(k)*d(k+1)\n",
                                       "    d(k) = 0\n    if (k > 1) d(k) = x(k)*x(k)\n").replace(
        "    db(k+1) = db(k+1) + d(k)*db(k)\n    db(k) = d(k+1)*db(k)\n",
        "    if (k > 1) xb(k) = xb(k) + 2*x(k)*db(k)\n    db(k) = 0\n")
    case = AdjointCase("fresh", ELEMENTS.head, original, adjoint)
    assert not compared(case, case.adjoint, tmp_path).missing
