! Three bodies by extrapolation: modified midpoint steps in a growing sequence, Neville's table in place, order and step
! chosen by the error, rejected steps halved; a close approach ends the run.
module gbs_force
  implicit none
  integer, parameter :: nb = 3, ny = 4*nb, km = 4
contains
  subroutine deriv(y, mass, eps, dy)
    real(8), intent(in) :: y(ny), mass(nb), eps
    real(8), intent(out) :: dy(ny)
    real(8) :: d(2), r2, w
    integer :: i, j
    do i = 1, nb
      dy(4*i-3) = y(4*i-1)
      dy(4*i-2) = y(4*i)
      dy(4*i-1) = 0d0
      dy(4*i) = 0d0
    end do
    do i = 1, nb
      do j = 1, nb
        if (i == j) cycle
        d(1) = y(4*j-3) - y(4*i-3)
        d(2) = y(4*j-2) - y(4*i-2)
        r2 = d(1)**2 + d(2)**2 + eps**2
        w = mass(j)/(r2*sqrt(r2))
        dy(4*i-1) = dy(4*i-1) + w*d(1)
        dy(4*i) = dy(4*i) + w*d(2)
      end do
    end do
  end subroutine deriv
  subroutine midpoint(y, h, ns, mass, eps, yout)
    real(8), intent(in) :: y(ny), h, mass(nb), eps
    integer, intent(in) :: ns
    real(8), intent(out) :: yout(ny)
    real(8) :: ym(ny), yn(ny), dy(ny), swap, hs
    integer :: i, k
    hs = h/ns
    call deriv(y, mass, eps, dy)
    do i = 1, ny
      ym(i) = y(i)
      yn(i) = y(i) + hs*dy(i)
    end do
    do k = 2, ns
      call deriv(yn, mass, eps, dy)
      do i = 1, ny
        swap = ym(i) + 2d0*hs*dy(i)
        ym(i) = yn(i)
        yn(i) = swap
      end do
    end do
    call deriv(yn, mass, eps, dy)
    yout = 0.5d0*(ym + yn + hs*dy)
  end subroutine midpoint
  subroutine extrapolate(k, seq, ynew, tab, err)
    integer, intent(in) :: k, seq(km)
    real(8), intent(in) :: ynew(ny)
    real(8), intent(inout) :: tab(ny, km)
    real(8), intent(out) :: err
    real(8) :: c(ny), fac
    integer :: j
    c = ynew
    do j = k - 1, 1, -1
      fac = (dble(seq(k))/seq(j))**2 - 1d0
      tab(:, j) = c + (c - tab(:, j))/fac
      c = tab(:, j)
    end do
    tab(:, k) = ynew
    err = 0d0
    if (k > 1) err = maxval(abs(tab(:, 1) - tab(:, 2)))
  end subroutine extrapolate
end module gbs_force
subroutine gbs(nt, y0, mass, eps, dist)
  use gbs_force
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: y0(ny), mass(nb), eps
  real(8), intent(out) :: dist
  integer, parameter :: seq(km) = (/2, 4, 6, 8/)
  real(8) :: y(ny), tab(ny, km), ynew(ny), h, err, r2
  integer :: it, k
  logical :: good
  do k = 1, nb
    y(4*k-3) = cos(2.1d0*k) + 0.1d0*y0(4*k-3)
    y(4*k-2) = sin(2.1d0*k) + 0.1d0*y0(4*k-2)
    y(4*k-1) = -0.5d0*sin(2.1d0*k) + 0.1d0*y0(4*k-1)
    y(4*k) = 0.5d0*cos(2.1d0*k) + 0.1d0*y0(4*k)
  end do
  h = 0.2d0
  dist = 0d0
  do it = 1, nt
    good = .false.
    do k = 1, km
      call midpoint(y, h, seq(k), mass, eps, ynew)
      call extrapolate(k, seq, ynew, tab, err)
      if (k > 1 .and. err < 1d-4) then
        good = .true.
        exit
      end if
    end do
    if (good) then
      y = tab(:, 1)
      if (k <= 2) h = min(1.5d0*h, 0.4d0)
    else
      h = 0.5d0*h
    end if
    r2 = (y(1) - y(5))**2 + (y(2) - y(6))**2
    dist = dist + 0.1d0*sqrt(r2 + eps**2)
    if (r2 < 1d-3) exit
  end do
  dist = dist + sum(y(9:10)**2)
end subroutine gbs
