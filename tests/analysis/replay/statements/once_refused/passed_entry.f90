! ENTRY points passed on, as a module's and as an external procedure's, and as what a procedure pointer is set to.
module m7
  implicit none
  real(8) :: c = 0.5d0
contains
  subroutine one(a)
    real(8), intent(inout) :: a
    a = 0.9d0*a*c
    return
    entry other(a)
    c = 0.6d0*sin(a*c)
    a = a*c
  end subroutine one
  subroutine applied(f, a)
    interface
      subroutine f(a)
        real(8), intent(inout) :: a
      end subroutine f
    end interface
    real(8), intent(inout) :: a
    call f(a)
  end subroutine applied
  subroutine summed(f, a, s)
    real(8), external :: f
    real(8), intent(inout) :: a(:), s
    integer :: i
    do i = 1, size(a)
      s = s + f(a(i))
    end do
  end subroutine summed
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(3)
  real(8), external :: e7_first, e7_second
  procedure(one), pointer :: q
  integer :: i
  c = 0.5d0
  a = x(1:3)
  y = x(2)
  q => one
  do i = 1, m
    call q(a(i))
    if (a(i) < 0.8d0) q => other
    call applied(other, a(1))
    call applied(q, y)
    call summed(e7_first, a, y)
    call summed(e7_second, a, y)
    y = 0.4d0*y*c
  end do
end subroutine p
end module m7
function e7_first(a)
  implicit none
  real(8), intent(inout) :: a
  real(8) :: e7_first, e7_second
  e7_first = 0.5d0*a*a
  return
  entry e7_second(a)
  a = 0.9d0*a + 0.1d0
  e7_second = cos(a)
end function e7_first
