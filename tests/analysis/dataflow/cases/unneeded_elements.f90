! analysis: unneeded-elements
! head: s(x)>(y)
! code: s
subroutine s(x, y, n, ic)         !> enter {} -> {}
  integer, intent(inout) :: n, ic
  real(8), intent(inout) :: x, y
  real(8) :: a(9), b(9)
  integer :: i
  a = x                           !> {} -> {}
  b = x                           !> {} -> {}
  do i = 2, n                     !> init {} -> {}; test {} -> {}; step {b(ic)} -> {b(ic)}
    a(i) = 2*x                    !> {} -> {a(i)}
    b(ic) = x                     !> {a(i)} -> {a(i), b(ic)}
    a(i) = a(i) + x               !> {a(i), b(ic)} -> {a(i), b(ic)}
    y = y*a(i - 1)                !> {a(i), b(ic)} -> {a(i), b(ic)}
    if (i > 3) then               !> test {a(i), b(ic)} -> {a(i), b(ic)}
      a(i) = a(i) - x             !> {a(i), b(ic)} -> {a(i), b(ic)}
      ic = ic - 1                 !> {a(i), b(ic)} -> {a(i)}
    end if
    a(i) = a(i)*b(2)              !> {a(i)} -> {a(i)}
    b(ic) = b(ic) - x             !> {a(i)} -> {a(i), b(ic)}
    y = y*a(i)                    !> {a(i), b(ic)} -> {b(ic)}
  end do
end subroutine                    !> leave {} -> {}
