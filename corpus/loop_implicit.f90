! Backward Euler, each element by Newton's method: a step leaves much, and little restarts it.
subroutine stiff(u, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: w(n)
  integer :: k, it
  do k = 1, nt
    w = u
    do it = 1, 4
      w = w - (w + 0.1d0*w**3 - u)/(1d0 + 0.3d0*w**2)
    end do
    u = w
  end do
  cost = sum(u*u)
end subroutine stiff
