subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real*8 :: x(n), y, t
  real*8 :: xb(n), yb, tb
  integer :: branch
  integer :: ad_count
  integer :: i0
  t = 1
  i = 0
  ad_count = 1
 10 call pushinteger4(i)  ! a
  i = i + 1
  call pushreal8(t)  ! b
  t = t*x(i) + sin(t)
  if (t .gt. 3) then
    call pushreal8(t)  ! c
    t = sqrt(t)
    call pushcontrol1b(0)
  else
    call pushcontrol1b(1)
  end if
  if (i .lt. n) then
    ad_count = ad_count + 1
    goto 10
  end if
  call pushinteger4(ad_count)  ! d
  tb = 2*t*yb
  call popinteger4(ad_count)  ! d
  do i0=1,ad_count
    if (i0 .eq. 1) xb = 0.0_8
    call popcontrol1b(branch)
    if (branch .eq. 0) then
      call popreal8(t)  ! c
      if (t .eq. 0.0) then
        tb = 0.0_8
      else
        tb = tb/(2.0*sqrt(t))
      end if
    end if
    call popreal8(t)  ! b
    xb(i) = xb(i) + t*tb
    tb = (x(i)+cos(t))*tb
    call popinteger4(i)  ! a
  end do
  yb = 0.0_8
end subroutine model_b
