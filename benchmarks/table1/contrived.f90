! The paper's contrived example: the checkpointed part overwrites an array in Req over and over. The part needs
! the last values only, but upstream needs the first. Lazy tapes every overwritten value for upstream's sake
! (Req_C); eager takes one snapshot of the whole array and keeps it to the end (Sbk).
subroutine smooth(n, sweeps, a, b)
  implicit none
  integer, intent(in) :: n, sweeps
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: b(n)
  integer :: i, k
  do k = 1, sweeps
    do i = 2, n - 1
      a(i) = 0.25d0*a(i - 1) + 0.5d0*a(i) + 0.25d0*a(i + 1) + 0.01d0*b(i)
    end do
  end do
end subroutine smooth

subroutine contrived(x, gain, n, sweeps, y)
  implicit none
  integer, intent(in) :: n, sweeps
  real(8), intent(in) :: x(n), gain
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(n), s
  integer :: i, k, stage
  s = 0.0d0
  do i = 1, n
    a(i) = sin(x(i))
    b(i) = x(i)*x(i)
    c(i) = cos(x(i))
  end do
  do stage = 1, 2
    do i = 1, n
      s = s + a(i)*a(i)*b(i) + c(i)**3
    end do
    !$AD CHECKPOINT-START
    do k = 1, sweeps
      do i = 2, n - 1
        a(i) = 0.25d0*a(i - 1) + 0.5d0*a(i) + 0.25d0*a(i + 1) + 0.01d0*b(i)
      end do
    end do
    do i = 1, n
      b(i) = b(i)*(1.0d0 + gain*a(i))
    end do
    !$AD CHECKPOINT-END
    call smooth(n, sweeps, c, b)
    do i = 1, n
      c(i) = c(i) + 0.1d0*sin(a(i))
    end do
  end do
  y = s
  do i = 1, n
    y = y + b(i)*c(i)
  end do
end subroutine contrived
