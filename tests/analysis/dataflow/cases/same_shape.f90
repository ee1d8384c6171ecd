! analysis: same-shape
! head: s(x)>(y)
! code: s
subroutine s(x, y, n)                 !> enter {} -> {}
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y
  real(8), allocatable :: u(:), v(:)
  allocate (u(n))                     !> {} -> u {n}
!$ad checkpoint-start                 !> part u {n} -> u {n}
  v = 2*u                             !> u {n} -> u {n} v {n}
  if (x > 1) then                     !> test u {n} v {n} -> u {n} v {n}
    allocate (u(3))                   !> u {n} v {n} -> u {3} v {n}
  end if
  u = x                               !> u {join 7:4:0} v {n} -> u {join 7:4:0} v {n}
  y = sum(u*v)                        !> u {join 7:4:0} v {n} -> u {join 7:4:0} v {n}
!$ad checkpoint-end
  y = y*y                             !> u {join 7:4:0} v {n} -> u {join 7:4:0} v {n}
end subroutine                        !> leave u {join 7:4:0} v {n} -> u {join 7:4:0} v {n}
