! Large displacements of a plane lattice of bars under growing load: corotational strain, hardening plasticity with a
! return step, dynamic relaxation with kinetic damping; areas, yield stresses and loads are the controls.
module bars_mod
  implicit none
contains
  subroutine internal(x, ends, x0, area, yield, ep, force, nn, nb)
    integer, intent(in) :: nn, nb, ends(2,nb)
    real(8), intent(in) :: x(2,nn), x0(2,nn), area(nb), yield(nb)
    real(8), intent(inout) :: ep(nb)
    real(8), intent(out) :: force(2,nn)
    real(8) :: d(2), len, len0, strain, stress, over
    integer :: b, i, j
    force = 0d0
    do b = 1, nb
      i = ends(1,b)
      j = ends(2,b)
      d = x0(:,j) - x0(:,i)
      len0 = sqrt(d(1)**2 + d(2)**2)
      d = x(:,j) - x(:,i)
      len = sqrt(d(1)**2 + d(2)**2)
      strain = (len - len0)/len0
      stress = 10d0*(strain - ep(b))
      over = abs(stress) - yield(b) - 2d0*abs(ep(b))
      if (over > 0d0) then
        ep(b) = ep(b) + sign(over/12d0, stress)
        stress = 10d0*(strain - ep(b))
      end if
      d = d/len*stress*area(b)
      force(:,i) = force(:,i) + d
      force(:,j) = force(:,j) - d
    end do
  end subroutine internal
end module bars_mod
subroutine corotbar(nc, nload, nrel, area, yield, load, cost)
  use bars_mod
  implicit none
  integer, intent(in) :: nc, nload, nrel
  real(8), intent(in) :: area(4*nc), yield(4*nc), load(nc)
  real(8), intent(out) :: cost
  real(8) :: x(2,2*nc+2), x0(2,2*nc+2), v(2,2*nc+2), f(2,2*nc+2), ep(4*nc), ekin, eold
  integer :: ends(2,4*nc), c, l, r, n
  do c = 0, nc
    x0(1,2*c+1) = c
    x0(2,2*c+1) = 0d0
    x0(1,2*c+2) = c
    x0(2,2*c+2) = 1d0
  end do
  do c = 1, nc
    ends(:,4*c-3) = [2*c-1, 2*c+1]
    ends(:,4*c-2) = [2*c, 2*c+2]
    ends(:,4*c-1) = [2*c-1, 2*c+2]
    ends(:,4*c) = [2*c+1, 2*c+2]
  end do
  x = x0
  ep = 0d0
  cost = 0d0
  do l = 1, nload
    v = 0d0
    eold = 0d0
    do r = 1, nrel
      call internal(x, ends, x0, area, yield, ep, f, 2*nc+2, 4*nc)
      do c = 1, nc
        f(2,2*c+2) = f(2,2*c+2) - 0.1d0*l*load(c)
      end do
      ekin = 0d0
      do n = 3, 2*nc + 2
        v(:,n) = 0.9d0*v(:,n) + 0.1d0*f(:,n)
        ekin = ekin + v(1,n)**2 + v(2,n)**2
      end do
      if (ekin < eold) then
        v = 0.2d0*v
        ekin = 0d0
      end if
      eold = ekin
      x = x + 0.2d0*v
    end do
    cost = cost + (x(2,2*nc+2) - 0.9d0)**2
  end do
  cost = cost + sum(ep**2)
end subroutine corotbar
