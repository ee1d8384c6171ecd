! PASS(name) of type-bound procedures with arguments behind the object's, positional ones too.
module m7
  implicit none
  type :: t
    real(8) :: v = 0.5d0
  contains
    procedure, pass(self) :: upd
    procedure, pass(o) :: one
    procedure, pass(o) :: two
    generic :: go => one, two
    procedure, pass(o) :: val
  end type t
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(t) :: o
  real(8) :: s, w
  o%v = 0.4d0*x(1)
  s = 0.5d0*x(2)
  w = 0.3d0*x(3)
  !$AD CHECKPOINT-START
  call o%upd(s, 2)
  call o%go(s)
  call o%go(s, w)
  call o%upd(s, 2, x(4))
  call o%go(b=s, a=w)
  call o%upd(k=1, s=s)
  s = o%val(s, w)*o%val(b=w, a=s)
  !$AD CHECKPOINT-END
  y = o%v*s*w
end subroutine p
  subroutine upd(s, self, k, q)
    real(8), intent(inout) :: s
    class(t), intent(inout) :: self
    integer, intent(in) :: k
    real(8), intent(in), optional :: q
    s = s*self%v
    self%v = (self%v + s*s)*k
    if (present(q)) self%v = self%v*q
  end subroutine upd
  subroutine one(a, o)
    real(8), intent(inout) :: a
    class(t), intent(inout) :: o
    a = a*o%v
    o%v = a*a
  end subroutine one
  subroutine two(o, a, b)
    class(t), intent(inout) :: o
    real(8), intent(inout) :: a, b
    a = a*b
    b = o%v*a
    o%v = o%v*b
  end subroutine two
  function val(a, o, b) result(r)
    real(8), intent(in) :: a, b
    class(t), intent(in) :: o
    real(8) :: r
    r = a*o%v + b
  end function val
end module m7
