! Set in the first step, read in every third: what only later steps read restarts all of them.
subroutine distant(u, n, nt, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: f1(n), tices
  integer :: i, k
  tices = 1d0
  do k = 0, nt - 1
    if (k == 0) f1 = 0.5d0*u
    do i = 1, 3
      tices = 0.5d0*(tices + (1d0 + u(1)*u(1))/tices)
    end do
    if (mod(k, 3) == 2) then
      u = u*f1
      f1 = 0.9d0*f1
    end if
    u = u + 0.1d0*tices*u
  end do
  cost = sum(u)
end subroutine distant
