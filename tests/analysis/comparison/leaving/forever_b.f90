subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real(8) :: x(n), y, t
  real(8) :: xb(n), yb, tb
  integer :: ad_count
  integer :: i0
  t = 1
  i = 1
  ad_count = 1
  do 
    call pushreal8(t)  ! a
    t = t*x(i)
    call pushinteger4(i)  ! b
    i = i + 1
    if (i .gt. n) then
      exit
    else
      call pushreal8(t)  ! c
      t = t*t
      ad_count = ad_count + 1
    end if
  end do
  call pushinteger4(ad_count)  ! d
  tb = 2*t*yb
  call popinteger4(ad_count)  ! d
  do i0=1,ad_count
    if (i0 .eq. 1) then
      xb = 0.0_8
    else
      call popreal8(t)  ! c
      tb = 2*t*tb
    end if
    call popinteger4(i)  ! b
    call popreal8(t)  ! a
    xb(i) = xb(i) + t*tb
    tb = x(i)*tb
  end do
  yb = 0.0_8
end subroutine model_b
