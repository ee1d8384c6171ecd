! Private copies are other variables: t and w outside the parallel loop keep their values.
subroutine swept(n, x, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  real(8) :: t, s, f, y(n), w(3)
  integer :: i, k
  t = x(1)
  f = x(2)
  w = 2.0d0*x(1)
  s = 0.0d0
  y = x
  !$AD CHECKPOINT-START
  !$omp parallel do default(shared) schedule(static) &
  !$omp& private(t, w, k) firstprivate(f) reduction(+: s)
  do i = 1, n
    t = y(i)*f
    do k = 1, 3
      w(k) = t*k
    end do
    y(i) = t*t + w(1)*w(3)
    s = s + y(i)
  end do
  !$omp end parallel do
  !$AD CHECKPOINT-END
  cost = s*sum(y)*t*w(2)*f
end subroutine swept
