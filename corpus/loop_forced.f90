! Each step reads its own record of a forcing array: a parameter, whatever the step.
subroutine forced(u, force, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: force(n, nt)
  real(8), intent(out) :: cost
  integer :: k
  do k = nt, 1, -1
    u = u + 0.1d0*force(:, k)*u*u
  end do
  cost = sum(u)
end subroutine forced
