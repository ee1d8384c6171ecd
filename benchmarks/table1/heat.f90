! Heat conduction in a plate whose conductivity depends on temperature: alternating directions, each line a
! tridiagonal system. Head: from the source and the conductivity's slope to the final misfit.
module tridiagonal
  implicit none
contains
  ! Thomas' algorithm: x solves lower*x(i-1) + diag*x(i) + upper*x(i+1) = rhs. It overwrites its coefficients.
  subroutine thomas(n, lower, diag, upper, rhs, x)
    integer, intent(in) :: n
    real(8), intent(in) :: lower(n)
    real(8), intent(inout) :: diag(n), upper(n), rhs(n)
    real(8), intent(out) :: x(n)
    real(8) :: factor
    integer :: i
    do i = 2, n
      factor = lower(i)/diag(i - 1)
      diag(i) = diag(i) - factor*upper(i - 1)
      rhs(i) = rhs(i) - factor*rhs(i - 1)
    end do
    x(n) = rhs(n)/diag(n)
    do i = n - 1, 1, -1
      x(i) = (rhs(i) - upper(i)*x(i + 1))/diag(i)
    end do
  end subroutine thomas

  real(8) function conductivity(t, slope)
    real(8), intent(in) :: t, slope
    conductivity = 1.0d0 + slope*t + 0.05d0*t*t
  end function conductivity
end module tridiagonal

! One half step implicit in the first index.
subroutine sweep(n, m, t, source, slope, r, tnew)
  use tridiagonal
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: t(n, m), source(n, m), slope, r
  real(8), intent(out) :: tnew(n, m)
  real(8) :: lower(n), diag(n), upper(n), rhs(n), line(n), west, east, south, north
  integer :: i, j
  do j = 1, m
    do i = 1, n
      lower(i) = 0.0d0
      upper(i) = 0.0d0
      diag(i) = 1.0d0
      rhs(i) = 0.0d0
      if (i > 1 .and. i < n .and. j > 1 .and. j < m) then
        west = conductivity(0.5d0*(t(i - 1, j) + t(i, j)), slope)
        east = conductivity(0.5d0*(t(i + 1, j) + t(i, j)), slope)
        south = conductivity(0.5d0*(t(i, j - 1) + t(i, j)), slope)
        north = conductivity(0.5d0*(t(i, j + 1) + t(i, j)), slope)
        lower(i) = -r*west
        upper(i) = -r*east
        diag(i) = 1.0d0 + r*(west + east)
        rhs(i) = t(i, j) + r*(south*(t(i, j - 1) - t(i, j)) + north*(t(i, j + 1) - t(i, j))) + source(i, j)
      end if
    end do
    call thomas(n, lower, diag, upper, rhs, line)
    do i = 1, n
      tnew(i, j) = line(i)
    end do
  end do
end subroutine sweep

subroutine heat(source, slope, n, nsteps, cost)
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(in) :: source(n, n), slope
  real(8), intent(out) :: cost
  real(8) :: t(n, n), half(n, n), turned(n, n), sourced(n, n), r
  integer :: i, j, step
  r = 0.2d0
  do j = 1, n
    do i = 1, n
      t(i, j) = 0.0d0
      sourced(i, j) = 0.1d0*source(i, j)
    end do
  end do
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call sweep(n, n, t, sourced, slope, r, half)
    turned = transpose(half)
    call sweep(n, n, turned, transpose(sourced), slope, r, half)
    t = transpose(half)
    !$AD CHECKPOINT-END
    sourced(n/2, n/2) = 0.95d0*sourced(n/2, n/2)
  end do
  cost = 0.0d0
  do j = 2, n - 1
    do i = 2, n - 1
      cost = cost + (t(i, j) - 0.5d0)**2
    end do
  end do
end subroutine heat
