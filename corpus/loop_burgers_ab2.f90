! Burgers' equation, Adams-Bashforth 2: the old tendency restarts a step, but no derivative reads it: r = 2d.
subroutine burg(u, nu, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: nu
  real(8), intent(out) :: cost
  real(8), parameter :: dt = 0.01d0
  real(8) :: f(n), fold(n)
  integer :: i, k
  fold = 0d0
  do k = 1, nt
    do i = 2, n - 1
      f(i) = -u(i)*(u(i+1) - u(i-1)) + nu*(u(i+1) - 2*u(i) + u(i-1))
    end do
    u(2:n-1) = u(2:n-1) + dt*(1.5d0*f(2:n-1) - 0.5d0*fold(2:n-1))
    fold(2:n-1) = f(2:n-1)
  end do
  cost = sum(u**2)
end subroutine burg
