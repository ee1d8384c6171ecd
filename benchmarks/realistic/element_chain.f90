! A call for each element, and the element behind it is written next: a chain of reservoirs.
subroutine damp(level, loss)
  implicit none
  real(8), intent(inout) :: level
  real(8), intent(in) :: loss
  level = level/(1.0d0 + loss*level)
end subroutine damp

subroutine spill(level, crest, out)
  implicit none
  real(8), intent(inout) :: level
  real(8), intent(in) :: crest
  real(8), intent(out) :: out
  real(8) :: head
  head = level - crest
  if (head > 0.0d0) then
    out = 0.6d0*head*sqrt(head)
  else
    out = 0.01d0*level
  end if
  level = level - out
end subroutine spill

subroutine route(n, z, q, crest, loss)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: z(n), q(0:n)
  real(8), intent(in) :: crest(n), loss
  integer :: i
  do i = 1, n - 1
    z(i) = z(i) + q(i - 1)
    call damp(z(i), loss)
    call spill(z(i), crest(i), q(i))
    z(i + 1) = z(i + 1) + 0.1d0*z(i)*q(i)
  end do
  z(n) = z(n) + q(n - 1)
  call damp(z(n), loss)
  q(n) = 0.3d0*z(n)**2
end subroutine route

subroutine river(z0, crest, inflow, cost)
  implicit none
  integer, parameter :: n = 15, nt = 6
  real(8), intent(in) :: z0(n), crest(n), inflow(nt)
  real(8), intent(out) :: cost
  real(8) :: z(n), q(0:n), loss
  integer :: i, it
  do i = 1, n
    z(i) = z0(i)
    q(i) = 0.0d0
  end do
  loss = 0.2d0
  cost = 0.0d0
  do it = 1, nt
    q(0) = inflow(it)*inflow(it)
    call route(n, z, q, crest, loss)
    cost = cost + (q(n) - 1.0d0)**2
  end do
  do i = 1, n
    cost = cost + 0.01d0*z(i)**2
  end do
end subroutine river
