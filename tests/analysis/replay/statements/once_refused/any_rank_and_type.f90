module m7
  type :: base
    real(8) :: u = 0.5d0
  end type
  type, extends(base) :: wide
    real(8) :: w(3) = 0.75d0
  end type
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, v(5), w(2, 2)
  type(wide) :: o
  class(base), allocatable :: q
  integer :: k, ix(3)
  character(3) :: word
  s = x(1)
  v = x
  w = x(2)
  k = 2
  ix = [1, 2, 3]
  word = 'abc'
  o%u = x(3)
  y = x(4)
  allocate (wide :: q)
  q%u = x(2)
  call act(s, y)
  call act(v, y)
  call act(v(2:4), y)
  call act(w(:, 1), y)
  call act(w, y)
  call act(ix, y)
  call thing(o, y)
  call thing(q, y)
  call thing(o%base, y)
  call thing(word, y)
  call thing(s*2.0d0, y)
  call thing(k, y, v)
  deallocate (q)
  allocate (q)
  q%u = y
  call thing(q, y)
  y = y*s*sum(v)*sum(w)*o%u*k*q%u + sum(o%w)
end subroutine p
recursive subroutine act(a, t)
  class(*), intent(inout) :: a(..)
  real(8), intent(inout) :: t
  t = t*(1.0d0 + 0.1d0*rank(a)) + 0.01d0*size(a)
  select rank (b => a)
  rank (0)
    call thing(b, t)
  rank (1)
    select type (b)
    type is (real(8))
      b(2:) = b(2:)*b(1)*t
      t = sin(t)*sum(b)
      call act(b(1), t)
    type is (integer)
      b = b + 1
      t = t*b(2)
    end select
  rank default
    t = cos(t)
    call inside
  end select
contains
  subroutine inside
    select rank (a)
    rank (2)
      select type (a)
      type is (real(8))
        a(1, :) = a(2, :)*t
        t = t*a(1, 2)
      end select
    end select
  end subroutine inside
end subroutine act
recursive subroutine thing(a, t, c)
  class(*), intent(in) :: a
  real(8), intent(inout) :: t
  class(*), intent(in), optional :: c(:)
  outer: select type (a)
  type is (real(8))
    if (a > 10.0d0) exit outer
    t = t*a*a
  class is (base)
    t = t*a%u
    call dynamic(a, t)
  type is (character(*))
    t = t + 0.1d0*len(a)
  class default
    t = 0.9d0*t
    if (present(c)) then
      select type (c)
      type is (real(8))
        t = t + sum(c)*t
      end select
    end if
  end select outer
end subroutine thing
subroutine dynamic(a, t)
  class(*), intent(in) :: a
  real(8), intent(inout) :: t
  select type (a)
  type is (wide)
    t = t + sin(t)*a%w(2)
  type is (base)
    t = 0.8d0*t*a%u
  end select
end subroutine dynamic
end module m7
