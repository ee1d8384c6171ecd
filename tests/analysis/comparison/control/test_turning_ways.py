"""An adjoint that turns in an alternative, of a procedure that RETURNs early, and saves what others name too (COMMON, a
module). Spoilt in one place: gfortran says that the gradient is another one, the comparison says of what."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

SOURCE = """\
subroutine relax
USE
  c = 0.9d0*c*c
end subroutine relax
subroutine model(x, n, y)
USE
  integer :: n, k, m
  real(8) :: x(n), y, a(n), v(n), s
  a = x
  v = x
  c = x
  s = 0
  y = 0
  if (x(1) < 0) return
  do k = 1, n
    m = mod(k, n) + 1
    if (x(k) > 1) s = s + x(k)*x(k)
    a(m) = a(m)*a(m)*x(k)
    v(k) = v(k)*v(k)*x(k)
    call relax
  end do
  y = s + sum(a) + sum(v*v) + sum(c)
end subroutine model
"""

ADJOINT = """\
subroutine relax_b
ALSO
  cb = 1.8d0*c*cb
end subroutine relax_b
subroutine model_b(x, xb, n, y, yb)
ALSO
  integer :: n, k, m, branch
  real(8) :: x(n), xb(n), y, yb, a(n), ab(n), v(n), vb(n), sb
  a = x
  v = x
  c = x
  if (x(1) .lt. 0) then
    ab = 0
    vb = 0
    cb = 0
  else
    do k=1,n
      call pushinteger4(m)
      m = mod(k, n) + 1
      if (x(k) .gt. 1) then
        call pushcontrol1b(0)
      else
        call pushcontrol1b(1)
      end if
      call pushreal8(a(m))
      a(m) = a(m)*a(m)*x(k)
      call pushreal8(v(k))
      v(k) = v(k)*v(k)*x(k)
      call pushreal8array(c, 4)
      call relax()
    end do
    sb = yb
    ab = yb
    vb = 2*v*yb
    cb = yb
    do k=n,1,-1
      call popreal8array(c, 4)
      call relax_b()
      call popreal8(v(k))
      xb(k) = xb(k) + v(k)**2*vb(k)
      vb(k) = 2*v(k)*x(k)*vb(k)
      call popreal8(a(m))
      xb(k) = xb(k) + a(m)**2*ab(m)
      ab(m) = 2*a(m)*x(k)*ab(m)
      call popcontrol1b(branch)
      if (branch .eq. 0) xb(k) = xb(k) + 2*x(k)*sb
      call popinteger4(m)
    end do
  end if
  xb = xb + ab + vb + cb
  yb = 0
end subroutine model_b
"""

WORDS = {
    "COMMON": ("  real(8) :: c\n  common /conc/ c(4)",
               "  real(8) :: c, cb\n  common /conc/ c(4)\n  common /conc_b/ cb(4)", "", ""),
    "module": ("  use conc", "  use conc\n  use conc_b", "module conc\n  real(8) :: c(4)\nend module conc\n",
               "module conc_b\n  real(8) :: cb(4)\nend module conc_b\n"),
}


def case(kind: str) -> AdjointCase:
    use, also, before, its = WORDS[kind]
    return AdjointCase("turning", "model(x)>(y)", before + SOURCE.replace("USE", use),
                       its + ADJOINT.replace("ALSO", also))


def spoilt(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


FAULTS = {
    "one element for all that a loop computes": ("a", (("pushreal8(a(m))", "pushreal8(a(1))"),
                                                       ("popreal8(a(m))", "popreal8(a(1))"))),
    "a PUSH behind its statement": ("v", (
        ("      call pushreal8(v(k))\n      v(k) = v(k)*v(k)*x(k)\n",
         "      v(k) = v(k)*v(k)*x(k)\n      call pushreal8(v(k))\n"),)),
    "too few elements of what others name too": ("c", (("pushreal8array(c, 4)", "pushreal8array(c, (4) - 1)"),
                                                       ("popreal8array(c, 4)", "popreal8array(c, (4) - 1)"))),
    "no PUSH of what others name too": ("c", (("      call pushreal8array(c, 4)\n", ""),
                                              ("      call popreal8array(c, 4)\n", ""))),
    "one number for both ways": ("branch", (("pushcontrol1b(1)", "pushcontrol1b(0)"),)),
    "the other number for both ways": ("branch", (("pushcontrol1b(0)", "pushcontrol1b(1)"),)),
    "no PUSH in the alternative": ("v", (("      call pushreal8(v(k))\n", ""), ("      call popreal8(v(k))\n", ""))),
}


@pytest.mark.parametrize("kind", WORDS)
def test_nothing_is_missing_of_the_whole_adjoint(kind: str, tmp_path: Path) -> None:
    one = case(kind)
    found = compared(one, one.adjoint, tmp_path)
    assert not found.missing
    assert not found.not_followed
    assert all(saved.verdict == "needed" for saved in found.saved)


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_called_missing_and_changes_the_gradient(name: str, kind: str, tmp_path: Path) -> None:
    place, changes = FAULTS[name]
    one = case(kind)
    text = spoilt(one.adjoint, *changes)
    found = compared(one, text, tmp_path)
    assert {lost.location.rpartition("::")[2].rpartition("/")[2] for lost in found.missing} == {place}
    assert gradient(one, text, tmp_path / "faulty") != gradient(one, one.adjoint, tmp_path / "right")


WHOLE = AdjointCase("whole", "model(x)>(y)", """\
subroutine rate(w, n, s)
  integer :: n
  real(8) :: w(n), s
  s = sum(w*w)
end subroutine rate
subroutine model(x, n, y)
  integer :: n, j
  real(8) :: x(n), y, w(n), s
  y = 0
  do j = 1, n
    w = x
    w(j) = w(j) + 0.5d0
    call rate(w, n, s)
    y = y + j*s
  end do
end subroutine model
""", """\
subroutine rate_b(w, wb, n, s, sb)
  integer :: n
  real(8) :: w(n), wb(n), s, sb
  wb = wb + 2*w*sb
end subroutine rate_b
subroutine model_b(x, xb, n, y, yb)
  integer :: n, j
  real(8) :: x(n), xb(n), y, yb, w(n), wb(n), s, sb
  do j=1,n
    call pushreal8array(w, n)
    w = x
    w(j) = w(j) + 0.5d0
    call rate(w, n, s)
  end do
  xb = 0
  do j=n,1,-1
    sb = j*yb
    wb = 0
    call rate_b(w, wb, n, s, sb)
    call popreal8array(w, n)
    xb = xb + wb
  end do
  yb = 0
end subroutine model_b
""")


def test_an_element_of_what_was_given_its_values_whole_needs_no_push(tmp_path: Path) -> None:
    """w(j) = ... overwrites what w = x has made, which nothing reads."""
    assert not compared(WHOLE, WHOLE.adjoint, tmp_path).missing
    broken = spoilt(WHOLE.adjoint, ("    call pushreal8array(w, n)\n", ""), ("    call popreal8array(w, n)\n", ""))
    assert {one.location for one in compared(WHOLE, broken, tmp_path).missing} == {"w"}
    assert gradient(WHOLE, broken, tmp_path / "broken") != gradient(WHOLE, WHOLE.adjoint, tmp_path / "right")
