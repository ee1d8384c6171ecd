! Travel times by fast sweeping in four directions, and the misfit at receivers.
subroutine eikonal(n, slowness, picks, misfit)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: slowness(n, n), picks(n)
  real(8), intent(out) :: misfit
  real(8) :: t(n, n), h, last(n, n), change
  integer :: sweep, round, i, j
  h = 0.25d0
  t = 1d3
  t(2, 2) = 0d0
  do round = 1, 3
    last = t
    do sweep = 1, 4
      call sweep_one(n, sweep, h, slowness, t)
    end do
    change = 0d0
    do j = 1, n
      do i = 1, n
        change = max(change, abs(t(i, j) - last(i, j)))
      end do
    end do
    if (change < 1d-10) exit
  end do
  misfit = 0.5d0*sum((t(:, n) - picks)**2)
contains
  subroutine sweep_one(n, direction, h, s, t)
    integer, intent(in) :: n, direction
    real(8), intent(in) :: h, s(n, n)
    real(8), intent(inout) :: t(n, n)
    integer :: i, j, i1, i2, di, j1, j2, dj
    real(8) :: a, b, new
    if (direction == 1 .or. direction == 4) then
      i1 = 1; i2 = n; di = 1
    else
      i1 = n; i2 = 1; di = -1
    end if
    if (direction <= 2) then
      j1 = 1; j2 = n; dj = 1
    else
      j1 = n; j2 = 1; dj = -1
    end if
    do j = j1, j2, dj
      do i = i1, i2, di
        if (i == 2 .and. j == 2) cycle
        a = min(t(max(i - 1, 1), j), t(min(i + 1, n), j))
        b = min(t(i, max(j - 1, 1)), t(i, min(j + 1, n)))
        if (abs(a - b) >= h*s(i, j)) then
          new = min(a, b) + h*s(i, j)
        else
          new = 0.5d0*(a + b + sqrt(2d0*(h*s(i, j))**2 - (a - b)**2))
        end if
        if (new < t(i, j)) t(i, j) = new
      end do
    end do
  end subroutine
end subroutine
