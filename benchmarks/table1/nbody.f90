! Gravitating bodies with softening, leapfrog in time, and merging bookkeeping of close encounters. Head: from the
! masses and the first velocities to the final spread and the closest approach.
module bodies
  implicit none
  integer, parameter :: nb = 7
  type body
    real(8) :: mass, pos(3), vel(3), acc(3)
  end type body
contains
  subroutine attract(b, closest)
    type(body), intent(inout) :: b(nb)
    real(8), intent(inout) :: closest
    real(8) :: d(3), r2, factor
    integer :: i, j, k
    do i = 1, nb
      do k = 1, 3
        b(i)%acc(k) = 0.0d0
      end do
    end do
    do i = 1, nb - 1
      do j = i + 1, nb
        r2 = 0.01d0
        do k = 1, 3
          d(k) = b(j)%pos(k) - b(i)%pos(k)
          r2 = r2 + d(k)*d(k)
        end do
        if (r2 < closest) closest = r2
        factor = 1.0d0/(r2*sqrt(r2))
        do k = 1, 3
          b(i)%acc(k) = b(i)%acc(k) + b(j)%mass*factor*d(k)
          b(j)%acc(k) = b(j)%acc(k) - b(i)%mass*factor*d(k)
        end do
      end do
    end do
  end subroutine attract

  subroutine kick(b, dt)
    type(body), intent(inout) :: b(nb)
    real(8), intent(in) :: dt
    integer :: i, k
    do i = 1, nb
      do k = 1, 3
        b(i)%vel(k) = b(i)%vel(k) + dt*b(i)%acc(k)
      end do
    end do
  end subroutine kick

  subroutine drift(b, dt)
    type(body), intent(inout) :: b(nb)
    real(8), intent(in) :: dt
    integer :: i, k
    do i = 1, nb
      do k = 1, 3
        b(i)%pos(k) = b(i)%pos(k) + dt*b(i)%vel(k)
      end do
    end do
  end subroutine drift
end module bodies

subroutine nbody(mass, speed, nsteps, dt, spread, closest)
  use bodies
  implicit none
  real(8), intent(in) :: mass(nb), speed(nb), dt
  integer, intent(in) :: nsteps
  real(8), intent(out) :: spread, closest
  type(body) :: b(nb)
  real(8) :: angle, total, centre(3)
  integer :: i, k, step
  do i = 1, nb
    angle = 0.9d0*i
    b(i)%mass = 0.2d0*mass(i)
    b(i)%pos(1) = (1.0d0 + 0.2d0*i)*cos(angle)
    b(i)%pos(2) = (1.0d0 + 0.2d0*i)*sin(angle)
    b(i)%pos(3) = 0.1d0*(i - 4)
    b(i)%vel(1) = -0.7d0*speed(i)*sin(angle)
    b(i)%vel(2) = 0.7d0*speed(i)*cos(angle)
    b(i)%vel(3) = 0.0d0
  end do
  closest = 1.0d3
  call attract(b, closest)
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call kick(b, 0.5d0*dt)
    call drift(b, dt)
    call attract(b, closest)
    call kick(b, 0.5d0*dt)
    !$AD CHECKPOINT-END
  end do
  total = 0.0d0
  do k = 1, 3
    centre(k) = 0.0d0
  end do
  do i = 1, nb
    total = total + b(i)%mass
    do k = 1, 3
      centre(k) = centre(k) + b(i)%mass*b(i)%pos(k)
    end do
  end do
  spread = 0.0d0
  do i = 1, nb
    do k = 1, 3
      spread = spread + b(i)%mass*(b(i)%pos(k) - centre(k)/total)**2
    end do
  end do
end subroutine nbody
