! Assignments, of which one gives its variable another shape: the snapshot has its allocation, a[], too.
subroutine growing(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:), b(:)
  allocate (a(n), b(n))
  a = x
  b = 2*a
  !$AD CHECKPOINT-START
  b = a*b
  a = b(1:size(a))
  a = b(2:3)*b(1)
  !$AD CHECKPOINT-END
  y = sum(a*a)
end subroutine growing
