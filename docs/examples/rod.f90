! A rod that cools: neighbouring cells exchange heat, and the rod conducts less with each step.
subroutine rod(t, n, steps, cost)
  implicit none
  integer, intent(in) :: n, steps
  real(8), intent(inout) :: t(n)
  real(8), intent(out) :: cost
  real(8) :: f(n), k
  integer :: i, step
  k = 0.1d0
  do step = 1, steps
    !$AD CHECKPOINT-START
    do i = 1, n - 1
      f(i) = k*(t(i)**2 - t(i+1)**2)
    end do
    do i = 1, n - 1
      t(i) = t(i) - f(i)
      t(i+1) = t(i+1) + f(i)
    end do
    !$AD CHECKPOINT-END
    k = 0.99d0*k
  end do
  cost = sum(t*t)
end subroutine rod
