! Components of an array of structures.
subroutine cloud(x, n, y)
  implicit none
  type particle
    real(8) :: pos, vel
  end type particle
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(particle) :: p(n)
  integer :: i
  do i = 1, n
    p(i)%pos = x(i)
    p(i)%vel = x(i)
  end do
  !$AD CHECKPOINT-START
  do i = 1, n
    p(i)%vel = p(i)%vel*p(i)%pos
  end do
  !$AD CHECKPOINT-END
  y = 0.0d0
  do i = 1, n
    y = y + p(i)%vel*p(i)%vel
  end do
end subroutine cloud
