! Semi-Lagrangian advection: where each point comes from, interpolation there, and back into the field.
module trajectories
  implicit none
  integer, parameter :: n = 24
  real(8) :: q(0:n + 1), v(n), qn(n)
  integer :: cell(n)
  real(8) :: weight(n)
contains
  subroutine depart(dt)
    real(8), intent(in) :: dt
    integer :: i
    real(8) :: x
    do i = 1, n
      x = i - dt*v(i)
      x = max(1.0d0, min(real(n, 8) - 1.0d-6, x))
      cell(i) = int(x)
      weight(i) = x - cell(i)
    end do
  end subroutine depart

  subroutine interpolate
    integer :: i, k
    real(8) :: w
    do i = 1, n
      k = cell(i)
      w = weight(i)
      qn(i) = -w*(1 - w)*(2 - w)/6*q(k - 1) + (1 - w**2)*(1 - w/2)*q(k) &
            + w*(1 + w)*(1 - w/2)*q(k + 1) - w*(1 - w**2)/6*q(min(k + 2, n + 1))
    end do
  end subroutine interpolate

  subroutine boundaries
    q(0) = 2.0d0*q(1) - q(2)
    q(n + 1) = 2.0d0*q(n) - q(n - 1)
  end subroutine boundaries

  subroutine winds(drag)
    real(8), intent(in) :: drag
    integer :: i
    do i = 1, n
      v(i) = v(i) - drag*v(i)*abs(v(i)) + 0.05d0*(q(i + 1) - q(i - 1))
    end do
  end subroutine winds
end module trajectories

subroutine tracer(q0, v0, drag, cost)
  use trajectories
  implicit none
  real(8), intent(in) :: q0(n), v0(n), drag
  real(8), intent(out) :: cost
  integer :: i, step
  do i = 1, n
    q(i) = q0(i)
    v(i) = v0(i)
  end do
  do step = 1, 4
    call boundaries
    call depart(0.5d0)
    call interpolate
    do i = 1, n
      q(i) = qn(i)
    end do
    call winds(drag)
  end do
  cost = 0.0d0
  do i = 1, n
    cost = cost + q(i)**2 + 0.1d0*v(i)*q(i)
  end do
end subroutine tracer
