! A chromatography column: two solutes that compete (Langmuir), a gradient of the solvent, cells with a linear driving
! force in inner steps, fractions cut where the ratio of the outlet says so. Parts are marked in both loops.
module sorbent
  implicit none
  integer, parameter :: ns = 2
contains
  subroutine langmuir(c, b, qmax, m, q)
    real(8), intent(in) :: c(ns), b(ns), qmax, m
    real(8), intent(out) :: q(ns)
    real(8) :: den
    integer :: k
    den = 1d0
    do k = 1, ns
      den = den + b(k)*exp(-m)*max(c(k), 0d0)
    end do
    do k = 1, ns
      q(k) = qmax*b(k)*exp(-m)*c(k)/den
    end do
  end subroutine langmuir
  subroutine exchange(c, q, b, qmax, m, kf, h)
    real(8), intent(inout) :: c(ns), q(ns)
    real(8), intent(in) :: b(ns), qmax, m, kf, h
    real(8) :: qe(ns), r
    integer :: k
    call langmuir(c, b, qmax, m, qe)
    do k = 1, ns
      r = kf*(qe(k) - q(k))
      q(k) = q(k) + h*r
      c(k) = c(k) - 0.5d0*h*r
    end do
  end subroutine exchange
end module sorbent
subroutine chromato(nz, nt, b, qmax, kf, feed, yield, purity)
  use sorbent
  implicit none
  integer, intent(in) :: nz, nt
  real(8), intent(in) :: b(ns), qmax, kf, feed(nt)
  real(8), intent(out) :: yield, purity
  real(8) :: c(ns, 0:nz), q(ns, nz), cn(ns, nz), m, ratio, pool(ns), u
  integer :: it, iz, k, sub
  logical :: collecting
  c = 0d0
  q = 0d0
  pool = 1d-3
  collecting = .false.
  u = 0.4d0
  do it = 1, 2*nt
    !$AD CHECKPOINT-START
    m = 0.1d0*it
    do k = 1, ns
      c(k, 0) = 0d0
      if (it <= nt) c(k, 0) = feed(it)*(1d0 + 0.2d0*(k - 1))
    end do
    do iz = 1, nz
      do k = 1, ns
        cn(k, iz) = c(k, iz) - u*(c(k, iz) - c(k, iz-1))
      end do
      !$AD CHECKPOINT-START
      do sub = 1, 2
        call exchange(cn(1, iz), q(1, iz), b, qmax, m, kf, 0.1d0)
      end do
      !$AD CHECKPOINT-END
    end do
    do iz = 1, nz
      do k = 1, ns
        c(k, iz) = cn(k, iz)
      end do
    end do
    !$AD CHECKPOINT-END
    ratio = c(1, nz)/(c(1, nz) + c(2, nz) + 1d-6)
    if (.not. collecting .and. ratio > 0.4d0) collecting = .true.
    if (collecting) then
      pool = pool + 0.1d0*c(:, nz)
      if (ratio < 0.2d0) exit
    end if
  end do
  yield = pool(1)
  purity = pool(1)/(pool(1) + pool(2))
end subroutine chromato
