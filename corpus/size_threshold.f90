! D overwrites n of the m elements of w that C's adjoint needs: a snapshot takes 8*m bytes, the tape 8*n.
subroutine sparse(x, at, m, n, y)
  implicit none
  integer, intent(in) :: m, n, at(n)
  real(8), intent(in) :: x(m)
  real(8), intent(out) :: y
  real(8) :: w(m), s
  integer :: i
  do i = 1, m
    w(i) = 2.0d0*x(i)
  end do
  s = 0.0d0
  !$AD CHECKPOINT-START
  do i = 1, m
    s = s + w(i)*w(i)
  end do
  !$AD CHECKPOINT-END
  do i = 1, n
    w(at(i)) = 0.5d0*w(at(i))
  end do
  y = s
  do i = 1, m
    y = y + w(i)*w(i)
  end do
end subroutine sparse
