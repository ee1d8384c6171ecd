subroutine residual_b(t, tb, e, eb)
  real*8 :: t, e
  real*8 :: tb, eb
  tb = tb + 2*t*eb
end subroutine residual_b
subroutine slope_b(t, tb, g, gb)
  real*8 :: t, g
  real*8 :: tb, gb
  tb = tb + 2*gb
end subroutine slope_b
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, it, mode
  real*8 :: x(n), y, t, e, g
  real*8 :: xb(n), yb, tb, eb, gb
  real*8 :: tempb
  integer :: ad_count
  integer :: i
  integer :: branch
  integer :: ad_count0
  integer :: i0
  mode = 0
  t = x(1)
  ad_count0 = 1
 20 it = 0
  ad_count = 1
 30 it = it + 1
  call pushreal8(e)  ! a
  call residual(t, e)
  if (e .ge. 0.3d0) then
    if (it .gt. 4) then
      goto 100
    else
      call pushreal8(g)  ! b
      call slope(t, g)
      call pushreal8(t)  ! c
      t = t - x(2)*e/g
      ad_count = ad_count + 1
      goto 30
    end if
  end if
  call pushcontrol1b(0)
  call pushinteger4(ad_count)  ! d
  goto 50
 100 call pushcontrol1b(1)
  call pushinteger4(ad_count)  ! d
 50 if (mode .lt. 2) then
    mode = mode + 1
    call pushreal8(t)  ! e
    t = t*x(3)
    ad_count0 = ad_count0 + 1
    goto 20
  end if
  call pushinteger4(ad_count0)  ! f
  tb = 2*t*yb
  call popinteger4(ad_count0)  ! f
  do i0=1,ad_count0
    if (i0 .eq. 1) then
      xb = 0.0_8
    else
      call popreal8(t)  ! e
      xb(3) = xb(3) + t*tb
      tb = x(3)*tb
    end if
    call popinteger4(ad_count)  ! d
    do i=1,ad_count
      if (i .eq. 1) then
        call popcontrol1b(branch)
        if (branch .eq. 0) then
          eb = 0.0_8
        else
          eb = 0.0_8
        end if
      else
        call popreal8(t)  ! c
        xb(2) = xb(2) - e*tb/g
        tempb = -(x(2)*tb/g)
        eb = tempb
        gb = -(e*tempb/g)
        call popreal8(g)  ! b
        call slope_b(t, tb, g, gb)
      end if
      call popreal8(e)  ! a
      call residual_b(t, tb, e, eb)
    end do
  end do
  xb(1) = xb(1) + tb
  yb = 0.0_8
end subroutine model_b
