! analysis: roughly-required
! head: s(x)>(y)
! code: s
subroutine s(x, y, a)                !> enter {} -> {}
  real(8), intent(inout) :: x, y, a
  a = 2*x                            !> {} -> {}
  y = max(a, x)                      !> {} -> {}
  a = y                              !> {} -> {}
  y = y*a                            !> {} -> {a, y}
end subroutine                       !> leave {a, y} -> {a, y}
