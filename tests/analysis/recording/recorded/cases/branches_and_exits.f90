! head: p(x)>(y)
! given: n=5; x=[0.81, 0.99, 0.72, 1.08, 0.63]
! ways: plain, taped, recompute, values recompute
subroutine sink(t, y)
  real(8) :: t, y
  y = y*t + t*t
end subroutine sink
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, t, u, v, w
  integer :: i, k
  a = x(1)*x(2)
  y = a
  w = a*a
  do i = 1, n
  !> recompute: again t = x(i)*a, v = t - 0.8d0
  !> values recompute: again k = i + 1, if (k > n) k = 1, if (k > n) k = 1, t = x(i)*a, v = t - 0.8d0, if (v > 0.0d0) then, u = t*t, u = 2.0d0*t
    t = x(i)*a
    !> plain, taped: tape t
    v = t - 0.8d0
    !> plain, taped: tape v
    if (v > 0.0d0) then
      u = t*t
      !> plain, taped, recompute: tape u
      y = y*u
      !> plain, taped: tape y
      !> recompute, values recompute: again behind u = t*t; tape y
    else
      u = 2.0d0*t
      !> plain, taped, recompute: tape u
      y = y + u*u*v
      !> recompute, values recompute: again behind t = x(i)*a, u = 2.0d0*t
    end if
    if (y > 100.0d0) exit
    !> recompute, values recompute: again behind t = x(i)*a
    k = i + 1
    !> plain, taped, recompute: tape k
    if (k > n) k = 1
    y = y + x(k)*u*w
    call sink(t, y)
    !> all: Snp y; Req_D a, t, v, k
    w = w*u
    !> all: tape w
  end do
  a = y*w
  !> plain, taped: tape a
  !> recompute, values recompute: again a = x(1)*x(2)
  t = a*y
  !> plain, taped: tape t
  y = t*a*w
end subroutine p
