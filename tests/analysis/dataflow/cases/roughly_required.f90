! analysis: roughly-required
! head: s(x)>(y)
! code: s
subroutine s(x, y, a)                !> enter {} -> {}
  real(8), intent(inout) :: x, y, a
  a = 2*x                            !> {} -> {}
  y = max(a, x)                      !> {} -> {a, x}
  a = y                              !> {a, x} -> {x}
  y = y*a                            !> {x} -> {a, x, y}
end subroutine                       !> leave {a, x, y} -> {a, x, y}
