module m7
  type :: solver
    procedure(fcn), pointer :: f => null()
    real(8) :: u = 0.5d0
  contains
    procedure :: start
    procedure :: run
  end type solver
  abstract interface
    subroutine fcn(me, n, v, s)
      import :: solver
      class(solver), intent(inout) :: me
      integer, intent(in) :: n
      real(8), intent(inout) :: v(n), s
    end subroutine fcn
  end interface
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(solver) :: sv
  real(8) :: v(5)
  v = x
  y = x(1)
  call sv%start(mine)
  call sv%run(5, v, y)
  y = y*sum(v)*sv%u
end subroutine p
subroutine start(me, f)
  class(solver), intent(inout) :: me
  procedure(fcn) :: f
  me%f => f
end subroutine start
subroutine run(me, n, v, s)
  class(solver), intent(inout) :: me
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n), s
  call me%f(n, v, s)
  call me%f(n, v, s)
end subroutine run
subroutine mine(me, n, v, s)
  class(solver), intent(inout) :: me
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n), s
  v(2:n) = v(1:n-1)*s
  s = sin(s)*v(3)
  me%u = me%u*s
end subroutine mine
end module m7
