! Equilibrium of a chain of nonlinear springs under load: steepest descent with diagonal scaling and a backtracking line
! search of Armijo in each step; stiffnesses are the controls, the sag at midspan the result.
module chain_mod
  implicit none
contains
  function energy(x, stiff, load, n) result(e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(0:n+1), stiff(n+1), load(n)
    real(8) :: e, s
    integer :: i
    e = 0d0
    do i = 1, n + 1
      s = x(i) - x(i-1)
      e = e + 0.5d0*stiff(i)*s**2 + 0.25d0*s**4
    end do
    do i = 1, n
      e = e - load(i)*x(i) + 0.05d0*x(i)**4
    end do
  end function energy
  subroutine forces(x, stiff, load, g, d, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(0:n+1), stiff(n+1), load(n)
    real(8), intent(out) :: g(n), d(n)
    real(8) :: left, right
    integer :: i
    left = stiff(1)*(x(1) - x(0)) + (x(1) - x(0))**3
    do i = 1, n
      right = stiff(i+1)*(x(i+1) - x(i)) + (x(i+1) - x(i))**3
      g(i) = left - right - load(i) + 0.2d0*x(i)**3
      d(i) = stiff(i) + stiff(i+1) + 3d0*(x(i) - x(i-1))**2 + 3d0*(x(i+1) - x(i))**2 + 0.6d0*x(i)**2
      left = right
    end do
  end subroutine forces
end module chain_mod
subroutine linesrch(n, niter, stiff, load, sag)
  use chain_mod
  implicit none
  integer, intent(in) :: n, niter
  real(8), intent(in) :: stiff(n+1), load(n)
  real(8), intent(out) :: sag
  real(8) :: x(0:n+1), trial(0:n+1), g(n), d(n), p(n), e0, e1, slope, alpha
  integer :: it, ls, i
  x = 0d0
  trial = 0d0
  e0 = energy(x, stiff, load, n)
  do it = 1, niter
    call forces(x, stiff, load, g, d, n)
    slope = 0d0
    do i = 1, n
      p(i) = -g(i)/d(i)
      slope = slope + p(i)*g(i)
    end do
    alpha = 1.5d0
    do ls = 1, 8
      do i = 1, n
        trial(i) = x(i) + alpha*p(i)
      end do
      e1 = energy(trial, stiff, load, n)
      if (e1 <= e0 + 1d-4*alpha*slope) exit
      alpha = 0.5d0*alpha
    end do
    do i = 1, n
      x(i) = trial(i)
    end do
    e0 = e1
    if (abs(slope) < 1d-10) exit
  end do
  sag = x((n+1)/2) + 0.1d0*e0
end subroutine linesrch
