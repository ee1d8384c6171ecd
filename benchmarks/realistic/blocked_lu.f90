! Blocked LU: panels of one matrix passed as sections.
subroutine blocked(a0, y)
  implicit none
  real(8), intent(in) :: a0(8, 8)
  real(8), intent(out) :: y
  real(8) :: a(8, 8)
  integer :: k, i
  interface
    subroutine factor(d)
      real(8), intent(inout) :: d(:, :)
    end subroutine
    subroutine update(l, u, c)
      real(8), intent(in) :: l(:, :), u(:, :)
      real(8), intent(inout) :: c(:, :)
    end subroutine
    subroutine solves(d, r, c)
      real(8), intent(in) :: d(:, :)
      real(8), intent(inout) :: r(:, :), c(:, :)
    end subroutine
  end interface
  a = a0
  do i = 1, 8
    a(i, i) = a(i, i) + 8d0
  end do
  do k = 1, 7, 2
    call factor(a(k:k + 1, k:k + 1))
    if (k < 7) then
      call solves(a(k:k + 1, k:k + 1), a(k:k + 1, k + 2:8), a(k + 2:8, k:k + 1))
      call update(a(k + 2:8, k:k + 1), a(k:k + 1, k + 2:8), a(k + 2:8, k + 2:8))
    end if
  end do
  y = 0d0
  do i = 1, 8
    y = y + log(a(i, i))
  end do
end subroutine
subroutine factor(d)
  real(8), intent(inout) :: d(:, :)
  d(2, 1) = d(2, 1)/d(1, 1)
  d(2, 2) = d(2, 2) - d(2, 1)*d(1, 2)
end subroutine
subroutine solves(d, r, c)
  real(8), intent(in) :: d(:, :)
  real(8), intent(inout) :: r(:, :), c(:, :)
  integer :: j
  do j = 1, size(r, 2)
    r(2, j) = r(2, j) - d(2, 1)*r(1, j)
  end do
  do j = 1, size(c, 1)
    c(j, 1) = c(j, 1)/d(1, 1)
    c(j, 2) = (c(j, 2) - c(j, 1)*d(1, 2))/d(2, 2)
  end do
end subroutine
subroutine update(l, u, c)
  real(8), intent(in) :: l(:, :), u(:, :)
  real(8), intent(inout) :: c(:, :)
  integer :: i, j
  do j = 1, size(c, 2)
    do i = 1, size(c, 1)
      c(i, j) = c(i, j) - l(i, 1)*u(1, j) - l(i, 2)*u(2, j)
    end do
  end do
end subroutine
