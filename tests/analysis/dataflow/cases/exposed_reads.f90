! analysis: exposed-reads
! head: s(a,b)>(c)
! code: s
subroutine s(a, b, c, n, v)                !> enter {a, b, n} -> {a, b, n}
  integer, intent(in) :: n
  real(8), intent(inout) :: a, b, c, v(n)
  integer :: i
  c = a                                    !> {a, b, n} -> {b, c, n}
  if (c > 0) then                          !> test {b, c, n} -> {b, c, n}
    b = c                                  !> {c, n} -> {b, c, n}
  end if
  do i = 1, n                              !> init {b, c, n} -> {b, c, i, v}; test {b, c, i, v} -> {b, c, i, v}; step {b, c, i, v} -> {b, c, i, v}
    v(i) = c                               !> {b, c, i, v} -> {b, c, i, v}
  end do
  c = v(1) + b                             !> {b, v} -> {}
end subroutine                             !> leave {} -> {}
