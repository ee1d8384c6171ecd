! An aerofoil by a vortex panel method: geometry from camber and thickness, influence coefficients, Kutta condition,
! LU factors with row exchanges and substitution by hand, pressures, a boundary layer by Thwaites' method; three angles.
module panels
  implicit none
  integer, parameter :: n = 10, m = n + 1
  real(8), parameter :: pi = 3.14159265358979d0
  real(8) :: x(m), y(m), xc(n), yc(n), s(n), th(n)
  real(8) :: cn1(n, n), cn2(n, n), ct1(n, n), ct2(n, n), an(m, m), at(n, m)
contains
  subroutine shape(camber, thick, bump)
    real(8), intent(in) :: camber, thick, bump(n)
    integer :: i
    real(8) :: c, t, yc0
    do i = 1, m
      c = 0.5d0*(1d0 + cos(2d0*pi*(i - 1)/n))
      t = 0.2d0*thick*(1.48d0*sqrt(c + 1d-4) - 0.63d0*c - 1.758d0*c**2 + 1.4215d0*c**3 - 0.5075d0*c**4)
      yc0 = 0.1d0*camber*c*(1d0 - c)
      x(i) = c
      if (i <= n/2) then
        y(i) = yc0 - t
      else
        y(i) = yc0 + t
      end if
    end do
    do i = 2, n
      y(i) = y(i) + 0.002d0*bump(i)
    end do
    y(m) = y(1) + 1d-3
    do i = 1, n
      xc(i) = 0.5d0*(x(i) + x(i+1))
      yc(i) = 0.5d0*(y(i) + y(i+1))
      s(i) = sqrt((x(i+1) - x(i))**2 + (y(i+1) - y(i))**2)
      th(i) = atan2(y(i+1) - y(i), x(i+1) - x(i))
    end do
  end subroutine shape

  subroutine influence()
    integer :: i, j
    real(8) :: a, b, c, d, e, f, g, p, q, t1, t2
    do i = 1, n
      do j = 1, n
        if (i == j) then
          cn1(i, j) = -1d0
          cn2(i, j) = 1d0
          ct1(i, j) = 0.5d0*pi
          ct2(i, j) = 0.5d0*pi
        else
          a = -(xc(i) - x(j))*cos(th(j)) - (yc(i) - y(j))*sin(th(j))
          b = (xc(i) - x(j))**2 + (yc(i) - y(j))**2
          c = sin(th(i) - th(j))
          d = cos(th(i) - th(j))
          e = (xc(i) - x(j))*sin(th(j)) - (yc(i) - y(j))*cos(th(j))
          f = log(1d0 + s(j)*(s(j) + 2d0*a)/b)
          g = atan2(e*s(j), b + a*s(j))
          t1 = th(i) - 2d0*th(j)
          p = (xc(i) - x(j))*sin(t1) + (yc(i) - y(j))*cos(t1)
          q = (xc(i) - x(j))*cos(t1) - (yc(i) - y(j))*sin(t1)
          t2 = (a*c + d*e)*g/s(j)
          cn2(i, j) = d + 0.5d0*q*f/s(j) - t2
          cn1(i, j) = 0.5d0*d*f + c*g - cn2(i, j)
          ct2(i, j) = c + 0.5d0*p*f/s(j) + (a*d - c*e)*g/s(j)
          ct1(i, j) = 0.5d0*c*f - d*g - ct2(i, j)
        end if
      end do
    end do
    do i = 1, n
      an(i, 1) = cn1(i, 1)
      an(i, m) = cn2(i, n)
      at(i, 1) = ct1(i, 1)
      at(i, m) = ct2(i, n)
      do j = 2, n
        an(i, j) = cn1(i, j) + cn2(i, j-1)
        at(i, j) = ct1(i, j) + ct2(i, j-1)
      end do
    end do
    an(m, :) = 0d0
    an(m, 1) = 1d0
    an(m, m) = 1d0
  end subroutine influence

  subroutine factor(a, piv)
    real(8), intent(inout) :: a(m, m)
    integer, intent(out) :: piv(m)
    integer :: i, j, k, p
    real(8) :: w
    do k = 1, m
      p = k
      do i = k + 1, m
        if (abs(a(i, k)) > abs(a(p, k))) p = i
      end do
      piv(k) = p
      if (p /= k) then
        do j = 1, m
          w = a(k, j)
          a(k, j) = a(p, j)
          a(p, j) = w
        end do
      end if
      do i = k + 1, m
        a(i, k) = a(i, k)/a(k, k)
        do j = k + 1, m
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
      end do
    end do
  end subroutine factor

  subroutine substitute(a, piv, b)
    real(8), intent(in) :: a(m, m)
    integer, intent(in) :: piv(m)
    real(8), intent(inout) :: b(m)
    integer :: i, k
    real(8) :: w
    do k = 1, m
      w = b(k)
      b(k) = b(piv(k))
      b(piv(k)) = w
    end do
    do k = 1, m
      do i = k + 1, m
        b(i) = b(i) - a(i, k)*b(k)
      end do
    end do
    do k = m, 1, -1
      do i = k + 1, m
        b(k) = b(k) - a(k, i)*b(i)
      end do
      b(k) = b(k)/a(k, k)
    end do
  end subroutine substitute

  subroutine thwaites(v, theta2)
    real(8), intent(in) :: v(n)
    real(8), intent(out) :: theta2
    integer :: i
    real(8) :: total, lam, ue
    total = 0d0
    theta2 = 0d0
    do i = n/2 + 1, n
      ue = max(abs(v(i)), 0.05d0)
      total = total + s(i)*ue**5
      theta2 = 0.45d-2*total/ue**6
      lam = theta2*(abs(v(i)) - abs(v(i-1)))/s(i)
      if (lam < -0.09d0) exit
    end do
  end subroutine thwaites
end module panels

subroutine foil(camber, thick, bump, weight, cost)
  use panels
  implicit none
  real(8), intent(in) :: camber, thick, bump(n), weight(3)
  real(8), intent(out) :: cost
  real(8) :: gam(m), v(n), cp, lift, drag, theta2, alpha
  integer :: piv(m), i, j, k
  call shape(camber, thick, bump)
  call influence()
  call factor(an, piv)
  cost = 0d0
  do k = 1, 3
    alpha = 0.05d0*k
    do i = 1, n
      gam(i) = sin(th(i) - alpha)
    end do
    gam(m) = 0d0
    call substitute(an, piv, gam)
    lift = 0d0
    drag = 0d0
    do i = 1, n
      v(i) = cos(th(i) - alpha)
      do j = 1, m
        v(i) = v(i) + at(i, j)*gam(j)
      end do
      cp = 1d0 - v(i)**2
      lift = lift - cp*s(i)*cos(th(i) - alpha)
      drag = drag + cp*s(i)*sin(th(i) - alpha)
    end do
    call thwaites(v, theta2)
    cost = cost + weight(k)*(lift - 0.3d0*k)**2 + drag**2 + theta2
  end do
end subroutine foil
