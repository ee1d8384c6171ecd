! Two-stage Radau IIA for an oscillating reaction in a row of stirred cells: simplified Newton with one Jacobian a step, the
! iteration ends by a contraction test, step rejected when it does not, dense LU with pivots, stage values in one array.
module oregon
  implicit none
  integer, parameter :: nc = 2, nv = 2*nc
contains
  subroutine rhs(y, p, f)
    real(8), intent(in) :: y(nv), p(4)
    real(8), intent(out) :: f(nv)
    integer :: c, l, r
    do c = 1, nc
      l = 2*c - 1
      r = 2*c
      f(l) = p(1)*y(l)*(1d0 - y(l)) - p(2)*y(r)*(y(l) - 0.1d0)/(y(l) + 0.1d0)
      f(r) = p(3)*(y(l) - y(r))
      if (c > 1) f(l) = f(l) + p(4)*(y(l-2) - y(l))
      if (c < nc) f(l) = f(l) + p(4)*(y(l+2) - y(l))
    end do
  end subroutine rhs
  subroutine jac(y, p, a)
    real(8), intent(in) :: y(nv), p(4)
    real(8), intent(out) :: a(nv, nv)
    integer :: c, l, r
    a = 0d0
    do c = 1, nc
      l = 2*c - 1
      r = 2*c
      a(l, l) = p(1)*(1d0 - 2d0*y(l)) - 0.2d0*p(2)*y(r)/(y(l) + 0.1d0)**2
      a(l, r) = -p(2)*(y(l) - 0.1d0)/(y(l) + 0.1d0)
      a(r, l) = p(3)
      a(r, r) = -p(3)
      if (c > 1) then
        a(l, l) = a(l, l) - p(4)
        a(l, l-2) = p(4)
      end if
      if (c < nc) then
        a(l, l) = a(l, l) - p(4)
        a(l, l+2) = p(4)
      end if
    end do
  end subroutine jac
  subroutine lu(n, a, ip)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    integer, intent(out) :: ip(n)
    real(8) :: t
    integer :: i, j, k, m
    do k = 1, n
      m = k
      do i = k + 1, n
        if (abs(a(i, k)) > abs(a(m, k))) m = i
      end do
      ip(k) = m
      if (m /= k) then
        do j = 1, n
          t = a(k, j)
          a(k, j) = a(m, j)
          a(m, j) = t
        end do
      end if
      do i = k + 1, n
        a(i, k) = a(i, k)/a(k, k)
        do j = k + 1, n
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
      end do
    end do
  end subroutine lu
  subroutine back(n, a, ip, b)
    integer, intent(in) :: n, ip(n)
    real(8), intent(in) :: a(n, n)
    real(8), intent(inout) :: b(n)
    real(8) :: t
    integer :: i, j, k
    do k = 1, n
      t = b(k)
      b(k) = b(ip(k))
      b(ip(k)) = t
    end do
    do i = 2, n
      do j = 1, i - 1
        b(i) = b(i) - a(i, j)*b(j)
      end do
    end do
    do i = n, 1, -1
      do j = i + 1, n
        b(i) = b(i) - a(i, j)*b(j)
      end do
      b(i) = b(i)/a(i, i)
    end do
  end subroutine back
end module oregon
subroutine radau(nt, y0, p, amp)
  use oregon
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: y0(nv), p(4)
  real(8), intent(out) :: amp
  real(8) :: y(nv), z(2*nv), g(2*nv), m(2*nv, 2*nv), a(nv, nv), f1(nv), f2(nv), h, e, elast
  integer :: ip(2*nv), it, k, i, j
  logical :: ok
  y = y0
  h = 0.2d0
  amp = 0d0
  do it = 1, nt
    !$AD CHECKPOINT-START
    call jac(y, p, a)
    do i = 1, nv
      do j = 1, nv
        m(i, j) = -h*5d0/12d0*a(i, j)
        m(i, nv+j) = h/12d0*a(i, j)
        m(nv+i, j) = -h*0.75d0*a(i, j)
        m(nv+i, nv+j) = -h*0.25d0*a(i, j)
      end do
      m(i, i) = m(i, i) + 1d0
      m(nv+i, nv+i) = m(nv+i, nv+i) + 1d0
    end do
    call lu(2*nv, m, ip)
    !$AD CHECKPOINT-END
    z = 0d0
    elast = 1d10
    ok = .false.
    do k = 1, 6
      call rhs(y + z(1:nv), p, f1)
      call rhs(y + z(nv+1:2*nv), p, f2)
      do i = 1, nv
        g(i) = h*(5d0*f1(i) - f2(i))/12d0 - z(i)
        g(nv+i) = h*(0.75d0*f1(i) + 0.25d0*f2(i)) - z(nv+i)
      end do
      call back(2*nv, m, ip, g)
      z = z + g
      e = sqrt(sum(g**2))
      if (e < 1d-6) then
        ok = .true.
        exit
      end if
      if (e > 2d0*elast) exit
      elast = e
    end do
    if (ok) then
      y = y + z(nv+1:2*nv)
      h = min(0.4d0, 1.2d0*h)
    else
      h = 0.5d0*h
    end if
    amp = amp + y(1)*y(nv)
  end do
end subroutine radau
