! An ASSOCIATE name stands for what its pointer leads to at the beginning, wherever the pointer goes in the body.
subroutine stepped(x, cost)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: cost
  real(8), target :: a(2), b(2)
  real(8), pointer :: p(:), q(:)
  a = x
  b = 2.0d0*x
  p => a
  associate (w => p(:))
    p => b
    !$AD CHECKPOINT-START
    w(1) = w(1)*p(2)
    !$AD CHECKPOINT-END
    p(2) = w(1)*p(2)
    w = w*p
  end associate
  q => p
  cost = a(1)*a(2)*q(2)
end subroutine stepped
