! The part deallocates what was allocated before it: w[] is saved, and w, so that it is there for the second run.
subroutine releasing(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  real(8) :: t
  allocate (w(n))
  w = x
  !$AD CHECKPOINT-START
  t = sum(w*w)
  deallocate (w)
  !$AD CHECKPOINT-END
  y = t*t
end subroutine releasing
