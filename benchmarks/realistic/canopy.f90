! A plant canopy by layers: light, photosynthesis with stomata solved by fixed-point sweeps, leaf temperature, soil
! water that limits both; daily carbon gain and transpiration.
module leaf
  implicit none
  real(8) :: vcmax, slope, ga
contains
  subroutine assimilate(par, ci, temp, a)
    real(8), intent(in) :: par, ci, temp
    real(8), intent(out) :: a
    real(8) :: wc, wj, vt, jt
    vt = vcmax*exp(0.05d0*(temp - 1d0))
    wc = vt*(ci - 0.1d0)/(ci + 0.7d0)
    jt = par*2d0*vt/(par + 2d0*vt)
    wj = jt*(ci - 0.1d0)/(4d0*ci + 0.8d0)
    a = min(wc, wj)
  end subroutine
  subroutine stomata(a, vpd, beta, gs)
    real(8), intent(in) :: a, vpd, beta
    real(8), intent(out) :: gs
    gs = 0.02d0 + slope*beta*max(a, 0d0)/sqrt(vpd)
  end subroutine
end module
subroutine canopy(n, nt, lai, light, par, gain)
  use leaf
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: lai(n), light(nt), par(3)
  real(8), intent(out) :: gain
  real(8) :: water, q(n), ci, gs, a, tl(n), beta, e, total, vpd
  integer :: it, k, sweep
  vcmax = 1d0 + 0.2d0*par(1)
  slope = 1d0 + 0.1d0*par(2)
  ga = 1d0
  water = 1d0
  gain = 0d0
  tl = 1d0
  do it = 1, nt
    call extinction(n, lai, light(it), q)
    beta = water/(water + 0.3d0)
    if (beta < 0.2d0) beta = 0d0
    total = 0d0
    vpd = 0.8d0 + 0.1d0*cos(0.4d0*it)
    do k = 1, n
      ci = 0.7d0
      do sweep = 1, 3
        call assimilate(q(k), ci, tl(k), a)
        call stomata(a, vpd, beta, gs)
        ci = 0.5d0*ci + 0.5d0*max(1d0 - 0.3d0*a/gs, 0.2d0)
      end do
      e = gs*vpd*ga/(ga + gs)
      tl(k) = tl(k) + 0.2d0*(q(k) - 0.5d0*e - 0.4d0*(tl(k) - 1d0))
      gain = gain + lai(k)*a
      total = total + lai(k)*e
    end do
    water = water - 0.02d0*total + 0.01d0*par(3)
    if (water < 0.05d0) water = 0.05d0
  end do
end subroutine
subroutine extinction(n, lai, light, q)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: lai(n), light
  real(8), intent(out) :: q(n)
  real(8) :: above
  integer :: k
  above = 0d0
  do k = 1, n
    q(k) = light*exp(-0.5d0*above)*(1d0 - exp(-0.5d0*lai(k)))/(0.1d0 + lai(k))
    above = above + lai(k)
  end do
end subroutine
