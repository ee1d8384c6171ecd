! Fish in recirculated tanks: growth by a bioenergetic budget, ammonia and nitrite in a biofilter, oxygen by aeration;
! feeding plans by SELECT CASE, optional arguments for drugs and harvest, tanks of a module's allocated type.
module farm
  implicit none
  integer, parameter :: nt = 3
  type tank
    real(8) :: w, n, o2, tan, no2
    integer :: plan
  end type tank
  type(tank), allocatable :: tanks(:)
  real(8) :: biofilm(2)
contains
  subroutine stock(w0, n0)
    real(8), intent(in) :: w0, n0(nt)
    integer :: k
    do k = 1, nt
      tanks(k)%w = 0.3d0*w0*(1d0 + 0.1d0*k)
      tanks(k)%n = n0(k)
      tanks(k)%o2 = 0.9d0
      tanks(k)%tan = 0.05d0
      tanks(k)%no2 = 0.02d0
      tanks(k)%plan = k
    end do
    biofilm = 0.3d0
  end subroutine stock
  function ration(plan, w, day) result(r)
    integer, intent(in) :: plan, day
    real(8), intent(in) :: w
    real(8) :: r
    select case (plan)
    case (1)
      r = 0.05d0*w**0.7d0
    case (2)
      r = 0.04d0
      if (mod(day, 2) == 0) r = 0.06d0*w
    case default
      r = 0.06d0*w/(0.5d0 + w)
    end select
  end function ration
  subroutine grow(tk, temp, feed, waste, drug)
    type(tank), intent(inout) :: tk
    real(8), intent(in) :: temp, feed
    real(8), intent(out) :: waste
    real(8), intent(in), optional :: drug
    real(8) :: eaten, resp, tox
    tox = 1d0/(1d0 + (tk%tan/0.3d0)**2)
    if (present(drug)) tox = tox*(1d0 - 0.2d0*drug)
    eaten = feed*tox*tk%o2/(0.2d0 + tk%o2)
    resp = 0.02d0*tk%w**0.8d0*exp(0.07d0*(temp - 1d0))
    tk%w = tk%w + 0.7d0*eaten - resp
    tk%o2 = tk%o2 - 0.3d0*tk%n*(resp + 0.2d0*eaten)
    if (tk%o2 < 0.1d0) then
      tk%n = tk%n*(0.8d0 + 2d0*tk%o2)
      tk%o2 = 0.1d0
    end if
    waste = 0.1d0*tk%n*eaten
  end subroutine grow
  subroutine nitrify(tk, flow)
    type(tank), intent(inout) :: tk
    real(8), intent(in) :: flow
    real(8) :: r1, r2
    integer :: k
    do k = 1, 3
      r1 = biofilm(1)*tk%tan/(0.1d0 + tk%tan)*tk%o2
      r2 = biofilm(2)*tk%no2/(0.15d0 + tk%no2)*tk%o2
      tk%tan = max(tk%tan - 0.3d0*flow*r1, 0d0)
      tk%no2 = max(tk%no2 + 0.3d0*flow*(r1 - r2), 0d0)
      biofilm(1) = biofilm(1) + 0.05d0*(r1 - 0.1d0*biofilm(1))
      biofilm(2) = biofilm(2) + 0.04d0*(r2 - 0.1d0*biofilm(2))
    end do
    tk%o2 = tk%o2 + flow*(1d0 - tk%o2)*0.5d0
  end subroutine nitrify
  subroutine harvest(tk, gain, limit)
    type(tank), intent(inout) :: tk
    real(8), intent(inout) :: gain
    real(8), intent(in), optional :: limit
    real(8) :: cut
    cut = 0.5d0
    if (present(limit)) cut = limit
    if (tk%w > cut) then
      gain = gain + 0.3d0*tk%n*tk%w
      tk%n = 0.7d0*tk%n
    end if
  end subroutine harvest
end module farm
subroutine aquacult(nd, w0, n0, temp, flow, drug, gain)
  use farm
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: w0, n0(nt), temp(nd), flow, drug
  real(8), intent(out) :: gain
  real(8) :: waste
  integer :: d, k
  allocate(tanks(nt))
  call stock(w0, n0)
  gain = 0d0
  do d = 1, nd
    do k = 1, nt
      if (k == 2 .and. d > 2) then
        call grow(tanks(k), temp(d), ration(tanks(k)%plan, tanks(k)%w, d), waste, drug)
      else
        call grow(tanks(k), temp(d), ration(tanks(k)%plan, tanks(k)%w, d), waste)
      end if
      tanks(k)%tan = tanks(k)%tan + waste
      call nitrify(tanks(k), flow)
      if (k == 3) then
        call harvest(tanks(k), gain, 0.4d0)
      else
        call harvest(tanks(k), gain)
      end if
    end do
  end do
  do k = 1, nt
    gain = gain + tanks(k)%w*tanks(k)%n - 0.5d0*tanks(k)%no2
  end do
  deallocate(tanks)
end subroutine aquacult
