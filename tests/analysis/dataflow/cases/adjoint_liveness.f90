! analysis: adjoint-liveness
! head: s(x)>(y)
! code: s
! part: none
subroutine s(x, y, a, b, c)                !> enter use {x} out {a, b} -> use {x} out {a, b}
  real(8), intent(inout) :: x, y, a, b, c
  a = x*x                                  !> use {x} out {a, b} -> use {a, x} out {b}
  c = a                                    !> use {a, x} out {b} -> use {a, x} out {b}
!$ad checkpoint-start                      !> part use {a, x} out {b} -> use {b, x}
  b = sin(a)
  a = 3
!$ad checkpoint-end
  b = b*b                                  !> use {b, x} -> use {b, x}
  y = b*x                                  !> use {b, x} -> {}
end subroutine                             !> leave {} -> {}
