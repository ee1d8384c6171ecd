! The cost is summed up in the loop: nothing that a derivative reads needs its value again.
subroutine accum(u, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  integer :: k
  cost = 0d0
  do k = 1, nt
    u = u + 0.1d0*sin(u)
    cost = cost + sum(u*u)
  end do
end subroutine accum
