! Stacked isopycnal layers on a periodic channel: time levels in an array of records, exchanged by index, Montgomery potential by a
! running sum, upstream thickness fluxes, biharmonic friction.
module layers
  implicit none
  integer, parameter :: nk = 3, nx = 6
  type level
    real(8) :: h(nx, nk), u(nx, nk)
  end type level
  real(8), save :: gprime(nk)
contains
  subroutine montgomery(n, h, m)
    integer, intent(in) :: n
    real(8), intent(in) :: h(n, nk)
    real(8), intent(out) :: m(n, nk)
    real(8) :: top(n)
    integer :: k, l
    top = 0d0
    do k = 1, nk
      do l = k, nk
        top = top + h(:, l)
      end do
      m(:, k) = gprime(k)*top + 0.05d0*top**2
      if (k > 1) m(:, k) = m(:, k) + m(:, k-1)
      top = 0d0
    end do
  end subroutine montgomery
  subroutine lap(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    integer :: i
    do i = 2, n - 1
      b(i) = a(i-1) - 2d0*a(i) + a(i+1)
    end do
    b(1) = a(n) - 2d0*a(1) + a(2)
    b(n) = a(n-1) - 2d0*a(n) + a(1)
  end subroutine lap
  subroutine friction(n, u, nu, f)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n), nu
    real(8), intent(out) :: f(n)
    real(8) :: w(n)
    call lap(n, u, w)
    w = w*(1d0 + abs(w))
    call lap(n, w, f)
    f = -nu*f
  end subroutine friction
  subroutine step(n, now, next, dt, nu, drag)
    integer, intent(in) :: n
    type(level), intent(in) :: now
    type(level), intent(inout) :: next
    real(8), intent(in) :: dt, nu, drag
    real(8) :: m(n, nk), f(n), flux(n)
    integer :: i, k, ip, im
    call montgomery(n, now%h, m)
    do k = 1, nk
      call friction(n, now%u(:, k), nu, f)
      if (k == nk) then
        do i = 1, n
          f(i) = f(i) - drag*abs(now%u(i, k))*now%u(i, k)/now%h(i, k)
        end do
      end if
      do i = 1, n
        im = i - 1
        if (im == 0) im = n
        next%u(i, k) = now%u(i, k) + dt*(f(i) - (m(i, k) - m(im, k)))
        if (now%u(i, k) > 0d0) then
          flux(i) = next%u(i, k)*now%h(im, k)
        else
          flux(i) = next%u(i, k)*now%h(i, k)
        end if
      end do
      do i = 1, n
        ip = mod(i, n) + 1
        next%h(i, k) = now%h(i, k) - dt*(flux(ip) - flux(i))
      end do
    end do
  end subroutine step
end module layers
subroutine isopyc(nt, h0, u0, gp, nu, drag, energy)
  use layers
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(nx), u0(nx), gp(nk), nu, drag
  real(8), intent(out) :: energy
  type(level) :: lev(2)
  integer :: it, k, now, next
  now = 1
  next = 2
  gprime = 0.5d0*gp
  do k = 1, nk
    lev(now)%h(:, k) = 1d0 + 0.2d0*h0/k
    lev(now)%u(:, k) = 0.1d0*u0*k
  end do
  energy = 0d0
  do it = 1, nt
    call step(nx, lev(now), lev(next), 0.05d0, 0.05d0*nu, 0.1d0*drag)
    now = next
    next = 3 - now
    energy = energy + 0.1d0*sum(lev(now)%h*lev(now)%u**2)
  end do
  energy = energy + sum(lev(now)%h**2)
end subroutine isopyc
