! Edges of an unstructured mesh with index arrays; derived-type cells too.
module mesh_types
  implicit none
  type :: cell
    real(8) :: u, v, h
  end type
contains
  subroutine pair_flux(a, b, dt)
    type(cell), intent(inout) :: a, b
    real(8), intent(in) :: dt
    real(8) :: f
    f = dt*(a%u*b%h - a%h*b%v)
    a%h = a%h - f*a%u
    b%h = b%h + f*b%v
  end subroutine
  subroutine pair_real(ha, hb, ua, ub, dt)
    real(8), intent(inout) :: ha, hb
    real(8), intent(in) :: ua, ub, dt
    real(8) :: f
    f = dt*(ha*ub - hb*ua)*ha
    ha = ha - f
    hb = hb + f
  end subroutine
end module
subroutine mesh(nc, nf, h0, u0, y)
  use mesh_types
  implicit none
  integer, intent(in) :: nc, nf
  real(8), intent(in) :: h0(nc), u0(nc)
  real(8), intent(out) :: y
  type(cell) :: c(nc)
  real(8) :: h(nc), u(nc)
  integer :: left(nf), right(nf), f, i
  do f = 1, nf
    left(f) = 1 + mod(f, nc)
    right(f) = 1 + mod(f + 1, nc)
  end do
  do i = 1, nc
    c(i)%u = u0(i)
    c(i)%v = 0.5d0*u0(i)
    c(i)%h = h0(i)
    h(i) = h0(i)
    u(i) = u0(i)
  end do
  do f = 1, nf
    call pair_flux(c(left(f)), c(right(f)), 0.1d0)
    call pair_real(h(left(f)), h(right(f)), u(left(f)), u(right(f)), 0.1d0)
  end do
  y = 0d0
  do i = 1, nc
    y = y + c(i)%h**2 + h(i)**2*c(i)%u
  end do
end subroutine
