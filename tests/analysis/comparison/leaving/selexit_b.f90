subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real(8) :: x(n), y, t
  real(8) :: xb(n), yb, tb
  integer :: branch
  integer :: ad_count
  integer :: i0
  t = 1
  call pushinteger4(i)  ! a
  ad_count = 1
  do i=1,n
    call pushreal8(t)  ! b
    t = t*x(i)
    if (t .gt. 5) then
      call pushreal8(t)  ! c
      t = t*t - 22
      if (t .gt. 7) then
        goto 100
      else
        call pushreal8(t)  ! d
        t = t*x(1)
        call pushcontrol1b(0)
      end if
    else
      call pushreal8(t)  ! e
      t = cos(t)
      call pushcontrol1b(1)
    end if
    call pushreal8(t)  ! f
    t = t*t + x(i)
    call pushinteger4(i)  ! a
    ad_count = ad_count + 1
  end do
  call pushcontrol1b(0)
  call pushinteger4(ad_count)  ! g
  call pushcontrol1b(0)
  goto 110
 100 call pushcontrol1b(1)
  call pushinteger4(ad_count)  ! g
  call pushreal8(t)  ! h
  t = sin(t)
  call pushcontrol1b(1)
 110 tb = 2*t*yb
  call popcontrol1b(branch)
  if (branch .ne. 0) then
    call popreal8(t)  ! h
    tb = cos(t)*tb
  end if
  call popinteger4(ad_count)  ! g
  do i0=1,ad_count
    if (i0 .eq. 1) then
      call popcontrol1b(branch)
      if (branch .eq. 0) then
        xb = 0.0_8
        goto 130
      else
        xb = 0.0_8
      end if
    else
      call popreal8(t)  ! f
      xb(i) = xb(i) + tb
      tb = 2*t*tb
      call popcontrol1b(branch)
      if (branch .eq. 0) then
        call popreal8(t)  ! d
        xb(1) = xb(1) + t*tb
        tb = x(1)*tb
      else
        call popreal8(t)  ! e
        tb = -(sin(t)*tb)
        goto 120
      end if
    end if
    call popreal8(t)  ! c
    tb = 2*t*tb
 120 call popreal8(t)  ! b
    xb(i) = xb(i) + t*tb
    tb = x(i)*tb
 130 call popinteger4(i)  ! a
  end do
  yb = 0.0_8
end subroutine model_b
