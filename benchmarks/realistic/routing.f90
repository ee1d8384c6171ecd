! Runoff, a snow store and Muskingum routing down a tree of reaches, with a reservoir ruled by a table.
module river_tree
  implicit none
  integer, parameter :: nr = 6
  integer :: below(nr) = (/3, 3, 5, 5, 6, 0/)
  real(8) :: level(4) = (/0d0, 1d0, 2.5d0, 5d0/), outlet(4) = (/0d0, 0.2d0, 0.9d0, 2d0/)
  real(8) :: inflow(nr), inflow_old(nr), outflow(nr), store(nr), pool
contains
  real(8) function release(s)
    real(8), intent(in) :: s
    integer :: k
    real(8) :: w
    do k = 1, 3
      if (s < level(k + 1)) exit
    end do
    k = min(k, 3)
    w = (s - level(k))/(level(k + 1) - level(k))
    release = (1d0 - w)*outlet(k) + w*outlet(k + 1)
  end function
end module
subroutine routing(nt, rain, temp, melt, capacity, x, ktime, flood)
  use river_tree
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: rain(nt), temp(nt), melt, capacity(6), x, ktime(6)
  real(8), intent(out) :: flood
  real(8) :: snow(nr), water, runoff(nr), d
  integer :: it, ir
  snow = 0d0
  store = 0.3d0*capacity
  inflow_old = 0d0
  outflow = 0d0
  pool = 1d0
  flood = 0d0
  do it = 1, nt
    do ir = 1, nr
      if (temp(it) < 0d0) then
        snow(ir) = snow(ir) + rain(it)
        water = 0d0
      else
        d = min(snow(ir), melt*temp(it))
        snow(ir) = snow(ir) - d
        water = rain(it) + d
      end if
      runoff(ir) = water*(store(ir)/capacity(ir))**2
      store(ir) = store(ir) + water - runoff(ir)
      store(ir) = store(ir) - 0.05d0*store(ir)
    end do
    call route(1d0, runoff, x, ktime)
    flood = max(flood, outflow(nr))
  end do
  flood = flood + 0.1d0*sum(store)
end subroutine
subroutine route(dt, runoff, x, ktime)
  use river_tree
  implicit none
  real(8), intent(in) :: dt, runoff(nr), x, ktime(nr)
  integer :: ir
  real(8) :: c0, c1, c2, q
  inflow = runoff
  do ir = 1, nr
    c0 = (dt - 2d0*ktime(ir)*x)/(2d0*ktime(ir)*(1d0 - x) + dt)
    c1 = (dt + 2d0*ktime(ir)*x)/(2d0*ktime(ir)*(1d0 - x) + dt)
    c2 = 1d0 - c0 - c1
    q = c0*inflow(ir) + c1*inflow_old(ir) + c2*outflow(ir)
    if (ir == 5) then
      pool = pool + dt*q
      q = release(pool)
      pool = pool - dt*q
    end if
    outflow(ir) = q
    if (below(ir) > 0) inflow(below(ir)) = inflow(below(ir)) + q
  end do
  inflow_old = inflow
end subroutine
