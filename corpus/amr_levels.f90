! The grid is refined, and coarsened again, while the run goes on: u is reallocated, its length is not known before.
! An allocatable's bounds are control: a capsule brings them back.
subroutine refine(levels, x, y)
  integer :: levels, k, i, n
  real(8) :: x, y
  real(8), allocatable :: u(:), fine(:)
  allocate(u(2))
  u = x
  do k = 1, levels
    n = size(u)
    if (mod(k, 3) == 0) then
      allocate(fine(n/2))
      do i = 1, n/2
        fine(i) = u(2*i - 1)*u(2*i)
      end do
    else
      allocate(fine(2*n))
      do i = 1, n
        fine(2*i - 1) = sin(u(i))
        fine(2*i) = u(i) + 0.1d0*k
      end do
    end if
    deallocate(u)
    allocate(u(size(fine)))
    u = fine
    deallocate(fine)
  end do
  y = sum(u*u)
end subroutine refine
