! analysis: relied-upon
! head: s(x)>(y)
! code: s
! part: none
subroutine s(x, y, a)                !> enter {} -> {}
  real(8), intent(inout) :: x, y, a
  y = x*x                            !> {} -> {x}
  a = y*y                            !> {x} -> {x, y}
  x = 2*a                            !> {x, y} -> {y}
!$ad checkpoint-start                !> part {y} -> {a}
  y = y*a + x
!$ad checkpoint-end
  y = y*y + a*a                      !> {a} -> {a, y}
end subroutine                       !> leave {a, y} -> {a, y}
