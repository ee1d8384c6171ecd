! Dendritic growth: a phase field and a temperature in ping-pong planes, anisotropy by angle, a double obstacle clipped to
! [0, 1], latent heat, substeps for the heat.
subroutine aniso(gx, gy, eps, a, da)
  implicit none
  real(8), intent(in) :: gx, gy, eps
  real(8), intent(out) :: a, da
  real(8) :: th, g
  g = gx*gx + gy*gy
  if (g < 1d-8) then
    a = 1d0
    da = 0d0
    return
  end if
  th = atan2(gy, gx)
  a = 1d0 + eps*cos(4d0*th)
  da = -4d0*eps*sin(4d0*th)
end subroutine aniso
subroutine phase_step(n, p, pn, t, eps, under, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: p(0:n+1, 0:n+1), t(0:n+1, 0:n+1), eps, under, dt
  real(8), intent(inout) :: pn(0:n+1, 0:n+1)
  real(8) :: gx, gy, a, da, lap, drive, m
  integer :: i, j
  do j = 1, n
    do i = 1, n
      gx = 0.5d0*(p(i+1, j) - p(i-1, j))
      gy = 0.5d0*(p(i, j+1) - p(i, j-1))
      call aniso(gx, gy, 0.05d0*eps, a, da)
      lap = p(i+1, j) + p(i-1, j) + p(i, j+1) + p(i, j-1) - 4d0*p(i, j)
      m = atan(5d0*(under - t(i, j)))/3.2d0
      drive = p(i, j)*(1d0 - p(i, j))*(p(i, j) - 0.5d0 + m)
      pn(i, j) = p(i, j) + dt*(a*a*lap + a*da*(gx - gy) + 8d0*drive)
      pn(i, j) = max(0d0, min(1d0, pn(i, j)))
    end do
  end do
end subroutine phase_step
subroutine mirror(n, u)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(0:n+1, 0:n+1)
  integer :: i
  do i = 0, n + 1
    u(i, 0) = u(i, 1)
    u(i, n+1) = u(i, n)
  end do
  do i = 0, n + 1
    u(0, i) = u(1, i)
    u(n+1, i) = u(n, i)
  end do
end subroutine mirror
subroutine phasefield(n, nt, seed, eps, under, kappa, solid, warm)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: seed(n), eps, under, kappa
  real(8), intent(out) :: solid, warm
  real(8) :: p(0:n+1, 0:n+1, 2), t(0:n+1, 0:n+1), r(n, n), dt
  integer :: it, i, j, a, b, sub
  dt = 0.05d0
  t = 0d0
  do j = 0, n + 1
    do i = 0, n + 1
      p(i, j, 1) = 0.3d0*seed(max(1, min(n, i)))*seed(max(1, min(n, j)))
      p(i, j, 2) = 0d0
    end do
  end do
  do it = 1, nt
    a = 2 - mod(it, 2)
    b = 3 - a
    call phase_step(n, p(0, 0, a), p(0, 0, b), t, eps, under, dt)
    call mirror(n, p(0, 0, b))
    do sub = 1, 2
      do j = 1, n
        do i = 1, n
          r(i, j) = t(i+1, j) + t(i-1, j) + t(i, j+1) + t(i, j-1) - 4d0*t(i, j)
        end do
      end do
      do j = 1, n
        do i = 1, n
          t(i, j) = t(i, j) + 0.5d0*dt*(1d0 + 0.2d0*t(i, j))*kappa*r(i, j)
          if (sub == 1) t(i, j) = t(i, j) + 0.5d0*(p(i, j, b) - p(i, j, a))
        end do
      end do
      call mirror(n, t)
    end do
  end do
  solid = sum(p(1:n, 1:n, b))
  warm = 0d0
  do j = 1, n
    do i = 1, n
      warm = warm + t(i, j)**2
    end do
  end do
end subroutine phasefield
