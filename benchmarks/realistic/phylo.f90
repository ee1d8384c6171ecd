! Likelihood of sequences on a tree: rate matrix with invariant sites and classes of rates, its exponential by scaling and
! squaring, pruning from the leaves with rescaling when partials become small; a few steps of coordinate ascent on lengths.
module tree_data
  implicit none
  integer, parameter :: ns = 4, nleaf = 4, nnode = 7, nsite = 3
  integer, parameter :: left(5:7) = (/1, 3, 5/), right(5:7) = (/2, 4, 6/)
contains
  subroutine multiply(a, b, c)
    real(8), intent(in) :: a(ns, ns), b(ns, ns)
    real(8), intent(out) :: c(ns, ns)
    integer :: i, j
    do j = 1, ns
      do i = 1, ns
        c(i, j) = sum(a(i, :)*b(:, j))
      end do
    end do
  end subroutine multiply
  subroutine matrix_exponential(q, t, p)
    real(8), intent(in) :: q(ns, ns), t
    real(8), intent(out) :: p(ns, ns)
    real(8) :: a(ns, ns), term(ns, ns), new(ns, ns)
    integer :: i, k
    a = q*t/4d0
    term = 0d0
    do i = 1, ns
      term(i, i) = 1d0
    end do
    p = term
    do k = 1, 5
      call multiply(term, a, new)
      term = new/k
      p = p + term
    end do
    do k = 1, 2
      call multiply(p, p, new)
      p = new
    end do
  end subroutine matrix_exponential
  subroutine rates(kappa, freq, q)
    real(8), intent(in) :: kappa, freq(ns)
    real(8), intent(out) :: q(ns, ns)
    real(8) :: s, pi(ns)
    integer :: i, j
    pi = (0.5d0 + freq)/sum(0.5d0 + freq)
    do i = 1, ns
      s = 0d0
      do j = 1, ns
        if (i == j) cycle
        q(i, j) = pi(j)
        if (mod(i + j, 2) == 0) q(i, j) = kappa*pi(j)
        s = s + q(i, j)
      end do
      q(i, i) = -s
    end do
  end subroutine rates
  subroutine prune(pm, tips, pi, like)
    real(8), intent(in) :: pm(ns, ns, nnode), tips(ns, nleaf), pi(ns)
    real(8), intent(out) :: like
    real(8) :: part(ns, nnode), a, b, scale, top
    integer :: n, i
    part(:, 1:nleaf) = tips
    scale = 0d0
    do n = nleaf + 1, nnode
      do i = 1, ns
        a = sum(pm(i, :, left(n))*part(:, left(n)))
        b = sum(pm(i, :, right(n))*part(:, right(n)))
        part(i, n) = a*b
      end do
      top = part(1, n)
      do i = 2, ns
        if (part(i, n) > top) top = part(i, n)
      end do
      if (top < 0.2d0) then
        part(:, n) = part(:, n)/top
        scale = scale + log(top)
      end if
    end do
    like = scale + log(sum(pi*part(:, nnode)))
  end subroutine prune
  subroutine all_sites(q, len, shape, noise, pi, total)
    real(8), intent(in) :: q(ns, ns), len(nnode), shape, noise, pi(ns)
    real(8), intent(out) :: total
    real(8) :: pm(ns, ns, nnode), tips(ns, nleaf), l
    integer :: s, n, c
    total = 0d0
    do c = 1, 2
      do n = 1, nnode - 1
        call matrix_exponential(q, len(n)*(0.5d0 + c*shape), pm(:, :, n))
      end do
      do s = 1, nsite
        tips = 0.02d0*noise
        do n = 1, nleaf
          tips(mod(s*n + n/2, ns) + 1, n) = 1d0 - 0.06d0*noise
        end do
        call prune(pm, tips, pi, l)
        total = total + 0.5d0*l
      end do
    end do
  end subroutine all_sites
end module tree_data
subroutine phylo(nit, kappa, freq, len0, shape, noise, lik)
  use tree_data
  implicit none
  integer, intent(in) :: nit
  real(8), intent(in) :: kappa, freq(ns), len0(nnode), shape, noise
  real(8), intent(out) :: lik
  real(8) :: q(ns, ns), len(nnode), pi(ns), trial, keep
  integer :: it, n
  call rates(kappa, freq, q)
  pi = (0.5d0 + freq)/sum(0.5d0 + freq)
  len = 0.1d0 + 0.2d0*len0
  call all_sites(q, len, shape, noise, pi, lik)
  do it = 1, min(nit, 2)
    n = 2*it
    keep = len(n)
    len(n) = 1.1d0*keep
    call all_sites(q, len, shape, noise, pi, trial)
    if (trial > lik) then
      lik = trial
    else
      len(n) = 0.95d0*keep
      call all_sites(q, len, shape, noise, pi, lik)
    end if
  end do
  lik = lik - 0.1d0*sum(len)
end subroutine phylo
