! Heat conduction, explicit in time: the step is linear, so its adjoint reads no value of u.
subroutine heat(u, kappa, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: kappa
  real(8), intent(out) :: cost
  real(8) :: v(n)
  integer :: k
  do k = 1, nt
    v(2:n-1) = u(1:n-2) - 2*u(2:n-1) + u(3:n)
    u(2:n-1) = u(2:n-1) + kappa*v(2:n-1)
  end do
  cost = sum(u*u)
end subroutine heat
