module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, v(5), w(2, 2)
  s = x(1)
  v = x
  w = x(2)
  call act(s, y)
  call act(v, y)
  call act(w, y)
  y = s*sum(v)*sum(w)
end subroutine p
subroutine act(a, t)
  real(8), intent(inout) :: a(..)
  real(8), intent(inout) :: t
  select rank (a)
  rank (0)
    a = sin(a)
    t = a
  rank (1)
    a(2:3) = a(1:2)*t
    t = t*sum(a)
  rank default
    t = sin(t)*rank(a)
  end select
end subroutine act
end module m7
