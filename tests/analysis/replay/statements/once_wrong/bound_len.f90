! Type-bound functions called `len` and `kind`, as a queue has them: they read the object, no type parameter.
module m7
  implicit none
  type :: queue
    real(8) :: d(5) = 0.1d0
    integer :: first = 1, last = 1
  contains
    procedure :: len => length
    procedure :: kind => weight
    procedure :: put
    procedure :: get
  end type queue
contains
  integer function length(self) result(r)
    class(queue), intent(in) :: self
    r = modulo(self%last - self%first, 5)
  end function length
  real(8) function weight(self, k) result(r)
    class(queue), intent(in) :: self
    integer, intent(in) :: k
    r = 0.5d0*self%d(k)**2 + 0.1d0*self%len()
  end function weight
  subroutine put(self, v)
    class(queue), intent(inout) :: self
    real(8), intent(in) :: v
    if (self%len() == 4) return
    self%d(self%last) = v
    self%last = modulo(self%last, 5) + 1
  end subroutine put
  real(8) function get(self) result(v)
    class(queue), intent(inout) :: self
    v = 0.2d0
    if (self%len() == 0) return
    v = self%d(self%first)
    self%d(self%first) = 0.3d0
    self%first = modulo(self%first, 5) + 1
  end function get
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(queue) :: q
  integer :: i
  y = x(2)
  do i = 1, 2*m
    !$AD CHECKPOINT-START
    if (q%len() < 2) then
      call q%put(x(mod(i, n) + 1)*y)
      call q%put(y)
    else
      y = 0.5d0*y + q%get()
    end if
    !$AD CHECKPOINT-END
    y = y*q%kind(q%len() + 1) + 0.1d0*q%len()*x(1)
  end do
end subroutine p
end module m7
