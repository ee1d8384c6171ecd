! A semi-implicit solver: its state is a derived type that goes by value, through functions and operators.
module states
  implicit none
  type state
    real(8) :: u = 0.0d0, v = 0.0d0
    real(8) :: t(3) = 1.0d0
  end type state
  interface operator(+)
    module procedure plus
  end interface
  interface operator(*)
    module procedure times
  end interface
  interface operator(.inner.)
    module procedure inner
  end interface
  interface assignment(=)
    module procedure all_equal
  end interface
contains
  pure function plus(a, b) result(c)
    type(state), intent(in) :: a, b
    type(state) :: c
    c = state(a%u + b%u, a%v + b%v, a%t + b%t)
  end function plus

  pure function times(s, a) result(c)
    real(8), intent(in) :: s
    type(state), intent(in) :: a
    type(state) :: c
    c = state(s*a%u, s*a%v, s*a%t)
  end function times

  pure function inner(a, b) result(s)
    type(state), intent(in) :: a, b
    real(8) :: s
    s = a%u*b%u + a%v*b%v + dot_product(a%t, b%t)
  end function inner

  pure subroutine all_equal(a, r)
    type(state), intent(out) :: a
    real(8), intent(in) :: r
    a%u = r
    a%v = r*a%t(1)
  end subroutine all_equal
end module states

module solver
  use states
  implicit none
contains
  function tendency(s, forcing) result(d)
    type(state), value :: s
    real(8), intent(in) :: forcing
    type(state) :: d
    s%u = s%u + forcing
    d%u = -s%v*s%u
    d%v = s%u*s%u - s%v
    d%t = 0.2d0*(cshift(s%t, 1) - s%t)*s%u
  end function tendency

  function implicit_part(s, dt) result(r)
    type(state), intent(in) :: s
    real(8), intent(in) :: dt
    type(state) :: r
    real(8) :: k
    integer :: i
    r = s
    k = 0.5d0*dt
    do i = 1, 3
      r%u = (s%u + k*r%v)/(1.0d0 + k*r%u*r%u)
      r%v = (s%v - k*r%u)/(1.0d0 + k)
    end do
    r%t(2) = r%t(2)/(1.0d0 + k*r%u)
  end function implicit_part

  subroutine energy(s, e)
    type(state), value :: s
    real(8), intent(inout) :: e
    s%t = s%t - sum(s%t)/3.0d0
    e = e + 0.5d0*(s .inner. s)
  end subroutine energy

  subroutine run(x, dt, steps, e)
    real(8), intent(in) :: x(3)
    real(8), intent(in) :: dt
    integer, intent(in) :: steps
    real(8), intent(out) :: e
    type(state) :: s, half
    integer :: step
    s = x(1)
    s = s + state(x(2), t=[x(3), x(1)*x(2), 0.5d0])
    e = 0.0d0
    do step = 1, steps
      half = s + 0.5d0*dt*tendency(s, x(3)*e)
      s = implicit_part(s + dt*tendency(half, x(3)), dt)
      call energy(s + 0.1d0*half, e)
      if (mod(step, 2) == 0) call energy(state(u=s%u*e, v=half%v), e)
      e = 0.5d0*e
    end do
    e = e + (s .inner. half)
  end subroutine run
end module solver
