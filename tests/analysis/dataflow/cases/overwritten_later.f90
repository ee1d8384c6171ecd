! analysis: overwritten-later
! head: s(x)>(y)
! code: s
! options: --recompute
subroutine s(x, y, a, b)                !> enter {a, b, y} -> {a, b, y}
  real(8), intent(inout) :: x, y, a, b
  a = 2*x                               !> {a, b, y} -> {a, b, y}
  b = a*a                               !> {a, b, y} -> {a, y}
  y = b*b                               !> {a, y} -> {a}
  a = 3*b                               !> {a} -> {}
  y = y*a*b                             !> {} -> {}
  b = y                                 !> {} -> {}
end subroutine                          !> leave {} -> {}
