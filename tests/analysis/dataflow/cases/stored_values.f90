! analysis: stored-values
! head: s(x)>(y)
! code: s
! part: none
subroutine s(x, y, a, n)             !> enter {} -> {}
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y, a
  integer :: i
  do i = 1, n                        !> init {} -> {}; test {} -> {}; step {a} -> {a}
!$taf store x = tape, key = i
!$ad checkpoint-start                !> part {} -> {x}
    a = x*x*a
!$ad checkpoint-end
!$taf store a = tape, key = i
    if (x > 0) then                  !> test {x} -> {a, x}
      y = y + a*a*x                  !> {a, x} -> {a, x}
    end if
    x = y*y                          !> {a, x} -> {a}
  end do
end subroutine                       !> leave {} -> {}
