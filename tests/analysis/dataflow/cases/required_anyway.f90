! analysis: required-anyway
! head: s(x)>(y)
! code: s
! options: --recompute
subroutine s(x, y, n)            !> enter {n, y} -> {n, y}
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y
  real(8) :: p, q, r, z
  integer :: i
  z = x                          !> {n, y} -> {n, y, z}
  p = x                          !> {n, y, z} -> {n, y, z}
  do i = 1, n                    !> init {n, y, z} -> {y, z}; test {y, z} -> {y, z}; step {y, z} -> {y, z}
    q = p - 0.1d0                !> {y, z} -> {q, y, z}
    r = q*q                      !> {q, y, z} -> {q, r, y, z}
    z = z*r                      !> {q, r, y, z} -> {q, y, z}
    p = p - x                    !> {q, y, z} -> {q, y, z}
    if (q > 0) then              !> test {q, y, z} -> {q, y, z}
      p = sin(q)                 !> {q, y, z} -> {q, y, z}
    end if
    y = y*q                      !> {q, y, z} -> {y, z}
  end do
  y = y*z*p                      !> {p, y, z} -> {}
end subroutine                   !> leave {} -> {}
