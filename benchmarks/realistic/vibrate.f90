! Natural frequencies of a chain: mass and stiffness assembled, Cholesky, cyclic Jacobi rotations, modal response to a
! moving load.
subroutine cholesky(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j, k
  real(8) :: s
  do j = 1, n
    s = a(j, j)
    do k = 1, j - 1
      s = s - a(j, k)**2
    end do
    a(j, j) = sqrt(s)
    do i = j + 1, n
      s = a(i, j)
      do k = 1, j - 1
        s = s - a(i, k)*a(j, k)
      end do
      a(i, j) = s/a(j, j)
    end do
  end do
end subroutine cholesky
subroutine jacobi(n, a, v, nsweep)
  implicit none
  integer, intent(in) :: n, nsweep
  real(8), intent(inout) :: a(n, n)
  real(8), intent(out) :: v(n, n)
  real(8) :: theta, t, c, s, g, h
  integer :: is, p, q, k
  v = 0d0
  do k = 1, n
    v(k, k) = 1d0
  end do
  do is = 1, nsweep
    do p = 1, n - 1
      do q = p + 1, n
        if (abs(a(p, q)) < 1d-12) cycle
        theta = (a(q, q) - a(p, p))/(2d0*a(p, q))
        t = sign(1d0, theta)/(abs(theta) + sqrt(theta**2 + 1d0))
        c = 1d0/sqrt(t*t + 1d0)
        s = t*c
        do k = 1, n
          g = a(k, p)
          h = a(k, q)
          a(k, p) = c*g - s*h
          a(k, q) = s*g + c*h
        end do
        do k = 1, n
          g = a(p, k)
          h = a(q, k)
          a(p, k) = c*g - s*h
          a(q, k) = s*g + c*h
        end do
        do k = 1, n
          g = v(k, p)
          h = v(k, q)
          v(k, p) = c*g - s*h
          v(k, q) = s*g + c*h
        end do
      end do
    end do
  end do
end subroutine jacobi
subroutine vibrate(n, nt, mass, stiff, speed, zeta, peak)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: mass(n), stiff(n), speed, zeta
  real(8), intent(out) :: peak
  real(8) :: k(n, n), m(n, n), l(n, n), a(n, n), v(n, n), phi(n, n), w(n), z(n), zd(n), zdd, f, x, u, t, dt
  integer :: i, j, it, r
  k = 0d0
  m = 0d0
  do i = 1, n
    m(i, i) = mass(i)
    if (i > 1) m(i, i-1) = 0.1d0*mass(i)
    if (i > 1) m(i-1, i) = m(i, i-1)
    k(i, i) = k(i, i) + stiff(i)
    if (i < n) then
      k(i, i) = k(i, i) + stiff(i+1)
      k(i, i+1) = -stiff(i+1)
      k(i+1, i) = -stiff(i+1)
    end if
  end do
  l = m
  call cholesky(n, l)
  ! a = inv(l) k inv(l)^T
  a = k
  do j = 1, n
    do i = 1, n
      do r = 1, i - 1
        a(i, j) = a(i, j) - l(i, r)*a(r, j)
      end do
      a(i, j) = a(i, j)/l(i, i)
    end do
  end do
  do i = 1, n
    do j = 1, n
      do r = 1, j - 1
        a(i, j) = a(i, j) - l(j, r)*a(i, r)
      end do
      a(i, j) = a(i, j)/l(j, j)
    end do
  end do
  call jacobi(n, a, v, 2)
  do j = 1, n
    w(j) = sqrt(max(a(j, j), 1d-6))
    do i = n, 1, -1
      x = v(i, j)
      do r = i + 1, n
        x = x - l(r, i)*phi(r, j)
      end do
      phi(i, j) = x/l(i, i)
    end do
  end do
  z = 0d0
  zd = 0d0
  peak = 0d0
  dt = 0.1d0
  do it = 1, nt
    t = it*dt
    x = speed*t*n
    do j = 1, n
      f = 0d0
      do i = 1, n
        f = f + phi(i, j)*exp(-(x - i)**2)
      end do
      zdd = f - 2d0*zeta*0.1d0*w(j)*zd(j) - w(j)**2*z(j)
      zd(j) = zd(j) + dt*zdd
      z(j) = z(j) + dt*zd(j)
    end do
    u = 0d0
    do j = 1, n
      u = u + phi(n, j)*z(j)
    end do
    peak = peak + u**4
  end do
end subroutine vibrate
