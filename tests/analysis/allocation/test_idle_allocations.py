"""Allocations and associations that no adjoint can notice are left out, all others are made; by hand, then executed.

    subroutine warn(z)                ! keeps a list of what was too large
      real(8) :: z
      if (z > 2) many = [many, z]
    end
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.allocation.idle_allocations import idle_allocations
from snapset.analysis.dataflow.control_dependence import control_dependence
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.procedures.live_code import ControlDependence
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.modelled import model, names

TEXT = """module store
  real(8), allocatable :: g(:)
  real(8), allocatable, target :: h(:)
  real(8), pointer :: p(:) => null()
  real(8) :: last = 0
contains
  subroutine list(z)
    real(8) :: z, old(10)
    integer :: n
    n = 0
    if (allocated(g)) then
      n = min(size(g), 9)
      old(1:n) = g(1:n)
      deallocate (g)
    end if
    allocate (g(n + 1))
    g(1:n) = old(1:n)
    g(n + 1) = z
  end subroutine
  subroutine grow(z)
    real(8) :: z
    if (.not. allocated(g)) allocate (g(0))
    g = [g, z]
  end subroutine
  subroutine point(z)
    real(8) :: z
    if (.not. allocated(h)) allocate (h(3))
    p => h(2:3)
    p(1) = z
  end subroutine
  subroutine load(z)
    real(8) :: z
    if (.not. allocated(g)) allocate (g(2))
    read (5, *) g(1)
  end subroutine
  subroutine scaled(z)
    real(8) :: z
    z = sin(z)*z
    if (allocated(g)) z = z*size(g)
  end subroutine
end module
subroutine f(x, y)
  use store
  real(8) :: x, y, z
  if (allocated(g)) deallocate (g)
  if (allocated(h)) deallocate (h)
  z = x
  call c(z)
  z = z*x
  call c(z)
  y = z*x
end subroutine
subroutine c(z)
  use store
  real(8) :: z
{body}
end subroutine
"""
IDLE = {
    "a list that is allocated anew": """
  z = z*z
  call list(z)
  z = sin(z)*z""",
    "an array that an assignment lets grow": """
  if (z > 0.1d0) call grow(z)
  z = sin(z)*z""",
    "a pointer": """
  call point(z)
  z = sin(z)*z""",
    "in the procedure itself, in a loop": """
  integer :: i
  do i = 1, 2
    if (allocated(g)) deallocate (g)
    allocate (g(i))
    g = z
  end do
  z = sin(z)*z""",
    "values that only such values are made of": """
  real(8) :: own
  own = z*2
  call list(own)
  last = g(1)
  call list(last)
  z = sin(z)*z""",
}
NOTICED = {
    "by its size": """
  z = sin(z)*z
  if (allocated(g)) z = z*size(g)
  call list(z)""",
    "by a test": """
  if (.not. allocated(g)) z = z*z
  call list(z)""",
    "by a test that lets the rest go on": """
  if (.not. allocated(g)) then
    allocate (g(1))
    g = 1
    return
  end if
  z = sin(z)*z
  deallocate (g)""",
    "by another part": """
  call scaled(z)
  call list(z)""",
    "by a value": """
  call list(z)
  z = sin(z)*z*g(1)
  deallocate (g)""",
    "by a value that a value is made of": """
  call list(z)
  last = g(1)*0.5d0
  z = sin(z)*z*last
  deallocate (g)""",
    "by who allocates it again": """
  if (allocated(g)) deallocate (g)
  allocate (g(2))
  g = z
  z = sin(g(1))*g(2)
  deallocate (g)""",
    "by who writes it whole": """
  call list(z)
  g(:) = z*z
  z = sin(z)*g(1)
  call grow(z)""",
    "by a pointer": """
  call point(z)
  p(1) = z*z
  z = sin(z)*h(2)
  nullify (p)""",
}


DEFAULT = AnalysisOptions()


def held(body: str, options: AnalysisOptions = DEFAULT) -> set[str]:
    """What the snapshots of the calls of c hold, without the module's name."""
    parts = analyse(load_text(TEXT.replace("{body}", body)), parse_heads("f(x)>(y)")[0], options=options).parts
    saved = (name for part in parts if part.callee == "c" for name in part.solutions["lazy"].snp)
    return {name.rpartition("::")[2].partition("(")[0] for name in saved}


def all_allocate(body: str) -> bool:
    """Does each statement of c that allocates or associates, of which there are some, run in its adjoint?"""
    program = load_text(TEXT.replace("{body}", body))
    adjoint = prepare(program, parse_heads("f(x)>(y)")[0]).adjoints.by_key["c"]
    kept = {n for n in adjoint.model.graph.order if adjoint.model.effects[n].shaped}
    return bool(kept) and kept <= adjoint.levels[0].running


@pytest.mark.parametrize("body", IDLE.values(), ids=IDLE)
def test_what_nothing_notices_is_left_out(body: str, tmp_path: Path) -> None:
    assert held(body) == {"z"}
    assert held(body, AnalysisOptions(first_run="whole")) > {"z"}
    proved_by_execution(TEXT.replace("{body}", body), "f(x)>(y)", tmp_path)


@pytest.mark.parametrize("body", NOTICED.values(), ids=NOTICED)
def test_what_something_notices_is_made_and_given_back(body: str, tmp_path: Path) -> None:
    """Each statement that allocates or associates is run, the last one too, though nobody needs what it gives."""
    assert all_allocate(body)
    proved_by_execution(TEXT.replace("{body}", body), "f(x)>(y)", tmp_path)


OTHERS = """module store
  real(8), allocatable :: g(:)
contains
  subroutine load(z)
    real(8) :: z
    if (.not. allocated(g)) allocate (g(2))
    read (5, *) g(1)
  end subroutine
  subroutine leave(z, *)
    real(8) :: z
    if (.not. allocated(g)) allocate (g(2))
    if (z > 1d9) return 1
  end subroutine
  function fresh(z)
    real(8), allocatable :: fresh(:)
    real(8) :: z
    if (.not. allocated(g)) allocate (g(2))
    fresh = [z]
  end function
  subroutine given(n, w)
    integer :: n
    real(8), allocatable, intent(out) :: w(:)
    real(8) :: own(n)
  end subroutine
end module
subroutine f(x, y)
  use store
  real(8) :: x, y, z, own(1)
  integer :: n
  z = x
  {line}
  z = z*z
  y = z
10 continue
end subroutine
"""


@pytest.mark.parametrize(("line", "where"), [
    ("call load(z)", "f"), ("call leave(z, *10)", "f"), ("own = fresh(z)", "f"), ("call given(n, g)", "store::given")])
def test_what_is_kept_for_other_reasons_too_is_not_idle(line: str, where: str) -> None:
    """A file's place, a branch, the shape of a function's result, the entry, which reads the bounds of arrays."""
    found = model(OTHERS.replace("{line}", line), where)
    shaped = {n for n, e in enumerate(found.effects) if e.keep and e.shaped}
    shaped = shaped & {found.flow.entry} or shaped
    assert shaped
    bound = [n for n, e in enumerate(found.effects) if names(found, e.out) & {"z", "y"}]
    assert shaped.isdisjoint(idle_allocations(found, bound, ControlDependence(control_dependence(found.flow), {})))


@pytest.mark.parametrize("line", ["read (5, *) g(1)", "call load(z)"])
def test_a_file_that_is_read_notices(line: str) -> None:
    assert all_allocate(f"  {line}\n  z = sin(z)*z\n  call list(z)")
