subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real(8) :: x(n), y, t
  real(8) :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  integer :: branch
  t = x(1)*x(2)
  if (t .lt. 0) then
    xb = 0.0_8
    tb = 0.0_8
  else
    call pushreal8(t)  ! a
    t = t*t
    call pushinteger4(i)  ! b
    ad_count = 1
    do i=1,n
      call pushreal8(t)  ! c
      t = t*x(i)
      if (t .gt. 5) then
        goto 100
      else
        call pushreal8(t)  ! d
        t = t*t + x(i)
        call pushinteger4(i)  ! b
        ad_count = ad_count + 1
      end if
    end do
    call pushcontrol1b(0)
    call pushinteger4(ad_count)  ! e
    tb = 2*t*yb
    goto 110
 100 call pushcontrol1b(1)
    call pushinteger4(ad_count)  ! e
 110 call popinteger4(ad_count)  ! e
    do i0=1,ad_count
      if (i0 .eq. 1) then
        call popcontrol1b(branch)
        if (branch .eq. 0) then
          xb = 0.0_8
          goto 120
        else
          xb = 0.0_8
          tb = 0.0_8
        end if
      else
        call popreal8(t)  ! d
        xb(i) = xb(i) + tb
        tb = 2*t*tb
        yb = 0.0_8
      end if
      tb = tb + yb
      call popreal8(t)  ! c
      xb(i) = xb(i) + t*tb
      tb = x(i)*tb
 120  call popinteger4(i)  ! b
    end do
    call popreal8(t)  ! a
    tb = 2*t*tb
    yb = 0.0_8
  end if
  tb = tb + yb
  xb(1) = xb(1) + x(2)*tb
  xb(2) = xb(2) + x(1)*tb
  yb = 0.0_8
end subroutine model_b
