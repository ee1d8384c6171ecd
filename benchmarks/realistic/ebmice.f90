! Energy balance of the latitudes with an ocean below: spectral transforms to Legendre coefficients for the diffusion,
! ice albedo with a ramp, deep ocean columns mixed where unstable; solar input, emissivity and mixing are the controls.
module ebm_mod
  implicit none
  integer, parameter :: nz = 4
contains
  subroutine polynomials(n, m, mu, p)
    integer, intent(in) :: n, m
    real(8), intent(in) :: mu(n)
    real(8), intent(out) :: p(n,0:m)
    integer :: i, k
    do i = 1, n
      p(i,0) = 1d0
      p(i,1) = mu(i)
      do k = 2, m
        p(i,k) = ((2*k-1)*mu(i)*p(i,k-1) - (k-1)*p(i,k-2))/k
      end do
    end do
  end subroutine polynomials
  subroutine diffuse(t, p, n, m, kappa, dt)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: t(n)
    real(8), intent(in) :: p(n,0:m), kappa, dt
    real(8) :: c(0:m)
    integer :: i, k
    do k = 0, m
      c(k) = 0d0
      do i = 1, n
        c(k) = c(k) + (2*k+1)*t(i)*p(i,k)/n
      end do
      c(k) = c(k)/(1d0 + dt*kappa*k*(k+1))
    end do
    do i = 1, n
      t(i) = 0d0
      do k = 0, m
        t(i) = t(i) + c(k)*p(i,k)
      end do
    end do
  end subroutine diffuse
  subroutine radiate(t, ice, sun, mu, eps, n, dt)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n), ice(n)
    real(8), intent(in) :: sun(n), mu(n), eps, dt
    real(8) :: alb, net
    integer :: i
    do i = 1, n
      if (t(i) < 0d0) then
        alb = 0.6d0
      else if (t(i) < 0.2d0) then
        alb = 0.6d0 - 1.5d0*t(i)
      else
        alb = 0.3d0
      end if
      alb = alb + 0.1d0*ice(i)/(1d0 + ice(i))
      net = sun(i)*(1.2d0 - mu(i)**2)*(1d0 - alb) - eps*(1d0 + 0.3d0*t(i))**4
      t(i) = t(i) + dt*net
      ice(i) = max(ice(i) - 0.2d0*dt*t(i), 0d0)
    end do
  end subroutine radiate
  subroutine column(w, ts, mix)
    real(8), intent(inout) :: w(nz), ts
    real(8), intent(in) :: mix
    real(8) :: flux, mean
    integer :: k
    flux = mix*(ts - w(1))
    ts = ts - flux
    w(1) = w(1) + 0.5d0*flux
    do k = 2, nz
      if (w(k) > w(k-1)) then
        mean = 0.5d0*(w(k) + w(k-1))
        w(k) = mean
        w(k-1) = mean
      else
        flux = 0.3d0*mix*(w(k-1) - w(k))*abs(w(k-1) - w(k))
        w(k-1) = w(k-1) - flux
        w(k) = w(k) + flux
      end if
    end do
  end subroutine column
end module ebm_mod
subroutine ebmice(n, m, nt, sun, eps, mix, kappa, cost)
  use ebm_mod
  implicit none
  integer, intent(in) :: n, m, nt
  real(8), intent(in) :: sun(n), eps, mix, kappa
  real(8), intent(out) :: cost
  real(8) :: t(n), ice(n), mu(n), p(n,0:m), w(nz,n)
  integer :: it, i, k
  do i = 1, n
    mu(i) = -1d0 + (2d0*i - 1d0)/n
    t(i) = 0.6d0 - mu(i)**2
    ice(i) = 0.1d0
    do k = 1, nz
      w(k,i) = 0.2d0 - 0.05d0*k + 0.3d0*mu(i)*(k-2)
    end do
  end do
  call polynomials(n, m, mu, p)
  cost = 0d0
  do it = 1, nt
    call radiate(t, ice, sun, mu, 0.5d0*eps, n, 0.3d0)
    call diffuse(t, p, n, m, 0.1d0*kappa, 0.3d0)
    do i = 1, n
      call column(w(:,i), t(i), 0.2d0*mix)
    end do
    do i = 1, n
      cost = cost + (t(i) - 0.3d0)**2
    end do
  end do
  cost = cost + w(nz,2)**2 + ice(1)
end subroutine ebmice
