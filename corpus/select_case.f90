! SELECT CASE: b is written in every case, a not in the default one.
subroutine cases(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k
  real(8), intent(out) :: y
  real(8) :: a, b, t
  a = x
  b = x
  !$AD CHECKPOINT-START
  select case (k)
  case (1)
    a = 2.0d0*x
    b = 3.0d0*x
  case (2:5)
    a = x*x
    b = x
  case default
    b = -x
  end select
  t = a*b
  !$AD CHECKPOINT-END
  y = t*t
end subroutine cases
