! A chain molecule: bonds, angles, torsions, nonbonded pairs from a list with cut-off; FIRE minimisation with restarts.
module field
  implicit none
  integer, parameter :: ma = 8, mp = 40
  type atom
    real(8) :: x(3), v(3), f(3), charge
  end type atom
  integer :: npair = 0, pair(2, mp)
contains
  subroutine list_pairs(n, at, cut)
    integer, intent(in) :: n
    type(atom), intent(in) :: at(ma)
    real(8), intent(in) :: cut
    real(8) :: d(3)
    integer :: i, j
    npair = 0
    do i = 1, n - 3
      do j = i + 3, n
        d = at(i)%x - at(j)%x
        if (d(1)**2 + d(2)**2 + d(3)**2 < cut**2) then
          npair = npair + 1
          pair(1, npair) = i
          pair(2, npair) = j
        end if
      end do
    end do
  end subroutine list_pairs
  subroutine bond(a, b, k, r0, e)
    type(atom), intent(inout) :: a, b
    real(8), intent(in) :: k, r0
    real(8), intent(inout) :: e
    real(8) :: d(3), r, g
    d = a%x - b%x
    r = sqrt(d(1)**2 + d(2)**2 + d(3)**2 + 1d-3)
    g = 2d0*k*(r - r0)/r
    e = e + k*(r - r0)**2
    a%f = a%f - g*d
    b%f = b%f + g*d
  end subroutine bond
  subroutine twist(a, b, c, k, e)
    type(atom), intent(inout) :: a, b, c
    real(8), intent(in) :: k
    real(8), intent(inout) :: e
    real(8) :: u(3), w(3), s
    u = a%x - b%x
    w = c%x - b%x
    s = u(1)*w(1) + u(2)*w(2) + u(3)*w(3) + 0.5d0
    e = e + 0.5d0*k*s**2
    a%f = a%f - k*s*w
    c%f = c%f - k*s*u
    b%f = b%f + k*s*(u + w)
  end subroutine twist
  subroutine nonbonded(at, eps, e)
    type(atom), intent(inout) :: at(ma)
    real(8), intent(in) :: eps
    real(8), intent(inout) :: e
    real(8) :: d(3), r2, s6, g
    integer :: p, i, j
    do p = 1, npair
      i = pair(1, p)
      j = pair(2, p)
      d = at(i)%x - at(j)%x
      r2 = d(1)**2 + d(2)**2 + d(3)**2 + 0.3d0
      s6 = 1d0/r2**3
      e = e + eps*(s6**2 - s6) + 0.1d0*at(i)%charge*at(j)%charge/sqrt(r2)
      g = eps*(12d0*s6**2 - 6d0*s6)/r2 + 0.1d0*at(i)%charge*at(j)%charge/(r2*sqrt(r2))
      at(i)%f = at(i)%f + g*d
      at(j)%f = at(j)%f - g*d
    end do
  end subroutine nonbonded
end module field
subroutine torsion(n, nt, kb, charge, eps, x0, energy)
  use field
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: kb(2), charge(n), eps, x0(3*n)
  real(8), intent(out) :: energy
  type(atom) :: at(ma)
  real(8) :: e, power, dt, alpha, vn, fn
  integer :: it, i, good
  do i = 1, n
    at(i)%x = x0(3*i-2:3*i)
    at(i)%x(1) = at(i)%x(1) + i
    at(i)%v = 0d0
    at(i)%charge = charge(i)
  end do
  dt = 0.05d0
  alpha = 0.1d0
  good = 0
  do it = 1, nt
    if (mod(it, 3) == 1) call list_pairs(n, at, 4d0)
    e = 0d0
    do i = 1, n
      at(i)%f = 0d0
    end do
    do i = 1, n - 1
      call bond(at(i), at(i+1), kb(1), 1d0, e)
    end do
    do i = 1, n - 2
      call twist(at(i), at(i+1), at(i+2), kb(2), e)
    end do
    call nonbonded(at, eps, e)
    power = 0d0
    vn = 1d-6
    fn = 1d-6
    do i = 1, n
      power = power + sum(at(i)%v*at(i)%f)
      vn = vn + sum(at(i)%v**2)
      fn = fn + sum(at(i)%f**2)
    end do
    if (power < 0d0) then
      do i = 1, n
        at(i)%v = 0d0
      end do
      dt = 0.5d0*dt
      alpha = 0.1d0
      good = 0
    else
      do i = 1, n
        at(i)%v = (1d0 - alpha)*at(i)%v + alpha*sqrt(vn/fn)*at(i)%f
      end do
      good = good + 1
      if (good > 2) then
        dt = min(1.1d0*dt, 0.2d0)
        alpha = 0.99d0*alpha
      end if
    end if
    do i = 1, n
      at(i)%v = at(i)%v + dt*at(i)%f
      at(i)%x = at(i)%x + dt*at(i)%v
    end do
  end do
  energy = e
end subroutine torsion
