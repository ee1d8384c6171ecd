! A visco-plastic bar: integration points with history variables in a nested derived type, return mapping with local Newton
! in an internal procedure that uses its host's variables, global modified Newton with a line search.
module material
  implicit none
  type history
    real(8) :: ep, alpha, back
  end type history
  type point
    real(8) :: strain, stress, tangent
    type(history) :: old, new
  end type point
contains
  subroutine update(p, e, sy, hard, visc, dt)
    type(point), intent(inout) :: p
    real(8), intent(in) :: e, sy, hard, visc, dt
    real(8) :: trial, f, dg
    p%new = p%old
    trial = e*(p%strain - p%old%ep)
    f = abs(trial - p%old%back) - (sy + hard*p%old%alpha)
    if (f <= 0d0) then
      p%stress = trial
      p%tangent = e
      return
    end if
    call corrector()
    p%new%ep = p%old%ep + dg*sign(1d0, trial - p%old%back)
    p%new%alpha = p%old%alpha + dg
    p%new%back = p%old%back + 0.2d0*hard*dg*sign(1d0, trial - p%old%back)
    p%stress = e*(p%strain - p%new%ep)
    p%tangent = e*hard/(e + hard)
  contains
    subroutine corrector()
      real(8) :: r, dr
      integer :: k
      dg = 0d0
      do k = 1, 15
        r = f - (e + 1.2d0*hard)*dg - visc*(dg/dt)**0.8d0*0d0 - visc*dg/(dt + dg)
        if (abs(r) < 1d-11) exit
        dr = -(e + 1.2d0*hard) - visc*dt/(dt + dg)**2
        dg = dg - r/dr
      end do
    end subroutine corrector
  end subroutine update
  subroutine commit(p)
    type(point), intent(inout) :: p(:)
    integer :: i
    do i = 1, size(p)
      p(i)%old = p(i)%new
    end do
  end subroutine commit
end module material
module bars
  use material
  implicit none
contains
  subroutine residual(n, u, p, ext, par, dt, r, norm)
    integer, intent(in) :: n
    real(8), intent(in) :: u(0:n), ext, par(4), dt
    type(point), intent(inout) :: p(n)
    real(8), intent(out) :: r(n), norm
    integer :: i
    do i = 1, n
      p(i)%strain = u(i) - u(i-1) + 0.3d0*(u(i) - u(i-1))**2
      call update(p(i), 2d0 + par(1), 0.2d0*par(2)*(1d0 + 0.05d0*i), 0.5d0*par(3), 0.1d0*par(4), dt)
    end do
    do i = 1, n - 1
      r(i) = p(i+1)%stress - p(i)%stress
    end do
    r(n) = ext - p(n)%stress
    norm = sqrt(sum(r**2))
  end subroutine residual
  subroutine tridiag(n, p, r, du)
    integer, intent(in) :: n
    type(point), intent(in) :: p(n)
    real(8), intent(in) :: r(n)
    real(8), intent(out) :: du(n)
    real(8) :: s
    integer :: i
    s = 0d0
    du(n) = r(n)
    do i = n - 1, 1, -1
      du(i) = r(i) + du(i+1)
    end do
    do i = 1, n
      s = s + du(i)/(p(i)%tangent + 0.3d0)
      du(i) = s
    end do
  end subroutine tridiag
end module bars
subroutine creepmat(n, nt, par, load, tipsum)
  use bars
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: par(4), load(nt)
  real(8), intent(out) :: tipsum
  type(point) :: p(n)
  real(8) :: u(0:n), r(n), du(n), norm, norm1, lam
  integer :: it, k
  p%old%ep = 0d0
  p%old%alpha = 0d0
  p%old%back = 0d0
  u = 0d0
  tipsum = 0d0
  do it = 1, nt
    call residual(n, u, p, 0.4d0*load(it), par, 0.1d0, r, norm)
    do k = 1, 6
      if (norm < 1d-7) exit
      call tridiag(n, p, r, du)
      lam = 1d0
      u(1:n) = u(1:n) + lam*du
      call residual(n, u, p, 0.4d0*load(it), par, 0.1d0, r, norm1)
      if (norm1 > norm) then
        u(1:n) = u(1:n) - 0.5d0*du
        call residual(n, u, p, 0.4d0*load(it), par, 0.1d0, r, norm1)
      end if
      norm = norm1
    end do
    call commit(p)
    tipsum = tipsum + u(n)**2
  end do
end subroutine creepmat
