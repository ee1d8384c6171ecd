! Dynamic relaxation of a cable roof: kinetic damping resets velocities at energy peaks, cables that slacken, forces summed by
! nodes from a list of members, supports by a logical mask, prestress loop around it.
module roof
  implicit none
  integer, parameter :: nn = 7, nm = 9
  integer, parameter :: ends(2, nm) = reshape((/1, 2, 2, 3, 3, 4, 5, 2, 2, 6, 6, 7, 5, 6, 3, 6, 4, 7/), (/2, nm/))
  logical, parameter :: fixed(nn) = (/.true., .false., .false., .true., .true., .false., .true./)
  real(8) :: ea(nm), slack(nm), rest(nm)
contains
  subroutine member(m, xa, xb, f, stiff)
    integer, intent(in) :: m
    real(8), intent(in) :: xa(3), xb(3)
    real(8), intent(out) :: f(3), stiff
    real(8) :: d(3), l, t
    d = xb - xa
    l = sqrt(sum(d*d))
    t = ea(m)*(l - rest(m))/rest(m)
    if (t <= 0d0) then
      f = 0d0
      stiff = 0.05d0*ea(m)/rest(m)
      slack(m) = slack(m) + 1d0
      return
    end if
    f = t*d/l
    stiff = ea(m)/rest(m) + t/l
  end subroutine member
  subroutine forces(x, load, r, k)
    real(8), intent(in) :: x(3, nn), load(nn)
    real(8), intent(out) :: r(3, nn), k(nn)
    real(8) :: f(3), s
    integer :: m, a, b
    r = 0d0
    r(3, :) = -load
    k = 0.1d0
    do m = 1, nm
      a = ends(1, m)
      b = ends(2, m)
      call member(m, x(:, a), x(:, b), f, s)
      r(:, a) = r(:, a) + f
      r(:, b) = r(:, b) - f
      k(a) = k(a) + s
      k(b) = k(b) + s
    end do
    do a = 1, nn
      if (fixed(a)) r(:, a) = 0d0
    end do
  end subroutine forces
  subroutine relax(x, load, nit, peaks)
    real(8), intent(inout) :: x(3, nn)
    real(8), intent(in) :: load(nn)
    integer, intent(in) :: nit
    integer, intent(out) :: peaks
    real(8) :: v(3, nn), r(3, nn), k(nn), ke, last
    integer :: it, i
    v = 0d0
    last = 0d0
    peaks = 0
    do it = 1, nit
      call forces(x, load, r, k)
      do i = 1, nn
        v(:, i) = v(:, i) + 0.5d0*r(:, i)/k(i)
      end do
      ke = 0.5d0*sum(spread(k, 1, 3)*v**2)
      if (ke < last) then
        peaks = peaks + 1
        x = x - 0.5d0*v
        v = 0d0
        last = 0d0
        cycle
      end if
      last = ke
      x = x + v
      if (maxval(abs(r)) < 1d-5) exit
    end do
  end subroutine relax
end module roof
subroutine cableroof(np, stiffness, cut, load, target, miss)
  use roof
  implicit none
  integer, intent(in) :: np
  real(8), intent(in) :: stiffness, cut(nm), load(nn), target(nn)
  real(8), intent(out) :: miss
  real(8) :: x(3, nn), scale
  integer :: ip, m, i, peaks
  do i = 1, nn
    x(1, i) = mod(i - 1, 4)
    x(2, i) = (i - 1)/4
    x(3, i) = 0.1d0*i
  end do
  x(:, 1) = (/0d0, 0d0, 1d0/)
  ea = 5d0*stiffness
  slack = 0d0
  do m = 1, nm
    rest(m) = (0.8d0 + 0.1d0*cut(m))*sqrt(sum((x(:, ends(2, m)) - x(:, ends(1, m)))**2))
  end do
  scale = 0.3d0
  do ip = 1, np
    call relax(x, scale*load, 5, peaks)
    where (rest > 1.2d0) rest = 0.98d0*rest
    scale = min(scale*1.3d0, 1d0)
  end do
  miss = sum((x(3, :) - target)**2)
end subroutine cableroof
