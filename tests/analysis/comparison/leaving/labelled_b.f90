subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, k
  real*8 :: x(n), y, t
  real*8 :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  integer :: branch
  integer :: ad_count0
  integer :: i1
  t = 1
  i = 1
  ad_count0 = 1
 10 if (i .le. n) then
    k = 0
    ad_count = 1
 20 k = k + 1
    call pushreal8(t)  ! a
    t = t*x(i) + sin(t)
    if (t .le. 5) then
      if (k .lt. 3) then
        ad_count = ad_count + 1
        goto 20
      else
        goto 100
      end if
    end if
    call pushcontrol1b(0)
    call pushinteger4(ad_count)  ! b
    call pushcontrol1b(0)
    goto 30
 100 call pushcontrol1b(1)
    call pushinteger4(ad_count)  ! b
    call pushreal8(t)  ! c
    t = t*t*0.1d0
    call pushcontrol1b(1)
 30 call pushinteger4(i)  ! d
    i = i + 1
    ad_count0 = ad_count0 + 1
    goto 10
  end if
  call pushinteger4(ad_count0)  ! e
  tb = 2*t*yb
  call popinteger4(ad_count0)  ! e
  do i1=1,ad_count0
    if (i1 .eq. 1) then
      xb = 0.0_8
    else
      call popinteger4(i)  ! d
      call popcontrol1b(branch)
      if (branch .ne. 0) then
        call popreal8(t)  ! c
        tb = 2*t*0.1d0*tb
      end if
      call popinteger4(ad_count)  ! b
      do i0=1,ad_count
        if (i0 .eq. 1) call popcontrol1b(branch)
        call popreal8(t)  ! a
        xb(i) = xb(i) + t*tb
        tb = (x(i)+cos(t))*tb
      end do
    end if
  end do
  yb = 0.0_8
end subroutine model_b
