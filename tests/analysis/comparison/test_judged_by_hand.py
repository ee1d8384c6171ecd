"""Hand-written adjoints: what is found superfluous is what was put there, and gfortran agrees, to the last bit."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.comparison.verdicts.compared_head import ComparedHead
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.adjoint_comparison import compare, without_superfluous

from tests.analysis.comparison.adjoint_cases import BRANCH, CALLS, CASES, LOOP, AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient, without


def compared(case: AdjointCase, adjoint: str, folder: Path) -> ComparedHead:
    (folder / "o.f90").write_text(case.original)
    (folder / "a_b.f90").write_text(adjoint)
    return compare([str(folder / "a_b.f90")], [str(folder / "o.f90")], case.head)


def marked(adjoint: str, word: str) -> list[int]:
    return [number for number, line in enumerate(adjoint.splitlines(), 1) if line.endswith(f"! {word}")]


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
def test_what_is_superfluous_is_found(case: AdjointCase, tmp_path: Path) -> None:
    found = compared(case, case.adjoint, tmp_path)
    assert not found.not_followed
    assert [one.line for one in found.saved if one.superfluous] == marked(case.adjoint, "gone")
    assert not [one for one in found.saved if one.verdict == "not judged"]
    assert not found.missing


@pytest.mark.sample(2)
@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
def test_the_patched_adjoint_gives_the_same_gradient(case: AdjointCase, tmp_path: Path) -> None:
    found = compared(case, case.adjoint, tmp_path)
    (written,) = without_superfluous([str(tmp_path / "a_b.f90")], found, str(tmp_path / "new"), ReadOptions())
    patched = Path(written[0]).read_text()
    assert written[1] == len(marked(case.adjoint, "gone"))
    assert patched.count("call push") == case.adjoint.count("call push") - written[1]
    assert gradient(case, patched, tmp_path / "1") == gradient(case, case.adjoint, tmp_path / "0")
    again = compared(case, patched, tmp_path)
    assert not again.superfluous
    assert not again.not_followed


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
def test_what_is_needed_is_needed(case: AdjointCase, tmp_path: Path) -> None:
    right = gradient(case, case.adjoint, tmp_path / "right")
    for number in marked(case.adjoint, "needed"):
        assert gradient(case, without(case.adjoint, number), tmp_path / str(number)) != right, number


def test_why_and_where(tmp_path: Path) -> None:
    found = compared(CALLS, CALLS.adjoint, tmp_path)
    by_place = {one.location: one for one in found.saved if one.superfluous}
    assert {name: (one.verdict, one.region and one.region.id) for name, one in by_place.items()} == {
        "unused": ("unread", "model@18"), "x(i)": ("unchanged", "model@18")}
    assert {name: str(one.bytes) for name, one in by_place.items()} == {"unused": "24", "x(i)": "8"}
    (taped,) = [one for one in compared(LOOP, LOOP.adjoint, tmp_path).saved if one.superfluous]
    assert (taped.region, taped.statement, taped.pops) == (None, 7, (15,))


def test_a_pop_of_another_branch_goes_with_no_push(tmp_path: Path) -> None:
    """The control says which alternative ran: were it read the wrong way round, s and c would be mixed up."""
    turned = BRANCH.adjoint.replace("branch .eq. 0", "branch .ne. 0")
    found = compared(BRANCH, turned, tmp_path)
    assert found.not_followed
    assert not found.superfluous


@pytest.mark.parametrize("name", ["w", "z"])
def test_what_a_part_needs_and_nobody_saves_is_missing(name: str, tmp_path: Path) -> None:
    line = next(number for number, text in enumerate(CALLS.adjoint.splitlines(), 1)
                if text.startswith(f"    call pushreal8({name})"))
    broken = without(CALLS.adjoint, line)
    assert gradient(CALLS, broken, tmp_path / "0") != gradient(CALLS, CALLS.adjoint, tmp_path / "1")
    (missing,) = compared(CALLS, broken, tmp_path).missing
    assert (missing.location.rpartition("::")[2], missing.region.id) == (name, "model@18")
    assert missing.explanation is not None
    assert {chain.set for chain in missing.explanation.chains} >= {"use(C̄)"}


BACK = """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, count
  real(8) :: x(n), xb(n), y, yb, t
  t = 1
  count = 0
  if (n .gt. 0) goto 20
10 if (count .ge. n .or. t .gt. 5) goto 30
20 count = count + 1
  call pushreal8(t)
  t = t*x(count)
  goto 10
30 yb = 2*t*yb
  do i=count,1,-1
    call popreal8(t)
    xb(i) = xb(i) + t*yb
    yb = x(i)*yb
  end do
end subroutine model_b
"""
MACHINE = """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, k, branch
  real(8) :: x(n), xb(n), y, yb
  k = 0
  y = x(1)
  call pushcontrol1b(0)
10 if (y .gt. 2) then
    call pushcontrol1b(0)
    goto 30
  end if
  y = y*1.5d0
  call pushcontrol1b(0)
20 k = k + 1
  if (k .ge. n) goto 40
  if (mod(k, 3) .ne. 0) goto 100
  call pushcontrol1b(1)
30 call pushreal8(y)
  y = y*y/(1 + y)
  call pushcontrol1b(1)
  goto 20
100 call pushcontrol1b(1)
  goto 10
