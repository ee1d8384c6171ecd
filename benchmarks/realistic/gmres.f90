! Groundwater by GMRES: the basis in one array, rotations of the Hessenberg matrix, restarts, a nonlinear coefficient.
module krylov
  implicit none
  integer, parameter :: mk = 4
contains
  subroutine matvec(n, k, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: k(n), x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = (2.0d0 + k(i)**2)*x(i)
      if (i > 1) y(i) = y(i) - k(i-1)*x(i-1)
      if (i < n) y(i) = y(i) - 0.7d0*k(i+1)*x(i+1)
    end do
  end subroutine matvec

  subroutine arnoldi(n, k, v, h)
    integer, intent(in) :: n
    real(8), intent(in) :: k(n)
    real(8), intent(inout) :: v(n, mk+1)
    real(8), intent(out) :: h(mk+1, mk)
    real(8) :: w(n), dot
    integer :: i, j
    h = 0.0d0
    do j = 1, mk
      call matvec(n, k, v(:, j), w)
      do i = 1, j
        dot = sum(v(:, i)*w)
        h(i, j) = dot
        w = w - dot*v(:, i)
      end do
      h(j+1, j) = sqrt(sum(w*w) + 1.0d-12)
      v(:, j+1) = w/h(j+1, j)
    end do
  end subroutine arnoldi

  subroutine least_squares(h, beta, y)
    real(8), intent(inout) :: h(mk+1, mk)
    real(8), intent(in) :: beta
    real(8), intent(out) :: y(mk)
    real(8) :: g(mk+1), c(mk), s(mk), t, r
    integer :: i, j
    g = 0.0d0
    g(1) = beta
    do j = 1, mk
      do i = 1, j - 1
        t = c(i)*h(i, j) + s(i)*h(i+1, j)
        h(i+1, j) = -s(i)*h(i, j) + c(i)*h(i+1, j)
        h(i, j) = t
      end do
      r = sqrt(h(j, j)**2 + h(j+1, j)**2)
      c(j) = h(j, j)/r
      s(j) = h(j+1, j)/r
      h(j, j) = r
      h(j+1, j) = 0.0d0
      g(j+1) = -s(j)*g(j)
      g(j) = c(j)*g(j)
    end do
    do i = mk, 1, -1
      t = g(i)
      do j = i + 1, mk
        t = t - h(i, j)*y(j)
      end do
      y(i) = t/h(i, i)
    end do
  end subroutine least_squares
end module krylov

subroutine groundwater(k0, src, head, n, nt)
  use krylov
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: k0(n), src(n)
  real(8), intent(out) :: head
  real(8) :: k(n), x(n), r(n), v(n, mk+1), h(mk+1, mk), y(mk), beta
  integer :: t, restart, i
  x = 0.1d0
  k = k0
  head = 0.0d0
  do t = 1, nt
    do restart = 1, 2
      call matvec(n, k, x, r)
      r = src + 0.5d0*x - r
      beta = sqrt(sum(r*r) + 1.0d-12)
      v(:, 1) = r/beta
      call arnoldi(n, k, v, h)
      call least_squares(h, beta, y)
      do i = 1, mk
        x = x + y(i)*v(:, i)
      end do
    end do
    k = k0*(1.0d0 + 0.1d0*x*x)
    head = head + x(1)**2 + x(n)*k(n)
  end do
end subroutine groundwater
