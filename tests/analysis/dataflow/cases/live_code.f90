! analysis: live-code
! head: s(x)>(y)
! code: s
! boundary: {b, x}
subroutine s(x, y, a, b, c)
  real(8), intent(inout) :: x, y, a, b, c
!$ad checkpoint-start                      !> enter {b, x} -> {b, x}
  a = x*x                                  !> {b, x} -> {a, b, x}
  c = sin(a)                               !> {a, b, x} -> {a, b, x}
  if (x > 1) then                          !> test {a, b, x} -> {a, b, x}
    b = a*a                                !> {a, x} -> {b, x}
  end if
!$ad checkpoint-end                        !> leave {b, x} -> {b, x}
  y = b*x*b
end subroutine
