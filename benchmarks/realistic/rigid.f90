! Boxes that are stacked and pushed: contacts as records in a list, velocities by sequential impulses with warm start,
! friction clamped by the normal impulse, restitution above a speed, positions by projection; a body sleeps when slow.
module rigid_data
  implicit none
  integer, parameter :: nb = 4, mk = 8
  type rbody
    real(8) :: p(3), v(3), im, ii, half
    logical :: asleep
  end type rbody
  type touch
    integer :: a, b
    real(8) :: r(2), n(2), depth, jn, jt, bounce
  end type touch
contains
  subroutine find_contacts(bod, k, nk)
    type(rbody), intent(in) :: bod(nb)
    type(touch), intent(inout) :: k(mk)
    integer, intent(out) :: nk
    real(8) :: gap
    integer :: i
    nk = 0
    do i = 1, nb
      if (i == 1) then
        gap = bod(1)%p(2) - bod(1)%half
      else
        gap = bod(i)%p(2) - bod(i-1)%p(2) - bod(i)%half - bod(i-1)%half
      end if
      if (gap < 0.01d0) then
        nk = nk + 1
        k(nk)%a = i
        k(nk)%b = i - 1
        k(nk)%n = (/-0.1d0*sin(bod(i)%p(3)), 1d0/)
        k(nk)%r = (/0.1d0*bod(i)%p(3), -bod(i)%half/)
        k(nk)%depth = -gap
        k(nk)%bounce = 0d0
        if (bod(i)%v(2) < -0.2d0) k(nk)%bounce = -0.3d0*bod(i)%v(2)
        k(nk)%jn = 0.5d0*k(nk)%jn
        k(nk)%jt = 0.5d0*k(nk)%jt
      end if
    end do
  end subroutine find_contacts
  subroutine push(b, r, d, j)
    type(rbody), intent(inout) :: b
    real(8), intent(in) :: r(2), d(2), j
    b%v(1) = b%v(1) + j*b%im*d(1)
    b%v(2) = b%v(2) + j*b%im*d(2)
    b%v(3) = b%v(3) + j*b%ii*(r(1)*d(2) - r(2)*d(1))
  end subroutine push
  subroutine solve_contact(bod, k, mu, dt)
    type(rbody), intent(inout) :: bod(nb)
    type(touch), intent(inout) :: k
    real(8), intent(in) :: mu, dt
    real(8) :: u(2), vn, vt, km, dj, old, t(2), lim
    u(1) = bod(k%a)%v(1) - bod(k%a)%v(3)*k%r(2)
    u(2) = bod(k%a)%v(2) + bod(k%a)%v(3)*k%r(1)
    km = bod(k%a)%im + bod(k%a)%ii*(k%r(1)**2 + k%r(2)**2)
    if (k%b > 0) then
      u = u - bod(k%b)%v(1:2)
      km = km + bod(k%b)%im
    end if
    vn = u(1)*k%n(1) + u(2)*k%n(2)
    dj = (-vn + k%bounce + 0.2d0*max(k%depth - 0.005d0, 0d0)/dt)/km
    old = k%jn
    k%jn = max(old + dj, 0d0)
    dj = k%jn - old
    call push(bod(k%a), k%r, k%n, dj)
    if (k%b > 0) call push(bod(k%b), (/0d0, 0d0/), k%n, -dj)
    t = (/k%n(2), -k%n(1)/)
    vt = u(1)*t(1) + u(2)*t(2)
    lim = mu*k%jn
    old = k%jt
    k%jt = max(-lim, min(lim, old - vt/km))
    dj = k%jt - old
    call push(bod(k%a), k%r, t, dj)
    if (k%b > 0) call push(bod(k%b), (/0d0, 0d0/), t, -dj)
  end subroutine solve_contact
end module rigid_data
subroutine rigid(nt, m, size0, mu, shove, sway)
  use rigid_data
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: m(nb), size0(nb), mu, shove(nt)
  real(8), intent(out) :: sway
  type(rbody) :: bod(nb)
  type(touch) :: k(mk)
  real(8) :: dt, top
  integer :: it, i, j, nk
  dt = 0.05d0
  top = 0d0
  do i = 1, nb
    bod(i)%half = 0.3d0 + 0.1d0*size0(i)
    bod(i)%p = (/0.02d0*i, top + bod(i)%half, 0.05d0*i/)
    top = top + 2d0*bod(i)%half
    bod(i)%v = 0d0
    bod(i)%im = 1d0/(0.5d0 + m(i))
    bod(i)%ii = bod(i)%im/(0.66d0*bod(i)%half**2)
    bod(i)%asleep = .false.
  end do
  do j = 1, mk
    k(j)%jn = 0d0
    k(j)%jt = 0d0
  end do
  sway = 0d0
  do it = 1, nt
    do i = 1, nb
      if (bod(i)%asleep) cycle
      bod(i)%v(2) = bod(i)%v(2) - dt*1d0
      if (i == nb) bod(i)%v(1) = bod(i)%v(1) + dt*shove(it)*bod(i)%im
    end do
    call find_contacts(bod, k, nk)
    do j = 1, 4
      do i = 1, nk
        call solve_contact(bod, k(i), 0.5d0*mu, dt)
      end do
    end do
    do i = 1, nb
      bod(i)%p = bod(i)%p + dt*bod(i)%v
      bod(i)%asleep = sum(bod(i)%v**2) < 1d-6
    end do
    sway = sway + bod(nb)%p(1)**2 + 0.1d0*bod(2)%p(3)**2
  end do
end subroutine rigid
