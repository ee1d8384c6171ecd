! A reacting boundary layer marched downstream: block-tridiagonal systems of 2 x 2 blocks, Newton in each station.
module blocks
  implicit none
  integer, parameter :: nb = 2
contains
  subroutine inv2(a, ai)
    real(8), intent(in) :: a(nb, nb)
    real(8), intent(out) :: ai(nb, nb)
    real(8) :: det
    det = a(1, 1)*a(2, 2) - a(1, 2)*a(2, 1)
    ai(1, 1) = a(2, 2)/det
    ai(2, 2) = a(1, 1)/det
    ai(1, 2) = -a(1, 2)/det
    ai(2, 1) = -a(2, 1)/det
  end subroutine inv2
  subroutine solve_blocks(n, lo, di, up, rhs)
    integer, intent(in) :: n
    real(8), intent(inout) :: lo(nb, nb, n), di(nb, nb, n), up(nb, nb, n), rhs(nb, n)
    real(8) :: ai(nb, nb), tmp(nb, nb), v(nb)
    integer :: k, i, j
    do k = 1, n
      v = rhs(:, k)
      if (k > 1) then
        do j = 1, nb
          do i = 1, nb
            di(i, j, k) = di(i, j, k) - lo(i, 1, k)*up(1, j, k-1) - lo(i, 2, k)*up(2, j, k-1)
          end do
          v(j) = v(j) - lo(j, 1, k)*rhs(1, k-1) - lo(j, 2, k)*rhs(2, k-1)
        end do
      end if
      call inv2(di(:, :, k), ai)
      do j = 1, nb
        do i = 1, nb
          tmp(i, j) = ai(i, 1)*up(1, j, k) + ai(i, 2)*up(2, j, k)
        end do
      end do
      up(:, :, k) = tmp
      rhs(1, k) = ai(1, 1)*v(1) + ai(1, 2)*v(2)
      rhs(2, k) = ai(2, 1)*v(1) + ai(2, 2)*v(2)
    end do
    do k = n - 1, 1, -1
      do i = 1, nb
        rhs(i, k) = rhs(i, k) - up(i, 1, k)*rhs(1, k+1) - up(i, 2, k)*rhs(2, k+1)
      end do
    end do
  end subroutine solve_blocks
end module blocks
module layer
  use blocks
  implicit none
  real(8), parameter :: act = 4d0, da = 0.8d0
contains
  subroutine rate(t, y, w, wt, wy)
    real(8), intent(in) :: t, y
    real(8), intent(out) :: w, wt, wy
    real(8) :: ex
    ex = exp(-act/max(t, 0.2d0))
    w = da*y*ex
    wy = da*ex
    if (t > 0.2d0) then
      wt = w*act/t**2
    else
      wt = 0d0
    end if
  end subroutine rate
  subroutine station(n, dx, eta, u, t, y, told, yold, twall)
    integer, intent(in) :: n
    real(8), intent(in) :: dx, eta(n), u(n), told(n), yold(n), twall
    real(8), intent(inout) :: t(n), y(n)
    real(8) :: lo(nb, nb, n), di(nb, nb, n), up(nb, nb, n), rhs(nb, n)
    real(8) :: h, w, wt, wy, cm, cp
    integer :: it, k
    do it = 1, 3
      lo = 0d0
      di = 0d0
      up = 0d0
      di(1, 1, 1) = 1d0
      di(2, 2, 1) = 1d0
      up(2, 2, 1) = -1d0
      rhs(1, 1) = twall - t(1)
      rhs(2, 1) = y(2) - y(1)
      do k = 2, n - 1
        h = 0.5d0*(eta(k+1) - eta(k-1))
        cm = 1d0/(h*(eta(k) - eta(k-1)))
        cp = 1d0/(h*(eta(k+1) - eta(k)))
        call rate(t(k), y(k), w, wt, wy)
        lo(1, 1, k) = -cm
        lo(2, 2, k) = -cm
        up(1, 1, k) = -cp
        up(2, 2, k) = -cp
        di(1, 1, k) = u(k)/dx + cm + cp - wt
        di(1, 2, k) = -wy
        di(2, 1, k) = wt
        di(2, 2, k) = u(k)/dx + cm + cp + wy
        rhs(1, k) = -u(k)*(t(k) - told(k))/dx + cm*(t(k-1) - t(k)) + cp*(t(k+1) - t(k)) + w
        rhs(2, k) = -u(k)*(y(k) - yold(k))/dx + cm*(y(k-1) - y(k)) + cp*(y(k+1) - y(k)) - w
      end do
      di(1, 1, n) = 1d0
      di(2, 2, n) = 1d0
      rhs(1, n) = 1d0 - t(n)
      rhs(2, n) = 1d0 - y(n)
      call solve_blocks(n, lo, di, up, rhs)
      do k = 1, n
        t(k) = t(k) + rhs(1, k)
        y(k) = y(k) + rhs(2, k)
      end do
    end do
  end subroutine station
end module layer
subroutine blayer(n, nx, twall, shape, heat)
  use layer
  implicit none
  integer, intent(in) :: n, nx
  real(8), intent(in) :: twall(nx), shape(n)
  real(8), intent(out) :: heat(nx)
  real(8) :: eta(n), u(n), t(n), y(n), told(n), yold(n)
  integer :: i, k
  do k = 1, n
    eta(k) = (k - 1)*(1d0 + 0.05d0*k)
    u(k) = 0.2d0 + shape(k)*tanh(eta(k))
    t(k) = 1d0
    y(k) = 1d0
  end do
  do i = 1, nx
    told = t
    yold = y
    call station(n, 0.3d0, eta, u, t, y, told, yold, twall(i))
    heat(i) = (t(2) - t(1))/(eta(2) - eta(1))
  end do
end subroutine blayer
