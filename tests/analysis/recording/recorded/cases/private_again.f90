! head: p(x)>(y)
! given: n=4; x=[0.81, 0.99, 0.72, 1.08]
! ways: plain, plain eager
subroutine add(y, q)
  real(8), intent(inout) :: y
  real(8), intent(in) :: q
  y = 0.5d0*y + q*q
end subroutine add
! The strategy Opt3+=* saves q for the part's sake, which does not touch it: behind the part q is not there for r.
subroutine untouched(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: z(n), q, r
  integer :: i
  z = x
  do i = 1, n
    q = 0.5d0*y
    !> all: tape q
    y = y + q*q
    r = 3*q
    !> all: tape r
    !$AD CHECKPOINT-START
    !> all: Snp y, z(i); Req_D q
    z(i) = z(i)*z(i)
    !> all: tape z
    y = y*z(i)
    !$AD CHECKPOINT-END
    y = sin(y + r*r)
    !> all: tape y
  end do
  y = y + sum(z)
end subroutine untouched
! The eager strategy saves q for the call's sake.
subroutine saved(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: w, z, q, r
  integer :: i
  z = 0
  w = x(1)
  do i = 1, n
    q = w*x(i)
    !> plain: tape q
    r = 3*q
    !> all: tape r
    call add(y, q)
    !> plain: Req_D q
    !> plain eager: Snp q
    z = z + r*r
    w = sin(w)
    !> all: tape w
  end do
  y = y + z
end subroutine saved
! Its own derivative reads the q that is overwritten here, made in one of two ways.
subroutine square(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: q, r
  integer :: i
  do i = 1, n
  !> all: again r = 3*x(i)
    if (x(i) > 0.8d0) then
      q = 3*x(i)
      !> all: tape q
    else
      q = 2*x(i)
      !> all: tape q
    end if
    q = 0.5d0*q*q
    !> all: tape q
    r = 3*x(i)
    y = y + r*r*q
  end do
end subroutine square
! Here it is computed again in time.
subroutine in_time(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: q
  integer :: i
  do i = 1, n
    q = 3*x(i)
    !> all: tape q
    q = 0.5d0*q*q
    !> all: again q = 3*x(i)
    y = y + q*q
  end do
end subroutine in_time
! The call's adjoint alone reads the first q, and a derivative the second.
subroutine twice(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: q, w
  integer :: i
  w = x(1)
  do i = 1, n
  !> all: again q = 3*x(i)
    q = w*x(i)
    call add(y, q)
    !> plain: Req_D q
    !> plain eager: Snp q
    q = 3*x(i)
    !> plain: tape q
    y = y + q*q
    w = sin(w)
    !> all: tape w
  end do
end subroutine twice
! Both are computed again.
subroutine twice_again(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: q
  integer :: i
  do i = 1, n
  !> all: again q = 3*x(i)
    q = 2*x(i)
    y = y + q*q
    call add(y, q)
    !> all: Req_D q
    q = 3*x(i)
    !> all: again q = 2*x(i)
    y = y + q*q
  end do
end subroutine twice_again
! The call reads q last, where the ways meet it is gone.
subroutine met(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: q
  integer :: i
  do i = 1, n
    if (x(i) > 0.8d0) then
      q = 2*x(i)
      call add(y, q)
      !> plain: again behind q = 2*x(i); Req_D q
      !> plain eager: again behind q = 2*x(i); Snp q
    else
      q = 1
    end if
    y = y*x(i)
    !> all: tape y
  end do
end subroutine met
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = 1
  call untouched(x, n, y)
  !> all: Snp y
  y = sin(y)
  !> all: tape y
  call saved(x, n, y)
  !> all: nothing
  y = sin(y)
  !> all: tape y
  call square(x, n, y)
  !> all: nothing
  y = sin(y)
  !> all: tape y
  call in_time(x, n, y)
  !> all: nothing
  y = sin(y)
  !> all: tape y
  call twice(x, n, y)
  !> all: nothing
  y = sin(y)
  !> all: tape y
  call twice_again(x, n, y)
  !> all: nothing
  y = sin(y)
  !> all: tape y
  call met(x, n, y)
  !> all: nothing
end subroutine p
