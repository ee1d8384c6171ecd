! The state is in a module, and so is a diagnostic that nothing needs again.
module ocean
  implicit none
  integer, parameter :: n = 6
  real(8) :: h(n), v(n), energy
contains
  subroutine step
    energy = energy + sum(h*h)
    v = v - 0.1d0*h*v
    h = h + 0.1d0*v
  end subroutine step
end module ocean
subroutine run(x, nt, y)
  use ocean
  implicit none
  real(8), intent(in) :: x(n)
  integer, intent(in) :: nt
  real(8), intent(out) :: y
  integer :: k
  h = x
  v = 1d0
  energy = 0d0
  do k = 1, nt
    call step
  end do
  y = sum(h*v)
end subroutine run
