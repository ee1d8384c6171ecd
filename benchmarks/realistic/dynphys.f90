! A toy general circulation model on a latitude-height plane: three time levels in a module, dynamics, physics and a
! Robert-Asselin filter as drivers of their own, convective adjustment, surface fluxes by stability classes, halo rows.
module levels
  implicit none
  integer, parameter :: ny = 5, nz = 3
  real(8) :: uo(0:ny+1, nz), un(0:ny+1, nz), up(0:ny+1, nz)
  real(8) :: to(0:ny+1, nz), tn(0:ny+1, nz), tp(0:ny+1, nz)
  real(8) :: cor(ny), dt, wz(ny, nz)
end module levels
subroutine edges(f)
  use levels, only: ny, nz
  implicit none
  real(8), intent(inout) :: f(0:ny+1, nz)
  f(0, :) = f(1, :)
  f(ny+1, :) = f(ny, :)
end subroutine edges
subroutine dynamics(diff)
  use levels
  implicit none
  real(8), intent(in) :: diff
  real(8) :: vg
  integer :: j, k
  call edges(un)
  call edges(tn)
  call edges(to)
  do k = 1, nz
    do j = 1, ny
      vg = -0.1d0*cor(j)*(tn(j+1, k) - tn(j-1, k))
      wz(j, k) = 0.2d0*(un(j+1, k) - un(j-1, k))*vg
      up(j, k) = uo(j, k) + 2d0*dt*(cor(j)*vg - vg*(un(j+1, k) - un(j-1, k)) - 0.05d0*uo(j, k))
      tp(j, k) = to(j, k) + 2d0*dt*(-vg*(tn(j+1, k) - tn(j-1, k)) + diff*(to(j+1, k) - 2d0*to(j, k) + to(j-1, k)))
    end do
  end do
  do k = 2, nz - 1
    do j = 1, ny
      tp(j, k) = tp(j, k) - dt*wz(j, k)*(tn(j, k+1) - tn(j, k-1))
    end do
  end do
end subroutine dynamics
subroutine radiate(j, sun, gas)
  use levels
  implicit none
  integer, intent(in) :: j
  real(8), intent(in) :: sun, gas
  real(8) :: fu(0:nz), fd(0:nz), em
  integer :: k
  fd(nz) = 0d0
  do k = nz, 1, -1
    em = 1d0 - exp(-gas*0.3d0)
    fd(k-1) = fd(k)*(1d0 - em) + em*to(j, k)**4
  end do
  fu(0) = 0.7d0*sun + fd(0)
  do k = 1, nz
    em = 1d0 - exp(-gas*0.3d0)
    fu(k) = fu(k-1)*(1d0 - em) + em*to(j, k)**4
  end do
  do k = 1, nz
    tp(j, k) = tp(j, k) + 0.2d0*dt*(fu(k-1) - fu(k) + fd(k) - fd(k-1))
  end do
end subroutine radiate
subroutine adjust(j)
  use levels
  implicit none
  integer, intent(in) :: j
  real(8) :: m
  integer :: it, k
  logical :: done
  do it = 1, 5
    done = .true.
    do k = 1, nz - 1
      if (tp(j, k) > tp(j, k+1) + 0.3d0) then
        m = 0.5d0*(tp(j, k) + tp(j, k+1))
        tp(j, k) = m + 0.15d0
        tp(j, k+1) = m - 0.15d0
        done = .false.
      end if
    end do
    if (done) exit
  end do
end subroutine adjust
subroutine surface(j, drag)
  use levels
  implicit none
  integer, intent(in) :: j
  real(8), intent(in) :: drag
  real(8) :: ri, fm, s
  s = sqrt(uo(j, 1)**2 + 0.01d0)
  ri = (to(j, 2) - to(j, 1))/s**2
  if (ri > 0d0) then
    fm = 1d0/(1d0 + 5d0*ri)**2
  else
    fm = 1d0 - 0.5d0*ri/(1d0 + 0.1d0*sqrt(-ri))
  end if
  up(j, 1) = up(j, 1)/(1d0 + dt*drag*fm*s)
end subroutine surface
subroutine filter(nu, o, n, p)
  use levels, only: ny, nz
  implicit none
  real(8), intent(in) :: nu
  real(8), intent(inout) :: o(0:ny+1, nz), n(0:ny+1, nz), p(0:ny+1, nz)
  integer :: j, k
  do k = 1, nz
    do j = 1, ny
      n(j, k) = n(j, k) + nu*(o(j, k) - 2d0*n(j, k) + p(j, k))
      o(j, k) = n(j, k)
      n(j, k) = p(j, k)
    end do
  end do
end subroutine filter
subroutine dynphys(nsteps, tini, sun, gas, drag, diff, jet)
  use levels
  implicit none
  integer, intent(in) :: nsteps
  real(8), intent(in) :: tini(ny, nz), sun, gas, drag, diff
  real(8), intent(out) :: jet
  integer :: it, j
  dt = 0.05d0
  do j = 1, ny
    cor(j) = 0.3d0*j
    uo(j, :) = 0.1d0*j
    to(j, :) = tini(j, :) + 0.1d0*(ny - j)
  end do
  un = uo
  tn = to
  call edges(uo)
  do it = 1, nsteps
    !$AD CHECKPOINT-START
    call dynamics(0.2d0*diff)
    !$AD CHECKPOINT-END
    !$AD CHECKPOINT-START
    do j = 1, ny
      call radiate(j, sun*(1d0 - 0.1d0*j), gas)
      call surface(j, drag)
      call adjust(j)
    end do
    !$AD CHECKPOINT-END
    call filter(0.05d0, uo, un, up)
    call filter(0.05d0, to, tn, tp)
  end do
  jet = sum(un(1:ny, nz)**2) + sum(tn(1:ny, 1))
end subroutine dynphys
