subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, j
  real(8) :: x(n), y, t
  real(8) :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  integer :: branch
  integer :: ad_count0
  integer :: i1
  t = 1
  call pushinteger4(i)  ! a
  ad_count0 = 1
  do i=1,n
    call pushinteger4(j)  ! b
    ad_count = 1
    do j=1,3
      call pushreal8(t)  ! c
      t = t*x(i)
      if (t .gt. 5) then
        goto 100
      else
        call pushreal8(t)  ! d
        t = t*t + x(j)
        call pushinteger4(j)  ! b
        ad_count = ad_count + 1
      end if
    end do
    call pushcontrol1b(0)
    call pushinteger4(ad_count)  ! e
    goto 110
 100 call pushcontrol1b(1)
    call pushinteger4(ad_count)  ! e
 110 call pushreal8(t)  ! f
    t = sin(t)
    if (t .lt. 0.1) then
      goto 120
    else
      call pushreal8(t)  ! g
      t = t*2*x(i)
      call pushinteger4(i)  ! a
      ad_count0 = ad_count0 + 1
    end if
  end do
  call pushcontrol1b(0)
  call pushinteger4(ad_count0)  ! h
  goto 130
 120 call pushcontrol1b(1)
  call pushinteger4(ad_count0)  ! h
 130 tb = 2*t*yb
  call popinteger4(ad_count0)  ! h
  do i1=1,ad_count0
    if (i1 .eq. 1) then
      call popcontrol1b(branch)
      if (branch .eq. 0) then
        xb = 0.0_8
        goto 150
      else
        xb = 0.0_8
      end if
    else
      call popreal8(t)  ! g
      xb(i) = xb(i) + t*2*tb
      tb = x(i)*2*tb
    end if
    call popreal8(t)  ! f
    tb = cos(t)*tb
    call popinteger4(ad_count)  ! e
    do i0=1,ad_count
      if (i0 .eq. 1) then
        call popcontrol1b(branch)
        if (branch .eq. 0) goto 140
      else
        call popreal8(t)  ! d
        xb(j) = xb(j) + tb
        tb = 2*t*tb
      end if
      call popreal8(t)  ! c
      xb(i) = xb(i) + t*tb
      tb = x(i)*tb
 140  call popinteger4(j)  ! b
    end do
 150 call popinteger4(i)  ! a
  end do
  yb = 0.0_8
end subroutine model_b
