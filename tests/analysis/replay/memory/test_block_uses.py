"""BLOCK with a USE of its own: its names, kinds of constants among them, mean there what the module says."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

TEXT = """module kinds
  integer, parameter :: wp = selected_real_kind(12), sp = kind(1.0)
  real(wp), save :: g = 0.25_wp
end module kinds
module m
contains
subroutine head(x, y)
  integer, parameter :: wp = 4
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  x = x*x
{body}
  y = x*(x + 0.1_wp)
end subroutine head
end module m
"""
BODIES = {
    "an intrinsic module": """  block
    use, intrinsic :: iso_fortran_env, only: real64
    real(real64) :: t
    t = x*0.3_real64
    x = sin(t)*t
  end block""",
    "a kind that the procedure has another of": """  block
    use kinds, only: wp, sp
    real(wp) :: t
    t = x*0.3_wp + 0.1_sp
    x = sin(t)*t
  end block""",
    "renamed, in a BLOCK in a BLOCK": """  block
    use kinds, only: dp => wp
    block
      real(dp), parameter :: c(2) = [0.3_dp, 0.7_dp]
      x = x*c(2)
      block
        use kinds, only: dp => sp
        x = x + real(0.1_dp, 8)*x
      end block
      x = x*0.3_dp + c(1)
    end block
  end block""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_block_that_uses_a_module(body: str, tmp_path: Path) -> None:
    proved_by_execution(TEXT.replace("{body}", body), "head(x)>(y)", tmp_path)


def test_kinds_have_the_bytes_that_the_module_says() -> None:
    program = load_text(TEXT.replace("{body}", BODIES["a kind that the procedure has another of"]))
    found = [one.type.bytes for stmt in statements(program.procedures["m::head"].body) if isinstance(stmt, ir.Assign)
             for one in walk(stmt.value) if isinstance(one, ir.Literal_) and one.type.kind == "real"]
    assert sorted(found[:2]) == [4, 8]
    assert found[2:] == [4]
