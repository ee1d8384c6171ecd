! Neutrons in a slab by discrete ordinates: diamond differences with a fix for negative fluxes, sweeps in both directions
! in two groups, source iteration that stops when it is good, a void treated by SELECT CASE on the region's kind.
module sn_data
  implicit none
  integer, parameter :: nc = 6, na = 4, ng = 2
  real(8), parameter :: mu(na) = (/-0.8611d0, -0.34d0, 0.34d0, 0.8611d0/)
  real(8), parameter :: wt(na) = (/0.3479d0, 0.6521d0, 0.6521d0, 0.3479d0/)
  type region
    integer :: kind
    real(8) :: st(ng), ss(ng, ng), width
  end type region
contains
  subroutine materials(reg, dens, absorb)
    type(region), intent(out) :: reg(nc)
    real(8), intent(in) :: dens(nc), absorb
    integer :: i, g
    do i = 1, nc
      reg(i)%width = 0.5d0
      reg(i)%kind = 1 + mod(i, 3)
      select case (reg(i)%kind)
      case (1)
        do g = 1, ng
          reg(i)%st(g) = dens(i)*(0.8d0 + 0.4d0*g)
        end do
        reg(i)%ss(1, 1) = 0.3d0*dens(i)
        reg(i)%ss(2, 1) = 0.4d0*dens(i)
        reg(i)%ss(1, 2) = 0d0
        reg(i)%ss(2, 2) = 0.8d0*dens(i)
      case (2)
        reg(i)%st = absorb*dens(i)
        reg(i)%ss = 0.05d0*dens(i)
      case default
        reg(i)%st = 1d-2
        reg(i)%ss = 0d0
      end select
    end do
  end subroutine materials
  subroutine one_cell(st, width, m, src, psi_in, psi_out, psi_mid)
    real(8), intent(in) :: st, width, m, src, psi_in
    real(8), intent(out) :: psi_out, psi_mid
    real(8) :: tau
    tau = 2d0*abs(m)/width
    psi_mid = (src + tau*psi_in)/(st + tau)
    psi_out = 2d0*psi_mid - psi_in
    if (psi_out < 0d0) then
      psi_out = 0d0
      psi_mid = (src + 0.5d0*tau*psi_in)/st
    end if
  end subroutine one_cell
  subroutine sweep(reg, g, src, left, phi)
    type(region), intent(in) :: reg(nc)
    integer, intent(in) :: g
    real(8), intent(in) :: src(nc), left
    real(8), intent(out) :: phi(nc)
    real(8) :: pin, pout, mid
    integer :: a, i, k
    phi = 0d0
    do a = 1, na
      if (mu(a) > 0d0) then
        pin = left
      else
        pin = 0d0
      end if
      do k = 1, nc
        i = k
        if (mu(a) < 0d0) i = nc + 1 - k
        call one_cell(reg(i)%st(g), reg(i)%width, mu(a), src(i), pin, pout, mid)
        phi(i) = phi(i) + wt(a)*mid
        pin = pout
      end do
    end do
  end subroutine sweep
end module sn_data
subroutine snsweep(nout, dens, absorb, inflow, external, response)
  use sn_data
  implicit none
  integer, intent(in) :: nout
  real(8), intent(in) :: dens(nc), absorb, inflow, external(nc)
  real(8), intent(out) :: response
  type(region) :: reg(nc)
  real(8) :: phi(nc, ng), old(nc), new(nc), src(nc), err
  integer :: it, g, gg, i, k
  call materials(reg, dens, absorb)
  phi = 0d0
  response = 0d0
  do it = 1, nout
    do g = 1, ng
      old = phi(:, g)
      do k = 1, 4
        do i = 1, nc
          src(i) = 0d0
          if (g == 1) src(i) = 0.5d0*external(i)
          do gg = 1, ng
            if (gg == g) then
              src(i) = src(i) + 0.5d0*reg(i)%ss(g, gg)*old(i)
            else
              src(i) = src(i) + 0.5d0*reg(i)%ss(g, gg)*phi(i, gg)
            end if
          end do
        end do
        call sweep(reg, g, src, inflow/g, new)
        err = maxval(abs(new - old))
        old = new
        if (err < 1d-3) exit
      end do
      phi(:, g) = old
    end do
    do i = 1, nc
      reg(i)%st(1) = reg(i)%st(1)*(1d0 - 0.02d0*phi(i, 1)/(1d0 + phi(i, 2)))
    end do
    response = response + sum(phi(4:nc, 2))*reg(5)%st(1)
  end do
end subroutine snsweep
