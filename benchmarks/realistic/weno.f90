! A third-order WENO scheme for Burgers' equation, three Runge-Kutta stages, periodic neighbours.
subroutine weno(n, nt, u0, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(out) :: cost
  real(8) :: u(n), u1(n), r(n)
  real(8) :: dt
  integer :: it
  u = u0
  dt = 0.2d0/n
  do it = 1, nt
    call rhs(n, u, r)
    u1 = u + dt*r
    call rhs(n, u1, r)
    u1 = 0.75d0*u + 0.25d0*(u1 + dt*r)
    call rhs(n, u1, r)
    u = u/3d0 + 2d0/3d0*(u1 + dt*r)
  end do
  cost = sum(u*u) + u(n/2)
end subroutine
subroutine rhs(n, u, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n)
  real(8), intent(out) :: r(n)
  real(8) :: f(n), ul, q0, q1, b0, b1, a0, a1, w0, w1
  integer :: i, im, ip
  do i = 1, n
    im = i - 1
    if (im < 1) im = n
    ip = i + 1
    if (ip > n) ip = 1
    q0 = 0.5d0*(u(i) + u(ip))
    q1 = 0.5d0*(3d0*u(i) - u(im))
    b0 = (u(ip) - u(i))**2
    b1 = (u(i) - u(im))**2
    a0 = (2d0/3d0)/(1d-6 + b0)**2
    a1 = (1d0/3d0)/(1d-6 + b1)**2
    w0 = a0/(a0 + a1)
    w1 = a1/(a0 + a1)
    ul = w0*q0 + w1*q1
    f(i) = 0.5d0*ul*ul
  end do
  do i = 1, n
    im = i - 1
    if (im < 1) im = n
    r(i) = -(f(i) - f(im))*n
  end do
end subroutine
