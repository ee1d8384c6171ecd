"""One array under two names, of which only some elements are the dummy argument's: what nobody needs of the one name is
not the other's to lose. Executed against gfortran, under every strategy, poisoned."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

BODY = """
  e1 = 0.5d0
  !$AD CHECKPOINT-START
  e1 = x*b
  !$AD CHECKPOINT-END
  w(k) = x*z
  z = 0.5d0*z + 0.3d0*b*w(k)
  z = sin(z + b*b)*e1
"""

HOST = """subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8) :: y, w(0:3), e1, b
  integer :: k
  b = x
  w = x
  k = 2
  !$AD CHECKPOINT-START
  call inner({actual})
  !$AD CHECKPOINT-END
  y = sum(w*w)
contains
subroutine inner({dummy})
  real(8), intent(inout) :: {declared}""" + BODY + """
end subroutine
end subroutine
"""

OUTSIDE = """module shared
  real(8) :: w(0:3), b, e1
  integer :: k
end module
module blocks
  real(8) :: bw(0:3), bb, be1
  integer :: bk
  common /blk/ bw, bb, be1, bk
end module
subroutine inner(x, z)
  {use}
  real(8) :: x
  real(8), intent(inout) :: z""" + BODY + """
end subroutine
subroutine p(x, y)
  {use}
  real(8), intent(in) :: x
  real(8) :: y
  b = x
  w = x
  k = 2
  !$AD CHECKPOINT-START
  call inner(x, w(0))
  !$AD CHECKPOINT-END
  y = sum(w*w)
end subroutine
"""

BETWEEN = """subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8) :: y, w(0:3), e1, b
  integer :: k
  b = x
  w = x
  k = 2
  !$AD CHECKPOINT-START
  call outer(w(0))
  !$AD CHECKPOINT-END
  y = sum(w*w)
contains
subroutine outer(z)
  real(8), intent(inout) :: z
  z = z*sin(b)
  call inner
  z = sin(z + b*b)*e1*w(k)
  call inner
  z = z*z
end subroutine
subroutine inner
  !$AD CHECKPOINT-START
  e1 = x*b
  !$AD CHECKPOINT-END
  w(k) = x*e1
  b = 0.5d0*b + 0.3d0*b*w(k)
  w(k) = b*w(k)
end subroutine
end subroutine
"""

ARGUMENTS = """subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8) :: y, w(9)
  integer :: i
  do i = 1, 9
    w(i) = x*i*0.2d0
  end do
  !$AD CHECKPOINT-START
  call outer({arguments}, x)
  !$AD CHECKPOINT-END
  y = sum(w*w)
end subroutine
subroutine outer(u, v, x)
  implicit none
  real(8), intent(inout) :: {declared}
  real(8) :: x, e1
  integer :: k
  k = 1
  e1 = 0.5d0
  !$AD CHECKPOINT-START
  e1 = x*x
  !$AD CHECKPOINT-END
  u(k) = x*v(5)
  v(5) = v(5)*u(k) + u(4)*v(2)
  call inner(u, x)
  v(5) = sin(v(5))*e1
end subroutine
subroutine inner(a, x)
  implicit none
  real(8), intent(inout) :: a(5)
  real(8) :: x, e1
  integer :: k
  k = 1
  !$AD CHECKPOINT-START
  e1 = x*x
  !$AD CHECKPOINT-END
  a(k) = x*e1
  x = x
  a(k) = a(k)*sin(a(2)*e1)
end subroutine
"""

# The adjoint of what does not vary is forgotten: of w, not of z.
PASSIVE = """subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8) :: y, w(0:3), v
  w = 0.5d0
  v = x
  call inner(w(0))
  y = w(0)*v + sum(w)
contains
subroutine inner(z)
  real(8), intent(inout) :: z
  z = x*x
  call reads
  z = z*sin(z)*v
end subroutine
subroutine reads
  v = sin(v)*w(2)
end subroutine
end subroutine
"""


@pytest.mark.parametrize(("actual", "dummy", "declared"), [
    ("w(0)", "z", "z"), ("w(k-2)", "z", "z"), ("w(3)", "z", "z"), ("w(0:1)", "zz", "zz(2)"), ("w(0:1)", "zz", "zz(:)"),
    ("w(0)", "zz", "zz(2)"), ("w(1)", "z", "z")])
def test_the_hosts_array(actual: str, dummy: str, declared: str, tmp_path: Path) -> None:
    text = HOST.format(actual=actual, dummy=dummy, declared=declared)
    if dummy == "zz":
        for old, new in (("  z = ", "  zz(1) = "), ("*z\n", "*zz(1)\n"), ("(z ", "(zz(1) "), ("0*z ", "0*zz(1) ")):
            text = text.replace(old, new)
    proved_by_execution(text, "p(x)>(y)", tmp_path)


@pytest.mark.parametrize("use", ["use shared", "use blocks, w => bw, b => bb, e1 => be1, k => bk"])
def test_a_modules_and_a_commons_array(use: str, tmp_path: Path) -> None:
    proved_by_execution(OUTSIDE.format(use=use), "p(x)>(y)", tmp_path)


def test_an_argument_of_a_procedure_between(tmp_path: Path) -> None:
    proved_by_execution(BETWEEN, "p(x)>(y)", tmp_path)


@pytest.mark.parametrize(("arguments", "declared"), [
    ("w(1:5), w(3:9)", "u(5), v(7)"), ("w(1:5), w(3:9)", "u(:), v(:)"), ("w(1), w(3)", "u(*), v(*)"),
    ("w, w(3)", "u(*), v(7)"), ("w(1), w(3)", "u(5), v(5)")])
def test_arguments_that_share_what_they_only_read(arguments: str, declared: str, tmp_path: Path) -> None:
    text = ARGUMENTS.format(arguments=arguments, declared=declared)
    if "(:)" in declared:
        interface = "  interface\n  subroutine outer(u, v, x)\n  real(8), intent(inout) :: u(:), v(:)\n  real(8) :: x\n"
        interface += "  end subroutine\n  end interface\n"
        text = text.replace("  integer :: i\n", "  integer :: i\n" + interface, 1)
    proved_by_execution(text, "p(x)>(y)", tmp_path)


def test_adjoints_of_what_does_not_vary(tmp_path: Path) -> None:
    proved_by_execution(PASSIVE, "p(x)>(y)", tmp_path)
