"""The last DEALLOCATE of what is a procedure's own is left out of its adjoint, every other one is not; then executed.

    allocate (w(2)); w = z*z; z = sum(w*w); deallocate (w)      ! w need not be taped
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.allocation.final_deallocations import final_deallocations
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.frontend import ir
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.modelled import model

TEXT = """module kinds
  type box
    real(8), allocatable :: l(:), r(:)
  end type
  type link
    real(8), pointer :: v(:)
  end type
  real(8), pointer :: kept(:)
contains
  subroutine given(p)
    real(8), pointer :: p(:)
    allocate (p(2))
    kept => p
  end subroutine
end module
subroutine f(x, y)
  real(8) :: x(2), y, z
  interface
    subroutine c(z)
      real(8) :: z
    end subroutine
  end interface
  z = x(1)*x(2)
  call c(z)
  z = z*x(1)
  call c(z)
  y = z*x(2)
end subroutine
subroutine c(z)
  use kinds
  implicit none
  real(8) :: z
{body}
end subroutine
"""
WORK = """
  real(8), allocatable{more} :: w(:)
  integer :: i
  allocate (w(2))
  w = z*(/1d0, 0.5d0/)
  z = sum(w*w)
"""
OWN = WORK.replace("{more}", "")
POINTER = WORK.replace(", allocatable{more}", ", pointer").replace(
    "integer :: i", "real(8), pointer :: q(:)\n  real(8), target :: v(2)\n  integer :: i").replace(
    "allocate (w", "v = z*z\n  allocate (w")
FINAL = {
    "an array": OWN + "deallocate (w)",
    "a target of nothing": WORK.replace("{more}", ", target") + "deallocate (w)",
    "a target": WORK.replace("{more}", ", target").replace("integer :: i", "real(8), pointer :: q(:)\n  integer :: i")
                + "q => w\nz = z + q(1)\ndeallocate (w)",
    "a pointer": POINTER + "deallocate (w)\nz = sin(z)*z",
    "a pointer by another name": POINTER + "q => w\nnullify (w)\nz = z + q(1)\ndeallocate (q)",
    "a pointer's component": """
  type(link) :: b
  allocate (b%v(2))
  b%v = z*z
  z = sum(b%v*b%v)
  deallocate (b%v)""",
    "with other work behind it": OWN + "deallocate (w)\nz = sin(z)*z",
    "if it is allocated": OWN + "if (allocated(w)) deallocate (w)",
    "on one of two ways": OWN + "if (z > 0.1d0) then\ndeallocate (w)\nreturn\nend if\nz = 0.5d0*z",
    "behind a loop that had one": """
  real(8), allocatable :: w(:)
  integer :: i
  do i = 1, 2
    if (allocated(w)) deallocate (w)
    allocate (w(i))
    w = z*i
    z = z + sum(w*w)
  end do
  deallocate (w)""",
    "components": """
  type(box) :: b
  allocate (b%l(2), b%r(2))
  b%l = z*z
  b%r = b%l*z
  z = sum(b%l*b%r)
  deallocate (b%l, b%r)""",
    "allocated in a marked part": """
  real(8), allocatable :: w(:)
  !$AD CHECKPOINT-START
  allocate (w(2))
  w = z*z
  !$AD CHECKPOINT-END
  z = sum(w*w)
  deallocate (w)""",
}
NOT_FINAL = {
    "asked for": OWN + "deallocate (w)\nif (.not. allocated(w)) z = sin(z)*z",
    "allocated again": OWN + "deallocate (w)\nallocate (w(1))\nw = z\nz = w(1)*z",
    "in a loop": """
  real(8), allocatable :: w(:)
  integer :: i
  do i = 1, 2
    allocate (w(i))
    w = z*i
    z = z + sum(w*w)
    deallocate (w)
  end do""",
    "passed": OWN + "deallocate (w)\ncall grown(w, z)\ncontains\nsubroutine grown(v, z)\n"
              "real(8), allocatable :: v(:)\nreal(8) :: z\nif (.not. allocated(v)) z = sin(z)*z\nend subroutine",
    "seen by an internal procedure": OWN + "deallocate (w)\ncall grown\ncontains\nsubroutine grown\n"
                                     "if (.not. allocated(w)) z = sin(z)*z\nend subroutine",
    "the host's": OWN.replace("integer :: i", "") + "call drop\nif (.not. allocated(w)) z = sin(z)*z\ncontains\n"
                  "subroutine drop\ndeallocate (w)\nend subroutine",
    "saved": WORK.replace("{more}", ", save") + "deallocate (w)",
    "a pointer, read by another name": POINTER + "q => w\ndeallocate (w)\nq => v\nz = sin(z)*z + q(1)",
    "a pointer to what the caller has": """
  real(8), pointer :: w(:)
  call given(w)
  w = z*z
  z = sum(w*w)
  deallocate (w)""",
    "a pointer that a loop moves on": """
  real(8), pointer :: w(:), q(:)
  integer :: i
  allocate (w(2))
  w = z
  do i = 1, 2
    allocate (q(2))
    q = w*w
    deallocate (w)
    w => q
  end do
  z = sum(w*w)""",
    "with a status": OWN + "deallocate (w, stat=i)\nif (i == 0) z = sin(z)*z",
    "in a marked part": OWN.replace("  allocate", "  !$AD CHECKPOINT-START\n  allocate")
                        + "deallocate (w)\n!$AD CHECKPOINT-END\nz = sin(z)*z",
}


def found(body: str) -> tuple[int, int]:
    """How many of the DEALLOCATEs are final, and how many there are, in c and what it contains."""
    text, final, every = TEXT.replace("{body}", body), 0, 0
    for key in load_text(text).procedures:
        one = model(text, key)
        final += len(final_deallocations(one))
        every += sum(isinstance(node.stmt, ir.Deallocate) for node in one.flow.nodes)
    return final, every


def taped(body: str, options: AnalysisOptions) -> bool:
    """Does the adjoint of c deallocate what its derivatives read?"""
    adjoint = prepare(load_text(TEXT.replace("{body}", body)), parse_heads("f(x)>(y)")[0], options).adjoints.by_key["c"]
    return any(isinstance(adjoint.model.flow.nodes[n].stmt, ir.Deallocate) for n in adjoint.levels[0].running)


@pytest.mark.parametrize("body", FINAL.values(), ids=FINAL)
def test_the_last_one_is_left_out(body: str, tmp_path: Path) -> None:
    assert found(body) == (1, body.count("deallocate"))
    proved_by_execution(TEXT.replace("{body}", body), "f(x)>(y)", tmp_path)


@pytest.mark.parametrize("body", NOT_FINAL.values(), ids=NOT_FINAL)
def test_others_are_not(body: str, tmp_path: Path) -> None:
    assert found(body) == (0, 1)
    proved_by_execution(TEXT.replace("{body}", body), "f(x)>(y)", tmp_path)


def test_only_where_first_runs_are_trimmed() -> None:
    assert not taped(FINAL["an array"], AnalysisOptions())
    assert taped(FINAL["an array"], AnalysisOptions(first_run="whole"))
