! analysis: ever-varied
! head: s(x)>(y)
! code: s
subroutine s(x, y, p)                !> enter {} -> {x}
  real(8), intent(inout) :: x, y, p
  y = p                              !> {x} -> {x}
  p = x                              !> {x} -> {p, x}
  p = 1                              !> {p, x} -> {p, x}
  y = p                              !> {p, x} -> {p, x}
end subroutine                       !> leave {p, x} -> {p, x}
