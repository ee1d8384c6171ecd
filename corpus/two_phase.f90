! The first phase works on a large field and leaves one number of it, the second on that number alone: capsules are
! large in the first half of the run and small in the other.
subroutine phases(n, x, y)
  integer :: n, k
  real(8) :: x, y, field(200)
  field = x
  do k = 1, n
    field = field + 0.01d0*sin(field)*k
  end do
  y = sum(field)/200
  do k = 1, 200*n
    y = y + 0.01d0*cos(y)
  end do
end subroutine phases
