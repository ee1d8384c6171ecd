module state
  implicit none
  real(8) :: q(3, 8), r(8)
  integer :: nbr(8)
contains
  subroutine at_cell(i, s)
    integer, intent(in) :: i
    real(8), intent(in) :: s
    q(1, i) = q(1, i) + s*q(2, nbr(i))*q(1, nbr(i))
    q(2, i) = q(2, i)*cos(q(1, i))
    q(3, nbr(i)) = q(3, nbr(i))*q(1, i)
  end subroutine
  subroutine column(q, i)
    real(8), intent(inout) :: q(3)
    integer, intent(in) :: i
    q(1) = q(1)*q(2)
    r(i) = r(i)*q(1)
  end subroutine
end module
subroutine glob(n, x, y)
  use state
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i, it
  do i = 1, 8
    q(:, i) = x(1)*i*0.1d0
    r(i) = x(2)
    nbr(i) = 1 + mod(i, 8)
  end do
  do it = 1, 2
    do i = 1, 8
      call at_cell(i, x(3))
      call column(q(:, nbr(i)), nbr(i))
    end do
  end do
  y = sum(q*q) + sum(r)
end subroutine
