! Bundle adjustment: cameras by quaternions, points in space, projection with lens distortion, Gauss-Newton on the cameras by
! normal equations and Cholesky, damping raised and lowered.
module camera
  implicit none
  integer, parameter :: np = 6
  type cam
    real(8) :: q(4), c(3), f, kd
  end type cam
contains
  function rotate(q, x) result(y)
    real(8), intent(in) :: q(4), x(3)
    real(8) :: y(3), t(3), s
    s = 2d0/sum(q*q)
    t = s*cross(q(2:4), x)
    y = x + q(1)*t + cross(q(2:4), t)
  end function rotate
  function cross(a, b) result(c)
    real(8), intent(in) :: a(3), b(3)
    real(8) :: c(3)
    c = (/a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)/)
  end function cross
  subroutine project(cm, x, uv)
    type(cam), intent(in) :: cm
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: uv(2)
    real(8) :: y(3), r2
    y = rotate(cm%q, x - cm%c)
    y(3) = y(3) + 4d0
    uv = y(1:2)/y(3)
    r2 = sum(uv**2)
    uv = cm%f*uv*(1d0 + cm%kd*r2)
  end subroutine project
  subroutine rows(cm, x, uv, j)
    type(cam), intent(in) :: cm
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: uv(2), j(2, 3)
    type(cam) :: moved
    real(8) :: vv(2)
    integer :: k
    call project(cm, x, uv)
    do k = 1, 3
      moved = cm
      moved%c(k) = moved%c(k) + 1d-2
      call project(moved, x, vv)
      j(:, k) = (vv - uv)/1d-2
    end do
  end subroutine rows
  subroutine cholesky(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n)
    integer :: i, j
    do j = 1, n
      a(j, j) = sqrt(a(j, j) - sum(a(j, :j-1)*a(j, :j-1)))
      do i = j + 1, n
        a(i, j) = (a(i, j) - sum(a(i, :j-1)*a(j, :j-1)))/a(j, j)
      end do
    end do
    do i = 1, n
      b(i) = (b(i) - sum(a(i, :i-1)*b(:i-1)))/a(i, i)
    end do
    do i = n, 1, -1
      b(i) = (b(i) - sum(a(i+1:, i)*b(i+1:)))/a(i, i)
    end do
  end subroutine cholesky
end module camera
subroutine parallax(nit, pts, seen, q0, f, kd, cost)
  use camera
  implicit none
  integer, intent(in) :: nit
  real(8), intent(in) :: pts(3, np), seen(2, np), q0(4), f, kd
  real(8), intent(out) :: cost
  type(cam) :: cm
  real(8) :: a(3, 3), b(3), j(2, 3), uv(2), r(2), mu, last
  integer :: it, p, i, k
  cm%q = q0
  cm%c = 0d0
  cm%f = f
  cm%kd = 0.1d0*kd
  mu = 0.1d0
  last = 1d9
  do it = 1, nit
    a = 0d0
    b = 0d0
    cost = 0d0
    do p = 1, np
      call rows(cm, pts(:, p)*(/1d0, -1d0, 0.5d0/), uv, j)
      r = 0.3d0*seen(:, p) - uv
      cost = cost + sum(r*r)
      do k = 1, 3
        do i = 1, 3
          a(i, k) = a(i, k) + sum(j(:, i)*j(:, k))
        end do
        b(k) = b(k) + sum(j(:, k)*r)
      end do
    end do
    if (cost > last) then
      mu = 4d0*mu
    else
      mu = 0.5d0*mu
    end if
    last = cost
    do i = 1, 3
      a(i, i) = a(i, i)*(1d0 + mu) + 1d-3
    end do
    call cholesky(3, a, b)
    cm%c = cm%c + b
  end do
  cost = cost + 0.01d0*sum(cm%c**2)
end subroutine parallax
