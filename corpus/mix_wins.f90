! D sweeps over u again and again, and touches one element of v: lazy tapes too much of u, eager saves too much of v.
subroutine mix(x, n, sweeps, y)
  implicit none
  integer, intent(in) :: n, sweeps
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: u(n), v(n), s
  integer :: i, k
  do i = 1, n
    u(i) = 2.0d0*x(i)
    v(i) = 3.0d0*x(i)
  end do
  s = 0.0d0
  !$AD CHECKPOINT-START
  do i = 1, n
    s = s + u(i)*v(i)
  end do
  !$AD CHECKPOINT-END
  do k = 1, sweeps
    do i = 1, n
      u(i) = 0.5d0*u(i)
    end do
  end do
  v(1) = 0.5d0*v(1)
  y = s
  do i = 1, n
    y = y + u(i)*u(i) + v(i)*v(i)
  end do
end subroutine mix
