! Tracer advection with flux limiters chosen by number, ghost cells, and a time step from the Courant number.
module limiters
  implicit none
  integer, parameter :: ng = 2
contains
  real(8) function limit(r, kind)
    real(8), intent(in) :: r
    integer, intent(in) :: kind
    select case (kind)
    case (1)
      limit = max(0d0, min(1d0, r))
    case (2)
      limit = max(0d0, min(2d0*r, 1d0), min(r, 2d0))
    case (3)
      limit = (r + abs(r))/(1d0 + abs(r))
    case default
      limit = (r*r + r)/(r*r + 1d0)
    end select
  end function limit
  subroutine ghosts(q, n, periodic)
    integer, intent(in) :: n
    logical, intent(in) :: periodic
    real(8), intent(inout) :: q(1-ng:n+ng)
    integer :: g
    do g = 1, ng
      if (periodic) then
        q(1-g) = q(n+1-g)
        q(n+g) = q(g)
      else
        q(1-g) = q(1)
        q(n+g) = q(n)
      end if
    end do
  end subroutine ghosts
end module limiters
subroutine tvd(q0, u, total, n, nt)
  use limiters
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: q0(n), u(n)
  real(8), intent(out) :: total
  real(8) :: q(1-ng:n+ng), vel(0:n), dt, speed
  integer :: it, kind, i
  q(1:n) = q0
  vel(1:n) = u
  vel(0) = u(n)
  total = 0d0
  speed = abs(vel(0))
  do i = 1, n
    speed = max(speed, abs(vel(i)))
  end do
  dt = 0.4d0/speed
  do it = 1, nt
    kind = 1 + mod(it, 4)
    call ghosts(q, n, .true.)
    call step(q, vel, dt, kind, n)
    total = total + weight(it)*sum(q(1:n)**2)
  end do
contains
  real(8) function weight(k)
    integer, intent(in) :: k
    weight = exp(-0.1d0*k)
  end function weight
end subroutine tvd
subroutine step(q, vel, dt, kind, n)
  use limiters
  implicit none
  integer, intent(in) :: n, kind
  real(8), intent(inout) :: q(1-ng:n+ng)
  real(8), intent(in) :: vel(0:n), dt
  real(8) :: f(0:n), r, dq, c
  integer :: i
  do i = 0, n
    dq = q(i+1) - q(i)
    c = vel(i)*dt
    if (vel(i) >= 0d0) then
      r = (q(i) - q(i-1))/(dq + sign(1d-3, dq))
      f(i) = vel(i)*(q(i) + 0.5d0*(1d0 - c)*limit(r, kind)*dq)
    else
      r = (q(i+2) - q(i+1))/(dq + sign(1d-3, dq))
      f(i) = vel(i)*(q(i+1) - 0.5d0*(1d0 + c)*limit(r, kind)*dq)
    end if
  end do
  q(1:n) = q(1:n) - dt*(f(1:n) - f(0:n-1))
end subroutine step
