! analysis: reaching-the-end
! head: s(x)>(y)
! code: s
subroutine s(x, y)                !> enter {} -> {}
  real(8), intent(inout) :: x, y
  y = 1                           !> {} -> {y}
  if (x > 0) then                 !> test {y} -> {y}
    y = 2                         !> {} -> {y}
  end if
  x = 3                           !> {y} -> {y}
end subroutine                    !> leave {y} -> {y}
