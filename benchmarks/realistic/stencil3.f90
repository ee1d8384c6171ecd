! Anisotropic diffusion of a temperature field in a block that melts; halo cells by a routine of their own.
subroutine coeffs(n, t, k0, kx, ky, kz)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(0:n+1, 0:n+1, 0:n+1), k0(3)
  real(8), intent(out) :: kx(0:n, 0:n, 0:n)
  real(8), intent(out) :: ky(0:n, 0:n, 0:n)
  real(8), intent(out) :: kz(0:n, 0:n, 0:n)
  integer :: i, j, k
  real(8) :: tm
  do k = 1, n
    do j = 1, n
      do i = 0, n
        tm = 0.5d0*(t(i, j, k) + t(i+1, j, k))
        kx(i, j, k) = k0(1)/(1d0 + 0.2d0*tm)
      end do
    end do
  end do
  do k = 1, n
    do j = 0, n
      do i = 1, n
        tm = 0.5d0*(t(i, j, k) + t(i, j+1, k))
        ky(i, j, k) = k0(2)/(1d0 + 0.2d0*tm)
      end do
    end do
  end do
  do k = 0, n
    do j = 1, n
      do i = 1, n
        tm = 0.5d0*(t(i, j, k) + t(i, j, k+1))
        kz(i, j, k) = k0(3)*sqrt(tm)
      end do
    end do
  end do
end subroutine coeffs
subroutine halo(n, t, tbase)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: t(0:n+1, 0:n+1, 0:n+1)
  real(8), intent(in) :: tbase
  integer :: i, j
  do j = 1, n
    do i = 1, n
      t(i, j, 0) = 2d0*tbase - t(i, j, 1)
      t(i, j, n+1) = t(i, j, n)
      t(i, 0, j) = t(i, 1, j)
      t(i, n+1, j) = t(i, n, j)
      t(0, i, j) = t(1, i, j)
      t(n+1, i, j) = t(n, i, j)
    end do
  end do
end subroutine halo
subroutine stencil3(h0, k0, tbase, src, melted)
  implicit none
  integer, parameter :: n = 4, nt = 4
  real(8), intent(in) :: h0(n, n, n), k0(3), tbase, src(n)
  real(8), intent(out) :: melted
  real(8) :: t(0:n+1, 0:n+1, 0:n+1), h(n, n, n)
  real(8) :: kx(0:n, 0:n, 0:n)
  real(8) :: ky(0:n, 0:n, 0:n)
  real(8) :: kz(0:n, 0:n, 0:n)
  real(8) :: dt, q, frac
  integer :: i, j, k, it
  dt = 0.1d0
  h = h0
  t = 1d0
  melted = 0d0
  do it = 1, nt
    do k = 1, n
      do j = 1, n
        do i = 1, n
          if (h(i, j, k) < 0.8d0) then
            t(i, j, k) = h(i, j, k)
          else if (h(i, j, k) < 1.2d0) then
            t(i, j, k) = 0.8d0
          else
            t(i, j, k) = h(i, j, k) - 0.4d0
          end if
        end do
      end do
    end do
    call halo(n, t, tbase)
    call coeffs(n, t, k0, kx, ky, kz)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          q = kx(i, j, k)*(t(i+1, j, k) - t(i, j, k)) - kx(i-1, j, k)*(t(i, j, k) - t(i-1, j, k)) &
            + ky(i, j, k)*(t(i, j+1, k) - t(i, j, k)) - ky(i, j-1, k)*(t(i, j, k) - t(i, j-1, k)) &
            + kz(i, j, k)*(t(i, j, k+1) - t(i, j, k)) - kz(i, j, k-1)*(t(i, j, k) - t(i, j, k-1))
          h(i, j, k) = h(i, j, k) + dt*(q + 0.5d0*src(k))
          frac = min(1d0, max(0d0, (h(i, j, k) - 0.8d0)/0.4d0))
          melted = melted + frac*frac
        end do
      end do
    end do
  end do
end subroutine stencil3
