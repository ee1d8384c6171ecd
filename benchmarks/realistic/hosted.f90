! A truss of pendulums by internal procedures: what they need is the host's, and neighbouring elements are passed on.
subroutine hosted(q0, stiff, damp, cost, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: q0(n), stiff, damp
  real(8), intent(out) :: cost
  real(8) :: q(n), v(n), f(n), h
  integer :: it, k
  q = q0
  v = 0d0
  h = 0.1d0
  cost = 0d0
  do it = 1, nt
    f = 0d0
    do k = 1, n - 1
      call spring(q(k), q(k+1), f(k), f(k+1))
    end do
    do k = 1, n
      call advance(q(k), v(k), f(k))
    end do
    do k = 1, n - 1
      if (q(k) > q(k+1)) call bounce(q(k), q(k+1), v(k), v(k+1))
    end do
    cost = cost + energy()
  end do
contains
  subroutine spring(a, b, fa, fb)
    real(8), intent(in) :: a, b
    real(8), intent(inout) :: fa, fb
    real(8) :: d
    d = stretch(a, b)
    fa = fa + stiff*d
    fb = fb - stiff*d
  end subroutine spring
  real(8) function stretch(a, b)
    real(8), intent(in) :: a, b
    stretch = (b - a) + 0.3d0*(b - a)**3
  end function stretch
  subroutine advance(x, y, force)
    real(8), intent(inout) :: x, y
    real(8), intent(in) :: force
    call kick(y, force - damp*y*abs(y) - sin(x))
    x = x + h*y
  end subroutine advance
  subroutine kick(y, a)
    real(8), intent(inout) :: y
    real(8), intent(in) :: a
    y = y + h*a
  end subroutine kick
  subroutine bounce(a, b, ya, yb)
    real(8), intent(inout) :: a, b, ya, yb
    real(8) :: m, s
    m = 0.5d0*(a + b)
    s = ya
    a = m - 0.01d0*b
    b = m + 0.01d0*a
    ya = yb*0.9d0
    yb = s*0.9d0 + 0.01d0*ya**2
  end subroutine bounce
  real(8) function energy()
    energy = sum(v**2) + sum(sin(q))
  end function energy
end subroutine hosted
