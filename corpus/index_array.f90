! Values used as subscripts of what is differentiated are needed by the adjoint.
subroutine scatter(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n)
  integer :: idx(n), i
  do i = 1, n
    idx(i) = i
    a(i) = x(i)
    b(i) = x(i)
  end do
  !$AD CHECKPOINT-START
  do i = 1, n
    b(idx(i)) = a(i)*a(i)
  end do
  !$AD CHECKPOINT-END
  do i = 1, n
    idx(i) = n + 1 - i
  end do
  y = 0.0d0
  do i = 1, n
    y = y + b(idx(i))*b(i)
  end do
end subroutine scatter
