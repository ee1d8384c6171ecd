! Advection and diffusion on an unstructured mesh: derived types with allocatable components, loops over edges.
module mesh_types
  implicit none
  integer, parameter :: dp = kind(1d0), maxc = 6
  type mesh_t
    integer :: ncell, nedge
    integer, allocatable :: left(:), right(:)
    real(dp), allocatable :: len(:), dist(:), vol(:)
  end type mesh_t
  type state_t
    real(dp) :: q(maxc), flux(2*maxc), grad(maxc)
    real(dp) :: time
  end type state_t
contains
  subroutine init_mesh(m, nc)
    type(mesh_t), intent(inout) :: m
    integer, intent(in) :: nc
    integer :: e
    m%ncell = nc
    m%nedge = 2*nc
    allocate (m%left(m%nedge), m%right(m%nedge), m%len(m%nedge), m%dist(m%nedge), m%vol(nc))
    do e = 1, m%nedge
      m%left(e) = 1 + mod(e - 1, nc)
      m%right(e) = 1 + mod(e + e/nc, nc)
      m%len(e) = 0.4_dp + 0.01_dp*e
      m%dist(e) = 1.1_dp - 0.02_dp*e
    end do
    m%vol = 1.5_dp
  end subroutine init_mesh
  subroutine init_state(s, m, q0)
    type(state_t), intent(inout) :: s
    type(mesh_t), intent(in) :: m
    real(dp), intent(in) :: q0(m%ncell)
    s%q = 0
    s%q(1:m%ncell) = q0
    s%flux = 0
    s%grad = 0
    s%time = 0
  end subroutine init_state
end module mesh_types
module solver
  use mesh_types
  implicit none
contains
  subroutine gradients(m, s)
    type(mesh_t), intent(in) :: m
    type(state_t), intent(inout) :: s
    integer :: e, l, r
    real(dp) :: g
    s%grad = 0
    do e = 1, m%nedge
      l = m%left(e)
      r = m%right(e)
      g = (s%q(r) - s%q(l))/m%dist(e)
      s%grad(l) = s%grad(l) + 0.5_dp*g
      s%grad(r) = s%grad(r) + 0.5_dp*g
    end do
  end subroutine gradients
  subroutine fluxes(m, s, vel, kap)
    type(mesh_t), intent(in) :: m
    type(state_t), intent(inout) :: s
    real(dp), intent(in) :: vel(m%ncell), kap
    integer :: e, l, r
    real(dp) :: un, ql, qr, dif
    do e = 1, m%nedge
      l = m%left(e)
      r = m%right(e)
      un = 0.5_dp*(vel(l) + vel(r))
      ql = s%q(l) + 0.5_dp*m%dist(e)*vanleer(s%grad(l), s%q(r) - s%q(l))
      qr = s%q(r) - 0.5_dp*m%dist(e)*vanleer(s%grad(r), s%q(r) - s%q(l))
      dif = kap*(1 + 0.1_dp*s%q(l)*s%q(r))
      if (un > 0.9_dp) then
        s%flux(e) = un*ql*m%len(e) - dif*(s%q(r) - s%q(l))
      else
        s%flux(e) = un*qr*m%len(e) - dif*(s%q(r) - s%q(l))
      end if
    end do
  end subroutine fluxes
  function vanleer(a, b) result(phi)
    real(dp), intent(in) :: a, b
    real(dp) :: phi
    if (a*b <= 0) then
      phi = 0
    else
      phi = 2*a*b/(a + b)
    end if
  end function vanleer
  subroutine update(m, s, dt)
    type(mesh_t), intent(in) :: m
    type(state_t), intent(inout) :: s
    real(dp), intent(in) :: dt
    integer :: e
    do e = 1, m%nedge
      s%q(m%left(e)) = s%q(m%left(e)) - dt*s%flux(e)/m%vol(m%left(e))
      s%q(m%right(e)) = s%q(m%right(e)) + dt*s%flux(e)/m%vol(m%right(e))
    end do
    s%time = s%time + dt
  end subroutine update
end module solver
subroutine finvol(q0, vel, kap, obs, cost, n, nt)
  use solver
  implicit none
  integer, intent(in) :: n, nt
  real(dp), intent(in) :: q0(n), vel(n), kap, obs(n)
  real(dp), intent(out) :: cost
  type(mesh_t) :: m
  type(state_t) :: s
  integer :: it
  call init_mesh(m, n)
  call init_state(s, m, q0)
  cost = 0
  do it = 1, nt
    call gradients(m, s)
    call fluxes(m, s, vel, kap)
    call update(m, s, 0.05_dp)
    cost = cost + sum((s%q(1:n) - obs)**2)*exp(-0.1_dp*s%time)
  end do
end subroutine finvol
