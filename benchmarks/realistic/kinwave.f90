! Kinematic waves on a river network: reaches in an order from the springs down, each with segments; runoff from soil
! stores of the cells that drain into it; the implicit step is solved by Newton's method, lakes by a rating curve.
module river_net
  implicit none
  integer, parameter :: nr = 7, ns = 3, ncell = 9
  integer :: down(nr), order(nr), into(ncell)
  logical :: lake(nr)
  real(8) :: area(ns, nr), q(ns, nr), qup(nr), level(nr)
contains
  subroutine network()
    integer :: r, c
    down = (/3, 3, 5, 5, 7, 7, 0/)
    order = (/1, 2, 4, 6, 3, 5, 7/)
    do c = 1, ncell
      into(c) = 1 + mod(3*c, nr)
    end do
    do r = 1, nr
      lake(r) = r == 5
    end do
  end subroutine network

  subroutine soil(store, rain, pet, cap, runoff)
    real(8), intent(inout) :: store
    real(8), intent(in) :: rain, pet, cap
    real(8), intent(out) :: runoff
    real(8) :: wet, over
    wet = min(store/cap, 1d0)
    runoff = rain*wet**2
    store = store + rain - runoff
    store = store - pet*min(1d0, store/(0.6d0*cap))*0.3d0
    over = store - cap
    if (over > 0d0) then
      runoff = runoff + over
      store = cap
    end if
    runoff = runoff + 0.05d0*store
    store = 0.95d0*store
  end subroutine soil

  subroutine segment(a, qout, qin, side, alpha, beta, dtdx)
    real(8), intent(inout) :: a, qout
    real(8), intent(in) :: qin, side, alpha, beta, dtdx
    real(8) :: rhs, x, f, df
    integer :: it
    rhs = a + dtdx*(qin + side)
    x = max(a, 1d-3)
    do it = 1, 4
      f = x + dtdx*alpha*x**beta - rhs
      df = 1d0 + dtdx*alpha*beta*x**(beta - 1d0)
      x = max(x - f/df, 1d-4)
    end do
    a = x
    qout = alpha*x**beta
  end subroutine segment

  subroutine spill(h, qin, crest, qout)
    real(8), intent(inout) :: h
    real(8), intent(in) :: qin, crest
    real(8), intent(out) :: qout
    if (h > crest) then
      qout = 0.8d0*(h - crest)**1.5d0
    else
      qout = 0d0
    end if
    qout = min(qout, h + qin)
    h = h + 0.2d0*(qin - qout)
  end subroutine spill

  subroutine route(alpha, beta, side, crest)
    real(8), intent(in) :: alpha(nr), beta, side(nr), crest
    integer :: k, r, s
    real(8) :: qin
    qup = 0d0
    do k = 1, nr
      r = order(k)
      qin = qup(r)
      do s = 1, ns
        call segment(area(s, r), q(s, r), qin, side(r)/ns, alpha(r), beta, 0.3d0)
        qin = q(s, r)
      end do
      if (lake(r)) call spill(level(r), q(ns, r), crest, qin)
      if (down(r) > 0) qup(down(r)) = qup(down(r)) + qin
    end do
  end subroutine route
end module river_net

subroutine basin(nt, rain, pet, cap, alpha, beta, crest, seen, misfit)
  use river_net
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: rain(ncell, nt), pet(nt), cap(ncell), alpha(nr), beta, crest, seen(nt)
  real(8), intent(out) :: misfit
  real(8) :: store(ncell), side(nr), runoff
  integer :: it, c
  call network()
  area = 0.4d0
  q = 0.1d0
  level = 1d0
  store = 0.5d0*cap
  misfit = 0d0
  do it = 1, nt
    side = 0d0
    do c = 1, ncell
      call soil(store(c), rain(c, it), pet(it), cap(c), runoff)
      side(into(c)) = side(into(c)) + runoff
    end do
    call route(alpha, beta, side, crest)
    misfit = misfit + (sqrt(q(ns, nr)) - sqrt(seen(it)))**2
  end do
end subroutine basin
