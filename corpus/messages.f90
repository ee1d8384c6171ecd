! Communication in a part that all ranks take part in: the second run may do it again.
subroutine talking(x, comm, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: comm
  real(8), intent(out) :: y
  real(8) :: a
  integer :: ierr
  external :: mpi_bcast
  a = x
  !$AD CHECKPOINT-START
  a = a*x
  call mpi_bcast(a, 1, 17, 0, comm, ierr)
  !$AD CHECKPOINT-END
  y = a*a
end subroutine talking
