! Monte Carlo photons in a layered cloud with an own congruential generator; weights carry the derivatives.
module random_lcg
  implicit none
  integer :: state = 12345
contains
  real(8) function uniform()
    state = mod(state*69 + 31, 65537)
    if (state < 0) state = state + 65537
    uniform = (state + 0.5d0)/65538d0
  end function uniform
end module random_lcg
module cloud
  implicit none
  integer, parameter :: nl = 4
  type photon
    real(8) :: x(3), d(3), w
    integer :: layer
    logical :: alive
  end type photon
  real(8) :: ext(nl), ssa(nl), gg(nl), base(nl+1)
contains
  subroutine scatter(p)
    use random_lcg
    type(photon), intent(inout) :: p
    real(8) :: g, mu, s, phi, u, v, w, den
    g = gg(p%layer)
    u = uniform()
    mu = (1d0 - g*g)/(1d0 - g + 2d0*g*u)
    mu = (1d0 + g*g - mu*mu)/(2d0*g)
    s = sqrt(max(0d0, 1d0 - mu*mu))
    phi = 6.2831853d0*uniform()
    u = p%d(1)
    v = p%d(2)
    w = p%d(3)
    if (abs(w) > 0.999d0) then
      p%d(1) = s*cos(phi)
      p%d(2) = s*sin(phi)
      p%d(3) = sign(mu, w)
    else
      den = sqrt(1d0 - w*w)
      p%d(1) = s*(u*w*cos(phi) - v*sin(phi))/den + u*mu
      p%d(2) = s*(v*w*cos(phi) + u*sin(phi))/den + v*mu
      p%d(3) = -s*cos(phi)*den + w*mu
    end if
    p%w = p%w*ssa(p%layer)
  end subroutine scatter
  subroutine move(p, up, down)
    use random_lcg
    type(photon), intent(inout) :: p
    real(8), intent(inout) :: up, down
    real(8) :: tau, dz, dist, zt
    tau = -log(uniform())
    do
      if (p%d(3) > 0d0) then
        zt = base(p%layer+1)
      else
        zt = base(p%layer)
      end if
      dz = (zt - p%x(3))/p%d(3)
      dist = tau/ext(p%layer)
      if (dist < dz) then
        p%x = p%x + dist*p%d
        exit
      end if
      p%x = p%x + dz*p%d
      p%w = p%w*exp(-0.01d0*ext(p%layer)*dz)
      tau = tau - dz*ext(p%layer)
      if (p%d(3) > 0d0) then
        if (p%layer == nl) then
          up = up + p%w
          p%alive = .false.
          return
        end if
        p%layer = p%layer + 1
      else
        if (p%layer == 1) then
          down = down + p%w
          p%alive = .false.
          return
        end if
        p%layer = p%layer - 1
      end if
    end do
  end subroutine move
end module cloud
subroutine photons(lwc, reff, alb, thick, refl, trans)
  use cloud
  use random_lcg
  implicit none
  real(8), intent(in) :: lwc(nl), reff, alb(nl), thick(nl)
  real(8), intent(out) :: refl, trans
  type(photon) :: p
  integer :: n, l, k
  state = 4711
  base(1) = 0d0
  do l = 1, nl
    ext(l) = 1.5d0*lwc(l)/reff
    ssa(l) = 0.9d0*alb(l)/(0.2d0 + alb(l))
    gg(l) = 0.6d0 + 0.05d0*l
    base(l+1) = base(l) + 0.4d0*thick(l)
  end do
  refl = 0d0
  trans = 0d0
  do n = 1, 12
    p%x(1) = 0d0
    p%x(2) = 0d0
    p%x(3) = base(nl+1) - 1d-6
    p%d = (/0d0, 0.6d0, -0.8d0/)
    p%w = 1d0
    p%layer = nl
    p%alive = .true.
    k = 0
    do while (p%alive .and. k < 8)
      call move(p, refl, trans)
      if (.not. p%alive) exit
      call scatter(p)
      k = k + 1
      if (p%w < 0.05d0) exit
    end do
  end do
  refl = refl/12
  trans = trans/12
end subroutine photons
