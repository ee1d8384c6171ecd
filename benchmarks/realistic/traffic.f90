! Traffic on a ring road with an entry and an exit: Godunov's fluxes from demand and supply, a ramp's queue.
subroutine traffic(n, nt, rho0, vmax, inflow, delay)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: rho0(n), vmax(n), inflow(nt)
  real(8), intent(out) :: delay
  real(8) :: rho(n), flux(0:n), queue, enter, leave
  real(8), save :: jam = 4d0
  integer :: it, i
  rho = rho0
  queue = 0d0
  delay = 0d0
  do it = 1, nt
    call ramp(rho(2), vmax(2), jam, inflow(it), queue, enter)
    do i = 0, n
      if (i == 0 .or. i == n) then
        call godunov(rho(n), rho(1), vmax(n), vmax(1), jam, flux(i))
      else
        call godunov(rho(i), rho(i+1), vmax(i), vmax(i+1), jam, flux(i))
      end if
    end do
    leave = 0.1d0*rho(n-1)
    do i = 1, n
      rho(i) = rho(i) + 0.1d0*(flux(i-1) - flux(i))
    end do
    rho(2) = rho(2) + 0.1d0*enter
    rho(n-1) = rho(n-1) - 0.1d0*leave
    delay = delay + 0.1d0*queue
    do i = 1, n
      delay = delay + 0.01d0*rho(i)*rho(i)/vmax(i)
    end do
  end do
end subroutine
subroutine fundamental(rho, vmax, jam, q, qmax)
  implicit none
  real(8), intent(in) :: rho, vmax, jam
  real(8), intent(out) :: q, qmax
  q = vmax*rho*(1d0 - rho/jam)
  qmax = 0.25d0*vmax*jam
end subroutine
subroutine godunov(left, right, vl, vr, jam, flux)
  implicit none
  real(8), intent(in) :: left, right, vl, vr, jam
  real(8), intent(out) :: flux
  real(8) :: demand, supply, q, qmax
  call fundamental(left, vl, jam, q, qmax)
  demand = qmax
  if (left < 0.5d0*jam) demand = q
  call fundamental(right, vr, jam, q, qmax)
  supply = qmax
  if (right > 0.5d0*jam) supply = q
  flux = min(demand, supply)
end subroutine
subroutine ramp(rho, v, jam, inflow, queue, enter)
  implicit none
  real(8), intent(in) :: rho, v, jam, inflow
  real(8), intent(inout) :: queue
  real(8), intent(out) :: enter
  real(8) :: room, want
  want = queue + inflow
  room = 0.2d0*v*max(jam - rho, 0d0)
  enter = room*(1d0 - exp(-want/room))
  queue = want - enter
end subroutine