40 xb = 0
110 call popcontrol1b(branch)
  if (branch .eq. 0) then
    yb = 1.5d0*yb
  else
    call popreal8(y)
    yb = (2*y + y*y)/(1 + y)**2*yb
    call popcontrol1b(branch)
    if (branch .ne. 0) goto 110
  end if
  call popcontrol1b(branch)
  if (branch .ne. 0) goto 110
  xb(1) = yb
end subroutine model_b
"""
FORALL = """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i, branch
  real(8) :: x(n), xb(n), y, yb, a(n), t
  a = x
  t = 2
  call pushreal8(t)
  call pushcontrol1b(0)
  forall (i=2:n)
    call pushreal8(a(i))
    a(i) = a(i-1)*x(i)
    call pushcontrol1b(1)
  end forall
100 call popcontrol1b(branch)
  if (branch .ne. 0) then
    call popreal8(a(i))
    xb(i) = xb(i) + a(i-1)*yb
    goto 100
  end if
  call popreal8(t)
end subroutine model_b
"""


@pytest.mark.parametrize(("adjoint", "line", "why"), [
    (BACK, 13, "a loop takes here what pushreal8, line 9, has pushed, and is not like it"),
    (MACHINE, 24, "a loop takes here what pushcontrol1b, line 19, has pushed, and is not like it"),
    (FORALL, 8, "a FORALL with a PUSH or POP in it, where Fortran has no CALL: this does not compile"),
], ids=["two labels", "machine", "forall"])
def test_what_is_not_followed_is_said_once_with_its_place(adjoint: str, line: int, why: str, tmp_path: Path) -> None:
    """A loop that is entered at two labels, a machine of GOTOs, and what Tapenade makes of a FORALL that reads what it
    writes. Of none anything is judged."""
    found = compared(LOOP, adjoint, tmp_path)
    assert {one.verdict for one in found.saved} == {"not judged"}
    (said,) = found.not_followed
    assert (said.procedure, Path(said.file).name, said.line, said.why) == ("model_b", "a_b.f90", line, why)
    assert not found.missing


ALLOCATING = """
module held
  real(8), allocatable :: w(:)
end module
subroutine step(x, n)
  use held
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  {written}
  x = x*w
end subroutine
subroutine model(x, y, n)
  use held
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  call step(x, n)
  call step(x, n)
  y = sum(x*x)
end subroutine
"""
ALLOCATING_ADJOINT = """
subroutine step_b(x, xb, n)
  use held
  integer, intent(in) :: n
  real(8) :: x(n), xb(n)
  {written}
  xb = w*xb
end subroutine
subroutine model_b(x, xb, y, yb, n)
  use held
  integer, intent(in) :: n
  real(8) :: x(n), xb(n), y, yb
  call pushreal8array(x, n)
  call step(x, n)
  call pushreal8array(x, n)
  call step(x, n)
  xb = 2*x*yb
  call popreal8array(x, n)
  call step_b(x, xb, n)
  call popreal8array(x, n)
  call step_b(x, xb, n)
end subroutine
"""


@pytest.mark.parametrize(("written", "missing"), [
    ("w = 2.0d0*w", False), ("deallocate(w)\n  allocate(w(n))\n  w = 3.0d0*x", True),
])
def test_an_allocation_that_only_assignments_may_change_is_not_missing(
        written: str, missing: bool, tmp_path: Path) -> None:
    """w = 2*w has one shape on both sides: its value is missing, its allocation is not. What is deallocated may be."""
    case = AdjointCase("allocating", "model(x)>(y)", ALLOCATING.format(written=written), "")
    found = compared(case, ALLOCATING_ADJOINT.format(written=written), tmp_path)
    said = {one.location for one in found.missing}
    assert any(name.endswith("[]") for name in said) == missing
    assert any(name.endswith("w") for name in said) == (not missing)


def test_what_is_assigned_again_is_not_missing(tmp_path: Path) -> None:
    """smash's adjoint by Tapenade: row = list(i) stands in the backward sweep again, before the part's adjoint."""
    original = """
subroutine step(x, row)
  integer, intent(in) :: row
  real(8), intent(inout) :: x(4)
  x(row) = x(row)*x(row)
end subroutine
subroutine model(x, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  integer :: i, row
  do i = 1, n
    row = 5 - i
    call step(x, row)
  end do
  y = sum(x*x)
end subroutine
"""
    adjoint = """
subroutine step_b(x, xb, row)
  integer, intent(in) :: row
  real(8) :: x(4), xb(4)
  xb(row) = 2*x(row)*xb(row)
end subroutine
subroutine model_b(x, xb, n, y, yb)
  integer, intent(in) :: n
  real(8) :: x(4), xb(4), y, yb
  integer :: i, row
  do i = 1, n
    row = 5 - i
    call pushreal8array(x, 4)
    call step(x, row)
  end do
  xb = 2*x*yb
  do i = n, 1, -1
    row = 5 - i
    call popreal8array(x, 4)
    call step_b(x, xb, row)
  end do
end subroutine
"""
    case = AdjointCase("again", "model(x)>(y)", original, adjoint)
    assert not compared(case, adjoint, tmp_path).missing
    never = adjoint.replace("    row = 5 - i\n    call popreal8array", "    call popreal8array")
    assert [one.location for one in compared(case, never, tmp_path).missing] == ["row"]
