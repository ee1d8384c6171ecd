! Plane rotations of strided rows and of a window that moves through a work vector.
module planes
  implicit none
  integer, parameter :: n = 16, m = 5, nk = 4
contains
  subroutine rotate(x, y, angle)
    real(8), intent(inout) :: x(:), y(:)
    real(8), intent(in) :: angle
    real(8) :: c, s, t
    integer :: i
    c = cos(angle)
    s = sin(angle)
    do i = 1, min(size(x), size(y))
      t = c*x(i) + s*y(i)
      y(i) = c*y(i) - s*x(i)
      x(i) = t
    end do
  end subroutine rotate

  subroutine bend(x, strength)
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: strength
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) + strength*x(i)**2
    end do
  end subroutine bend
end module planes

subroutine sweep(a, w, angles)
  use planes
  implicit none
  real(8), intent(inout) :: a(n, nk), w(n)
  real(8), intent(in) :: angles(nk)
  integer :: k, ic
  ic = 1
  do k = 1, nk
    call rotate(a(1:n:2, k), w(ic:ic + m), angles(k))
    call bend(a(2:n:2, k), 0.1d0)
    ic = ic + 3
    w(ic) = w(ic)*a(2, k)
  end do
  call bend(w(1:m), 0.05d0)
  call rotate(w(n - m:n), w(1:m + 1), angles(1))
  do k = 2, nk
    a(1, k) = a(1, k) + 0.2d0*a(n, k - 1)*w(k)
  end do
end subroutine sweep

subroutine model(x0, angles, cost)
  use planes
  implicit none
  real(8), intent(in) :: x0(n), angles(nk)
  real(8), intent(out) :: cost
  real(8) :: a(n, nk), w(n)
  integer :: i, k, pass
  do k = 1, nk
    do i = 1, n
      a(i, k) = x0(i)*(1.0d0 + 0.1d0*k)
    end do
  end do
  do i = 1, n
    w(i) = 0.5d0*x0(n + 1 - i)
  end do
  do pass = 1, 3
    call sweep(a, w, angles)
    call bend(a(1:n:2, 1), -0.02d0)
  end do
  cost = 0.0d0
  do k = 1, nk
    do i = 1, n
      cost = cost + a(i, k)**2*w(i)
    end do
  end do
end subroutine model
