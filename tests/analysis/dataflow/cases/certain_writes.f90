! analysis: certain-writes
! head: s(a)>(b)
! code: s
subroutine s(a, b, c, d, v)                   !> enter {} -> {}
  real(8), intent(inout) :: a, b, c, d, v(9)
  integer :: i
  if (a > 0) then                             !> test {} -> {}
    b = a                                     !> {} -> {b}
    c = a                                     !> {b} -> {b, c}
  else
    b = -a                                    !> {} -> {b}
  end if
  do i = 1, 9                                 !> init {b} -> {b, i}; test {b, d, i} -> {b, d, i}; step {b, d, i} -> {b, d, i}
    d = b                                     !> {b, i} -> {b, d, i}
    v(i) = d                                  !> {b, d, i} -> {b, d, i}
  end do                                      !> join {b, d, i} -> {b, d, i, v}
  v(3) = a                                    !> {b, d, i, v} -> {b, d, i, v}
end subroutine                                !> leave {b, d, i, v} -> {b, d, i, v}
