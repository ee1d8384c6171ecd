! Heat exchange in a stack of radiating plates by a fixed point that Anderson's method speeds up: a ring of the last
! differences, least squares by Gram-Schmidt with dropped columns, restart when the residual grows, an early way out.
module andmix
  implicit none
  integer, parameter :: np = 6, mk = 3
  real(8) :: df(np, mk), dg(np, mk), qk(np, mk), rk(mk, mk)
  integer :: nhist
contains
  subroutine clear_history()
    nhist = 0
    df = 0d0
    dg = 0d0
  end subroutine clear_history
  subroutine remember(fo, f, go, g)
    real(8), intent(in) :: fo(np), f(np), go(np), g(np)
    integer :: j
    if (nhist == mk) then
      do j = 1, mk - 1
        df(:, j) = df(:, j+1)
        dg(:, j) = dg(:, j+1)
      end do
      nhist = mk - 1
    end if
    nhist = nhist + 1
    df(:, nhist) = f - fo
    dg(:, nhist) = g - go
  end subroutine remember
  subroutine orthogonal()
    integer :: i, j
    real(8) :: s
    do j = 1, nhist
      qk(:, j) = df(:, j)
      do i = 1, j - 1
        rk(i, j) = sum(qk(:, i)*qk(:, j))
        qk(:, j) = qk(:, j) - rk(i, j)*qk(:, i)
      end do
      s = sqrt(sum(qk(:, j)*qk(:, j)) + 1d-4)
      rk(j, j) = s
      qk(:, j) = qk(:, j)/s
    end do
  end subroutine orthogonal
  subroutine mixed(f, g, x)
    real(8), intent(in) :: f(np), g(np)
    real(8), intent(out) :: x(np)
    real(8) :: gam(mk)
    integer :: i, j
    call orthogonal()
    do j = nhist, 1, -1
      gam(j) = sum(qk(:, j)*f)
      do i = j + 1, nhist
        gam(j) = gam(j) - rk(j, i)*gam(i)
      end do
      gam(j) = gam(j)/rk(j, j)
    end do
    x = g
    do j = 1, nhist
      x = x - gam(j)*dg(:, j)
    end do
  end subroutine mixed
end module andmix
subroutine plates_map(t, emis, cond, qin, g)
  use andmix, only: np
  implicit none
  real(8), intent(in) :: t(np), emis(np), cond, qin
  real(8), intent(out) :: g(np)
  real(8) :: up, down, ex
  integer :: i
  do i = 1, np
    up = 0.2d0
    down = qin
    ex = emis(i)
    if (i > 1) then
      up = t(i-1)**4
      ex = 1d0/(1d0/emis(i) + 1d0/emis(i-1))
    end if
    if (i < np) down = t(i+1)**4
    g(i) = t(i) + 0.1d0*(ex*(up + down - 2d0*t(i)**4) + cond*(0.9d0 - t(i)))
  end do
end subroutine plates_map
subroutine anderson(nt, emis0, cond, load, area, cost)
  use andmix
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: emis0(np), cond, load(nt), area
  real(8), intent(out) :: cost
  real(8) :: t(np), g(np), f(np), fo(np), go(np), emis(np), res, last
  integer :: it, k
  do k = 1, np
    t(k) = 0.8d0 + 0.02d0*k
    emis(k) = 0.3d0 + 0.3d0*emis0(k)/(1d0 + emis0(k))
  end do
  cost = 0d0
  do it = 1, nt
    !$AD CHECKPOINT-START
    call clear_history()
    last = 1d10
    do k = 1, 8
      call plates_map(t, emis, cond, load(it)*area, g)
      f = g - t
      res = sqrt(sum(f*f) + 1d-14)
      if (res < 2d-3) exit
      if (res > 1.5d0*last) call clear_history()
      if (k > 1) call remember(fo, f, go, g)
      fo = f
      go = g
      if (k > 1 .and. nhist > 0) then
        call mixed(f, g, t)
      else
        t = g
      end if
      where (t < 0.3d0) t = 0.3d0
      last = res
    end do
    !$AD CHECKPOINT-END
    cost = cost + (t(1) - 0.9d0)**2 + 0.1d0*t(np)*load(it)
    emis = emis - 0.01d0*emis*t
  end do
end subroutine anderson
