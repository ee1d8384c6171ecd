! Short waves through an atmosphere with clouds: delta scaling, two-stream reflectance and transmittance of each layer,
! adding from below, heating rates; the bands are summed, the columns are visited one by one.
module optics
  implicit none
  integer, parameter :: nlev = 6, nband = 3
  type layer
    real(8) :: tau, omega, asym
  end type layer
  type answer
    real(8) :: rdir, rdif, tdir, tdif, tnoscat
  end type answer
  real(8) :: kext(nband) = (/12d0, 8d0, 3d0/), kabs(nband) = (/0.02d0, 0.3d0, 0.9d0/)
  real(8) :: share(nband) = (/0.5d0, 0.3d0, 0.2d0/)
contains
  subroutine mixed(band, water, vapour, thick, one)
    integer, intent(in) :: band
    real(8), intent(in) :: water, vapour, thick
    type(layer), intent(out) :: one
    real(8) :: scat, abso, f
    scat = kext(band)*water*thick
    if (water > 0.8d0) then
      one%asym = 0.85d0 + 0.02d0*(water - 0.8d0)
    else
      one%asym = 0.80d0
    end if
    abso = kabs(band)*vapour*thick
    one%tau = scat + abso + 0.01d0
    one%omega = min(0.999d0, (scat + 0.01d0)/one%tau)
    f = one%asym**2
    one%tau = (1d0 - one%omega*f)*one%tau
    one%omega = one%omega*(1d0 - f)/(1d0 - one%omega*f)
    one%asym = (one%asym - f)/(1d0 - f)
  end subroutine mixed

  subroutine two_stream(one, mu, found)
    type(layer), intent(in) :: one
    real(8), intent(in) :: mu
    type(answer), intent(out) :: found
    real(8) :: g1, g2, g3, g4, a1, a2, k, e, e2, bottom, km
    g1 = 0.25d0*(8d0 - one%omega*(5d0 + 3d0*one%asym))
    g2 = 0.75d0*one%omega*(1d0 - one%asym)
    g3 = 0.25d0*(2d0 - 3d0*one%asym*mu)
    g4 = 1d0 - g3
    a1 = g1*g4 + g2*g3
    a2 = g1*g3 + g2*g4
    k = sqrt(max(g1**2 - g2**2, 1d-8))
    e = exp(-k*one%tau)
    e2 = e*e
    bottom = k + g1 + (k - g1)*e2
    found%rdif = g2*(1d0 - e2)/bottom
    found%tdif = 2d0*k*e/bottom
    found%tnoscat = exp(-one%tau/mu)
    km = k*mu
    if (abs(1d0 - km*km) < 1d-3) km = km + 2d-3
    bottom = one%omega/(bottom*(1d0 - km*km))
    found%rdir = bottom*((1d0 - km)*(a2 + k*g3) - (1d0 + km)*(a2 - k*g3)*e2 &
                         - 2d0*(k*g3 - a2*km)*e*found%tnoscat)
    found%tdir = -bottom*((1d0 + km)*(a1 + k*g4)*found%tnoscat - (1d0 - km)*(a1 - k*g4)*e2*found%tnoscat &
                          - 2d0*(k*g4 + a1*km)*e)
    found%rdir = max(0d0, min(found%rdir, 1d0 - found%tnoscat))
    found%tdir = max(0d0, min(found%tdir, 1d0 - found%tnoscat - found%rdir))
  end subroutine two_stream

  subroutine adding(layers, albedo, up, down, direct)
    type(answer), intent(in) :: layers(nlev)
    real(8), intent(in) :: albedo
    real(8), intent(out) :: up(nlev+1), down(nlev+1), direct(nlev+1)
    real(8) :: alb(nlev+1), src(nlev+1), den(nlev)
    integer :: l
    direct(1) = 1d0
    do l = 1, nlev
      direct(l+1) = direct(l)*layers(l)%tnoscat
    end do
    alb(nlev+1) = albedo
    src(nlev+1) = albedo*direct(nlev+1)
    do l = nlev, 1, -1
      den(l) = 1d0/(1d0 - alb(l+1)*layers(l)%rdif)
      alb(l) = layers(l)%rdif + layers(l)%tdif**2*alb(l+1)*den(l)
      src(l) = layers(l)%rdir*direct(l) + layers(l)%tdif*den(l)*(src(l+1) + alb(l+1)*layers(l)%tdir*direct(l))
    end do
    down(1) = 0d0
    up(1) = src(1)
    do l = 1, nlev
      down(l+1) = (layers(l)%tdif*down(l) + layers(l)%rdif*src(l+1) + layers(l)%tdir*direct(l))*den(l)
      up(l+1) = alb(l+1)*down(l+1) + src(l+1)
    end do
  end subroutine adding
end module optics

subroutine columns(ncol, temp, vapour, water, albedo, target, cost)
  use optics
  implicit none
  integer, intent(in) :: ncol
  real(8), intent(in) :: temp(nlev, ncol), vapour(nlev, ncol), water(nlev, ncol), albedo(ncol), target(nlev, ncol)
  real(8), intent(out) :: cost
  type(layer) :: one
  type(answer) :: stack(nlev)
  real(8) :: up(nlev+1), down(nlev+1), direct(nlev+1), net(nlev+1), t(nlev), mu, thick
  integer :: c, b, l, step
  cost = 0d0
  do c = 1, ncol
    t = temp(:, c)
    do step = 1, 3
      mu = 0.2d0 + 0.2d0*step
      net = 0d0
      do b = 1, nband
        do l = 1, nlev
          thick = 0.1d0 + 0.05d0*t(l)
          call mixed(b, water(l, c), vapour(l, c)*(1d0 + 0.1d0*t(l)), thick, one)
          call two_stream(one, mu, stack(l))
        end do
        call adding(stack, albedo(c), up, down, direct)
        do l = 1, nlev + 1
          net(l) = net(l) + share(b)*mu*(direct(l) + down(l) - up(l))
        end do
      end do
      do l = 1, nlev
        t(l) = t(l) + 0.5d0*(net(l) - net(l+1)) - 0.02d0*t(l)**4
      end do
    end do
    do l = 1, nlev
      cost = cost + (t(l) - target(l, c))**2
    end do
  end do
end subroutine columns
