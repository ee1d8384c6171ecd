! Reaction and diffusion of two species, implicit: block tridiagonal Thomas algorithm with 2 x 2 blocks held in arrays whose
! lower bounds are not one, inverses by array-valued functions, generic interface for the multiplications.
module blocks
  implicit none
  interface mult
    module procedure matmat, matvec
  end interface mult
contains
  function matmat(a, b) result(c)
    real(8), intent(in) :: a(2, 2), b(2, 2)
    real(8) :: c(2, 2)
    c(1, 1) = a(1, 1)*b(1, 1) + a(1, 2)*b(2, 1)
    c(1, 2) = a(1, 1)*b(1, 2) + a(1, 2)*b(2, 2)
    c(2, 1) = a(2, 1)*b(1, 1) + a(2, 2)*b(2, 1)
    c(2, 2) = a(2, 1)*b(1, 2) + a(2, 2)*b(2, 2)
  end function matmat
  function matvec(a, x) result(y)
    real(8), intent(in) :: a(2, 2), x(2)
    real(8) :: y(2)
    y(1) = a(1, 1)*x(1) + a(1, 2)*x(2)
    y(2) = a(2, 1)*x(1) + a(2, 2)*x(2)
  end function matvec
  function inverse(a) result(b)
    real(8), intent(in) :: a(2, 2)
    real(8) :: b(2, 2), d
    d = a(1, 1)*a(2, 2) - a(1, 2)*a(2, 1)
    b(1, 1) = a(2, 2)/d
    b(2, 2) = a(1, 1)/d
    b(1, 2) = -a(1, 2)/d
    b(2, 1) = -a(2, 1)/d
  end function inverse
  subroutine thomas(n, lo, di, up, r)
    integer, intent(in) :: n
    real(8), intent(in) :: lo(2, 2, -1:n), up(2, 2, -1:n)
    real(8), intent(inout) :: di(2, 2, -1:n), r(2, -1:n)
    real(8) :: f(2, 2)
    integer :: i
    do i = 0, n
      f = mult(lo(:, :, i), inverse(di(:, :, i-1)))
      di(:, :, i) = di(:, :, i) - mult(f, up(:, :, i-1))
      r(:, i) = r(:, i) - mult(f, r(:, i-1))
    end do
    r(:, n) = mult(inverse(di(:, :, n)), r(:, n))
    do i = n - 1, -1, -1
      r(:, i) = mult(inverse(di(:, :, i)), r(:, i) - mult(up(:, :, i), r(:, i+1)))
    end do
  end subroutine thomas
end module blocks
module kinetics
  implicit none
contains
  subroutine react(c, k, f, j)
    real(8), intent(in) :: c(2), k(3)
    real(8), intent(out) :: f(2), j(2, 2)
    real(8) :: a
    a = k(1)*c(1)**2*c(2)
    f(1) = a - (k(2) + 1d0)*c(1) + k(3)
    f(2) = k(2)*c(1) - a
    j(1, 1) = 2d0*k(1)*c(1)*c(2) - k(2) - 1d0
    j(1, 2) = k(1)*c(1)**2
    j(2, 1) = k(2) - 2d0*k(1)*c(1)*c(2)
    j(2, 2) = -k(1)*c(1)**2
  end subroutine react
end module kinetics
subroutine btri(n, nt, c0, k, dif, cost)
  use blocks
  use kinetics
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: c0(2), k(3), dif(2)
  real(8), intent(out) :: cost
  real(8) :: c(2, -1:n), lo(2, 2, -1:n), di(2, 2, -1:n), up(2, 2, -1:n), r(2, -1:n), f(2), j(2, 2), dt
  integer :: it, i, s
  dt = 0.1d0
  do i = -1, n
    c(:, i) = c0*(1d0 + 0.1d0*i)
  end do
  cost = 0d0
  do it = 1, nt
    lo = 0d0
    up = 0d0
    do i = -1, n
      call react(c(:, i), k, f, j)
      di(:, :, i) = -dt*j
      r(:, i) = dt*f
      do s = 1, 2
        di(s, s, i) = di(s, s, i) + 1d0 + 2d0*dt*dif(s)
        if (i > -1) then
          lo(s, s, i) = -dt*dif(s)
          r(s, i) = r(s, i) + dt*dif(s)*(c(s, i-1) - c(s, i))
        end if
        if (i < n) then
          up(s, s, i) = -dt*dif(s)
          r(s, i) = r(s, i) + dt*dif(s)*(c(s, i+1) - c(s, i))
        end if
      end do
    end do
    call thomas(n, lo, di, up, r)
    c = c + r
    where (c < 0d0) c = 0d0
    cost = cost + sum(c(1, :)**2)
  end do
end subroutine btri
