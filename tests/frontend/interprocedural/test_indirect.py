"""Calls through dummy procedures and procedure pointers: what they may run."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

MODULE = """module m
  abstract interface
    subroutine op(a)
      real, intent(inout) :: a
    end subroutine
  end interface
  type holder
    procedure(op), pointer, nopass :: act => null()
    procedure(op), pointer, nopass :: other => {start}
  end type
  procedure(op), pointer :: global => null()
contains
  subroutine one(a)
    real, intent(inout) :: a
    a = 1
  end subroutine
  subroutine two(a)
    real, intent(inout) :: a
    a = 2
  end subroutine
  subroutine wide(a, b)
    real, intent(inout) :: a, b
    a = b
  end subroutine
  real function value(a)
    real, intent(inout) :: a
    value = a
  end function
  subroutine run(f, a)
    procedure(op) :: f
    real, intent(inout) :: a
    call f(a)
  end subroutine
  subroutine through(f, a)
    external f
    real, intent(inout) :: a
    call run(f, a)
  end subroutine
  subroutine s(a, h, p, f)
    real, intent(inout) :: a
    type(holder), intent(inout) :: h
    procedure(op), pointer :: p
    external f
    procedure(op), pointer :: q
    {body}
  end subroutine
end module"""


def targets(body: str, procedure: str = "s", start: str = "null()") -> set[str]:
    """What the last call in a procedure may run."""
    program = load_text(MODULE.format(body=body, start=start))
    calls = [s for s in statements(program.procedures[f"m::{procedure}"].body) if isinstance(s, ir.Call)]
    return {key.removeprefix("m::") for key in calls[-1].targets}


@pytest.mark.parametrize(("body", "procedure", "found"), [
    ("call run(one, a)", "run", {"one"}),
    ("call run(one, a); call run(two, a)", "run", {"one", "two"}),
    ("call through(one, a); call run(two, a)", "run", {"one", "two"}),
    ("q => one; call run(q, a)", "run", {"one"}),
    ("call run(f, a)", "run", set()),
    ("call run(unseen, a); call run(one, a)", "run", set()),
    ("call unseen(run); call run(one, a)", "run", set()),
    ("call run(wide, a); call run(one, a)", "run", {"one"}),
    ("call run(value, a); call run(one, a)", "run", {"one"}),
    ("q => one; call q(a)", "s", {"one"}),
    ("q => one; q => two; call q(a)", "s", {"one", "two"}),
    ("q => one; global => q; call global(a)", "s", {"one"}),
    ("q => one; global => two; q => global; call q(a)", "s", {"one", "two"}),
    ("call p(a)", "s", set()),
    ("q => unseen; call q(a)", "s", set()),
    ("call unseen(q); q => one; call q(a)", "s", set()),
    ("q => null(); call q(a)", "s", set()),
    ("h%act => one; call h%act(a)", "s", {"one"}),
    ("h%act => one; h%other => two; call h%act(a)", "s", {"one"}),
    ("h%act => one; h = holder(two); call h%act(a)", "s", {"one", "two"}),
    ("h%act => one; call unseen(h); call h%act(a)", "s", set()),
    ("q => one; h%act => q; call h%act(a)", "s", {"one"}),
])  # fmt: skip
def test_targets(body: str, procedure: str, found: set[str]) -> None:
    if "unseen" in body:
        body = f"external unseen; {body}"
    assert targets(body, procedure) == found


def test_a_component_that_points_somewhere_from_the_start() -> None:
    assert targets("call h%other(a)", start="one") == {"one"}


def test_a_dummy_procedure_of_the_head_is_not_known() -> None:
    """Elsewhere in the program it is passed a procedure with source; what the head's caller passes nobody knows."""
    text = """subroutine f(x, y, g)
      real(8) :: x, y
      external g
      call g(x, y)
    end subroutine
    subroutine user(x, y)
      real(8) :: x, y
      external mine
      call f(x, y, mine)
    end subroutine
    subroutine mine(x, y)
      real(8) :: x, y
      y = x*x
    end subroutine"""
    program = load_text(text)
    assert [d.code for d in analyse(program, parse_heads("f(x)>(y)")[0]).diagnostics] == ["SN301", "SN402"]
    assert not analyse(program, parse_heads("user(x)>(y)")[0]).diagnostics


INNER = """subroutine apply(f, x, y)
  external f
  real(8) :: x, y
  call f(x, y)
  {more}
end subroutine
subroutine host(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: k, untouched
  k = x*x
  untouched = x
  call apply(inner, x, y)
  y = y*k*untouched
contains
  subroutine inner(a, b)
    real(8) :: a, b
    b = a*a*k
    k = k + b
  end subroutine
end subroutine"""


def test_an_internal_procedure_that_is_passed_changes_its_hosts_variables() -> None:
    part = analyse(load_text(INNER.format(more="")), parse_heads("host(x)>(y)")[0]).parts[0]
    assert set(part.sets.out_c) == {"k", "y"}
    assert set(part.sets.use_cbar) == {"k", "x"}


def test_where_it_goes_from_there_is_unknown_it_changes_all_it_sees() -> None:
    text = INNER.format(more="call unseen(f)")
    part = analyse(load_text(text), parse_heads("host(x)>(y)")[0]).parts[0]
    assert set(part.sets.out_c) >= {"k", "untouched"}


def test_a_call_through_a_pointer_reads_the_pointer() -> None:
    body = "q => one; call q(a); q => two; call q(a); a = a*a"
    program = load_text(MODULE.format(body=body, start="null()"))
    parts = analyse(program, parse_heads("m%s(a)>(a)")[0]).parts
    assert all("q" in part.sets.use_cbar for part in parts)
