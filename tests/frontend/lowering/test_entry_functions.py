"""ENTRY in functions: each a function of its own, whose result is the function's under another name."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

RESULTS = """module em
  implicit none
  real(8) :: store(4) = [0.1d0, 0.2d0, 0.3d0, 0.4d0]
contains
  function up(v, k) result(r)
    real(8), intent(in) :: v
    integer, intent(in) :: k
    real(8) :: r, s
    r = v*store(k)
    store(k) = r*0.5d0
    return
    entry down(k, v) result(s)
    s = v/(1 + store(k)**2)
    store(k) = store(k) + s*v
    return
  end function
  function vec(v)
    real(8), intent(in) :: v(:)
    real(8) :: vec(5), rev(5)
    vec = v*2
    return
    entry rev(v)
    rev = v(size(v):1:-1)*store(1)
  end function
end module
subroutine entryf(x, y, n)
  use em
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  real(8) :: a(n)
  a = x
  y = 0
  store = [0.1d0, 0.2d0, 0.3d0, 0.4d0]
  do i = 1, n
    y = y + up(a(i), mod(i, 4) + 1)*down(mod(i, 3) + 1, a(i))
    a(i) = a(i)*up(y, 2)
  end do
  y = y + sum(vec(a)*rev(a))
end subroutine
"""
STATE = """subroutine saved(x, y, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: f
  integer :: i
  call reset_filter
  y = 0
  do i = 1, 2*n
    y = y + f(x(mod(i-1, n)+1), i)*f(x(1), -i)
  end do
end subroutine
real(8) function f(v, i)
  implicit none
  real(8), intent(in) :: v
  integer, intent(in) :: i
  real(8), save :: hist(3) = [0.1d0, 0.2d0, 0.3d0]
  integer, save :: pos = 1, calls = 0
  logical, save :: first = .true.
  real(8) :: g, last
  save last
  data last /1.0d0/
  entry g(v, i)
  if (first) then
    hist = hist*v
    first = .false.
  end if
  calls = calls + 1
  hist(pos) = hist(pos)*0.5d0 + v*last
  pos = merge(1, pos + 1, pos == 3)
  if (i > 0) then
    f = sum(hist)/real(calls, 8)
    last = f*0.1d0
  else
    g = hist(pos)*hist(1)
  end if
  return
end function
subroutine reset_filter
end subroutine
"""
TYPES = """      SUBROUTINE TOP(X,Y,N)
  IMPLICIT REAL*8 (A-H,O-Z)
  DIMENSION X(N)
  COMMON /TABS/ T(10),NT
  NT=0
  DO 10 I=1,N
10    Y=SETTAB(X(I))
  Y=0D0
  DO 20 I=1,N
20    Y=Y+TAB(I)*0.1D0
  DO 21 I=1,N
21    Y=Y+TABINV(X(I),2)+KTAB(X(1))*X(I)
  END
  FUNCTION SETTAB(V)
  IMPLICIT REAL*8 (A-H,O-Z)
  DIMENSION W(3)
  COMMON /TABS/ T(10),NT
  SAVE LAST
  NT=NT+1
  T(NT)=V*V
  SETTAB=V
  RETURN
  ENTRY TAB(I)
  TAB=T(I)*0.5D0
  T(I)=T(I)+TAB**2
  IF (I.GT.2) TAB=SETTAB*SIN(T(I))
  RETURN
  ENTRY TABINV(V,J)
  W(1)=V
  W(2)=T(J)*V
  W(3)=W(1)*W(2)
  DO 5 K=1,3
5     T(J)=T(J)+0.1D0*W(K)
  TABINV=W(3)/(1D0+W(1)**2)
  RETURN
  ENTRY KTAB(V)
  KTAB=INT(10*V)/3+1
  T(KTAB)=T(KTAB)*V
  END
"""


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "head", "n"), [
    (RESULTS, "entryf(x)>(y)", 5), (STATE, "saved(x)>(y)", 5), (TYPES, "top(x)>(y)", 4),
], ids=["results by RESULT, arrays", "saved state", "results of several types, implicit"])
def test_entries_of_functions_are_followed(text: str, head: str, n: int, tmp_path: Path) -> None:
    """Opaque before, and what they gave was of unknown type."""
    assert all(procedure.opaque is None for procedure in load_text(text).procedures.values())
    proved_by_execution(text, head, tmp_path, {"n": n})


def test_results_of_one_type_are_one() -> None:
    found = load_text(TYPES).procedures
    assert [found[name].result for name in ("settab", "tab", "tabinv")] == ["settab"]*3
    assert found["ktab"].result == "ktab"
    assert found["ktab"].variables["ktab"].type.kind == "integer"
