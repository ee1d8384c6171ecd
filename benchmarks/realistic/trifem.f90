! Linear triangles on an unstructured mesh, transient heat conduction with temperature dependent conductivity: element
! matrices assembled through index arrays into CSR, conjugate gradients with a diagonal preconditioner and an EXIT.
module fem_mod
  implicit none
contains
  subroutine mesh(nx, ny, xy, tri, ia, ja)
    integer, intent(in) :: nx, ny
    real(8), intent(out) :: xy(2,nx*ny)
    integer, intent(out) :: tri(3,2*(nx-1)*(ny-1)), ia(nx*ny+1), ja(7*nx*ny)
    integer :: i, j, p, e, k, di, dj, m
    e = 0
    k = 0
    do j = 1, ny
      do i = 1, nx
        p = (j-1)*nx + i
        xy(1,p) = (i-1)*1d0/(nx-1)
        xy(2,p) = (j-1)*1d0/(ny-1)
        ia(p) = k + 1
        do dj = -1, 1
          do di = -1, 1
            if (di*dj == -1) cycle
            if (i+di < 1 .or. i+di > nx .or. j+dj < 1 .or. j+dj > ny) cycle
            m = p + di + dj*nx
            k = k + 1
            ja(k) = m
          end do
        end do
        if (i < nx .and. j < ny) then
          tri(:,e+1) = [p, p+1, p+nx+1]
          tri(:,e+2) = [p, p+nx+1, p+nx]
          e = e + 2
        end if
      end do
    end do
    ia(nx*ny+1) = k + 1
  end subroutine mesh
  subroutine assemble(np, ne, xy, tri, ia, ja, temp, cond, dt, a, b)
    integer, intent(in) :: np, ne, tri(3,ne), ia(np+1), ja(7*np)
    real(8), intent(in) :: xy(2,np), temp(np), cond(ne), dt
    real(8), intent(out) :: a(7*np), b(np)
    real(8) :: bx(3), by(3), area, tm, kap, me
    integer :: e, r, s, k, p
    a = 0d0
    b = 0d0
    do e = 1, ne
      do r = 1, 3
        bx(r) = xy(2,tri(mod(r,3)+1,e)) - xy(2,tri(mod(r+1,3)+1,e))
        by(r) = xy(1,tri(mod(r+1,3)+1,e)) - xy(1,tri(mod(r,3)+1,e))
      end do
      area = 0.5d0*(bx(1)*by(2) - bx(2)*by(1))
      tm = (temp(tri(1,e)) + temp(tri(2,e)) + temp(tri(3,e)))/3d0
      kap = cond(e)*(1d0 + 0.3d0*tm**2)
      do r = 1, 3
        p = tri(r,e)
        do s = 1, 3
          me = 0d0
          if (r == s) me = area/3d0/dt
          do k = ia(p), ia(p+1) - 1
            if (ja(k) == tri(s,e)) then
              a(k) = a(k) + me + kap*(bx(r)*bx(s) + by(r)*by(s))/(4d0*area)
              exit
            end if
          end do
          b(p) = b(p) + me*temp(tri(s,e))
        end do
      end do
    end do
  end subroutine assemble
  subroutine pcg(np, ia, ja, a, b, x, maxit)
    integer, intent(in) :: np, ia(np+1), ja(7*np), maxit
    real(8), intent(in) :: a(7*np), b(np)
    real(8), intent(inout) :: x(np)
    real(8) :: r(np), d(np), q(np), z(np), diag(np), rho, rho1, al
    integer :: it, p, k
    do p = 1, np
      r(p) = b(p)
      do k = ia(p), ia(p+1) - 1
        r(p) = r(p) - a(k)*x(ja(k))
        if (ja(k) == p) diag(p) = a(k)
      end do
      d(p) = r(p)/diag(p)
    end do
    rho = sum(r*d)
    do it = 1, maxit
      if (rho < 1d-14) exit
      do p = 1, np
        q(p) = 0d0
        do k = ia(p), ia(p+1) - 1
          q(p) = q(p) + a(k)*d(ja(k))
        end do
      end do
      al = rho/sum(d*q)
      x = x + al*d
      r = r - al*q
      z = r/diag
      rho1 = sum(r*z)
      d = z + rho1/rho*d
      rho = rho1
    end do
  end subroutine pcg
end module fem_mod
subroutine trifem(nx, ny, nt, cond, heat, cost)
  use fem_mod
  implicit none
  integer, intent(in) :: nx, ny, nt
  real(8), intent(in) :: cond(2*(nx-1)*(ny-1)), heat(nx*ny)
  real(8), intent(out) :: cost
  real(8) :: xy(2,nx*ny), a(7*nx*ny), b(nx*ny), temp(nx*ny)
  integer :: tri(3,2*(nx-1)*(ny-1)), ia(nx*ny+1), ja(7*nx*ny), it
  call mesh(nx, ny, xy, tri, ia, ja)
  temp = 0.1d0
  cost = 0d0
  do it = 1, nt
    call assemble(nx*ny, 2*(nx-1)*(ny-1), xy, tri, ia, ja, temp, cond, 0.2d0, a, b)
    b = b + 0.1d0*heat
    call pcg(nx*ny, ia, ja, a, b, temp, 6)
    cost = cost + temp(nx*ny/2)**2
  end do
end subroutine trifem
