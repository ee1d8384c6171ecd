! Euler's equations in a nozzle: Roe's flux with an entropy fix, minmod slopes, source of area, three-stage steps;
! everything by components, boundary states in ghost cells.
subroutine roe(n, nt, area, inlet, back, thrust)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: area(0:n+1), inlet(3), back
  real(8), intent(out) :: thrust
  real(8) :: q(-1:n+2, 3), q0(-1:n+2, 3), res(n, 3), p, alpha(3), dt
  integer :: i, k, it, stage
  alpha = (/0.3d0, 0.5d0, 1d0/)
  dt = 0.05d0
  do i = -1, n + 2
    q(i, 1) = 1d0
    q(i, 2) = 0.4d0
    q(i, 3) = 2.5d0
  end do
  do it = 1, nt
    q0 = q
    do stage = 1, 3
      call ghosts(n, q, inlet, back)
      call divergence(n, q, area, res)
      do k = 1, 3
        do i = 1, n
          q(i, k) = q0(i, k) - alpha(stage)*dt*res(i, k)
        end do
      end do
    end do
  end do
  thrust = 0d0
  do i = 1, n
    p = 0.4d0*(q(i, 3) - 0.5d0*q(i, 2)**2/q(i, 1))
    thrust = thrust + p*(area(i+1) - area(i-1)) + 0.1d0*q(i, 2)**2/q(i, 1)
  end do
end subroutine
subroutine ghosts(n, q, inlet, back)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: q(-1:n+2, 3)
  real(8), intent(in) :: inlet(3), back
  real(8) :: u, p
  integer :: g
  do g = -1, 0
    q(g, 1) = 1d0 + 0.1d0*inlet(1)
    q(g, 2) = q(g, 1)*(0.4d0 + 0.1d0*inlet(2))
    u = q(1, 2)/q(1, 1)
    p = 0.4d0*(q(1, 3) - 0.5d0*q(1, 1)*u*u)
    q(g, 3) = p/0.4d0 + 0.5d0*q(g, 2)**2/q(g, 1) + 0.01d0*inlet(3)
  end do
  do g = n + 1, n + 2
    q(g, 1) = q(n, 1)
    q(g, 2) = q(n, 2)
    q(g, 3) = (0.8d0 + 0.1d0*back)/0.4d0 + 0.5d0*q(n, 2)**2/q(n, 1)
  end do
end subroutine
function minmod(a, b) result(s)
  implicit none
  real(8), intent(in) :: a, b
  real(8) :: s
  if (a*b <= 0d0) then
    s = 0d0
  else if (abs(a) < abs(b)) then
    s = a
  else
    s = b
  end if
end function
subroutine divergence(n, q, area, res)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: q(-1:n+2, 3), area(0:n+1)
  real(8), intent(out) :: res(n, 3)
  real(8) :: f(0:n, 3), left(3), right(3), face, p
  real(8), external :: minmod
  integer :: i, k
  do i = 0, n
    do k = 1, 3
      left(k) = q(i, k) + 0.5d0*minmod(q(i, k) - q(i-1, k), q(i+1, k) - q(i, k))
      right(k) = q(i+1, k) - 0.5d0*minmod(q(i+1, k) - q(i, k), q(i+2, k) - q(i+1, k))
    end do
    face = 2d0 + 0.5d0*(area(i) + area(i+1))
    call flux(left, right, f(i, 1), f(i, 2), f(i, 3))
    do k = 1, 3
      f(i, k) = f(i, k)*face
    end do
  end do
  do i = 1, n
    do k = 1, 3
      res(i, k) = (f(i, k) - f(i-1, k))/(2d0 + area(i))
    end do
    p = 0.4d0*(q(i, 3) - 0.5d0*q(i, 2)**2/q(i, 1))
    res(i, 2) = res(i, 2) - p*0.5d0*(area(i+1) - area(i-1))/(2d0 + area(i))
  end do
end subroutine
subroutine flux(l, r, f1, f2, f3)
  implicit none
  real(8), intent(in) :: l(3), r(3)
  real(8), intent(out) :: f1, f2, f3
  real(8) :: ul, ur, pl, pr, hl, hr, w, u, h, c, lam(3), a1, a2, a3
  integer :: k
  ul = l(2)/l(1)
  ur = r(2)/r(1)
  pl = 0.4d0*(l(3) - 0.5d0*l(2)*ul)
  pr = 0.4d0*(r(3) - 0.5d0*r(2)*ur)
  hl = (l(3) + pl)/l(1)
  hr = (r(3) + pr)/r(1)
  w = sqrt(r(1)/l(1))
  u = (ul + w*ur)/(1d0 + w)
  h = (hl + w*hr)/(1d0 + w)
  c = sqrt(0.4d0*(h - 0.5d0*u*u))
  lam(1) = abs(u - c)
  lam(2) = abs(u)
  lam(3) = abs(u + c)
  do k = 1, 3
    if (lam(k) < 0.1d0) lam(k) = 0.05d0 + 5d0*lam(k)**2
  end do
  a2 = (r(1) - l(1)) - (pr - pl)/c**2
  a1 = 0.5d0*((pr - pl) - w*l(1)*c*(ur - ul))/c**2
  a3 = 0.5d0*((pr - pl) + w*l(1)*c*(ur - ul))/c**2
  f1 = 0.5d0*(l(2) + r(2) - lam(1)*a1 - lam(2)*a2 - lam(3)*a3)
  f2 = 0.5d0*(l(2)*ul + pl + r(2)*ur + pr - lam(1)*a1*(u - c) - lam(2)*a2*u - lam(3)*a3*(u + c))
  f3 = 0.5d0*(l(2)*hl + r(2)*hr - lam(1)*a1*(h - u*c) - lam(2)*a2*0.5d0*u*u - lam(3)*a3*(h + u*c))
end subroutine
