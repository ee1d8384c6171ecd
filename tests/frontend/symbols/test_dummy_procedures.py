"""Dummy procedures where they are no own arguments: a host's, called by what it contains; absent ones."""

from pathlib import Path

from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

QUADRATURE = """
module rules
  abstract interface
    real(8) function integrand(x)
      real(8), intent(in) :: x
    end function integrand
  end interface
contains
  real(8) function square(x)
    real(8), intent(in) :: x
    square = x*x
  end function square
  real(8) function wave(x)
    real(8), intent(in) :: x
    wave = sin(x)
  end function wave
  subroutine integrate(f, a, r)
    procedure(integrand) :: f
    real(8), intent(inout) :: a, r
    r = left(a)*other(2*a, wave)*hidden(a)*deep(a)
    a = a*r
  contains
    function left(x) result(found)
      real(8), intent(in) :: x
      real(8) :: found
      found = f(x)*x
    end function left
    real(8) function other(x, f)
      real(8), intent(in) :: x
      real(8), external :: f
      other = f(x)*x
    end function other
    real(8) function hidden(x)
      real(8), intent(in) :: x
      real(8) :: f(2)
      f = x*x
      hidden = f(1)*x + f(2)
    end function hidden
    recursive real(8) function deep(x) result(found)
      real(8), intent(in) :: x
      if (x > 3) then
        found = f(x)
      else
        found = deep(x + 1)*other(x, f)
      end if
    end function deep
  end subroutine integrate
end module rules
subroutine s(x, y)
  use rules
  implicit none
  real(8), intent(inout) :: x(2), y
  call integrate(square, x(1), y)
  x(1) = x(1)*y
  call integrate(wave, x(2), y)
  y = y*x(1)
end subroutine s
"""

REPORTED = """
module steps
contains
  subroutine scaled(x, r)
    real(8), intent(in) :: x
    real(8), intent(inout) :: r
    r = r*cos(x)
  end subroutine scaled
  subroutine advance(a, r, report, times)
    external report
    optional report
    integer, optional, intent(in) :: times
    real(8), intent(inout) :: a, r
    r = 1 + a**2
    call inner
    if (present(times)) r = r*times
  contains
    subroutine inner
      if (present(report)) then
        call report(a, r)
      else
        r = r*exp(-a)
      end if
      a = a*cos(r)
    end subroutine inner
  end subroutine advance
  subroutine passed_on(a, r, report)
    interface
      subroutine report(x, r)
        real(8), intent(in) :: x
        real(8), intent(inout) :: r
      end subroutine report
    end interface
    optional report
    real(8), intent(inout) :: a, r
    call advance(a, r, report)
  end subroutine passed_on
end module steps
subroutine s(x, y)
  use steps
  implicit none
  real(8), intent(inout) :: x(2), y
  call advance(x(1), y)
  call advance(x(2), x(1), times=2)
  call advance(x(2), x(1), times=2, report=scaled)
  call passed_on(x(1), y)
  call passed_on(x(1), y, scaled)
  y = y*x(1)*x(2)
end subroutine s
"""


def test_what_a_host_is_passed_its_internal_procedures_call(tmp_path: Path) -> None:
    """One of them has a dummy procedure of that name itself, one a variable."""
    proved_by_execution(QUADRATURE, "s(x)>(y)", tmp_path)


def test_a_dummy_procedure_may_be_absent(tmp_path: Path) -> None:
    assert load_text(REPORTED).procedures["steps::advance"].absent == ("report",)
    proved_by_execution(REPORTED, "s(x)>(y)", tmp_path, {"x": [0.7, 0.4]})


def test_variables_with_the_names_of_statements(tmp_path: Path) -> None:
    """`if (if > 1)` calls no function `if`; functions declared by their types alone are found behind such words."""
    proved_by_execution("""
subroutine s(x, y)
  implicit none
  real(8), intent(inout) :: x(4), y
  real(8) :: write, square, cube, case
  integer :: if, while, do
  character(20) :: text
  external :: cube
  write = x(1)
  while = 0
  case = 1
  if = 2
  do while (while < 3)
    while = while + 1
    if (while > 1) write (text, '(i3)') while
    if (if > 1 .and. square(x(2)) > 0.1d0) write = write*square(write)
    select case (while)
    case (1)
      case = case*x(3)
    case (2)
      if (case > 0.1d0 .and. cube(x(3)) > 0) case = case*cube(x(2))
    end select
    do = len_trim(text)
    x(if) = x(if)*write
  end do
  y = write*do*case + sum(x)
end subroutine s
real(8) function square(x)
  real(8), intent(in) :: x
  square = x*x
end function square
real(8) function cube(x)
  real(8), intent(in) :: x
  cube = x*x*x
end function cube
""", "s(x)>(y)", tmp_path)
