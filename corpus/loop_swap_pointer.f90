! Two levels in time, swapped by pointers.
subroutine swapped(a, b, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout), target :: a(n), b(n)
  real(8), intent(out) :: cost
  real(8), pointer :: now(:), new(:), t(:)
  integer :: k
  now => a
  new => b
  do k = 1, nt
    new = now + 0.1d0*now*now
    t => now
    now => new
    new => t
  end do
  cost = sum(now)
end subroutine swapped
