! The grid grows: what a step leaves depends on its number.
subroutine grows(u, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  integer :: k, m
  do k = 1, nt
    do m = 1, k
      u(m) = u(m) + 0.1d0*u(m)*u(m)
    end do
  end do
  cost = sum(u)
end subroutine grows
