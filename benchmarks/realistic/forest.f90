! A forest of cohorts: light falls from the tallest down, cohorts are sorted by height in an index array, thinned, and
! merged where they are alike; carbon is what is asked for.
module stand
  implicit none
  integer, parameter :: mc = 8
  integer :: alive = 0
  integer :: rank(mc)
  real(8) :: height(mc), stem(mc), leafa(mc), light(mc)
contains
  subroutine sort_cohorts
    integer :: i, j, k
    do i = 1, alive
      rank(i) = i
    end do
    do i = 2, alive
      k = rank(i)
      j = i - 1
      do while (j >= 1)
        if (height(rank(j)) >= height(k)) exit
        rank(j+1) = rank(j)
        j = j - 1
      end do
      rank(j+1) = k
    end do
  end subroutine sort_cohorts
  subroutine shade(ext)
    real(8), intent(in) :: ext
    real(8) :: cum
    integer :: i
    cum = 0d0
    do i = 1, alive
      light(rank(i)) = exp(-ext*cum)
      cum = cum + leafa(rank(i))*stem(rank(i))
    end do
  end subroutine shade
  subroutine grow(par, h, la, l, npp)
    real(8), intent(in) :: par(4), l
    real(8), intent(inout) :: h, la
    real(8), intent(out) :: npp
    real(8) :: gpp, resp
    gpp = par(1)*la*l/(0.5d0 + l)
    resp = 0.1d0*par(2)*h*la
    npp = gpp - resp
    if (npp > 0d0) then
      h = h + 0.3d0*par(3)*npp/(1d0 + h)
      la = la + 0.1d0*npp
    else
      la = max(0.05d0, la + 0.3d0*npp)
    end if
  end subroutine grow
  subroutine thin(mort, carbon)
    real(8), intent(in) :: mort
    real(8), intent(inout) :: carbon
    real(8) :: lost
    integer :: i
    do i = 1, alive
      lost = stem(i)*min(0.5d0, mort*(0.02d0 + 0.1d0*(1d0 - light(i))**2))
      stem(i) = stem(i) - lost
      carbon = carbon + 0.5d0*lost*height(i)
    end do
  end subroutine thin
  subroutine merge_alike
    integer :: i, j, k
    real(8) :: s
    i = 1
    do while (i < alive)
      j = rank(i)
      k = rank(i+1)
      if (abs(height(j) - height(k)) < 0.02d0) then
        s = stem(j) + stem(k)
        height(j) = (stem(j)*height(j) + stem(k)*height(k))/s
        leafa(j) = (stem(j)*leafa(j) + stem(k)*leafa(k))/s
        stem(j) = s
        stem(k) = 1d-3
      end if
      i = i + 1
    end do
  end subroutine merge_alike
end module stand
subroutine forest(n, years, par, h0, ext, carbon)
  use stand
  implicit none
  integer, intent(in) :: n, years
  real(8), intent(in) :: par(4), h0(n), ext
  real(8), intent(out) :: carbon
  real(8) :: npp
  integer :: y, i
  alive = min(n, mc)
  do i = 1, alive
    height(i) = 0.5d0 + h0(i)
    stem(i) = 1d0 + 0.1d0*i
    leafa(i) = 0.5d0
  end do
  carbon = 0d0
  do y = 1, years
    call sort_cohorts
    call shade(ext)
    do i = 1, alive
      call grow(par, height(i), leafa(i), light(i), npp)
      carbon = carbon + npp*stem(i)
    end do
    call thin(par(4), carbon)
    if (mod(y, 2) == 0) call merge_alike
  end do
end subroutine forest
