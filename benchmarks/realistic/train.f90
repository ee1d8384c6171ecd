! A train run: Davis resistance, gradient and speed limits from a table by position, traction limited by adhesion, brake
! curves looked ahead, energy with recuperation.
module line
  implicit none
  type section
    real(8) :: from, grade, limit
  end type section
  type vehicle
    real(8) :: mass, power, a, b, c
  end type vehicle
contains
  integer function section_at(s, n, x)
    integer, intent(in) :: n
    type(section), intent(in) :: s(n)
    real(8), intent(in) :: x
    section_at = n
    do while (section_at > 1)
      if (s(section_at)%from <= x) exit
      section_at = section_at - 1
    end do
  end function section_at
  subroutine allowed(s, n, x, v)
    integer, intent(in) :: n
    type(section), intent(in) :: s(n)
    real(8), intent(in) :: x
    real(8), intent(out) :: v
    real(8) :: d
    integer :: i, k
    i = section_at(s, n, x)
    v = s(i)%limit
    do k = i + 1, n
      d = s(k)%from - x
      if (d > 2d0) exit
      v = min(v, sqrt(s(k)%limit**2 + 2d0*0.5d0*max(d, 0d0)))
    end do
  end subroutine allowed
  subroutine traction(t, v, vlim, f)
    type(vehicle), intent(in) :: t
    real(8), intent(in) :: v, vlim
    real(8), intent(out) :: f
    real(8) :: want
    want = 4d0*(vlim - v)*t%mass
    if (want >= 0d0) then
      f = min(want, 0.3d0*t%mass, t%power/max(v, 0.2d0))
    else
      f = max(want, -0.6d0*t%mass)
    end if
  end subroutine traction
  subroutine resist(t, v, grade, r)
    type(vehicle), intent(in) :: t
    real(8), intent(in) :: v, grade
    real(8), intent(out) :: r
    r = t%a + t%b*v + t%c*v*v
    r = r + 0.5d0*t%mass*grade
  end subroutine resist
end module line
subroutine train(n, nt, grade, limit, par, late, energy)
  use line
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: grade(n), limit(n), par(5)
  real(8), intent(out) :: late, energy
  type(section) :: s(n)
  type(vehicle) :: t
  real(8) :: x, v, f, r, vlim, dt, acc, tm
  integer :: i, it, k
  do i = 1, n
    s(i)%from = 0.8d0*(i - 1)
    s(i)%grade = 0.2d0*(grade(i) - 0.5d0)
    s(i)%limit = 0.5d0 + limit(i)
  end do
  t%mass = 1d0 + par(1)
  t%power = par(2)
  t%a = 0.02d0*par(3)
  t%b = 0.03d0*par(4)
  t%c = 0.05d0*par(5)
  x = 0d0
  v = 0.1d0
  tm = 0d0
  energy = 0d0
  dt = 0.3d0
  it = 0
  do while (x < 0.8d0*n .and. it < 4*nt)
    it = it + 1
    call allowed(s, n, x, vlim)
    do k = 1, 2
      i = section_at(s, n, x)
      call traction(t, v, vlim, f)
      call resist(t, v, s(i)%grade, r)
      acc = (f - r)/t%mass
      v = max(0.05d0, v + 0.5d0*dt*acc)
      x = x + 0.5d0*dt*v
      if (f > 0d0) then
        energy = energy + 0.5d0*dt*f*v
      else
        energy = energy + 0.3d0*dt*f*v
      end if
    end do
    tm = tm + dt
  end do
  late = tm + (0.8d0*n - x)/v
end subroutine train
