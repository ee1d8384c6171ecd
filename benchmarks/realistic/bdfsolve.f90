! A variable-step implicit solver in the manner of library codes: the Jacobian by differences of the right-hand side,
! Newton with LU and row exchanges, step control with rejection, history shifted by array assignment.
module bdfwork
  implicit none
  integer, parameter :: nmax = 6
contains
  subroutine factor(n, a, ip)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    integer, intent(out) :: ip(n)
    real(8) :: row(n)
    integer :: k, l, i, j
    do k = 1, n - 1
      l = k
      do i = k + 1, n
        if (abs(a(i, k)) > abs(a(l, k))) l = i
      end do
      ip(k) = l
      if (l /= k) then
        row = a(k, :)
        a(k, :) = a(l, :)
        a(l, :) = row
      end if
      do i = k + 1, n
        a(i, k) = a(i, k)/a(k, k)
        do j = k + 1, n
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
      end do
    end do
    ip(n) = n
  end subroutine factor
  subroutine backsub(n, a, ip, b)
    integer, intent(in) :: n, ip(n)
    real(8), intent(in) :: a(n, n)
    real(8), intent(inout) :: b(n)
    real(8) :: t
    integer :: i, k
    do k = 1, n - 1
      t = b(ip(k))
      b(ip(k)) = b(k)
      b(k) = t
      do i = k + 1, n
        b(i) = b(i) - a(i, k)*t
      end do
    end do
    do k = n, 1, -1
      b(k) = b(k)/a(k, k)
      do i = 1, k - 1
        b(i) = b(i) - a(i, k)*b(k)
      end do
    end do
  end subroutine backsub
  subroutine newton(n, y, yold, h, p, ok)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    real(8), intent(in) :: yold(n), h, p(3)
    logical, intent(out) :: ok
    real(8) :: a(n, n), f(n), g(n), r(n), z(n)
    integer :: ip(n), j, it
    ok = .false.
    call robertson(n, y, p, f)
    do j = 1, n
      z = y
      z(j) = z(j) + 1d-3
      call robertson(n, z, p, g)
      a(:, j) = -h*(g - f)/1d-3
      a(j, j) = a(j, j) + 1d0
    end do
    call factor(n, a, ip)
    do it = 1, 4
      call robertson(n, y, p, f)
      r = yold + h*f - y
      call backsub(n, a, ip, r)
      y = y + r
      if (maxval(abs(r)) < 1d-6) then
        ok = .true.
        return
      end if
    end do
  end subroutine newton
  subroutine advance(n, y, tend, p, nst)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    real(8), intent(in) :: tend, p(3)
    integer, intent(out) :: nst
    real(8) :: t, h, y1(n), hist(n, 2), err
    logical :: ok
    t = 0d0
    h = 0.1d0
    nst = 0
    hist = spread(y, 2, 2)
    do while (t < tend - 1d-9 .and. nst < 40)
      nst = nst + 1
      h = min(h, tend - t)
      y1 = y
      call newton(n, y1, y, h, p, ok)
      if (.not. ok) then
        h = 0.5d0*h
        cycle
      end if
      err = maxval(abs(y1 - 2d0*hist(:, 1) + hist(:, 2)))
      if (err > 0.4d0) then
        h = 0.6d0*h
        cycle
      end if
      hist(:, 2) = hist(:, 1)
      hist(:, 1) = y1
      y = y1
      t = t + h
      if (err < 0.1d0) h = 1.3d0*h
    end do
  end subroutine advance
end module bdfwork
subroutine robertson(n, y, p, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: y(n), p(3)
  real(8), intent(out) :: f(n)
  real(8) :: r1, r2, r3
  r1 = 0.4d0*p(1)*y(1)
  r2 = 3d0*p(2)*y(2)*y(3)
  r3 = 5d0*p(3)*y(2)**2
  f(1) = -r1 + r2
  f(2) = r1 - r2 - r3
  f(3) = r3
end subroutine robertson
subroutine bdfsolve(k, y0, tend, cost)
  use bdfwork
  implicit none
  real(8), intent(in) :: k(3), y0(3), tend
  real(8), intent(out) :: cost
  real(8) :: y(3)
  integer :: nst
  y = y0
  call advance(3, y, tend, k, nst)
  cost = y(1)**2 + 2d0*y(2)**2 + y(3)
end subroutine bdfsolve
