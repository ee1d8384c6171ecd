! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, plain eager, recompute, values
! spare: a; its elements are taped by fill for whoever calls it, also where Sbk keeps them
subroutine fill(a, n, s)
  integer, intent(in) :: n
  real(8), intent(out) :: a(n)
  real(8), intent(in) :: s
  integer :: i
  a(1) = s
  !> plain, values: tape a
  do i = 2, n
    a(i) = a(i - 1)*s
    !> all: tape a
  end do
end subroutine fill
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), f(n), g(n, n), h(3)
  integer :: i, k
  b = x
  y = x(1)
  g = 0.0d0
  do k = 1, n
    call fill(a, n, y)
    !> plain, values: Snp a; Req_D g, f, h; Req_C a
    !> plain eager, recompute: Sbk a; Req_D g, f, h
    f(1) = a(1)*y
    !> all: tape f
    do i = 2, n
      f(i) = f(i - 1)*a(i) + b(i)
      !> all: tape f
    end do
    g(:, k) = f*f
!$AD CHECKPOINT-START
!> plain, values: Snp y, b, h; Req_D g, f, a; Req_C h
!> plain eager, recompute: Sbk h; Snp y, b; Req_D g, f, a
    h = f(1:3)*y
    !> plain, values: tape h
    do i = 1, n
      b(i) = b(i)*h(1)*f(i)
    end do
    y = y + h(2)*h(3)
!$AD CHECKPOINT-END
    call fill(g(:, k), n, h(1)*y)
    !> all: Req_D f, a, h
    y = y*g(2, k)
    !> all: tape y
  end do
  do i = 1, n
    call fill(f, n, b(i))
    !> plain, values: Snp f; Req_C f
    !> plain eager, recompute: Sbk f
    y = y + f(3)*b(i)
  end do
  y = y + sum(g*g)
end subroutine p
