! head: p(x)>(y)
! given: n=4; m=2; x=[0.81, 0.99, 0.72, 1.08]
! ways: plain, plain eager
subroutine mend(u, s)
  real(8), intent(inout) :: u, s
  s = s*u
  !> all: tape s
  u = u*s
end subroutine mend
subroutine blend(u, v, s)
  real(8), intent(inout) :: u, s
  real(8), intent(in) :: v
  s = s*u*v
  !> all: tape s
  u = u*s
end subroutine blend
subroutine columns(u, v, m, s)
  integer, intent(in) :: m
  real(8), intent(inout) :: u(m), v(m), s
  s = s*u(1)*v(m)*v(1) + u(m)*s
  !> all: tape s
  v(1) = v(1)*s
  u = u*s
end subroutine columns
subroutine twice(u)
  real(8), intent(inout) :: u
  u = 2*u
end subroutine twice
subroutine weigh(u, n, s)
  integer, intent(in) :: n
  real(8), intent(in) :: u(n)
  real(8), intent(inout) :: s
  s = s + sum(u*u)
  s = s*u(1)
end subroutine weigh
! The calls save all of b together: 0.5*b overwrites nothing that anybody reads before they have put it back.
subroutine together(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(n)
  integer :: i
  b = x
  call weigh(b, n, y)
  !> plain: Snp y; Req_D b
  !> plain eager: Snp y, b
  do i = 1, n
    call mend(b(i), y)
    !> plain: Snp y, b(i); Req_D b
    !> plain eager: Snp y, b
  end do
  b = 0.5d0*b
  y = y + sum(b*b)
end subroutine together
! They leave b(1) out.
subroutine all_but_one(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(n)
  integer :: i
  b = x
  call weigh(b, n, y)
  !> plain: Snp y; Req_D b
  !> plain eager: Snp y, b
  do i = 2, n
    call mend(b(i), y)
    !> plain: Snp y, b(i); Req_D b
    !> plain eager: Snp y, b
  end do
  b = 0.5d0*b
  !> plain: tape b
  y = y + sum(b*b)
end subroutine all_but_one
! weigh reads elements that earlier calls have saved, and that later ones have not put back.
subroutine read_between(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(n)
  integer :: i
  b = x
  do i = 1, n
    call weigh(b, n, y)
    !> all: Snp y
    call mend(b(i), y)
    !> plain: Snp y, b(i); Req_D b
    !> plain eager: Snp y, b
  end do
  b = 0.5d0*b
  !> plain: tape b
  y = y + sum(b*b)
end subroutine read_between
! b(n) is overwritten before the last call saves it.
subroutine written_between(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(n)
  integer :: i
  b = x
  call weigh(b, n, y)
  !> all: Snp y
  do i = 1, n
    call mend(b(i), y)
    !> plain: Snp y, b(i); Req_D b
    !> plain eager: Snp y, b
    b(n) = 2*y
    !> plain: tape b
  end do
  y = y + sum(b*b)
end subroutine written_between
! Two calls write all of b, and one of them saves nothing.
subroutine two_write(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(4)
  integer :: i
  b = x
  call weigh(b, n, y)
  !> all: Snp y
  do i = 1, 3
    call mend(b(i), y)
    !> plain: Snp y, b(i); Req_D b
    !> plain eager: Snp y, b
    call twice(b(i + 1))
    !> plain: Snp b(i+1)
    !> plain eager: nothing
  end do
  y = y + sum(b*b)
end subroutine two_write
! Each call reads b(1) and b(n), too.
subroutine others_read(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(n)
  integer :: i
  b = x
  do i = 1, n
    call blend(b(i), b(1)*b(n), y)
    !> all: Snp y, b(i); Req_D b
  end do
  b = 0.5d0*b
  !> all: tape b
  y = y + sum(b*b)
end subroutine others_read
! Each call saves one column, and of the other that it reads only the element that it writes.
subroutine part_saved(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: b(m, n)
  integer :: i
  do i = 1, m
    b(i, :) = x/i
  end do
  do i = 1, n
    call columns(b(:, i), b(:, n + 1 - i), m, y)
    !> plain: Snp y, b(:, i), b(1, n-i+1); Req_D b
    !> plain eager: Snp y, b
  end do
  b = 0.5d0*b
  !> plain: tape b
  y = y + sum(b*b)
end subroutine part_saved
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = 1
  call together(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call all_but_one(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call read_between(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call written_between(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call two_write(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call others_read(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call part_saved(x, n, m, y)
  !> all: nothing
end subroutine p
