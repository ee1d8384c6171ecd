! Electrons against fixed ions, particle in cell: charge by linear weighting, the field from a sum with its mean taken
! off, leap-frog in time, particles as an array of a derived type, a velocity kick from a laser.
module pic
  implicit none
  type particle
    real(8) :: x, v
    integer :: cell
  end type particle
  integer, parameter :: ng = 8, np = 12
  real(8), parameter :: length = 8d0
contains
  subroutine deposit(p, rho)
    type(particle), intent(inout) :: p(np)
    real(8), intent(out) :: rho(ng)
    integer :: k, i, j
    real(8) :: w
    rho(:) = real(np, 8)/ng
    do k = 1, np
      i = int(p(k)%x) + 1
      if (i > ng) i = ng
      p(k)%cell = i
      w = p(k)%x - (i - 1)
      j = mod(i, ng) + 1
      rho(i) = rho(i) - (1d0 - w)
      rho(j) = rho(j) - w
    end do
  end subroutine deposit
  subroutine solve_field(rho, e, eps)
    real(8), intent(in) :: rho(ng), eps
    real(8), intent(out) :: e(ng)
    real(8) :: mean
    integer :: i
    e(1) = 0d0
    do i = 2, ng
      e(i) = e(i-1) + 0.5d0*(rho(i-1) + rho(i))/eps
    end do
    mean = sum(e)/ng
    e = e - mean
  end subroutine solve_field
  subroutine push(p, e, kick, dt)
    type(particle), intent(inout) :: p(np)
    real(8), intent(in) :: e(ng), kick, dt
    integer :: k, i, j
    real(8) :: w, f
    do k = 1, np
      i = p(k)%cell
      j = i + 1
      if (j > ng) j = 1
      w = p(k)%x - (i - 1)
      f = (1d0 - w)*e(i) + w*e(j)
      p(k)%v = p(k)%v - dt*(f + kick*sin(0.785398d0*p(k)%x))
      p(k)%x = p(k)%x + dt*p(k)%v
      if (p(k)%x < 0d0) then
        p(k)%x = p(k)%x + length
      else if (p(k)%x >= length) then
        p(k)%x = p(k)%x - length
      end if
    end do
  end subroutine push
end module pic
subroutine piccell(nt, x0, v0, kick, eps, energy)
  use pic
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: x0(np), v0(np), kick(nt), eps
  real(8), intent(out) :: energy
  type(particle) :: p(np)
  real(8) :: rho(ng), e(ng), kin
  integer :: it, k
  do k = 1, np
    p(k)%x = 0.66d0*(k - 1) + 0.2d0*x0(k)
    p(k)%v = 0.3d0*v0(k) - 0.1d0
  end do
  energy = 0d0
  do it = 1, nt
    call deposit(p, rho)
    call solve_field(rho, e, eps)
    call push(p, e, 0.1d0*kick(it), 0.3d0)
    kin = 0d0
    do k = 1, np
      kin = kin + 0.5d0*p(k)%v**2
    end do
    energy = energy + kin + 0.5d0*sum(e**2)
  end do
end subroutine piccell
