! Green and Ampt's infiltration on a hillslope: implicit depth of the wetting front by Newton's method, surface
! storage, kinematic runoff from cell to cell.
module soil
  implicit none
  real(8) :: ksat, psi, dtheta
end module
subroutine infiltration(n, nt, rain, par, runoff)
  use soil
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: rain(nt), par(3)
  real(8), intent(out) :: runoff
  real(8) :: f(n), pond(n), q, qin, excess, inf
  integer :: it, i
  ksat = 0.1d0 + 0.1d0*par(1)
  psi = 0.5d0 + par(2)
  dtheta = 0.2d0 + 0.05d0*par(3)
  f = 0.05d0
  pond = 0d0
  runoff = 0d0
  do it = 1, nt
    qin = 0d0
    do i = 1, n
      call infiltrate(f(i), pond(i), rain(it) + qin, 0.2d0, inf)
      excess = pond(i) - 0.02d0
      if (excess > 0d0) then
        q = 1.2d0*excess**(5d0/3d0)
        q = min(q, pond(i)/0.2d0)
        pond(i) = pond(i) - 0.2d0*q
      else
        q = 0d0
      end if
      qin = q
    end do
    runoff = runoff + 0.2d0*qin
  end do
end subroutine
subroutine infiltrate(f, pond, supply, dt, inf)
  use soil
  implicit none
  real(8), intent(inout) :: f, pond
  real(8), intent(in) :: supply, dt
  real(8), intent(out) :: inf
  real(8) :: capacity, water, fnew
  water = pond/dt + supply
  capacity = ksat*(1d0 + psi*dtheta/f)
  if (capacity >= water) then
    inf = water
    f = f + inf*dt
    pond = 0d0
  else
    call front(f, dt, fnew)
    inf = (fnew - f)/dt
    if (inf > water) inf = water
    f = f + inf*dt
    pond = (water - inf)*dt
  end if
end subroutine
subroutine front(f, dt, fnew)
  use soil
  implicit none
  real(8), intent(in) :: f, dt
  real(8), intent(out) :: fnew
  real(8) :: g, dg, s
  integer :: k
  s = psi*dtheta
  fnew = f + ksat*dt
  do k = 1, 6
    g = fnew - f - s*log((fnew + s)/(f + s)) - ksat*dt
    dg = fnew/(fnew + s)
    if (abs(g) < 1d-10) exit
    fnew = fnew - g/dg
  end do
end subroutine
