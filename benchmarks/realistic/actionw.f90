! A spectrum of waves along a coast: action by direction and frequency, propagation up the shore, refraction in direction
! space with wrapped neighbours, wind input, whitecapping by a mean steepness, quadruplets by a table, breaking depth.
module wavespec
  implicit none
  integer, parameter :: nf = 4, nd = 6
  integer :: kp(nd), km(nd), fup(nf), fdn(nf)
  real(8) :: sig(nf), cosd(nd), sind(nd)
contains
  subroutine grid_tables()
    integer :: i
    do i = 1, nf
      sig(i) = 0.6d0*1.25d0**(i - 1)
      fup(i) = min(i + 1, nf)
      fdn(i) = max(i - 1, 1)
    end do
    do i = 1, nd
      kp(i) = mod(i, nd) + 1
      km(i) = mod(i + nd - 2, nd) + 1
      cosd(i) = cos(1.0472d0*(i - 1))
      sind(i) = sin(1.0472d0*(i - 1))
    end do
  end subroutine grid_tables
  subroutine dispersion(depth, k, cg)
    real(8), intent(in) :: depth
    real(8), intent(out) :: k(nf), cg(nf)
    real(8) :: t, a
    integer :: i, m
    do i = 1, nf
      a = sig(i)**2
      k(i) = a
      do m = 1, 3
        t = tanh(k(i)*depth)
        k(i) = k(i) - (k(i)*t - a)/(t + k(i)*depth*(1d0 - t*t))
      end do
      cg(i) = 0.5d0*sig(i)/k(i)*(1d0 + 2d0*k(i)*depth/sinh(2d0*k(i)*depth))
    end do
  end subroutine dispersion
  subroutine refract(dslope, k, dt, e)
    real(8), intent(in) :: dslope, k(nf), dt
    real(8), intent(inout) :: e(nd, nf)
    real(8) :: c(nd), fl(nd)
    integer :: i, j
    do i = 1, nf
      do j = 1, nd
        c(j) = sig(i)/(2d0 + k(i))*dslope*sind(j)
      end do
      do j = 1, nd
        if (c(j) > 0d0) then
          fl(j) = c(j)*e(j, i)
        else
          fl(j) = c(j)*e(kp(j), i)
        end if
      end do
      do j = 1, nd
        e(j, i) = e(j, i) - dt*(fl(j) - fl(km(j)))
      end do
    end do
  end subroutine refract
  subroutine sources(wind, wdir, depth, k, dt, e)
    real(8), intent(in) :: wind, wdir, depth, k(nf), dt
    real(8), intent(inout) :: e(nd, nf)
    real(8) :: etot, kmean, steep, beta, s(nd, nf), hm, qb
    integer :: i, j
    etot = sum(e)
    kmean = 0d0
    do i = 1, nf
      kmean = kmean + k(i)*sum(e(:, i))
    end do
    kmean = kmean/etot
    steep = kmean*sqrt(etot)
    do i = 1, nf
      do j = 1, nd
        beta = max(0d0, 0.25d0*(wind*k(i)/sig(i)*(cosd(j)*cos(wdir) + sind(j)*sin(wdir)) - 0.3d0))
        s(j, i) = beta*e(j, i) - 0.2d0*steep**2*k(i)/kmean*e(j, i)
      end do
    end do
    do i = 1, nf
      do j = 1, nd
        qb = 2d0*e(j, i)**2*e(j, fup(i)) - 2d0*e(j, i)*e(j, fdn(i))*e(kp(j), i)
        s(j, i) = s(j, i) - 0.1d0*qb
        s(j, fup(i)) = s(j, fup(i)) + 0.05d0*qb
        s(j, fdn(i)) = s(j, fdn(i)) + 0.05d0*qb
      end do
    end do
    hm = 0.7d0*depth
    do i = 1, nf
      do j = 1, nd
        e(j, i) = max(e(j, i) + dt*s(j, i)/(1d0 + 0.3d0*abs(s(j, i))), 1d-6)
      end do
    end do
    etot = sum(e)
    if (4d0*sqrt(etot) > hm) e = e*(hm/(4d0*sqrt(etot)))**2
  end subroutine sources
end module wavespec
subroutine actionw(nx, e0, bed, wind, wdir, setup)
  use wavespec
  implicit none
  integer, intent(in) :: nx
  real(8), intent(in) :: e0(nd, nf), bed(nx), wind, wdir
  real(8), intent(out) :: setup
  real(8) :: e(nd, nf), k(nf), cg(nf), cgo(nf), depth, dold, flux
  integer :: ix, i, j
  call grid_tables()
  e = 0.02d0*e0
  depth = 2.5d0 + bed(1)
  call dispersion(depth, k, cg)
  setup = 0d0
  do ix = 2, nx
    dold = depth
    cgo = cg
    depth = 2.5d0 - 0.4d0*ix + 0.5d0*bed(ix) - 0.1d0*setup
    if (depth < 0.2d0) exit
    call dispersion(depth, k, cg)
    do i = 1, nf
      do j = 1, nd
        if (cosd(j) > 0d0) e(j, i) = e(j, i)*cgo(i)/cg(i)
      end do
    end do
    call refract(dold - depth, k, 0.3d0, e)
    call sources(wind, wdir, depth, k, 0.3d0, e)
    flux = 0d0
    do i = 1, nf
      flux = flux + sum(e(:, i)*cosd**2)*cg(i)/sig(i)*k(i)
    end do
    setup = setup + 0.1d0*flux/depth
  end do
end subroutine actionw
