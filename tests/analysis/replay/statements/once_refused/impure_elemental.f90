module m7
  type :: cell
    real(8) :: q(3) = 0.2d0
  end type
  real(8) :: state = 1.0d0
  integer :: step = 1
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, v(0:4), w(2, 2), u(5)
  type(cell) :: c(4)
  integer :: ix(3), k
  s = x(1)
  v = x
  u = x*x
  w = x(2)
  ix = [4, 1, 3]
  step = 1
  s = s + fun(0.0d0)
  state = 0.4d0*x(4)
  call act(v, s)
  w = fun(w)*w
  y = s*sum(v)*sum(w)*state
  call act(w(:, step), state*0.3d0)
  u(1:3) = u(1:3) + fun(u(ix))
  do k = 1, 2
    call act(c(k:4:2)%q(k), v(0:3:2))
    u(2:3) = fun(u(2:3))
    y = y + sum(fun(v(ix(1:2)) + u(2:3), v(:1)))
  end do
  if (sum(fun(v)) > 0.3d0) y = y*sum(c%q(2)) + sum(c%q(1)) + sum(w)
  y = y + sum(u*v)
end subroutine p
impure elemental subroutine act(a, t)
  real(8), intent(inout) :: a
  real(8), intent(in) :: t
  a = sin(a)*state
  state = 0.5d0*state*a + t
  step = 3 - step
end subroutine act
impure elemental function fun(a, b) result(r)
  real(8), intent(in) :: a
  real(8), intent(in), optional :: b
  real(8) :: r
  real(8), save :: last = 0.25d0
  r = sin(a)*state
  if (present(b)) r = r + b*last
  last = 0.3d0*r
  state = 0.5d0*state + a
end function fun
end module m7
