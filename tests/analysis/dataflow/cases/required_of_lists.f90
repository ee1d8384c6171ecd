! analysis: required-of-lists
! head: s(x)>(y)
! code: s
! part: none
subroutine s(x, y, a, n)             !> enter {} -> {}
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y, a
  integer :: i
  do i = 1, n                        !> init {} -> {n}; test {n, y} -> {n, y}; step {y} -> {y}
!$taf store x = tape, key = i
!$ad checkpoint-start                !> part {n, y} -> {y}
    a = x*x*a
!$ad checkpoint-end
!$taf store a = tape, key = i
    if (x > 0) then                  !> test {y} -> {y}
      y = y + a*a*x                  !> {y} -> {}
    end if
    x = y*y                          !> {y} -> {y}
  end do
end subroutine                       !> leave {n, y} -> {n, y}
