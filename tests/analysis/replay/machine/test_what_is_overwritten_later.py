"""Statements of many kinds in a part that overwrites at its end what they read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  type node
    real(8) :: v = 1.0d0
    type(node), pointer :: p => null()
  end type node
  type scaled
    real(8) :: c = 2.0d0
  contains
    procedure :: apply
    procedure, pass(this) :: times_
    generic :: operator(.times.) => times_
    procedure :: from_real
    generic :: assignment(=) => from_real
  end type scaled
  abstract interface
    real(8) function fun(z)
      real(8), intent(in) :: z
    end function fun
  end interface
  real(8) :: nml = 3
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4), y
    type(node) :: ob2
    type(node), target :: ob3, ob4
    ob2%p => ob3; ob3%p => ob4; ob4%v = x(2); ob3%v = x(3)
    nml = 3
    call inner(y, x, ob2, ob3, ob4)
    y = y*x(1)
  end subroutine head
  subroutine inner(d, x, ob2, ob3, ob4)
    real(8), intent(inout) :: d, x(4)
    type(node), intent(inout) :: ob2
    type(node), target, intent(inout) :: ob3, ob4
    type(node), pointer :: q
    real(8), allocatable :: a(:), b(:)
    real(8), target :: r(4), mat(3, 3)
    real(8), pointer :: pt(:), m1(:)
    real(8) :: z, s0, s1, e1, e2(2), cm
    integer :: i1, i2(2)
    integer :: k, i, j, idx(4)
    character(8) :: tx
    complex(8) :: cx
    type(scaled) :: twice
    procedure(fun), pointer :: pr
    common /blk/ cm
    equivalence (e1, e2(1)), (i1, i2(1))
    real(8) :: sf
    sf(s1) = s1*s1*s0
    q => ob3
    d = sin(d)
    r = [1.0d0, 3.0d0, -1.0d0, 2.0d0]
    b = x(1:3)*[0.3d0, 0.1d0, 0.7d0]
    mat = d; mat(2, 1) = x(1); mat(1, 3) = 0.5d0
    pt => r
    k = 3; z = 0.5d0; s0 = 1.5d0; e2 = [x(1), x(2)]; i2 = [1, 2]; tx = 'hello'; cx = 1; cm = x(3); idx = [4, 3, 2, 1]
    twice%c = x(4)
    {body}
    d = d*0.5d0
    x = x*0.9d0
    r = 0.1d0
    mat = 0.2d0
    k = 11
  end subroutine inner
  subroutine relink(o, t)
    type(node), intent(inout) :: o
    type(node), target, intent(in) :: t
    o%p => t
  end subroutine relink
  subroutine relink2(o, t)
    type(node), intent(inout) :: o
    type(node), target, intent(in) :: t
    o%p%p => t
  end subroutine relink2
  subroutine leaves(n, z, *, *)
    integer, intent(in) :: n
    real(8), intent(inout) :: z
    z = z*z
    if (n == 3) return 2
    if (n == 1) return 1
  end subroutine leaves
  subroutine byval(z, n)
    real(8), intent(inout) :: z
    integer, value :: n
    n = n - 1
    z = z*z*n
    n = 0
  end subroutine byval
  subroutine byval2(v, n, z)
    real(8), value :: v
    integer, value :: n
    real(8), intent(inout) :: z
    v = v*v
    z = z*v*n
    v = 0
  end subroutine byval2
  subroutine outer1(z, n, p, w)
    real(8), intent(inout) :: z
    integer, optional, intent(in) :: n
    real(8), optional, pointer, intent(in) :: p(:)
    real(8), optional, allocatable, intent(in) :: w(:)
    call inner1(z, n, p, w)
  end subroutine outer1
  subroutine inner1(z, n, p, w)
    real(8), intent(inout) :: z
    integer, optional, intent(in) :: n
    real(8), optional, intent(in) :: p(:), w(:)
    z = z*z
    if (present(n)) z = z*z*n
    if (present(p)) z = z*z*size(p)
    if (present(w)) z = z*sum(w)
  end subroutine inner1
  subroutine sub_seq(v, n, z)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(*)
    real(8), intent(inout) :: z
    integer :: i
    do i = 1, abs(n)
      z = z*(1 + v(i)*v(i)*0.1d0)
      if (n > 0) v(i) = z*v(i)
    end do
  end subroutine sub_seq
  subroutine common_view(z)
    real(8), intent(inout) :: z
    real(8) :: other
    common /blk/ other
    z = z*other*other
    other = z
  end subroutine common_view
  subroutine ent(z, n)
    real(8), intent(inout) :: z
    integer, intent(in) :: n
    z = z*z*n
    entry ent2(z)
    z = z*sin(z)
  end subroutine ent
  real(8) function apply(this, z)
    class(scaled), intent(in) :: this
    real(8), intent(in) :: z
    apply = this%c*z*z
  end function apply
  real(8) function times_(this, z)
    class(scaled), intent(in) :: this
    real(8), intent(in) :: z
    times_ = this%c*z
  end function times_
  subroutine from_real(this, z)
    class(scaled), intent(inout) :: this
    real(8), intent(in) :: z
    this%c = this%c*z
  end subroutine from_real
  subroutine counts(z)
    real(8), intent(inout) :: z
    integer, save :: n = 1
    real(8), save :: old = 0.5d0
    z = z*z*n + old
    old = 0.5d0*z
    n = mod(n, 3) + 1
  end subroutine counts
  recursive subroutine rec(n, z)
    integer, intent(in) :: n
    real(8), intent(inout) :: z
    real(8) :: t
    if (n == 0) return
    t = z*z
    call rec(n - 1, z)
    z = z*t
  end subroutine rec
  real(8) function square(z)
    real(8), intent(in) :: z
    square = z*z
  end function square
  real(8) function cube(z)
    real(8), intent(in) :: z
    cube = z*z*z
  end function cube
  subroutine assumed_rank(v, z)
    real(8), intent(inout) :: v(..)
    real(8), intent(inout) :: z
    select rank (v)
    rank (1)
      z = z*sum(v*v)
      v = z
    rank (2)
      z = z*v(1, 2)*v(2, 1)
      v(1, :) = z
    end select
  end subroutine assumed_rank
end module m
"""

