! The part allocates what outlives it: w[] is saved, so that the second run finds it as the first one did.
subroutine allocating(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  !$AD CHECKPOINT-START
  allocate (w(n))
  w = x*x
  !$AD CHECKPOINT-END
  y = sum(w*w)
  deallocate (w)
end subroutine allocating
