! Neutron diffusion in two groups: power iteration with fission source, inner Gauss-Seidel sweeps, xenon and burnup steps.
module core
  implicit none
  integer, parameter :: nx = 6, ng = 2
  type cell
    real(8) :: d(ng), siga(ng), nuf(ng), scat, burn, xenon
  end type cell
  type(cell) :: mesh(nx)
  real(8), parameter :: hx = 0.5d0
contains
  real(8) function harmonic(a, b)
    real(8), intent(in) :: a, b
    harmonic = 2d0*a*b/(a + b)
  end function harmonic
  subroutine properties(enr)
    real(8), intent(in) :: enr(nx)
    integer :: i
    do i = 1, nx
      mesh(i)%d(1) = 1.2d0
      mesh(i)%d(2) = 0.4d0/(1d0 + 0.1d0*mesh(i)%burn)
      mesh(i)%siga(1) = 0.03d0 + 0.01d0*mesh(i)%burn
      mesh(i)%siga(2) = 0.08d0 + 0.05d0*enr(i) + 0.02d0*mesh(i)%xenon
      mesh(i)%nuf(1) = 0.02d0*enr(i)
      mesh(i)%nuf(2) = 0.2d0*enr(i)*exp(-0.5d0*mesh(i)%burn)
      mesh(i)%scat = 0.05d0
    end do
  end subroutine properties
  subroutine sweep(g, src, phi, nin)
    integer, intent(in) :: g, nin
    real(8), intent(in) :: src(nx)
    real(8), intent(inout) :: phi(nx, ng)
    real(8) :: cl, cr, den, num, rem
    integer :: i, it
    do it = 1, nin
      do i = 1, nx
        num = src(i)
        rem = mesh(i)%siga(g)
        if (g == 1) rem = rem + mesh(i)%scat
        den = rem
        if (i > 1) then
          cl = harmonic(mesh(i-1)%d(g), mesh(i)%d(g))/hx**2
          num = num + cl*phi(i-1, g)
          den = den + cl
        end if
        if (i < nx) then
          cr = harmonic(mesh(i)%d(g), mesh(i+1)%d(g))/hx**2
          num = num + cr*phi(i+1, g)
          den = den + cr
        else
          den = den + 0.5d0/hx
        end if
        phi(i, g) = num/den
      end do
    end do
  end subroutine sweep
  subroutine power(phi, keff)
    real(8), intent(inout) :: phi(nx, ng), keff
    real(8) :: fis(nx), src(nx), old, new, kold
    integer :: it, i
    do it = 1, 8
      old = 0d0
      do i = 1, nx
        fis(i) = mesh(i)%nuf(1)*phi(i, 1) + mesh(i)%nuf(2)*phi(i, 2)
        old = old + fis(i)
      end do
      do i = 1, nx
        src(i) = fis(i)/keff
      end do
      call sweep(1, src, phi, 2)
      do i = 1, nx
        src(i) = mesh(i)%scat*phi(i, 1)
      end do
      call sweep(2, src, phi, 2)
      new = 0d0
      do i = 1, nx
        new = new + mesh(i)%nuf(1)*phi(i, 1) + mesh(i)%nuf(2)*phi(i, 2)
      end do
      kold = keff
      keff = keff*new/old
      if (abs(keff - kold) < 1d-4) exit
    end do
    phi = phi/new
  end subroutine power
end module core
subroutine reactor(nt, enr, rod, keff, peak)
  use core
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: enr(nx), rod(nt)
  real(8), intent(out) :: keff, peak
  real(8) :: phi(nx, ng), p(nx), pm
  integer :: it, i
  phi = 1d0
  keff = 1d0
  do i = 1, nx
    mesh(i)%burn = 0d0
    mesh(i)%xenon = 0d0
  end do
  peak = 0d0
  do it = 1, nt
    call properties(enr)
    mesh(2)%siga(2) = mesh(2)%siga(2) + 0.05d0*rod(it)
    call power(phi, keff)
    pm = 0d0
    do i = 1, nx
      p(i) = mesh(i)%nuf(2)*phi(i, 2) + mesh(i)%nuf(1)*phi(i, 1)
      mesh(i)%burn = mesh(i)%burn + 0.5d0*p(i)
      mesh(i)%xenon = p(i)/(0.1d0 + p(i))
      pm = pm + p(i)**4
    end do
    peak = peak + pm**0.25d0
  end do
end subroutine reactor
