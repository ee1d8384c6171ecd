! Leapfrog: two levels in time, moved on by copies.
subroutine leap(now, old, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: now(n), old(n)
  real(8), intent(out) :: cost
  real(8) :: new(n)
  integer :: i, k
  do k = 1, nt
    new = old
    do i = 2, n - 1
      new(i) = old(i) - 0.1d0*now(i)*(now(i+1) - now(i-1))
    end do
    old = now
    now = new
  end do
  cost = sum(now*old)
end subroutine leap
