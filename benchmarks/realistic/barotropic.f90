! A barotropic model on a doubly periodic plane by spectral transforms: discrete Fourier sums by hand with tables of
! sines, the Jacobian evaluated on the grid, dealiasing, leapfrog with Asselin's filter, implicit hyperdiffusion.
module plane
  implicit none
  integer, parameter :: n = 6, kx = 2
  real(8) :: cs(0:n-1, 0:n-1), sn(0:n-1, 0:n-1), k2(-kx:kx, -kx:kx)
  real(8) :: beta = 0.3d0, nu = 0.02d0
contains
  subroutine tables()
    integer :: i, j
    do j = 0, n - 1
      do i = 0, n - 1
        cs(i, j) = cos(6.283185307179586d0*mod(i*j, n)/n)
        sn(i, j) = sin(6.283185307179586d0*mod(i*j, n)/n)
      end do
    end do
    do j = -kx, kx
      do i = -kx, kx
        k2(i, j) = max(1, i*i + j*j)
      end do
    end do
  end subroutine tables

  subroutine to_grid(re, im, g)
    real(8), intent(in) :: re(-kx:kx, -kx:kx), im(-kx:kx, -kx:kx)
    real(8), intent(out) :: g(0:n-1, 0:n-1)
    real(8) :: hr(0:n-1, -kx:kx), hi(0:n-1, -kx:kx)
    integer :: i, j, k, l, p
    hr = 0d0
    hi = 0d0
    do l = -kx, kx
      do i = 0, n - 1
        do k = -kx, kx
          p = mod(k + n, n)
          hr(i, l) = hr(i, l) + re(k, l)*cs(p, i) - im(k, l)*sn(p, i)
          hi(i, l) = hi(i, l) + re(k, l)*sn(p, i) + im(k, l)*cs(p, i)
        end do
      end do
    end do
    do j = 0, n - 1
      do i = 0, n - 1
        g(i, j) = 0d0
        do l = -kx, kx
          p = mod(l + n, n)
          g(i, j) = g(i, j) + hr(i, l)*cs(p, j) - hi(i, l)*sn(p, j)
        end do
      end do
    end do
  end subroutine to_grid

  subroutine to_waves(g, re, im)
    real(8), intent(in) :: g(0:n-1, 0:n-1)
    real(8), intent(out) :: re(-kx:kx, -kx:kx), im(-kx:kx, -kx:kx)
    real(8) :: a, b, c, s
    integer :: i, j, k, l
    do l = -kx, kx
      do k = -kx, kx
        a = 0d0
        b = 0d0
        do j = 0, n - 1
          do i = 0, n - 1
            c = cs(mod(k + n, n), i)*cs(mod(l + n, n), j) - sn(mod(k + n, n), i)*sn(mod(l + n, n), j)
            s = sn(mod(k + n, n), i)*cs(mod(l + n, n), j) + cs(mod(k + n, n), i)*sn(mod(l + n, n), j)
            a = a + g(i, j)*c
            b = b - g(i, j)*s
          end do
        end do
        re(k, l) = a/(n*n)
        im(k, l) = b/(n*n)
      end do
    end do
  end subroutine to_waves

  subroutine advection(zr, zi, tr, ti)
    real(8), intent(in) :: zr(-kx:kx, -kx:kx), zi(-kx:kx, -kx:kx)
    real(8), intent(out) :: tr(-kx:kx, -kx:kx), ti(-kx:kx, -kx:kx)
    real(8) :: wr(-kx:kx, -kx:kx), wi(-kx:kx, -kx:kx), u(0:n-1, 0:n-1), v(0:n-1, 0:n-1), zx(0:n-1, 0:n-1), &
               zy(0:n-1, 0:n-1), jac(0:n-1, 0:n-1)
    integer :: k, l
    do l = -kx, kx
      do k = -kx, kx
        wr(k, l) = -l*zi(k, l)/k2(k, l)
        wi(k, l) = l*zr(k, l)/k2(k, l)
      end do
    end do
    call to_grid(wr, wi, u)
    do l = -kx, kx
      do k = -kx, kx
        wr(k, l) = k*zi(k, l)/k2(k, l)
        wi(k, l) = -k*zr(k, l)/k2(k, l)
      end do
    end do
    call to_grid(wr, wi, v)
    do l = -kx, kx
      do k = -kx, kx
        wr(k, l) = -k*zi(k, l)
        wi(k, l) = k*zr(k, l)
      end do
    end do
    call to_grid(wr, wi, zx)
    do l = -kx, kx
      do k = -kx, kx
        wr(k, l) = -l*zi(k, l)
        wi(k, l) = l*zr(k, l)
      end do
    end do
    call to_grid(wr, wi, zy)
    jac = -u*zx - v*(zy + beta)
    call to_waves(jac, tr, ti)
  end subroutine advection
end module plane

subroutine eddies(nt, z0, friction, topo, energy)
  use plane
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: z0(0:n-1, 0:n-1), friction, topo(0:n-1, 0:n-1)
  real(8), intent(out) :: energy
  real(8) :: zr(-kx:kx, -kx:kx, 3), zi(-kx:kx, -kx:kx, 3), tr(-kx:kx, -kx:kx), ti(-kx:kx, -kx:kx), dt, damp
  real(8) :: hr(-kx:kx, -kx:kx), hi(-kx:kx, -kx:kx)
  integer :: it, k, l
  call tables()
  dt = 0.1d0
  call to_waves(z0, zr(:, :, 1), zi(:, :, 1))
  call to_waves(topo, hr, hi)
  zr(:, :, 2) = zr(:, :, 1)
  zi(:, :, 2) = zi(:, :, 1)
  do it = 1, nt
    call advection(zr(:, :, 2) + hr, zi(:, :, 2) + hi, tr, ti)
    do l = -kx, kx
      do k = -kx, kx
        damp = 1d0/(1d0 + 2d0*dt*(0.1d0*friction + nu*k2(k, l)**2))
        zr(k, l, 3) = (zr(k, l, 1) + 2d0*dt*tr(k, l))*damp
        zi(k, l, 3) = (zi(k, l, 1) + 2d0*dt*ti(k, l))*damp
      end do
    end do
    zr(:, :, 1) = zr(:, :, 2) + 0.05d0*(zr(:, :, 1) - 2d0*zr(:, :, 2) + zr(:, :, 3))
    zi(:, :, 1) = zi(:, :, 2) + 0.05d0*(zi(:, :, 1) - 2d0*zi(:, :, 2) + zi(:, :, 3))
    zr(:, :, 2) = zr(:, :, 3)
    zi(:, :, 2) = zi(:, :, 3)
  end do
  energy = 0d0
  do l = -kx, kx
    do k = -kx, kx
      energy = energy + (zr(k, l, 2)**2 + zi(k, l, 2)**2)/k2(k, l)
    end do
  end do
end subroutine eddies
