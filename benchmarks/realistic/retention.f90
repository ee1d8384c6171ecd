! Richards' equation in a soil column: van Genuchten's functions, modified Picard iterations with a test of convergence,
! a tridiagonal system each, ponding or flux at the top by the sign of the supply, roots by a stress function, free
! drainage; a solute is carried behind the water with decay and sorption.
module soil_physics
  implicit none
  integer, parameter :: nz = 7
  real(8) :: ksat(nz), alpha(nz), vgn(nz), dz = 0.5d0
  real(8), parameter :: ths = 0.45d0, thr = 0.05d0
contains
  function saturation(h, k) result(se)
    real(8), intent(in) :: h
    integer, intent(in) :: k
    real(8) :: se
    if (h < 0d0) then
      se = (1d0 + (alpha(k)*abs(h))**vgn(k))**(-(1d0 - 1d0/vgn(k)))
    else
      se = 1d0
    end if
  end function saturation

  function conductivity(h, k) result(c)
    real(8), intent(in) :: h
    integer, intent(in) :: k
    real(8) :: c, se, m
    m = 1d0 - 1d0/vgn(k)
    se = saturation(h, k)
    if (se < 0.9999d0) then
      c = ksat(k)*sqrt(se)*(1d0 - (1d0 - se**(1d0/m))**m)**2
    else
      c = ksat(k)
    end if
  end function conductivity

  function capacity(h, k) result(c)
    real(8), intent(in) :: h
    integer, intent(in) :: k
    real(8) :: c, x, m
    c = 1d-4
    if (h < 0d0) then
      m = 1d0 - 1d0/vgn(k)
      x = (alpha(k)*abs(h))**vgn(k)
      c = c + (ths - thr)*m*vgn(k)*x/(abs(h)*(1d0 + x)**(m + 1d0))
    end if
  end function capacity

  real(8) function stress(h)
    real(8), intent(in) :: h
    if (h > -0.2d0) then
      stress = 0.2d0
    else if (h > -2d0) then
      stress = 1d0
    else
      stress = max(0d0, 1d0 - (-2d0 - h)/4d0)
    end if
  end function stress

  subroutine sweep(a, b, c, r, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), c(n)
    real(8), intent(inout) :: b(n), r(n)
    integer :: i
    do i = 2, n
      b(i) = b(i) - a(i)*c(i-1)/b(i-1)
      r(i) = r(i) - a(i)*r(i-1)/b(i-1)
    end do
    r(n) = r(n)/b(n)
    do i = n - 1, 1, -1
      r(i) = (r(i) - c(i)*r(i+1))/b(i)
    end do
  end subroutine sweep

  subroutine water(h, theta, flux, supply, pet, dt)
    real(8), intent(inout) :: h(nz), theta(nz)
    real(8), intent(out) :: flux(0:nz)
    real(8), intent(in) :: supply, pet, dt
    real(8) :: old(nz), kf(0:nz), cap(nz), a(nz), b(nz), c(nz), r(nz), root(nz), change
    integer :: k, it
    old = theta
    do it = 1, 6
      do k = 1, nz - 1
        kf(k) = 0.5d0*(conductivity(h(k), k) + conductivity(h(k+1), k+1))
      end do
      kf(nz) = conductivity(h(nz), nz)
      kf(0) = 0d0
      if (supply > ksat(1)) kf(0) = ksat(1)
      do k = 1, nz
        cap(k) = capacity(h(k), k)
        root(k) = pet*stress(h(k))*exp(-0.5d0*k)
        a(k) = 0d0
        c(k) = 0d0
        if (k > 1) a(k) = -dt*kf(k-1)/dz**2
        if (k < nz) c(k) = -dt*kf(k)/dz**2
        b(k) = cap(k) - a(k) - c(k)
        r(k) = cap(k)*h(k) - (theta(k) - old(k)) - dt*root(k) - dt*kf(k)/dz
        if (k > 1) r(k) = r(k) + dt*kf(k-1)/dz
      end do
      if (kf(0) > 0d0) then
        b(1) = b(1) + 2d0*dt*kf(0)/dz**2
        r(1) = r(1) + dt*kf(0)/dz
      else
        r(1) = r(1) + dt*supply/dz
      end if
      call sweep(a, b, c, r, nz)
      change = 0d0
      do k = 1, nz
        change = max(change, abs(r(k) - h(k)))
        h(k) = r(k)
        theta(k) = thr + (ths - thr)*saturation(h(k), k)
      end do
      if (change < 1d-5) exit
    end do
    flux(0) = min(supply, ksat(1))
    do k = 1, nz
      flux(k) = flux(k-1) - dz*(theta(k) - old(k))/dt - dz*root(k)
    end do
  end subroutine water

  subroutine solute(c, theta, flux, dt, decay, sorb)
    real(8), intent(inout) :: c(nz)
    real(8), intent(in) :: theta(nz), flux(0:nz), dt, decay, sorb
    real(8) :: f(0:nz)
    integer :: k
    f(0) = 0.5d0*max(flux(0), 0d0)
    do k = 1, nz - 1
      if (flux(k) > 0d0) then
        f(k) = flux(k)*c(k)
      else
        f(k) = flux(k)*c(k+1)
      end if
      f(k) = f(k) + 0.02d0*(c(k) - c(k+1))
    end do
    f(nz) = max(flux(nz), 0d0)*c(nz)
    do k = 1, nz
      c(k) = c(k) + dt*(f(k-1) - f(k))/(dz*(theta(k) + sorb*0.8d0/(1d0 + c(k))))
      c(k) = c(k)/(1d0 + dt*decay)
    end do
  end subroutine solute
end module soil_physics

subroutine leach(nt, ks, al, vn, rain, pet, decay, sorb, lost)
  use soil_physics
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: ks(nz), al(nz), vn(nz), rain(nt), pet(nt), decay, sorb
  real(8), intent(out) :: lost
  real(8) :: h(nz), theta(nz), c(nz), flux(0:nz), dt
  integer :: it, k
  ksat = 0.3d0*ks
  alpha = al
  vgn = 1.2d0 + vn
  dt = 0.2d0
  do k = 1, nz
    h(k) = -1.5d0 + 0.1d0*k
    theta(k) = thr + (ths - thr)*saturation(h(k), k)
    c(k) = 0.1d0*k
  end do
  lost = 0d0
  do it = 1, nt
    call water(h, theta, flux, 0.25d0*rain(it), 0.05d0*pet(it), dt)
    call solute(c, theta, flux, dt, 0.1d0*decay, sorb)
    lost = lost + dt*max(flux(nz), 0d0)*c(nz) + 0.01d0*(theta(3) - 0.3d0)**2
  end do
end subroutine leach
