! An upward sweep and a back substitution: each element is read after it has been written, or never written; so c and
! the two rows behind the first of d lose nothing that their adjoint reads. The relaxation in place does.
subroutine sweeps(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: c(0:n), d(3, n), e(n + 1)
  integer :: i
  c = x(1)
  d = x(1)
  e = x(1)
  !$AD CHECKPOINT-START
  do i = 1, n
    c(i) = x(i)*c(i-1)*c(i-1)
    d(2, i) = c(i)*d(1, i)
    e(i) = e(i+1)*e(i)
  end do
  do i = n - 1, 1, -1
    d(3, i) = d(3, i+1)*d(2, i)
  end do
  !$AD CHECKPOINT-END
  y = sum(c*c) + sum(d*d) + sum(e*e)
end subroutine sweeps
