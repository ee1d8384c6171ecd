! The length of a step is what the state allows: nobody knows how many there are.
subroutine adaptive(u, n, tend, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: tend
  real(8), intent(out) :: cost
  real(8) :: t, dt
  t = 0d0
  do while (t < tend)
    dt = 0.1d0/(1d0 + maxval(abs(u)))
    u = u - dt*u*u
    t = t + dt
  end do
  cost = sum(u)
end subroutine adaptive
