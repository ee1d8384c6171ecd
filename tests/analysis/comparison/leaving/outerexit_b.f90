subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, k
  real*8 :: x(n), y, t
  real*8 :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  integer :: branch
  t = 1
  call pushinteger4(i)  ! a
  call pushcontrol1b(0)
outer:do i=1,n
    call pushinteger4(k)  ! b
    ad_count = 1
    do k=1,n
      call pushreal8(t)  ! c
      t = t*x(k) + sin(t)
      if (t .gt. 5) then
        goto 100
      else
        call pushinteger4(k)  ! b
        ad_count = ad_count + 1
      end if
    end do
    call pushcontrol1b(0)
    call pushinteger4(ad_count)  ! d
    call pushreal8(t)  ! e
    t = t*t*x(i)
    call pushinteger4(i)  ! f
    call pushcontrol1b(1)
  end do outer
  call pushcontrol1b(0)
  goto 110
 100 call pushcontrol1b(1)
  call pushinteger4(ad_count)  ! d
  call pushcontrol1b(1)
 110 tb = 2*t*yb
  call popcontrol1b(branch)
  if (branch .eq. 0) then
    xb = 0.0_8
    goto 140
  end if
 120 call popinteger4(ad_count)  ! d
  do i0=1,ad_count
    if (i0 .eq. 1) then
      call popcontrol1b(branch)
      if (branch .eq. 0) then
        goto 130
      else
        xb = 0.0_8
      end if
    end if
    call popreal8(t)  ! c
    xb(k) = xb(k) + t*tb
    tb = (x(k)+cos(t))*tb
 130 call popinteger4(k)  ! b
  end do
 140 call popcontrol1b(branch)
  if (branch .ne. 0) then
    call popinteger4(i)  ! f
    call popreal8(t)  ! e
    xb(i) = xb(i) + t**2*tb
    tb = 2*t*x(i)*tb
    goto 120
  end if
  call popinteger4(i)  ! a
  yb = 0.0_8
end subroutine model_b
