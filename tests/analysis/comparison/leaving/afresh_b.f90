subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, it, mode, ad_count, i, branch
  real(8) :: x(n), xb(n), y, yb, t, tb
  t = x(1)
  do mode=1,2
    it = 0
    ad_count = 1
 30 call pushinteger4(it)  ! a
    it = it + 1
    if (t .ge. 1) then
      if (it .gt. 4) then
        goto 100
      else
        call pushreal8(t)  ! b
        t = t - 0.25d0*t*x(it)
        ad_count = ad_count + 1
        goto 30
      end if
    end if
    call pushcontrol1b(0)
    call pushinteger4(ad_count)  ! c
    goto 50
 100 call pushcontrol1b(1)
    call pushinteger4(ad_count)  ! c
 50 call pushreal8(t)  ! d
    t = t*x(mode+1)
  end do
  tb = 2*t*yb
  xb = 0.0_8
  do mode=2,1,-1
    call popreal8(t)  ! d
    xb(mode+1) = xb(mode+1) + t*tb
    tb = x(mode+1)*tb
    call popinteger4(ad_count)  ! c
    do i=1,ad_count
      if (i .eq. 1) then
        call popcontrol1b(branch)
      else
        call popreal8(t)  ! b
        xb(it) = xb(it) - t*0.25d0*tb
        tb = (1.0-x(it)*0.25d0)*tb
      end if
      call popinteger4(it)  ! a
    end do
  end do
  xb(1) = xb(1) + tb
  yb = 0.0_8
end subroutine model_b
