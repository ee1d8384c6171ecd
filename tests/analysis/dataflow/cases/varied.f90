! analysis: varied
! head: s(x)>(y)
! code: s
subroutine s(x, y, p, n)             !> enter {x} -> {x}
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y, p
  integer :: k, i
  k = int(x)                         !> {x} -> {x}
  p = real(k, 8)                     !> {x} -> {x}
  y = p                              !> {x} -> {x}
  do i = 1, n                        !> init {x} -> {x}; test {x, y} -> {x, y}; step {y} -> {y}
    y = y*x                          !> {x, y} -> {x, y}
    x = p                            !> {x, y} -> {y}
  end do
  y = 1                              !> {x, y} -> {x}
end subroutine                       !> leave {x} -> {x}
