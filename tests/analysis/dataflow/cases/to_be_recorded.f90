! analysis: to-be-recorded
! head: s(x)>(y)
! code: s
! part: none
subroutine s(x, y, a, n)             !> enter {} -> {}
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y, a
  integer :: i
  y = 0                              !> {} -> {}
  do i = 1, n                        !> init {} -> {n}; test {a, n} -> {a, n}; step {a, n} -> {a, n}
    a = x*x                          !> {a, n} -> {n, x}
    y = y + a*a                      !> {n, x} -> {a, n, x}
    x = 2*a                          !> {a, n, x} -> {a, n}
  end do
!$ad checkpoint-start                !> part {a, n} -> {}
  y = y*a
!$ad checkpoint-end
  a = y*y                            !> {} -> {y}
  y = a                              !> {y} -> {y}
end subroutine                       !> leave {y} -> {y}
