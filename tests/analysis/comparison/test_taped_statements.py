"""What derivative statements read, and the tape should have kept: said where it lacks, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from struct import unpack

import pytest

from tests.analysis.comparison.adjoint_cases import BRANCH, CALLS, LOOP, AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient, without
from tests.analysis.comparison.test_judged_by_hand import compared


@pytest.mark.parametrize(("case", "pushed", "statement", "before"), [
    (LOOP, "t", [6, 7], (6,)), (BRANCH, "s", [8], (8,)), (CALLS, "z", [8], ()),
], ids=["loop", "branch", "callee"])
def test_what_is_not_taped_is_missing(case: AdjointCase, pushed: str, statement: list[int], before: tuple[int, ...],
                                      tmp_path: Path) -> None:
    """Of the loop's two statements both read t; that of the callee is not run forward by the source's own plan, which
    so tapes nothing."""
    line = next(number for number, text in enumerate(case.adjoint.splitlines(), 1)
                if f"pushreal8({pushed}) ! needed" in text)
    broken = without(case.adjoint, line) if case is not BRANCH else BRANCH.adjoint.replace(
        "      call pushreal8(s) ! needed\n", "").replace("0) then\n      call popreal8(s)\n", "0) then\n")
    assert gradient(case, broken, tmp_path / "0") not in ("", gradient(case, case.adjoint, tmp_path / "1"))
    missing = [one for one in compared(case, broken, tmp_path).missing if one.region is None]
    assert [(one.location, one.statement, one.before) for one in missing] == [(pushed, one, before)
                                                                              for one in statement]
    assert all(one.file.endswith("a_b.f90") for one in missing)


GROUPS = AdjointCase("groups", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, p, q
  p = x(1)*x(2)
  q = p*x(3)
  p = q*p
  q = q + sin(p)
  p = p*q*x(4)
  y = p
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, p, q, pb, qb, temp, tempb
  p = x(1)*x(2)
  q = p*x(3)
  call pushreal8(p)
  p = q*p
  call pushreal8(q)
  q = q + sin(p)
  pb = yb
  tempb = x(4)*pb
  xb(4) = xb(4) + p*q*pb
  qb = p*tempb
  pb = q*tempb
  call popreal8(q)
  temp = cos(p)
  pb = pb + temp*qb
  call popreal8(p)
  qb = qb + p*pb
  pb = q*pb
  pb = pb + x(3)*qb
  xb(3) = xb(3) + p*qb
  xb(1) = xb(1) + x(2)*pb
  xb(2) = xb(2) + x(1)*pb
  yb = 0
end subroutine model_b
""")


@pytest.mark.parametrize(("gone", "said"), [("p", {("p", 6)}), ("q", {("q", 6)})])
def test_of_several_statements_each_has_its_own_derivatives(gone: str, said: set[tuple[str, int]],
                                                            tmp_path: Path) -> None:
    """p = q*p reads the first p and q, which the next statements overwrite. Line 5 reads the first p, too: of q three
    groups of derivative statements stand there, for two statements and one sum, so that nothing is said of it."""
    line = GROUPS.adjoint.splitlines().index(f"  call pushreal8({gone})") + 1
    right = gradient(GROUPS, GROUPS.adjoint, tmp_path / "right")
    assert right.strip()
    assert not compared(GROUPS, GROUPS.adjoint, tmp_path).missing
    broken = without(GROUPS.adjoint, line)
    assert gradient(GROUPS, broken, tmp_path / "broken") != right
    found = {(one.location, one.statement) for one in compared(GROUPS, broken, tmp_path).missing}
    assert said <= found <= said | {("p", 5)}


