! analysis: entry-reads
! head: s(x)>(y)
! code: s
! part: 7-11
subroutine s(x, y, a, b)
  real(8), intent(inout) :: x, y, a, b
!$ad checkpoint-start                   !> enter {} -> {}
  a = x*x                               !> {} -> {x}
  b = b*a                               !> {x} -> {b, x}
  x = a*a                               !> {b, x} -> {b, x}
!$ad checkpoint-end                     !> leave {b, x} -> {b, x}
  y = b*x*b
end subroutine
