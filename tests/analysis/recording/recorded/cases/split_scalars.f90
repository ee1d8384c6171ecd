! head: p(x)>(y)
! given: n=4; x=[0.81, 0.99, 0.72, 1.08]
! ways: split, split recompute
! Between its sweeps other code overwrites u, of which q would be made again.
subroutine flux(f, u, n, s)
!> all: tape q
  integer, intent(in) :: n
  real(8), intent(inout) :: f(n), u(n), s
  real(8) :: q
  integer :: i
  do i = 1, n - 1
    q = u(i + 1) - u(i)
    !> all: tape q
    f(i) = f(i)*q*q
    !> all: tape f
    s = s + f(i)*q
  end do
end subroutine flux
! The adjoint of each call reads the q that it was passed, and none of p's own derivatives does.
subroutine once(f, q, s)
  real(8), intent(inout) :: f, s
  real(8), intent(in) :: q
  f = f*q*q
  !> all: tape f
  s = s + f*q
end subroutine once
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: f(n), u(n), q
  integer :: i
  f = 0.5d0
  u = x
  y = 1
  do i = 1, 2
    call flux(f, u, n, y)
    u = 2*u
  end do
  do i = 1, n - 1
    q = x(i + 1) - x(i)
    !> all: tape q
    call once(f(i), q, y)
    q = x(i)*x(i + 1)
    !> all: tape q
    y = y + 0.1d0*q*q
  end do
  y = y + sum(f)
end subroutine p
