! Branches that are never taken make no set larger: .false., PARAMETERs, a SELECT CASE of one. Nothing is recorded.
subroutine constant(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer, parameter :: mode = 2
  logical, parameter :: checked = .false.
  real(8) :: a, b, c, d, e
  a = x(1)
  b = x(1)
  c = x(1)
  d = x(1)
  e = x(1)
  !$AD CHECKPOINT-START
  if (checked) a = a*a
  if (mode == 1) then
    b = b*b
  else
    e = e*e
  end if
  select case (mode)
  case (1)
    c = c*c
  case (2:)
    e = e*x(2)
  end select
  if (mode > 3 .and. n > 2) d = d*d
  !$AD CHECKPOINT-END
  y = e*e + a + b + c + d
end subroutine constant
