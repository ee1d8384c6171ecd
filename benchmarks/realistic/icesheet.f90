! A small ice sheet in the shallow-ice approximation: diffusivities on a staggered grid, surface mass balance that
! follows the height, a temperature by columns that softens the ice, isostasy that lags behind, implicit steps along
! rows and columns in turn; the volume and a profile of the surface are compared.
module ice_data
  implicit none
  integer, parameter :: nx = 6, ny = 6, nz = 4
  type sheet
    real(8) :: h(nx, ny), b(nx, ny), temp(nz, nx, ny)
  end type sheet
  real(8) :: dfx(0:nx, ny), dfy(nx, 0:ny), soft(nx, ny), smb(nx, ny)
  real(8), parameter :: dx = 1d0
contains
  subroutine soften(ice, a0)
    type(sheet), intent(in) :: ice
    real(8), intent(in) :: a0
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        soft(i, j) = 0d0
        do k = 1, nz
          if (ice%temp(k, i, j) < -0.5d0) then
            soft(i, j) = soft(i, j) + a0*exp(0.5d0*ice%temp(k, i, j))
          else
            soft(i, j) = soft(i, j) + a0*exp(1.0d0*ice%temp(k, i, j) + 0.25d0)
          end if
        end do
        soft(i, j) = soft(i, j)/nz
      end do
    end do
  end subroutine soften

  subroutine diffusivity(ice, slide)
    type(sheet), intent(in) :: ice
    real(8), intent(in) :: slide(nx, ny)
    real(8) :: s(nx, ny), sx, sy, hm, a, grad
    integer :: i, j
    s = ice%h + ice%b
    dfx = 0d0
    dfy = 0d0
    do j = 1, ny
      do i = 1, nx - 1
        sx = (s(i+1, j) - s(i, j))/dx
        sy = (s(i, min(j+1, ny)) - s(i, max(j-1, 1)) + s(i+1, min(j+1, ny)) - s(i+1, max(j-1, 1)))/(4d0*dx)
        hm = 0.5d0*(ice%h(i, j) + ice%h(i+1, j))
        a = 0.5d0*(soft(i, j) + soft(i+1, j))
        grad = sx**2 + sy**2
        dfx(i, j) = 0.4d0*a*hm**5*grad + 0.5d0*(slide(i, j) + slide(i+1, j))*hm**3*grad
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx
        sy = (s(i, j+1) - s(i, j))/dx
        sx = (s(min(i+1, nx), j) - s(max(i-1, 1), j) + s(min(i+1, nx), j+1) - s(max(i-1, 1), j+1))/(4d0*dx)
        hm = 0.5d0*(ice%h(i, j) + ice%h(i, j+1))
        a = 0.5d0*(soft(i, j) + soft(i, j+1))
        grad = sx**2 + sy**2
        dfy(i, j) = 0.4d0*a*hm**5*grad + 0.5d0*(slide(i, j) + slide(i, j+1))*hm**3*grad
      end do
    end do
  end subroutine diffusivity

  subroutine line(n, d, s, h, dt)
    integer, intent(in) :: n
    real(8), intent(in) :: d(0:n), dt
    real(8), intent(in) :: s(n)
    real(8), intent(inout) :: h(n)
    real(8) :: a(n), b(n), c(n), r(n), w
    integer :: i
    do i = 1, n
      a(i) = -dt*d(i-1)/dx**2
      c(i) = -dt*d(i)/dx**2
      b(i) = 1d0 - a(i) - c(i)
      r(i) = h(i)
      if (i > 1) r(i) = r(i) + dt*d(i-1)*(s(i-1) - h(i-1) - s(i) + h(i))/dx**2
      if (i < n) r(i) = r(i) + dt*d(i)*(s(i+1) - h(i+1) - s(i) + h(i))/dx**2
    end do
    do i = 2, n
      w = a(i)/b(i-1)
      b(i) = b(i) - w*c(i-1)
      r(i) = r(i) - w*r(i-1)
    end do
    h(n) = r(n)/b(n)
    do i = n - 1, 1, -1
      h(i) = (r(i) - c(i)*h(i+1))/b(i)
    end do
  end subroutine line

  subroutine balance(ice, ela, rate)
    type(sheet), intent(in) :: ice
    real(8), intent(in) :: ela, rate
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        smb(i, j) = min(0.3d0, rate*(ice%h(i, j) + ice%b(i, j) - ela))
      end do
    end do
  end subroutine balance

  subroutine warm(ice, flux, dt)
    type(sheet), intent(inout) :: ice
    real(8), intent(in) :: flux(nx, ny), dt
    real(8) :: new(nz), dz
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        dz = max(ice%h(i, j), 0.1d0)/nz
        new(1) = -1d0 - 0.1d0*(ice%h(i, j) + ice%b(i, j))
        do k = 2, nz - 1
          new(k) = ice%temp(k, i, j) + 0.02d0*dt*(ice%temp(k-1, i, j) - 2d0*ice%temp(k, i, j) &
                   + ice%temp(k+1, i, j))/dz**2
        end do
        new(nz) = min(0d0, new(nz-1) + flux(i, j)*dz)
        ice%temp(:, i, j) = new
      end do
    end do
  end subroutine warm

  subroutine sink(ice, dt, tau)
    type(sheet), intent(inout) :: ice
    real(8), intent(in) :: dt, tau
    ice%b = ice%b + dt/tau*(-0.3d0*ice%h - ice%b)
  end subroutine sink
end module ice_data

subroutine ice_age(nt, h0, slide, flux, ela, rate, a0, volume)
  use ice_data
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(nx, ny), slide(nx, ny), flux(nx, ny), ela, rate, a0
  real(8), intent(out) :: volume
  type(sheet) :: ice
  real(8) :: surf(nx, ny), dt
  integer :: it, i, j
  ice%h = h0
  ice%b = 0.1d0
  ice%temp = -1d0
  dt = 0.1d0
  do it = 1, nt
    call soften(ice, a0)
    call diffusivity(ice, slide)
    surf = ice%h + ice%b
    do j = 1, ny
      call line(nx, dfx(:, j), surf(:, j), ice%h(:, j), dt)
    end do
    surf = ice%h + ice%b
    do i = 1, nx
      call line(ny, dfy(i, :), surf(i, :), ice%h(i, :), dt)
    end do
    call balance(ice, ela, rate)
    do j = 1, ny
      do i = 1, nx
        ice%h(i, j) = max(ice%h(i, j) + dt*smb(i, j), 0d0)
      end do
    end do
    call warm(ice, flux, dt)
    call sink(ice, dt, 20d0)
  end do
  volume = sum(ice%h) + 0.1d0*sum((ice%h(:, 3) + ice%b(:, 3))**2)
end subroutine ice_age
