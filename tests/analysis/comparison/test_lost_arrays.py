"""What is missing of arrays of which other elements are given back, and of what nothing saves at all.

gfortran says that the gradient is another one, `compare` which variable it is; of the whole adjoint nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient, without
from tests.analysis.comparison.test_judged_by_hand import compared

OTHERS = AdjointCase("others", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, v(n), t
  v = x*x
  t = v(1)*v(2)
  v = 2*v
  do i = 1, n
    v(i) = v(i)*v(i)*x(i)
  end do
  y = t + sum(v)
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, v(n), vb(n), t, tb
  v = x*x
  t = v(1)*v(2)
  call pushreal8array(v, n)
  v = 2*v
  do i = 1, n
    call pushreal8(v(i))
    v(i) = v(i)*v(i)*x(i)
  end do
  tb = yb
  vb = yb
  xb = 0
  do i = n, 1, -1
    call popreal8(v(i))
    xb(i) = xb(i) + v(i)*v(i)*vb(i)
    vb(i) = 2*v(i)*x(i)*vb(i)
  end do
  call popreal8array(v, n)
  vb = 2*vb
  vb(1) = vb(1) + v(2)*tb
  vb(2) = vb(2) + v(1)*tb
  xb = xb + 2*x*vb
  yb = 0
end subroutine model_b
""")

NOWHERE = AdjointCase("nowhere", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, s
  y = 0
  do i = 1, n
    s = 1
    if (x(i) > 1) s = s + x(i)*x(i)
    y = y + x(i)/s
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, branch
  real(8) :: x(n), xb(n), y, yb, s, sb
  do i = 1, n
    call pushreal8(s)
    s = 1
    if (x(i) > 1) then
      s = s + x(i)*x(i)
      call pushcontrol1b(1)
    else
      call pushcontrol1b(0)
    end if
  end do
  xb = 0
  do i = n, 1, -1
    xb(i) = xb(i) + yb/s
    sb = -(x(i)*yb/s**2)
    call popcontrol1b(branch)
    if (branch == 1) xb(i) = xb(i) + 2*x(i)*sb
    call popreal8(s)
  end do
  yb = 0
end subroutine model_b
""")


@pytest.mark.parametrize(("case", "push", "said"), [
    (OTHERS, "pushreal8array(v, n)", {("v", 5)}), (NOWHERE, "pushreal8(s)", {("s", 8)}),
], ids=["others", "nowhere"])
def test_what_nothing_gives_back_is_missing(case: AdjointCase, push: str, said: set[tuple[str, int]],
                                            tmp_path: Path) -> None:
    right = gradient(case, case.adjoint, tmp_path / "right")
    assert right.strip()
    assert not compared(case, case.adjoint, tmp_path).missing
    line = next(number for number, text in enumerate(case.adjoint.splitlines(), 1) if push in text)
    broken = without(case.adjoint, line)
    assert gradient(case, broken, tmp_path / "broken") != right
    assert {(one.location, one.statement) for one in compared(case, broken, tmp_path).missing} == said


def test_what_is_computed_again_is_not_missing(tmp_path: Path) -> None:
    """The backward sweep gives s its value anew in each turn."""
    again = NOWHERE.adjoint.replace("    call pushreal8(s)\n", "").replace("    call popreal8(s)\n", "").replace(
        "    xb(i) = xb(i) + yb/s\n", "    s = 1\n    if (x(i) > 1) s = s + x(i)*x(i)\n    xb(i) = xb(i) + yb/s\n")
    assert gradient(NOWHERE, again, tmp_path / "again") == gradient(NOWHERE, NOWHERE.adjoint, tmp_path / "right")
    assert not compared(NOWHERE, again, tmp_path).missing
