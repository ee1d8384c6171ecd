subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real*8 :: x(n), y, t
  real*8 :: xb(n), yb, tb
  integer :: branch
  t = 1
  do i=1,n
    goto (10, 20) 1 + mod(i, 3)
    call pushreal8(t)  ! a
    t = t*t*x(i)
    call pushcontrol2b(0)
    goto 30
 20 if (x(i) - 1 .lt. 0) then
      call pushcontrol2b(2)
    else
      if (x(i) - 1 .eq. 0) then
        t = 2*t
        call pushcontrol1b(1)
      else
        call pushcontrol1b(0)
      end if
      call pushreal8(t)  ! b
      t = t*t + x(i)
      call pushcontrol2b(3)
    end if
    goto 30
 10 call pushreal8(t)  ! c
    t = sin(t)*x(i)
    call pushcontrol2b(1)
 30 call pushreal8(t)  ! d
    t = t*x(1)
  end do
  tb = 2*t*yb
  xb = 0.0_8
  do i=n,1,-1
    call popreal8(t)  ! d
    xb(1) = xb(1) + t*tb
    tb = x(1)*tb
    call popcontrol2b(branch)
    if (branch .lt. 2) then
      if (branch .eq. 0) then
        call popreal8(t)  ! a
        xb(i) = xb(i) + t**2*tb
        tb = 2*t*x(i)*tb
      else
        call popreal8(t)  ! c
        xb(i) = xb(i) + sin(t)*tb
        tb = cos(t)*x(i)*tb
      end if
    else if (branch .ne. 2) then
      call popreal8(t)  ! b
      xb(i) = xb(i) + tb
      tb = 2*t*tb
      call popcontrol1b(branch)
      if (branch .ne. 0) tb = 2*tb
    end if
  end do
  yb = 0.0_8
end subroutine model_b
