"""A pointer may lead to any target of its type: of the globals, to those that some code which runs names."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

PROGRAM = """
module far
  real(8), target :: away(3) = 1.5d0
end module far
module here
  type :: node
    real(8), pointer :: v(:)
  end type node
  type(node), target :: list
  real(8), target :: near(3) = 0.5d0
contains
  subroutine unreached()
    use far
    list%v => away
  end subroutine unreached
  subroutine name_it(s)
    use far
    real(8), intent(inout) :: s
    {named}
  end subroutine name_it
  subroutine twice(p)
    real(8), pointer :: p(:)
    p = p*p
  end subroutine twice
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8), pointer :: p(:)
    list%v => near
    p => list%v
    p = x*x
    call twice(p)
    y = 0
    call name_it(y)
    y = y + sum(p*p) + sum(near*x)
  end subroutine head
end module here
"""


def known_in_twice(named: str) -> set[str]:
    program = load_text(PROGRAM.format(named=named))
    models = Models(program, root="here::head")
    return set(models.by_key["here::twice"].space.names(-1))


@pytest.mark.parametrize(("named", "there"), [
    ("s = s + 1", False), ("s = s + away(2)", True), ("print *, away", True), ("call sub(s)", True),
    ("if (s > 9) stop 'away'", False),
])
def test_a_target_that_nothing_names_is_in_no_space(named: str, there: bool) -> None:
    """``call sub``: a procedure without source may name it."""
    assert ("far::away" in known_in_twice(named)) == there
    assert "here::near" in known_in_twice(named) or "near" in known_in_twice(named)


def test_a_target_named_only_by_a_bound() -> None:
    """Example: an automatic array whose size is a target's value."""
    text = PROGRAM.format(named="real(8) :: work(int(away(1)))\nwork = s\ns = sum(work)")
    models = Models(load_text(text), root="here::head")
    assert "far::away" in models.by_key["here::twice"].space.names(-1)


@pytest.mark.parametrize("named", ["s = s + 1", "s = s + away(2)"])
def test_executed(named: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(named=named), "here%head(x)>(y)", tmp_path)
    assert parse_heads("here%head(x)>(y)")
