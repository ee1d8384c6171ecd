! Stratospheric chemistry: photolysis from a table in zenith angle and column, a family method, sub-steps chosen by stiffness.
module photo
  implicit none
  integer, parameter :: nz = 6, nc = 5, nj = 3
  real(8) :: table(nz, nc, nj), zgrid(nz), cgrid(nc)
contains
  subroutine set_table(scale)
    real(8), intent(in) :: scale
    integer :: i, j, k
    do i = 1, nz
      zgrid(i) = (i - 1)*0.3d0
    end do
    do j = 1, nc
      cgrid(j) = 0.5d0*j
    end do
    do k = 1, nj
      do j = 1, nc
        do i = 1, nz
          table(i, j, k) = scale*0.4d0/k*exp(-0.3d0*cgrid(j)*k)*max(0d0, cos(zgrid(i)))
        end do
      end do
    end do
  end subroutine set_table
  subroutine rates(zen, col, jval)
    real(8), intent(in) :: zen, col
    real(8), intent(out) :: jval(nj)
    integer :: i, j, k
    real(8) :: a, b, c
    c = min(max(col, cgrid(1)), cgrid(nc))
    i = 1
    do while (i < nz - 1 .and. zen > zgrid(i+1))
      i = i + 1
    end do
    j = 1
    do while (j < nc - 1 .and. c > cgrid(j+1))
      j = j + 1
    end do
    a = (zen - zgrid(i))/(zgrid(i+1) - zgrid(i))
    b = (c - cgrid(j))/(cgrid(j+1) - cgrid(j))
    do k = 1, nj
      jval(k) = (1d0 - a)*(1d0 - b)*table(i, j, k) + a*(1d0 - b)*table(i+1, j, k) &
              + (1d0 - a)*b*table(i, j+1, k) + a*b*table(i+1, j+1, k)
    end do
  end subroutine rates
end module photo
subroutine arrhenius(t, k)
  implicit none
  real(8), intent(in) :: t
  real(8), intent(out) :: k(5)
  k(1) = 0.60d0*exp(-0.3d0/t)
  k(2) = 0.80d0*(1d0/t)**2.3d0
  k(3) = 0.20d0*exp(-2.06d0/t)
  k(4) = 0.50d0*exp(-1.5d0/t)
  k(5) = 0.56d0*exp(0.18d0/t)
end subroutine arrhenius
subroutine ozone(nlev, nt, temp, o3i, noxi, scale, column)
  use photo
  implicit none
  integer, intent(in) :: nlev, nt
  real(8), intent(in) :: temp(nlev), o3i(nlev), noxi(nlev), scale
  real(8), intent(out) :: column
  real(8) :: o3(nlev), no(nlev), no2(nlev), cly(nlev), clo(nlev)
  real(8) :: jv(nj), k(5), col, zen, o, prod, loss, dt, tau, part, x
  integer :: l, it, is, ns
  call set_table(scale)
  do l = 1, nlev
    o3(l) = o3i(l)
    no(l) = 0.5d0*noxi(l)
    no2(l) = 0.5d0*noxi(l)
    cly(l) = 0.3d0
    clo(l) = 0.1d0
  end do
  do it = 1, nt
    zen = abs(mod(0.4d0*it, 2.8d0) - 1.4d0)
    col = 0.3d0
    do l = nlev, 1, -1
      col = col + 0.4d0*o3(l)
      call rates(zen, col, jv)
      call arrhenius(temp(l), k)
      tau = jv(1) + k(1)*no(l) + k(4)*clo(l)
      ns = 1
      if (tau > 0.4d0) ns = 2
      if (tau > 0.8d0) ns = 3
      dt = 0.5d0/ns
      do is = 1, ns
        o = jv(1)*o3(l)/(k(2) + 0.1d0)
        ! fast partitioning of nitrogen and chlorine
        x = no(l) + no2(l)
        part = (jv(2) + k(5)*o)/(jv(2) + k(5)*o + k(1)*o3(l))
        no(l) = part*x
        no2(l) = x - no(l)
        part = k(3)*o3(l)/(k(3)*o3(l) + k(5)*no(l) + k(4)*o + 1d-3)
        clo(l) = part*cly(l)
        prod = 2d0*jv(3)*0.21d0
        loss = 2d0*k(5)*o*no2(l) + 2d0*k(4)*o*clo(l) + jv(1)*0.05d0*o3(l)
        o3(l) = (o3(l) + dt*prod)/(1d0 + dt*loss/o3(l))
      end do
    end do
  end do
  column = 0d0
  do l = 1, nlev
    column = column + o3(l)/temp(l)
  end do
end subroutine ozone