TERMS = AdjointCase("terms", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, d, e, f
  d = exp(x(1))
  e = d*x(2)
  f = e*x(3)
  d = d*f
  e = e*e
  y = d*e*f*x(4)
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, d, e, f, db, eb, fb
  d = exp(x(1))
  e = d*x(2)
  f = e*x(3)
  call pushreal8(d)
  d = d*f
  call pushreal8(e)
  e = e*e
  xb(4) = xb(4) + d*e*f*yb
  db = e*f*x(4)*yb
  eb = d*f*x(4)*yb
  fb = d*e*x(4)*yb
  call popreal8(e)
  eb = 2*e*eb
  call popreal8(d)
  fb = fb + d*db
  db = f*db
  xb(3) = xb(3) + e*fb
  eb = eb + x(3)*fb
  xb(2) = xb(2) + d*eb
  xb(1) = xb(1) + exp(x(1))*db + exp(x(1))*x(2)*eb
  yb = 0
end subroutine model_b
""")


@pytest.mark.parametrize(("gone", "lines"), [("d", {7}), ("e", {6, 8})])
def test_one_derivative_statement_of_several_statements(gone: str, lines: set[int], tmp_path: Path) -> None:
    """The last one has a term for d = exp(x(1)), and one for e = d*x(2), as Tapenade joins them: each is its own."""
    line = TERMS.adjoint.splitlines().index(f"  call pushreal8({gone})") + 1
    right = gradient(TERMS, TERMS.adjoint, tmp_path / "right")
    assert right.strip()
    assert not compared(TERMS, TERMS.adjoint, tmp_path).missing
    broken = without(TERMS.adjoint, line)
    assert gradient(TERMS, broken, tmp_path / "broken") != right
    found = {(one.location, one.statement) for one in compared(TERMS, broken, tmp_path).missing}
    assert {(gone, one) for one in lines} <= found <= {(gone, one) for one in (*lines, 5)}


SECTIONS = AdjointCase("sections", "model(x)>(y)", """\
subroutine square(u, f)
  real(8), intent(in) :: u(2)
  real(8), intent(inout) :: f(2)
  f = f + u*u
end subroutine square
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, g(6)
  g = 0
  g(1:2) = x(1:2)
  g(3:4) = x(3:4)
  call square(g(1:2), g(3:4))
  call square(g(3:4), g(5:6))
  y = sum(g)
end subroutine model
""", """\
subroutine square_b(u, ub, f, fb)
  real(8) :: u(2), ub(2), f(2), fb(2)
  ub = ub + 2*u*fb
end subroutine square_b
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, g(6), gb(6)
  g = 0
  g(1:2) = x(1:2)
  g(3:4) = x(3:4)
  call square(g(1:2), g(3:4))
  gb = yb
  call square_b(g(3:4), gb(3:4), g(5:6), gb(5:6))
  call square_b(g(1:2), gb(1:2), g(3:4), gb(3:4))
  xb(3:4) = xb(3:4) + gb(3:4)
  xb(1:2) = xb(1:2) + gb(1:2)
  yb = 0
end subroutine model_b
""")


def test_a_call_without_first_run_is_no_other_calls_adjoint(tmp_path: Path) -> None:
    """The second call of square is not run forward, as nothing reads what it computes: the first adjoint call is
    not the first call's. Each reads another section than is written. The right gradient was called wrong."""
    bits = gradient(SECTIONS, SECTIONS.adjoint, tmp_path / "0").split()
    found = [unpack(">d", bytes.fromhex(one))[0] for one in bits]
    x = (0.7, 1.1, 0.4, 1.3)
    inner = [1 + 2*(x[2] + x[0]**2), 1 + 2*(x[3] + x[1]**2)]  # of y by g(3:4), both behind the first call
    assert found == pytest.approx([1 + 2*x[0]*inner[0], 1 + 2*x[1]*inner[1], *inner], rel=1e-14)
    assert not compared(SECTIONS, SECTIONS.adjoint, tmp_path).missing


MAIL = AdjointCase("mail", "model(x)>(y)", """\
module post
  integer :: sent = 0
contains
  subroutine receive(status)
    integer, intent(out) :: status(2)
    sent = sent + 1
    status = [sent, 5 - sent]
  end subroutine receive
end module post
subroutine handle(a, b)
  real(8), intent(in) :: a
  real(8), intent(inout) :: b
  b = b*a
end subroutine handle
subroutine model(x, n, y)
  use post
  integer :: n, i, status(2)
  real(8) :: x(n), y, b
  b = 1
  do i = 1, n
    call receive(status)
    call handle(x(status(2)), b)
  end do
  y = b
end subroutine model
""", """\
subroutine handle_b(a, ab, b, bb)
  real(8) :: a, ab, b, bb
  ab = ab + b*bb
  bb = a*bb
end subroutine handle_b
subroutine model_b(x, xb, n, y, yb)
  use post
  integer :: n, i, status(2)
  real(8) :: x(n), xb(n), y, yb, b, bb
  b = 1
  do i=1,n
    call pushinteger4array(status, 2)
    call receive(status)
    call pushreal8(b)
    call handle(x(status(2)), b)
  end do
  bb = yb
  do i=n,1,-1
    call popreal8(b)
    call handle_b(x(status(2)), xb(status(2)), b, bb)
    call popinteger4array(status, 2)
  end do
  yb = 0
end subroutine model_b
""")


def test_the_status_of_a_message_is_overwritten_by_the_next(tmp_path: Path) -> None:
    """As in Tapenade's adjoint of corpus/mpi_workers.f90, which keeps no status: each turn back finds that of the last
    message."""
    bare = MAIL.adjoint.replace("    call pushinteger4array(status, 2)\n", "").replace(
        "    call popinteger4array(status, 2)\n", "")
    assert gradient(MAIL, bare, tmp_path / "0") != gradient(MAIL, MAIL.adjoint, tmp_path / "1")
    assert not compared(MAIL, MAIL.adjoint, tmp_path).missing
    assert {(one.location, one.region.id) for one in compared(MAIL, bare, tmp_path).missing if one.region} == {
        ("status", "model@22")}


def test_an_adjoint_without_first_run_stops_no_loop(tmp_path: Path) -> None:
    """A loop that pushes, with a call of an adjoint that has no first run there: as in Tapenade's
    adjoint of corpus/nested_loop.f90, which was not judged."""
    original = SECTIONS.original.replace("  call square(g(1:2), g(3:4))\n", """\
  do i = 1, 2
    call square(g(1:2), g(3:4))
  end do
""").replace("integer :: n\n  real(8) :: x(n), y, g", "integer :: n, i\n  real(8) :: x(n), y, g")
    adjoint = SECTIONS.adjoint.replace("  call square(g(1:2), g(3:4))\n", """\
  do i=1,2
    call pushreal8array(g, 6)
    call square(g(1:2), g(3:4))
    call square_b(g(5:6), gb(5:6), g(1:2), gb(1:2))
  end do
  do i=2,1,-1
    call popreal8array(g, 6)
  end do
""").replace("integer :: n\n  real(8) :: x(n), xb", "integer :: n, i\n  real(8) :: x(n), xb")
    found = compared(AdjointCase("loops", SECTIONS.head, original, adjoint), adjoint, tmp_path)
    assert not found.not_followed
