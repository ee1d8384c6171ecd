! analysis: influences
! head: s(x)>(y)
! code: s
subroutine s(x, y, p)                !> enter {x} -> {x}
  real(8), intent(inout) :: x, y, p
  integer :: k
  p = 2*x                            !> {x} -> {p}
  k = int(p)                         !> {p} -> {k}
  p = 1                              !> {k} -> {k, p}
  y = k + p                          !> {k, p} -> {y}
end subroutine                       !> leave {y} -> {y}
