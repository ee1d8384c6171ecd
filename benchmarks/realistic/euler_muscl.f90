! Gas dynamics in a tube: MUSCL reconstruction of primitives with van Leer's limiter, HLL fluxes, Heun's steps.
module gas
  implicit none
  real(8), parameter :: gamma = 1.4d0
contains
  pure function pressure(r, ru, e) result(p)
    real(8), intent(in) :: r, ru, e
    real(8) :: p
    p = (gamma - 1d0)*(e - 0.5d0*ru*ru/r)
  end function
end module
subroutine euler_muscl(n, nt, u0, target, cost)
  use gas
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(3, n), target(n)
  real(8), intent(out) :: cost
  real(8) :: u(3, n), u1(3, n), r(3, n), dt, c
  integer :: it, i, k
  do i = 1, n
    u(1, i) = 1d0 + 0.3d0*u0(1, i)
    u(2, i) = 0.1d0*u0(2, i)
    u(3, i) = 2.5d0 + 0.2d0*u0(3, i)
  end do
  cost = 0d0
  do it = 1, nt
    call step_size(n, u, dt)
    call residual(n, u, r)
    do i = 1, n
      do k = 1, 3
        u1(k, i) = u(k, i) + dt*r(k, i)
      end do
    end do
    call residual(n, u1, r)
    do i = 1, n
      do k = 1, 3
        u(k, i) = 0.5d0*(u(k, i) + u1(k, i) + dt*r(k, i))
      end do
    end do
  end do
  do i = 1, n
    c = pressure(u(1, i), u(2, i), u(3, i))
    cost = cost + (c - target(i))**2
  end do
end subroutine
subroutine step_size(n, u, dt)
  use gas
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(3, n)
  real(8), intent(out) :: dt
  real(8) :: fastest, p
  integer :: i
  fastest = 1d-3
  do i = 1, n
    p = pressure(u(1, i), u(2, i), u(3, i))
    fastest = max(fastest, abs(u(2, i)/u(1, i)) + sqrt(gamma*p/u(1, i)))
  end do
  dt = 0.2d0/fastest
end subroutine
subroutine residual(n, u, r)
  use gas
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(3, n)
  real(8), intent(out) :: r(3, n)
  real(8) :: w(3, n), s(3, n), wl(3), wr(3), f(3), a, b
  integer :: i, k
  do i = 1, n
    w(1, i) = u(1, i)
    w(2, i) = u(2, i)/u(1, i)
    w(3, i) = pressure(u(1, i), u(2, i), u(3, i))
  end do
  s = 0d0
  do i = 2, n - 1
    do k = 1, 3
      a = w(k, i) - w(k, i-1)
      b = w(k, i+1) - w(k, i)
      if (a*b > 0d0) s(k, i) = 2d0*a*b/(a + b)
    end do
  end do
  r = 0d0
  do i = 1, n - 1
    do k = 1, 3
      wl(k) = w(k, i) + 0.5d0*s(k, i)
      wr(k) = w(k, i+1) - 0.5d0*s(k, i+1)
    end do
    call hll(wl, wr, f)
    do k = 1, 3
      r(k, i) = r(k, i) - f(k)
      r(k, i+1) = r(k, i+1) + f(k)
    end do
  end do
end subroutine
subroutine hll(wl, wr, f)
  use gas
  implicit none
  real(8), intent(in) :: wl(3), wr(3)
  real(8), intent(out) :: f(3)
  real(8) :: ul(3), ur(3), fl(3), fr(3), sl, sr
  call conserved(wl, ul, fl)
  call conserved(wr, ur, fr)
  sl = min(wl(2) - sqrt(gamma*wl(3)/wl(1)), wr(2) - sqrt(gamma*wr(3)/wr(1)))
  sr = max(wl(2) + sqrt(gamma*wl(3)/wl(1)), wr(2) + sqrt(gamma*wr(3)/wr(1)))
  if (sl >= 0d0) then
    f = fl
  else if (sr <= 0d0) then
    f = fr
  else
    f = (sr*fl - sl*fr + sl*sr*(ur - ul))/(sr - sl)
  end if
end subroutine
subroutine conserved(w, u, f)
  use gas
  implicit none
  real(8), intent(in) :: w(3)
  real(8), intent(out) :: u(3), f(3)
  u(1) = w(1)
  u(2) = w(1)*w(2)
  u(3) = w(3)/(gamma - 1d0) + 0.5d0*w(1)*w(2)**2
  f(1) = u(2)
  f(2) = u(2)*w(2) + w(3)
  f(3) = (u(3) + w(3))*w(2)
end subroutine
