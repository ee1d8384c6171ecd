subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, it
  real(8) :: x(n), y, t
  real(8) :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  integer :: branch
  t = x(1)
  do it=1,2
    call pushreal8(t)  ! a
    do i=1,n
      t = t*x(i)
      if (t .gt. 5) then
        goto 90
      else
        t = t*t + x(i)
      end if
    end do
 90 call pushreal8(t)  ! b
    t = sin(t)
  end do
  tb = 2*t*yb
  xb = 0.0_8
  do it=2,1,-1
    call popreal8(t)  ! b
    tb = cos(t)*tb
    call popreal8(t)  ! a
    call pushinteger4(i)  ! c
    ad_count = 1
    do i=1,n
      call pushreal8(t)  ! d
      t = t*x(i)
      if (t .gt. 5) then
        goto 100
      else
        call pushreal8(t)  ! e
        t = t*t + x(i)
        call pushinteger4(i)  ! c
        ad_count = ad_count + 1
      end if
    end do
    call pushcontrol1b(0)
    goto 110
 100 call pushcontrol1b(1)
 110 do i0=1,ad_count
      if (i0 .eq. 1) then
        call popcontrol1b(branch)
        if (branch .eq. 0) goto 120
      else
        call popreal8(t)  ! e
        xb(i) = xb(i) + tb
        tb = 2*t*tb
      end if
      call popreal8(t)  ! d
      xb(i) = xb(i) + t*tb
      tb = x(i)*tb
 120  call popinteger4(i)  ! c
    end do
  end do
  xb(1) = xb(1) + tb
  yb = 0.0_8
end subroutine model_b
