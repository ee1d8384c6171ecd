subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real*8 :: x(n), y, t
  real*8 :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  integer :: branch
  t = 1
  i = 1
  ad_count = 1
 10 if (i .le. n) then
    call pushreal8(t)  ! a
    t = t*x(i) + sin(t)
    if (t .gt. 50) then
      goto 100
    else
      call pushreal8(t)  ! b
      t = t*x(i)
      call pushinteger4(i)  ! c
      i = i + 1
      ad_count = ad_count + 1
      goto 10
    end if
  end if
  call pushcontrol1b(0)
  call pushinteger4(ad_count)  ! d
  goto 20
 100 call pushcontrol1b(1)
  call pushinteger4(ad_count)  ! d
 20 tb = 2*t*yb
  call popinteger4(ad_count)  ! d
  do 110 i0=1,ad_count
    if (i0 .eq. 1) then
      call popcontrol1b(branch)
      if (branch .eq. 0) then
        xb = 0.0_8
        goto 110
      else
        xb = 0.0_8
      end if
    else
      call popinteger4(i)  ! c
      call popreal8(t)  ! b
      xb(i) = xb(i) + t*tb
      tb = x(i)*tb
    end if
    call popreal8(t)  ! a
    xb(i) = xb(i) + t*tb
    tb = (x(i)+cos(t))*tb
 110 continue
  yb = 0.0_8
end subroutine model_b
