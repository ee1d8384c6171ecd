"""Calls in graphs from Fortran: places that overwrite, and what their adjoints read."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dag.fortran.level_problem import level_problem
from snapset.analysis.pipeline import prepare as analysed
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.analysis.dag.fortran.test_dag_sections import level

CALLS = """\
subroutine s(x, y, p)
  real(8) :: x, y, p
  y = sin(x)*p
  call twice(x, p)
  p = y
  y = y*x*p
end subroutine
subroutine twice(a, b)
  real(8) :: a, b
  a = a*a*b
end subroutine
"""


def test_a_call_is_a_place_and_a_graph_of_what_its_adjoint_reads() -> None:
    found = level(CALLS, "s(x)>(y)")
    assert found.problem.overwrites["x at 3"] == {"x@4"}
    assert found.problem.overwrites["p at 3"] == {"p@5"}
    call = next(g for g in found.problem.graphs if g.name == "s@4")
    assert call.required == {"x at 4", "p at 4"}
    assert found.problem.overwrites["x at 4"] == {"x@4"}  # its first run overwrites it


def test_what_a_parts_adjoint_overwrites_is_lost_even_if_its_first_run_does_not_happen() -> None:
    text = """\
subroutine s(x, y)
  real(8) :: x, y, z
  z = sin(x)
  !$AD CHECKPOINT-START
  x = sin(x)
  y = z*x
  !$AD CHECKPOINT-END
end subroutine
"""
    found = level(text, "s(x)>(y)")
    assert found.problem.overwrites["x at 3"] == {"x@4"}


def test_split_mode_loses_what_goes_out_of_scope() -> None:
    text = "subroutine s(x, y)\n  real(8) :: x, y, t\n  t = sin(x)\n  y = t*t*x\nend subroutine\n"
    (one,) = parse_heads("s(x)>(y)")
    analysis = analysed(load_text(text, name="t.f90"), one)
    adjoint = analysis.adjoints.by_key[analysis.order[0]]
    assert level_problem(adjoint, 0).problem.overwrites["t from 3"] == frozenset()
    found = level_problem(adjoint, 0, ends=True)
    assert found.problem.overwrites["t from 3"] == {"end of t"}
    assert found.problem.overwrites["x at 3"] == frozenset()
    assert found.places["end of t"].location == "t"


def test_a_call_in_split_mode_is_refused_by_line() -> None:
    with pytest.raises(InputError, match=r"t\.f90:4:3: error: store or recompute takes every call as a checkpoint"):
        level(CALLS.replace("  call twice", "  !$AD NOCHECKPOINT\n  call twice").replace("real(8) :: x, y, p\n", "", 1)
              .replace("subroutine s(x, y, p)", "subroutine s(x, y, p); real(8) :: x, y, p"), "s(x)>(y)")


PASSED = """\
module units
  real(8) :: scale
contains
  subroutine convert(from, to)
    real(8) :: from, to
    scale = 7d0 + from
    to = from*from*scale
  end subroutine
end module
subroutine s(x, y)
  use units
  real(8) :: x, y
  scale = x*x
  call convert(scale*x, y)
end subroutine
"""


def test_what_a_passed_expression_reads_outlives_the_adjoint_of_the_call() -> None:
    # Nothing runs behind the call, so it has no first run; its adjoint's forward sweep overwrites scale.
    found = level(PASSED, "s(x)>(y)")
    assert found.problem.overwrites["scale at 14"] == {"scale@14"}
