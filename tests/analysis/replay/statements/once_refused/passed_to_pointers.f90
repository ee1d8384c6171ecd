! Procedure pointer components with PASS(name), of which the name is the first argument's.
module m7
  implicit none
  type :: t
    real(8) :: v = 0.4d0
    procedure(act), pointer :: g => null()
    procedure(act), pointer, pass(self) :: h => null()
  end type t
  abstract interface
    subroutine act(self, s)
      import t
      class(t), intent(inout) :: self
      real(8), intent(inout) :: s
    end subroutine act
  end interface
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(t) :: o
  real(8) :: s
  o%v = x(1)
  o%g => act1
  o%h => act2
  s = x(2)
  !$AD CHECKPOINT-START
    call o%g(s)
    call o%h(s)
  !$AD CHECKPOINT-END
  y = s*o%v
end subroutine p
  subroutine act1(self, s)
    class(t), intent(inout) :: self
    real(8), intent(inout) :: s
    s = s*self%v
    self%v = s
  end subroutine act1
  subroutine act2(self, s)
    class(t), intent(inout) :: self
    real(8), intent(inout) :: s
    s = s*self%v
  end subroutine act2
end module m7
