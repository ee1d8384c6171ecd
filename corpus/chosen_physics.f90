! A gas in a tube: the equation of state and the source terms are objects whose types are chosen at run time.
module gas_laws
  implicit none
  type, abstract :: gas_law
  contains
    procedure(pressure_of), deferred :: pressure
    procedure :: sound => sound_of_any
  end type gas_law
  abstract interface
    function pressure_of(self, rho, e) result(p)
      import :: gas_law
      class(gas_law), intent(in) :: self
      real(8), intent(in) :: rho, e
      real(8) :: p
    end function pressure_of
  end interface
  type, extends(gas_law) :: ideal_gas
    real(8) :: gamma = 1.4d0
  contains
    procedure :: pressure => pressure_ideal
  end type ideal_gas
  type, extends(ideal_gas) :: stiff_gas
    real(8) :: p0 = 0.3d0
  contains
    procedure :: pressure => pressure_stiff
    procedure :: sound => sound_stiff
  end type stiff_gas
contains
  function pressure_ideal(self, rho, e) result(p)
    class(ideal_gas), intent(in) :: self
    real(8), intent(in) :: rho, e
    real(8) :: p
    p = (self%gamma - 1.0d0)*rho*e
  end function pressure_ideal

  function pressure_stiff(self, rho, e) result(p)
    class(stiff_gas), intent(in) :: self
    real(8), intent(in) :: rho, e
    real(8) :: p
    p = self%ideal_gas%pressure(rho, e) - self%gamma*self%p0
  end function pressure_stiff

  function sound_of_any(self, rho, e) result(c)
    class(gas_law), intent(in) :: self
    real(8), intent(in) :: rho, e
    real(8) :: c
    c = sqrt(1.0d0 + self%pressure(rho, e)**2/rho)
  end function sound_of_any

  function sound_stiff(self, rho, e) result(c)
    class(stiff_gas), intent(in) :: self
    real(8), intent(in) :: rho, e
    real(8) :: c
    c = sqrt(self%gamma*(1.0d0 + self%p0**2)/rho) + 0.1d0*e
  end function sound_stiff
end module gas_laws

module tube
  use gas_laws
  implicit none
  type :: source_term
    real(8) :: strength = 0.2d0
  contains
    procedure :: apply => drag
  end type source_term
  type, extends(source_term) :: heater
    real(8) :: given = 0.0d0
  contains
    procedure :: apply => heat
  end type heater
  type :: package
    class(gas_law), allocatable :: law
    class(source_term), allocatable :: source
  end type package
contains
  subroutine drag(self, e, dt)
    class(source_term), intent(inout) :: self
    real(8), intent(inout) :: e
    real(8), intent(in) :: dt
    e = e - dt*self%strength*e*e
    self%strength = self%strength*(1.0d0 - dt)
  end subroutine drag

  subroutine heat(self, e, dt)
    class(heater), intent(inout) :: self
    real(8), intent(inout) :: e
    real(8), intent(in) :: dt
    self%given = self%given + dt*self%strength*e
    e = e + dt*self%strength/(1.0d0 + self%given)
  end subroutine heat

  subroutine choose(kind, gamma, physics)
    integer, intent(in) :: kind
    real(8), intent(in) :: gamma
    type(package), intent(inout) :: physics
    if (kind == 1) then
      allocate (physics%law, source=ideal_gas(gamma))
      allocate (source_term :: physics%source)
    else
      allocate (stiff_gas :: physics%law)
      allocate (heater :: physics%source)
      physics%source%strength = gamma - 1.0d0
    end if
    select type (law => physics%law)
    type is (stiff_gas)
      law%gamma = gamma
    end select
  end subroutine choose

  subroutine run(n, steps, kind, gamma, rho, e, cost)
    integer, intent(in) :: n, steps, kind
    real(8), intent(in) :: gamma, rho(n)
    real(8), intent(inout) :: e(n)
    real(8), intent(out) :: cost
    type(package) :: physics
    real(8) :: dt, p
    integer :: i, step
    !$AD NOCHECKPOINT
    call choose(kind, gamma, physics)
    do step = 1, steps
      dt = 0.1d0/physics%law%sound(rho(1), e(1))
      !$AD CHECKPOINT-START
      do i = 1, n
        p = physics%law%pressure(rho(i), e(i))
        e(i) = e(i) - dt*p
        call physics%source%apply(e(i), dt)
      end do
      !$AD CHECKPOINT-END
    end do
    cost = 0.0d0
    do i = 1, n
      cost = cost + e(i)**2
    end do
    select type (source => physics%source)
    class is (heater)
      cost = cost + source%given
    class default
      cost = cost*source%strength
    end select
  end subroutine run
end module tube
