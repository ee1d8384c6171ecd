! head: p(x)>(y)
! given: n=4; x=[0.81, 0.99, 0.72, 1.08]
! ways: plain, plain eager, recompute, values, split
! spare: c[], q, work[], work; work and the first c get memory once, and what q leads to is saved as a and b
module store
  implicit none
  real(8) :: scale
  real(8), allocatable :: work(:)
contains
  subroutine push(a, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n), s
    scale = sin(s)*scale
    !> all: tape scale
    if (.not. allocated(work)) allocate (work(n))
    !> split: tape work, work[]
    work = a*scale
    !> plain, plain eager, recompute, values: tape work[]
    !> split: tape work, work[]
    s = sin(s) + sum(work*work)
    !> all: tape s
    a(1) = work(n)*s
    !> split: tape a
  end subroutine push
end module store
subroutine p(x, n, y)
  use store
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), target :: a(n), b(n)
  real(8), pointer :: q(:)
  real(8), allocatable :: c(:)
  integer :: i
  a = x
  b = x*x
  scale = x(1)
  y = x(2)
  q => a
  do i = 1, 2
    c = q*y
    !> all: tape c[]
    y = sin(y) + sum(c*c)
    !> all: tape y
!$AD CHECKPOINT-START
!> plain, plain eager, recompute, values: Snp y, a, b, q=>, q, c
!> split: Snp y, a, b, q=>, q, c; Req_D work[], work
    q(2) = q(2)*c(1)
    !> all: tape a, b, q
    y = sin(y)*q(2)*b(2)
    !> all: tape y
    q => b
    !> all: tape q=>
    c(2:) = c(2:)*y
!$AD CHECKPOINT-END
    q = q*c
    !> all: tape a, b, q
    call push(a, n, y)
    !> plain, plain eager, recompute, values: Snp y, a, scale, q, work[]; Req_D c[], c
    deallocate (c)
    !> all: tape c, c[]
    y = y*scale*a(1)
    !> all: tape y
  end do
  b = b*y
  !> all: tape b, q
  y = y + sum(a*b)*work(2)
  deallocate (work)
  !> all: tape work, work[]
end subroutine p
