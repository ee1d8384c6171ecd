module m7
  type :: spot
    real(8) :: u = 0.5d0
  end type
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, t
  type(spot) :: o
  integer :: k
  s = x(1)
  t = x(2)
  k = 2
  o%u = x(3)
  call act(s, t)
  call act(o, t)
  call act(k, t)
  y = s*t*o%u*k
end subroutine p
subroutine act(a, t)
  class(*), intent(inout) :: a
  real(8), intent(inout) :: t
  select type (a)
  type is (real(8))
    a = sin(a)*t
    t = t*a
  type is (spot)
    a%u = a%u*t
    t = sin(t)
  class default
    t = t*0.7d0
  end select
end subroutine act
end module m7
