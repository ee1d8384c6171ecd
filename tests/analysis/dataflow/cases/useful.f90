! analysis: useful
! head: s(x)>(y)
! code: s
subroutine s(x, y, p, q)                !> enter {x} -> {x}
  real(8), intent(inout) :: x, y, p, q
  p = x                                 !> {x} -> {p}
  q = p                                 !> {p} -> {p}
  if (q > 0) then                       !> test {p} -> {p}
    y = p*p                             !> {p} -> {y}
  else
    y = 0                               !> {} -> {y}
  end if
  p = y                                 !> {y} -> {y}
end subroutine                          !> leave {y} -> {y}
