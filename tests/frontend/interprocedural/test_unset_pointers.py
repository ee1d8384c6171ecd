"""Procedure pointers that nothing sets: optional callbacks. They are never called, and hide no other pointer's targets.

What others may have set, before the head or in code that is not here, stays unknown.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.interprocedural.procedure_pointers import in_run_of
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

TEXT = """module m
  implicit none
  type base
    integer :: n = 3
  end type
  type, extends(base) :: solver
    real(8) :: scale = 1
    procedure(value), pointer :: f => null()
    procedure(told), pointer :: report => null()
  contains
    procedure :: init
    procedure :: solve
  end type
  type holder
    type(solver), pointer :: held => null()
  end type
  abstract interface
    subroutine value(me, x, f)
      import :: solver
      class(solver), intent(inout) :: me
      real(8), intent(in) :: x
      real(8), intent(out) :: f
    end subroutine
    subroutine told(me, k, x)
      import :: solver
      class(solver), intent(inout) :: me
      integer, intent(in) :: k
      real(8), intent(inout) :: x
    end subroutine
  end interface
  {module}
contains
  subroutine init(me, f, report)
    class(solver), intent(inout) :: me
    procedure(value) :: f
    procedure(told), optional :: report
    me%f => f
    if (present(report)) me%report => report
  end subroutine
  subroutine solve(me, x)
    class(solver), intent(inout) :: me
    real(8), intent(inout) :: x
    real(8) :: v
    integer :: k
    do k = 1, me%n
      call me%f(x, v)
      x = x - 0.1d0*v*me%scale
      {call}
    end do
  end subroutine
  subroutine square(me, x, f)
    class(solver), intent(inout) :: me
    real(8), intent(in) :: x
    real(8), intent(out) :: f
    f = sin(x*x)*x*x
  end subroutine
  subroutine cube(me, x, f)
    class(solver), intent(inout) :: me
    real(8), intent(in) :: x
    real(8), intent(out) :: f
    f = x**3
  end subroutine
  subroutine change(me, k, x)
    class(solver), intent(inout) :: me
    integer, intent(in) :: k
    real(8), intent(inout) :: x
    {changed}
    x = x*1.5d0
  end subroutine
  subroutine top({formals})
    real(8) :: x, y, z
    {declared}
    z = x
    {before}
    call s%init(square{passed})
    call s%solve(z)
    y = z*x
  end subroutine
end module
"""
GUARDED = "if (associated(me%report)) call me%report(k, x)"
OWN = {"module": "", "call": GUARDED, "formals": "x, y", "declared": "type(solver) :: s", "before": "", "passed": "",
       "changed": ""}
GIVEN = {"passed": ", change", "changed": "me%f => cube"}
NEVER = {
    "the run's own": {},
    "on the heap": {"declared": "class(solver), allocatable :: s", "before": "allocate (s)"},
    "within an if": {"call": "if (k > 1) then; if (associated(me%report)) then; call me%report(k, x); end if; end if"},
    "the other way round": {"call": "if (.not. associated(me%report)) then; v = 0; else; call me%report(k, x); end if"},
}
UNKNOWN = {
    "the head's argument": {"formals": "x, y, s"},
    "the head's, of a type it extends": {"formals": "x, y, b", "declared": "class(base) :: b; type(solver) :: s"},
    "in the head's argument": {"formals": "x, y, h", "declared": "type(holder) :: h; type(solver) :: s"},
    "a module's": {"module": "type(solver) :: s", "declared": ""},
    "saved": {"declared": "type(solver), save :: s"},
    "passed on": {"declared": "type(solver) :: s; external unseen", "before": "call unseen(s)"},
    "from C": {"declared": "type(solver), pointer :: s; type(c_ptr) :: at", "before": "call c_f_pointer(at, s)",
               "module": ""},
}


def called(given: dict[str, str]) -> tuple[bool, set[str] | None]:
    """What `me%f` may run (None: unknown), and whether `me%report` is never called."""
    text = TEXT.format(**OWN | given)
    if "c_ptr" in text:
        text = text.replace("module m\n", "module m\n  use, intrinsic :: iso_c_binding\n", 1)
    program = in_run_of(load_text(text), "m::top")
    every = list(statements(program.procedures["m::solve"].body))
    (f,) = [s for s in every if isinstance(s, ir.Call) and s.name == "f"]
    return any(isinstance(s, ir.Stop) and s.never for s in every), set(f.targets) or None


@pytest.mark.parametrize("name", NEVER)
def test_what_nothing_sets_is_never_called(name: str) -> None:
    assert called(NEVER[name]) == (True, {"m::square"})


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_others_may_have_set_is_unknown_and_may_set_others(name: str) -> None:
    assert called(UNKNOWN[name]) == (False, None)


def test_without_a_test_the_call_alone_is_unknown() -> None:
    """That the run ends there, rather than that a file is missing, nobody would believe."""
    assert called({"call": "call me%report(k, x)"}) == (False, {"m::square"})


def test_one_that_is_set_is_called_and_may_set_others() -> None:
    assert called(GIVEN) == (False, {"m::cube", "m::square"})


@pytest.mark.parametrize("name", NEVER)
def test_a_callback_that_nobody_gives(tmp_path: Path, name: str) -> None:
    proved_by_execution(TEXT.format(**OWN | NEVER[name]), "top(x)>(y)", tmp_path)


def test_a_callback_that_is_given(tmp_path: Path) -> None:
    proved_by_execution(TEXT.format(**OWN | GIVEN), "top(x)>(y)", tmp_path)


DUMMY = """module m
  implicit none
  interface
    subroutine told(x)
      real(8), intent(inout) :: x
    end subroutine
  end interface
  procedure(told), pointer :: hook => null()
contains
  subroutine work(x, report)
    real(8), intent(inout) :: x
    procedure(told), optional :: report
    procedure(told), pointer :: own
    own => null()
    x = sin(x)*x
    {call}
    x = x*x
  end subroutine
  subroutine twice(x)
    real(8), intent(inout) :: x
    x = 2*x*x
  end subroutine
  subroutine top(x, y)
    real(8) :: x, y
    y = x
    call work(y{passed})
    call work(y)
    y = y*x
  end subroutine
end module
"""
CALLS = {
    "if (present(report)) call report(x)": True, "if (associated(own)) call own(x)": True,
    "if (associated(hook)) call hook(x)": False, "own => hook; if (associated(own)) call own(x)": False,
}


@pytest.mark.parametrize("call", CALLS)
def test_dummies_and_variables_too(call: str) -> None:
    """A dummy procedure that no call gives, and a local pointer; a module's may have been set before."""
    program = in_run_of(load_text(DUMMY.format(call=call, passed="")), "m::top")
    stops = [s for s in statements(program.procedures["m::work"].body) if isinstance(s, ir.Stop)]
    assert bool(stops) is CALLS[call]


@pytest.mark.parametrize("passed", ["", ", twice"])
def test_an_optional_procedure_is_executed(tmp_path: Path, passed: str) -> None:
    text = DUMMY.format(call="if (present(report)) call report(x)", passed=passed)
    proved_by_execution(text, "top(x)>(y)", tmp_path)
