! A field model on a calendar: crop stages, soil bucket with three layers, irrigation on demand limited by an allowance, state
! kept in SAVEd module variables with an INITIAL routine.
module field
  implicit none
  integer, parameter :: nz = 3
  real(8), save :: w(nz), root, lai, heat, allowance
  real(8), parameter :: fc(nz) = (/0.35d0, 0.33d0, 0.3d0/), wp(nz) = (/0.12d0, 0.12d0, 0.1d0/)
contains
  subroutine initial(w0, allow)
    real(8), intent(in) :: w0(nz), allow
    integer :: k
    do k = 1, nz
      w(k) = wp(k) + 0.15d0*w0(k)
    end do
    root = 0.1d0
    lai = 0.1d0
    heat = 0d0
    allowance = 0.3d0*allow
  end subroutine initial
  subroutine stress(s, avail)
    real(8), intent(out) :: s, avail(nz)
    real(8) :: share(nz)
    integer :: k
    do k = 1, nz
      avail(k) = max(0d0, (w(k) - wp(k))/(fc(k) - wp(k)))
      share(k) = exp(-k/(3d0*root))
    end do
    share = share/sum(share)
    avail = min(avail, 1d0)
    s = sum(share*avail)
    avail = share*avail
  end subroutine stress
  subroutine water(rain, et0, s, avail, drain)
    real(8), intent(in) :: rain, et0, s, avail(nz)
    real(8), intent(out) :: drain
    real(8) :: inflow, tr, excess
    integer :: k
    tr = et0*(1d0 - exp(-0.6d0*lai))
    inflow = rain
    do k = 1, nz
      w(k) = w(k) + inflow - tr*avail(k)*s
      excess = max(0d0, w(k) - fc(k))
      w(k) = w(k) - 0.6d0*excess
      inflow = 0.6d0*excess
    end do
    w(1) = w(1) - et0*exp(-0.6d0*lai)*w(1)
    drain = inflow
  end subroutine water
  subroutine develop(temp, s)
    real(8), intent(in) :: temp, s
    real(8) :: d
    heat = heat + max(temp - 0.3d0, 0d0)
    if (heat < 1d0) then
      root = root + 0.05d0*s
      d = 0.3d0*lai*s
    else if (heat < 3d0) then
      root = min(root + 0.02d0, 1d0)
      d = 0.4d0*lai*s*(1d0 - lai/4d0)
    else
      d = -0.1d0*lai
    end if
    lai = lai + d
  end subroutine develop
end module field
subroutine irrigate(nd, w0, allow, rain, temp, price, profit)
  use field
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: w0(nz), allow, rain(nd), temp(nd), price
  real(8), intent(out) :: profit
  real(8) :: s, avail(nz), drain, irr, yield, used
  integer :: id
  call initial(w0, allow)
  yield = 0d0
  used = 0d0
  do id = 1, nd
    call stress(s, avail)
    irr = 0d0
    if (s < 0.6d0 .and. allowance > 0d0) then
      irr = min(0.05d0, allowance)
      allowance = allowance - irr
    end if
    call water(0.05d0*rain(id)**2 + irr, 0.05d0*temp(id), s, avail, drain)
    call develop(temp(id), s)
    yield = yield + lai*s
    used = used + irr + 0.3d0*drain
  end do
  profit = price*yield - used**2
end subroutine irrigate