CASES = [
    "if (associated(ob3%p)) d = d*d*2; q%p => null()",
    "if (associated(ob3%p, ob4)) d = d*d*2; q%p => ob3",
    "d = d*d*ob3%p%v; q%p => null()",
    "d = d + ob3%p%v; q%p => ob3; q%p%v = 3",
    "call relink(q, ob4); d = d*d*ob3%p%v",
    "d = d*d*ob3%p%v; call relink(q, ob3)",
    "d = d*d*ob3%p%v; call relink2(ob2, ob3)",
    "d = d*d*ob2%p%p%v; call relink2(ob2, ob3)",
    "a = reshape(x, shape(b)); d = d*sum(a*a); deallocate (b)",
    "a = spread(d, 1, size(b)); d = sum(a*a); deallocate (b)",
    "a = b*d; d = d + sum(a); deallocate (b)",
    "d = d + dot_product(b, b(size(b):1:-1)); deallocate (b)",
    "d = d*d*merge(2, 3, allocated(b)); deallocate (b)",
    "d = d*b(minloc(b, 1)); b = 0",
    "d = d + sum(b, mask=b > 0.3d0); b = -1",
    "k = nint(10*x(1)); d = d*d*k; k = 0",
    "d = d*d*real(int(x(2)*3) + k); x(2) = 0",
    "do i = 1, k; if (i > 2) exit; d = d*d; k = 5; end do; d = d*i",
    "do i = k, 1, -1; d = d*(d + i); end do",
    "do i = 1, k - 3; d = d*d; end do; d = d*d",
    "go to (10, 20, 30), k; 10 d = d*2; 20 d = d*d; go to 40; 30 d = d*d*d; 40 d = d*0.5d0; k = 1",
    "if (k - 3) 10, 20, 30; 10 d = d*2; go to 40; 20 d = d*d; go to 40; 30 d = d*d*d; 40 d = d*0.5d0; k = 1",
    "call leaves(k, d, *10, *20); d = d*3; 10 d = d*d; 20 d = d*0.5d0; k = 1",
    "d = sf(d)*d; s0 = 5",
    "call byval(d, k); d = d*k",
    "call byval2(d*2, k, d); d = d*k",
    "call outer1(d, k, pt); d = d*d; pt => null()",
    "pt => null(); call outer1(d, k, pt); d = d*d",
    "write (tx, '(f8.3)') 1.5d0; read (tx, *) z; d = d*d*z",
    "write (tx, '(i4)') k; read (tx, *) i; d = d*d*i; k = 0",
    "tx = 'abc'; d = d*d*index(tx, 'c')*len_trim(tx); tx = 'z'",
    "d = d*d*ichar(tx(k:k)); k = 1",
    "cx = cmplx(d, x(1), 8); cx = cx*cx; d = cx%re + cx%im*cx%im",
    "cx = cmplx(d, d*2, 8); cx%im = cx%re*d; d = abs(cx)*cx%im",
    "forall (i = 1:k) r(i) = d*r(i)*r(k - i + 1); d = sum(r)",
    "forall (i = 1:4, r(i) > 0) r(i) = d*r(i)*i; d = sum(r)*d",
    "call sub_seq(r(2), k, d); d = d + sum(r)",
    "call sub_seq(r(1:3:2), 2, d); d = d + sum(r*r)",
    "e1 = d; d = e2(1)*d + e2(2)",
    "e2 = [d, d*d]; d = d*e1; e2 = 0",
    "i1 = 3; d = d*d*i2(1); i1 = 7",
    "cm = d; call common_view(d); cm = 0",
    "call ent(d, k); d = d*d; k = 9",
    "call ent2(d); d = d*d",
    "d = d + twice%apply(d); twice%c = 7",
    "d = (twice .times. d)*d; twice%c = 7",
    "twice = d; d = twice%c*twice%c",
    "call counts(d); call counts(d); d = d*d",
    "call rec(k, d); k = 8",
    "block; real(8) :: k; k = d*d; d = k*x(1); end block",
    "block; real(8) :: v(k); v = d; k = 2; d = sum(v)*d; end block",
    "block; integer, save :: n = 0; n = n + 1; d = d*d*n; end block",
    "pr => square; if (k > 5) pr => cube; d = pr(d); pr => cube",
    "select case (k); case (:2); d = d*2; case (3); d = d*d; case default; d = 1; end select; k = 1",
    "outer: do i = 1, 3; do j = 1, 3; if (j == k - 1) cycle outer; if (i == 3) exit outer; d = d*d; "
    "end do; end do outer; k = i",
    "pt(1:2) => r(2:3); pt = d*pt; d = d + pt(1)*pt(2); r = 0",
    "pt => r(::2); call sub_seq(pt, 2, d); d = d*sum(r)",
    "pt => r(4:1:-1); pt(k) = d; d = d*r(2)*r(k); k = 1",
    "m1 => mat(2, :); m1 = d*m1; d = d + sum(mat*mat); m1 => mat(:, 1)",
    "mat = matmul(mat, transpose(mat))*d; d = sum(mat)",
    "call assumed_rank(mat, d); call assumed_rank(r, d)",
    "d = d*d*nml; nml = 4",
    "d = maxval([d, r(k), d*d]); k = 1",
    "d = d*norm2(r(:k)); k = 1",
    "d = sign(d*d, r(k)); k = 1",
    "d = d*d*maxloc(r, 1)*count(r > z); r = 0; z = 9",
    "a = [d, d*d, b]; d = sum(a*a); b = 0",
    "a = [(d*r(i)*i, i = 1, k)]; d = sum(a)*size(a); k = 1",
    "a = pack(r*d, r > z); d = sum(a*a)*size(a); z = 99",
    "r = unpack(b(1:2)*d, r > 2, r); d = sum(r*r); b = 0",
    "r = cshift(r*d, k); d = d*r(2) + r(1)*r(1); k = 1",
    "r = eoshift(r*d, k, boundary=d); d = d*r(2) + sum(r*r); k = 1",
]


@pytest.mark.sample(8)
@pytest.mark.parametrize("body", CASES)
def test_what_is_read_is_put_back(body: str, tmp_path: Path) -> None:
    lines = "\n    ".join(one.strip() for one in body.split(";"))
    proved_by_execution(PROGRAM.replace("{body}", lines), "m%head(x, y)>(x, y)", tmp_path)
