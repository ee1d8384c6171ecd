! A large state of which little is non-linear: much restarts a step, its adjoint reads a number.
subroutine tracers(t, w, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: t(n), w
  real(8), intent(out) :: cost
  real(8) :: s(n)
  integer :: k
  do k = 1, nt
    w = w - 0.1d0*w*w
    s(2:n-1) = t(1:n-2) - 2*t(2:n-1) + t(3:n)
    t(2:n-1) = t(2:n-1) + 0.1d0*s(2:n-1) + 0.1d0*w
  end do
  cost = sum(t*t)
end subroutine tracers
