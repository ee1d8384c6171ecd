! Flow routed down a river network: reaches in topological order with their upstream reaches in a list, Muskingum-Cunge with
! parameters that follow the flow, a reservoir with a spillway, lateral inflow by a unit hydrograph, a gauge misfit.
module river
  implicit none
  integer, parameter :: mr = 40, nuh = 4
  type reach
    real(8) :: length, slope, width, rough
    real(8) :: qin, qout, qlat
    integer :: nup, up(2), kind
  end type reach
  type dam
    real(8) :: storage, crest, coef
  end type dam
contains
  subroutine network(n, r, width, rough)
    integer, intent(in) :: n
    type(reach), intent(out) :: r(n)
    real(8), intent(in) :: width(n), rough
    integer :: i
    do i = 1, n
      r(i)%length = 1d0 + 0.2d0*mod(i, 3)
      r(i)%slope = 0.01d0/i
      r(i)%width = 2d0*width(i)
      r(i)%rough = 0.05d0*rough
      r(i)%qin = 0.5d0
      r(i)%qout = 0.5d0
      r(i)%qlat = 0d0
      r(i)%kind = 1
      if (i == n - 1) r(i)%kind = 2
      r(i)%nup = 0
      if (i == 3) then
        r(i)%nup = 2
        r(i)%up = (/ 1, 2 /)
      else if (i > 3) then
        r(i)%nup = 1
        r(i)%up(1) = i - 1
      end if
    end do
  end subroutine network
  subroutine route(r, inflow, dt)
    type(reach), intent(inout) :: r
    real(8), intent(in) :: inflow, dt
    real(8) :: qref, depth, cel, k, x, d, c0, c1, c2, c3, qn
    integer :: it
    qn = (r%qin + inflow + r%qout)/3d0
    do it = 1, 3
      qref = max(0.05d0, (r%qin + inflow + qn)/3d0)
      depth = (r%rough*qref/(r%width*sqrt(r%slope)))**0.6d0
      cel = 5d0/3d0*qref/(r%width*depth)
      k = r%length/cel
      x = 0.5d0*(1d0 - qref/(r%width*r%slope*cel*r%length*100d0))
      x = max(0d0, min(0.5d0, x))
      d = k*(1d0 - x) + 0.5d0*dt
      c0 = (0.5d0*dt - k*x)/d
      c1 = (0.5d0*dt + k*x)/d
      c2 = (k*(1d0 - x) - 0.5d0*dt)/d
      c3 = dt/d
      qn = c0*inflow + c1*r%qin + c2*r%qout + c3*r%qlat
      if (qn < 0d0) qn = 0d0
    end do
    r%qin = inflow
    r%qout = qn
  end subroutine route
  subroutine spill(d, inflow, dt, outflow)
    type(dam), intent(inout) :: d
    real(8), intent(in) :: inflow, dt
    real(8), intent(out) :: outflow
    real(8) :: head
    outflow = 0.1d0*d%storage
    head = d%storage - d%crest
    if (head > 0d0) outflow = outflow + d%coef*head*sqrt(head)
    d%storage = d%storage + dt*(inflow - outflow)
  end subroutine spill
end module river
subroutine muskcunge(n, nt, rain, width, rough, crest, gauge, misfit)
  use river
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: rain(n, nt), width(n), rough, crest, gauge(nt)
  real(8), intent(out) :: misfit
  type(reach) :: r(n)
  type(dam) :: d
  real(8) :: uh(nuh), past(nuh, n), inflow, out
  integer :: it, i, k
  call network(n, r, width, rough)
  d%storage = 1d0
  d%crest = crest
  d%coef = 0.8d0
  do k = 1, nuh
    uh(k) = (nuh - k + 0.5d0)/(0.5d0*nuh*nuh)
  end do
  past = 0d0
  misfit = 0d0
  do it = 1, nt
    do i = 1, n
      do k = nuh, 2, -1
        past(k, i) = past(k-1, i)
      end do
      past(1, i) = rain(i, it)*max(0d0, 1d0 - exp(-rain(i, it)))
      r(i)%qlat = 0d0
      do k = 1, nuh
        r(i)%qlat = r(i)%qlat + uh(k)*past(k, i)
      end do
    end do
    do i = 1, n
      inflow = 0.2d0
      do k = 1, r(i)%nup
        inflow = inflow + r(r(i)%up(k))%qout
      end do
      if (r(i)%kind == 2) then
        call spill(d, inflow + r(i)%qlat, 0.5d0, out)
        r(i)%qout = out
      else
        call route(r(i), inflow, 0.5d0)
      end if
    end do
    misfit = misfit + (sqrt(r(n)%qout) - sqrt(gauge(it)))**2
  end do
end subroutine muskcunge
