! Consolidation of a clay under an embankment built in lifts: pore pressure and settlement coupled by a fixed-stress
! iteration, permeability and stiffness that follow the void ratio, drains as a sink.
module clay
  implicit none
  private
  public :: column, setup, iterate, settlement
  integer, parameter, public :: nl = 7
  type column
    real(8) :: e(nl), sig(nl), p(nl), k(nl), mv(nl), dz
  end type column
contains
  subroutine setup(c, e0, cc)
    type(column), intent(out) :: c
    real(8), intent(in) :: e0, cc
    integer :: i
    c%dz = 0.5d0
    do i = 1, nl
      c%sig(i) = 0.2d0 + 0.1d0*i
      c%e(i) = 1.5d0 + e0 - cc*log(c%sig(i)/0.3d0)
      c%p(i) = 0d0
    end do
    c%k = 0d0
    c%mv = 0d0
  end subroutine setup
  subroutine properties(c, cc, k0)
    type(column), intent(inout) :: c
    real(8), intent(in) :: cc, k0
    c%k = k0*10d0**((c%e - 1.5d0)/0.8d0)
    c%mv = cc/(c%sig*(1d0 + c%e))
  end subroutine properties
  subroutine pressure(c, pold, load, drain, dt)
    type(column), intent(inout) :: c
    real(8), intent(in) :: pold(nl), load, drain, dt
    real(8) :: a(nl), b(nl), d(nl), kf, bet, gam(nl)
    integer :: i
    b = c%mv + dt*drain*c%k
    d = c%mv*(pold + load)
    a = 0d0
    b(1) = b(1) + dt*2d0*c%k(1)/c%dz**2
    do i = 1, nl - 1
      kf = 2d0*c%k(i)*c%k(i+1)/(c%k(i) + c%k(i+1))*dt/c%dz**2
      a(i+1) = -kf
      b(i) = b(i) + kf
      b(i+1) = b(i+1) + kf
    end do
    bet = b(1)
    c%p(1) = d(1)/bet
    do i = 2, nl
      gam(i) = a(i)/bet
      bet = b(i) - a(i)*gam(i)
      c%p(i) = (d(i) - a(i)*c%p(i-1))/bet
    end do
    do i = nl - 1, 1, -1
      c%p(i) = c%p(i) - gam(i+1)*c%p(i+1)
    end do
  end subroutine pressure
  subroutine iterate(c, load, cc, k0, drain, dt, count)
    type(column), intent(inout) :: c
    real(8), intent(in) :: load, cc, k0, drain, dt
    integer, intent(out) :: count
    real(8) :: pold(nl), sold(nl), eold(nl), plast(nl), change
    pold = c%p
    sold = c%sig
    eold = c%e
    do count = 1, 5
      plast = c%p
      call properties(c, cc, k0)
      call pressure(c, pold, load, drain, dt)
      c%sig = max(sold + load - (c%p - pold), 0.05d0)
      c%e = eold - cc*log(c%sig/sold)
      change = maxval(abs(c%p - plast))
      if (change < 1d-8) exit
    end do
  end subroutine iterate
  real(8) function settlement(c, e0)
    type(column), intent(in) :: c
    real(8), intent(in) :: e0
    settlement = sum((1.5d0 + e0 - c%e)/(2.5d0 + e0))*c%dz
  end function settlement
end module clay
subroutine consolid(nt, lift, e0, cc, k0, drain, seen, misfit)
  use clay
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: lift(nt), e0, cc, k0, drain, seen(nt)
  real(8), intent(out) :: misfit
  type(column) :: c
  integer :: it, count, all
  call setup(c, 0.1d0*e0, 0.3d0 + 0.2d0*cc)
  misfit = 0d0
  all = 0
  do it = 1, nt
    !$AD CHECKPOINT-START
    call iterate(c, 0.1d0*lift(it), 0.3d0 + 0.2d0*cc, 0.1d0*k0, 0.2d0*drain, 0.5d0, count)
    !$AD CHECKPOINT-END
    all = all + count
    misfit = misfit + (settlement(c, 0.1d0*e0) - seen(it))**2
  end do
end subroutine consolid
