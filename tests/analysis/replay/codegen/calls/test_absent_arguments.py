"""Absent arguments: passed on, a pointer that leads nowhere, what is not allocated (F2008, 15.5.2.12)."""

from __future__ import annotations

from pathlib import Path

from tests.support.execution import proved_by_execution

TEXT = """module optm
  implicit none
contains
  recursive subroutine outer(a, b, c, k)
    real(8), intent(inout) :: a
    real(8), intent(inout), optional :: b(:)
    real(8), intent(in), optional :: c
    integer, intent(in), optional :: k
    call inner(a, b, c, k=k)
    call inner(a, c=c)
    if (present(b)) then
      if (size(b) > 3) call outer(a, b(2::2))
    end if
  end subroutine
  subroutine inner(a, b, c, k)
    real(8), intent(inout) :: a
    real(8), intent(inout), optional :: b(:)
    real(8), intent(in), optional :: c
    integer, intent(in), optional :: k
    integer :: j
    real(8) :: f
    f = 0.5d0
    if (present(c)) f = c
    j = 1
    if (present(k)) j = k
    if (present(b)) then
      b(j) = b(j)*f + a
      a = a + b(size(b))*b(j)
    else
      a = a*cos(f)
    end if
  end subroutine
  function maybe(p, d) result(r)
    real(8), optional, intent(in) :: p
    real(8), intent(in) :: d
    real(8) :: r
    r = d
    if (present(p)) r = p*d
  end function
end module
subroutine opt(x, y, n)
  use optm
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(n), t
  real(8), allocatable :: al
  real(8), pointer :: np
  nullify (np)
  b = x
  t = x(1)
  call outer(t)
  call outer(t, b)
  call outer(t, c=x(2), b=b(n:1:-1), k=2)
  call outer(a=b(3), k=4, c=t)
  y = maybe(al, t) + maybe(np, b(2))
  allocate (al, source=0.5d0*b(1))
  y = y + maybe(al, t) + sum(b)
  call outer(al, c=b(4))
  y = y + al
end subroutine
"""


def test_what_leads_nowhere_is_absent(tmp_path: Path) -> None:
    proved_by_execution(TEXT, "opt(x)>(y)", tmp_path, {"n": 5})
