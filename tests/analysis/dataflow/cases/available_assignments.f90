! analysis: available-assignments
! head: s(x)>(y)
! code: s
! options: --recompute
subroutine s(x, y, a, b)                !> enter {} -> {}
  real(8), intent(inout) :: x, y, a, b
  a = 2*x                               !> {} -> {a@7}
  b = a + x                             !> {a@7} -> {a@7, b@8}
  if (x > 1) then                       !> test {a@7, b@8} -> {a@7, b@8}
    a = 3*x                             !> {a@7, b@8} -> {a@10}
  end if
  y = a*b                               !> {} -> {y@12}
  x = 1                                 !> {y@12} -> {y@12, x@13}
  b = y*a                               !> {y@12, x@13} -> {x@13, b@14}
  y = b                                 !> {x@13, b@14} -> {x@13, y@15}
end subroutine                          !> leave {x@13, y@15} -> {x@13, y@15}
