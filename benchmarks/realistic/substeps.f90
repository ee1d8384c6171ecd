! Slow tracers and fast sound waves: a split-explicit column model; the number of small steps follows a Courant number.
module split_params
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: dz, cs, damp
end module split_params
subroutine slow(n, w, th, fw, fth)
  use split_params
  implicit none
  integer, intent(in) :: n
  real(wp), intent(in) :: w(n+1), th(n)
  real(wp), intent(out) :: fw(n+1), fth(n)
  real(wp) :: flux(n+1), wb
  integer :: k
  flux(1) = 0
  flux(n+1) = 0
  do k = 2, n
    if (w(k) > 0) then
      flux(k) = w(k)*th(k-1)
    else
      flux(k) = w(k)*th(k)
    end if
  end do
  do k = 1, n
    fth(k) = -(flux(k+1) - flux(k))/dz
  end do
  fw(1) = 0
  fw(n+1) = 0
  do k = 2, n
    wb = 0.5_wp*(th(k) + th(k-1)) - 1
    fw(k) = -w(k)*(w(k+1) - w(k-1))/(2*dz) + wb
  end do
end subroutine slow
subroutine acoustic(n, ns, dts, w, p, th, fw)
  use split_params
  implicit none
  integer, intent(in) :: n, ns
  real(wp), intent(in) :: dts, fw(n+1), th(n)
  real(wp), intent(inout) :: w(n+1), p(n)
  real(wp) :: div(n), pold, grad, a
  integer :: is, k
  div = 0
  do is = 1, ns
    do k = 2, n
      grad = (p(k) - p(k-1))/dz - damp*(div(k) - div(k-1))/dz
      a = 0.5_wp*(th(k) + th(k-1))
      w(k) = w(k) + dts*(fw(k) - a*grad)
    end do
    do k = 1, n
      pold = p(k)
      div(k) = (w(k+1) - w(k))/dz
      p(k) = p(k) - dts*cs**2*div(k)*(1 + 0.1_wp*p(k))
      div(k) = (p(k) - pold)*damp
    end do
  end do
end subroutine acoustic
subroutine substeps(n, nt, th0, par, energy)
  use split_params
  implicit none
  integer, intent(in) :: n, nt
  real(wp), intent(in) :: th0(n), par(3)
  real(wp), intent(out) :: energy
  real(wp) :: w(n+1), p(n), th(n), ws(n+1), ths(n), ps(n), fw(n+1), fth(n), dt, cour
  integer :: it, ir, ns, k
  dz = 1
  cs = 2*par(1)
  damp = 0.1_wp*par(2)
  dt = 0.2_wp
  w = 0
  do k = 1, n
    p(k) = 0.05_wp*sin(1.5_wp*k)*par(3)
    th(k) = 1 + 0.1_wp*(th0(k) - 1)
  end do
  do it = 1, nt
    ws = w
    ths = th
    ps = p
    do ir = 3, 1, -1
      call slow(n, ws, ths, fw, fth)
      cour = cs*dt/(ir*dz)
      ns = 1 + int(cour/0.1_wp)
      ws = w
      ps = p
      call acoustic(n, ns, dt/(ir*ns), ws, ps, th, fw)
      do k = 1, n
        ths(k) = th(k) + dt/ir*fth(k)
      end do
    end do
    w = ws
    th = ths
    p = ps
  end do
  energy = 0
  do k = 1, n
    energy = energy + 0.5_wp*(w(k)**2 + p(k)**2/cs**2) + (th(k) - 1)**2
  end do
end subroutine substeps
