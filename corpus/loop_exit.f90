! An EXIT in the middle of a step, and a CYCLE.
subroutine relaxed(u, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: change
  integer :: k
  do k = 1, nt
    change = 0.5d0*sum(u*u)
    if (mod(k, 4) == 2) cycle
    u = u - 0.1d0*u*u
    if (change < 0.1d0) exit
    u = u*cos(u)
  end do
  cost = sum(u)
end subroutine relaxed
