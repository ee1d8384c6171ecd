! A linked list of particles: pushed one by one, sorted by energy, moved and read through `p => p%next`.
module cloud
  implicit none
  type :: particle
    real(8) :: x, v
    real(8) :: charge
    type(particle), pointer :: next => null()
  end type particle
  type :: list
    type(particle), pointer :: first => null()
    integer :: length = 0
  end type list
contains
  ! A new particle becomes the list's first.
  subroutine add(bunch, x, v, charge)
    type(list), intent(inout) :: bunch
    real(8), intent(in) :: x, v, charge
    type(particle), pointer :: new
    allocate (new)
    new%x = x
    new%v = v
    new%charge = charge
    new%next => bunch%first
    bunch%first => new
    bunch%length = bunch%length + 1
  end subroutine add

  ! The particle that all others see: the one with the greatest energy.
  function fastest(bunch) result(best)
    type(list), intent(in) :: bunch
    type(particle), pointer :: best, p
    best => bunch%first
    p => bunch%first
    do while (associated(p))
      if (energy_of(p) > energy_of(best)) best => p
      p => p%next
    end do
  end function fastest

  function energy_of(p) result(energy)
    type(particle), intent(in) :: p
    real(8) :: energy
    energy = 0.5d0*p%v**2 - cos(p%x)
  end function energy_of

  ! The force of all particles on one.
  subroutine force(bunch, on, f)
    type(list), intent(in) :: bunch
    type(particle), intent(in) :: on
    real(8), intent(out) :: f
    type(particle), pointer :: p
    f = -sin(on%x)
    p => bunch%first
    do while (associated(p))
      f = f + on%charge*p%charge*(on%x - p%x)/(0.5d0 + (on%x - p%x)**2)
      p => p%next
    end do
  end subroutine force

  ! One step of the leapfrog for all particles.
  subroutine step(bunch, dt)
    type(list), intent(inout) :: bunch
    real(8), intent(in) :: dt
    type(particle), pointer :: p
    real(8) :: f
    p => bunch%first
    do while (associated(p))
      call force(bunch, p, f)
      p%v = p%v + dt*f
      p => p%next
    end do
    p => bunch%first
    do while (associated(p))
      p%x = p%x + dt*p%v
      p => p%next
    end do
  end subroutine step

  ! The list from its end to its beginning: only associations change.
  subroutine turn(bunch)
    type(list), intent(inout) :: bunch
    type(particle), pointer :: done, p
    done => null()
    do while (associated(bunch%first))
      p => bunch%first
      bunch%first => p%next
      p%next => done
      done => p
    end do
    bunch%first => done
  end subroutine turn

  subroutine cool(bunch, steps, dt, x0, cost)
    type(list), intent(inout) :: bunch
    integer, intent(in) :: steps
    real(8), intent(in) :: dt
    real(8), intent(in) :: x0(4)
    real(8), intent(out) :: cost
    type(particle), pointer :: hot, p
    integer :: i
    nullify (bunch%first)
    bunch%length = 0
    do i = 1, 4
      !$AD NOCHECKPOINT
      call add(bunch, x0(i), 0.1d0*i, 0.2d0)
    end do
    do i = 1, steps
      call step(bunch, dt)
      !$AD CHECKPOINT-START
      hot => bunch%first
      p => bunch%first
      do while (associated(p))
        if (abs(p%v) > abs(hot%v)) hot => p
        p => p%next
      end do
      hot%v = hot%v*(0.9d0 - 0.1d0*hot%v**2)
      !$AD CHECKPOINT-END
      call turn(bunch)
    end do
    hot => fastest(bunch)
    cost = hot%x**2 + energy_of(bunch%first)
    p => bunch%first
    do while (associated(p))
      cost = cost + p%x*p%v
      p => p%next
    end do
  end subroutine cool
end module cloud
