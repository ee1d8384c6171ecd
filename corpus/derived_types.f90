! Nested components are locations of their own.
subroutine bodies(x, y)
  implicit none
  type point
    real(8) :: x, y
  end type point
  type body
    type(point) :: pos, vel
    real(8) :: mass
  end type body
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(body) :: s
  s%pos%x = x
  s%pos%y = x
  s%vel%x = 2.0d0*x
  s%mass = 2.0d0
  !$AD CHECKPOINT-START
  s%pos%x = s%pos%x*s%vel%x
  s%pos%y = s%pos%y + s%vel%x
  !$AD CHECKPOINT-END
  s%vel%x = s%pos%y
  y = s%pos%x*s%vel%x*s%mass
end subroutine bodies
