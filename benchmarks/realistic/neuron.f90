! A cable of Hodgkin-Huxley compartments: gates by exponential Euler from tables, Hines elimination from the tip to the
! soma, synapses that open when a neighbour fires.
module gates
  implicit none
  integer, parameter :: nt_tab = 21
  real(8) :: minf(nt_tab), mtau(nt_tab), hinf(nt_tab), htau(nt_tab)
contains
  subroutine fill_tables(shift)
    real(8), intent(in) :: shift
    real(8) :: v, a, b
    integer :: k
    do k = 1, nt_tab
      v = -1d0 + 0.15d0*(k - 1)
      a = 1d0/(1d0 + exp(-4d0*(v - 0.3d0 - 0.1d0*shift)))
      b = 1d0/(1d0 + exp(4d0*(v - 0.2d0 + 0.1d0*shift)))
      minf(k) = a
      mtau(k) = 0.1d0 + a*(1d0 - a)
      hinf(k) = b
      htau(k) = 0.5d0 + 2d0*b*(1d0 - b)
    end do
  end subroutine fill_tables
  real(8) function look(tab, v)
    real(8), intent(in) :: tab(nt_tab), v
    real(8) :: x
    integer :: k
    x = (v + 1d0)/0.15d0
    k = max(0, min(nt_tab - 2, int(x)))
    x = x - k
    look = tab(k+1) + x*(tab(k+2) - tab(k+1))
  end function look
  subroutine step_gates(v, dt, m, h)
    real(8), intent(in) :: v, dt
    real(8), intent(inout) :: m, h
    real(8) :: e
    e = exp(-dt/look(mtau, v))
    m = look(minf, v) + (m - look(minf, v))*e
    e = exp(-dt/look(htau, v))
    h = look(hinf, v) + (h - look(hinf, v))*e
  end subroutine step_gates
  subroutine currents(v, m, h, g, gs, a, b)
    real(8), intent(in) :: v, m, h, g(3), gs
    real(8), intent(out) :: a, b
    real(8) :: gna, gk
    gna = 8d0*g(1)*m**3*h
    gk = 2d0*g(2)*(1d0 - h)**2
    a = gna + gk + 0.3d0*g(3) + gs
    b = gna*1.2d0 - gk*0.3d0 + gs*0.8d0
  end subroutine currents
  subroutine hines(n, d, ax, r)
    integer, intent(in) :: n
    real(8), intent(in) :: ax
    real(8), intent(inout) :: d(n), r(n)
    real(8) :: f
    integer :: i
    do i = n, 2, -1
      f = ax/d(i)
      d(i-1) = d(i-1) - f*ax
      r(i-1) = r(i-1) + f*r(i)
    end do
    r(1) = r(1)/d(1)
    do i = 2, n
      r(i) = (r(i) + ax*r(i-1))/d(i)
    end do
  end subroutine hines
end module gates
subroutine neuron(n, nt, g, shift, inj, target, cost)
  use gates
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: g(3), shift, inj(nt), target(nt)
  real(8), intent(out) :: cost
  real(8) :: v(n), m(n), h(n), gs(n), d(n), r(n), dt, ax, a, b
  integer :: it, i, fired(n)
  call fill_tables(shift)
  v = 0d0
  m = 0.05d0
  h = 0.6d0
  gs = 0d0
  fired = 0
  dt = 0.1d0
  ax = 0.5d0
  cost = 0d0
  do it = 1, nt
    do i = 1, n
      call step_gates(v(i), dt, m(i), h(i))
      if (fired(i) == 0 .and. v(i) > 0.4d0) then
        gs(min(i+1, n)) = gs(min(i+1, n)) + 0.2d0
        fired(i) = it
      end if
      gs(i) = gs(i)*(1d0 - dt)
    end do
    do i = 1, n
      call currents(v(i), m(i), h(i), g, gs(i), a, b)
      d(i) = 1d0/dt + a + 2d0*ax
      if (i == 1 .or. i == n) d(i) = d(i) - ax
      r(i) = v(i)/dt + b
    end do
    r(1) = r(1) + 3d0*inj(it)
    call hines(n, d, ax, r)
    v = r
    cost = cost + (v(n) - target(it))**2
  end do
end subroutine neuron
