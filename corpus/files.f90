! OPEN, READ, REWIND and CLOSE in a part: the file's position is a state that nothing restores.
subroutine filing(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  !$AD CHECKPOINT-START
  open (10, file='b.dat', form='unformatted')
  read (10) b
  rewind (10)
  close (10)
  a = a*b
  !$AD CHECKPOINT-END
  y = a*a
end subroutine filing
