"""The sets of a program do not depend on what its error exits do."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

PROGRAM = """
module state
  real(8) :: w(4), limit = 9
contains
  subroutine fail(why)
    integer, intent(in) :: why
    w = 0
    limit = w(1)
    {unknown}
    error stop 3
  end subroutine fail
  subroutine check(z)
    real(8), intent(in) :: z
    if (z > limit) call fail(1)
  end subroutine check
  subroutine step(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    w = x*x
    !$AD CHECKPOINT-START
    w = w*w
    {exit}
    w = w*x
    !$AD CHECKPOINT-END
    y = sum(w*w)
  end subroutine step
end module state
"""
HEAD = "state%step(x)>(y)"
EXITS = {"directly": "if (x(1) > 50) call fail(2)", "through a call": "call check(x(1))",
         "with other statements": "if (x(1) > 50) then\nprint *, w\nw = limit\ncall fail(2)\nend if",
         "in place of a value": "if (x(1) < 50) then\nw(1) = w(1)*w(2)\nelse\ncall fail(2)\nend if"}


def sets(text: str) -> list[object]:
    """What is saved and taped, by part and strategy."""
    (head,) = parse_heads(HEAD)
    found = [part for part in analyse(load_text(text), head).parts if part.kind == "region"]
    return [(part.sets, {name: (s.snp, s.sbk, s.req_d, s.req_c) for name, s in part.solutions.items()})
            for part in found]


@pytest.mark.parametrize("name", EXITS)
def test_what_an_error_exit_does_is_in_no_set(name: str) -> None:
    """An unknown procedure, which may do anything, and nothing at all."""
    with_unknown = PROGRAM.format(unknown="call anything(why)", exit=EXITS[name])
    with_nothing = PROGRAM.format(unknown="", exit=EXITS[name]).replace("    w = 0\n    limit = w(1)\n", "")
    assert sets(with_unknown) == sets(with_nothing)
    (head,) = parse_heads(HEAD)
    assert not [one for one in analyse(load_text(with_unknown), head).diagnostics if one.code == "SN301"]


def test_what_returns_is_in_the_sets() -> None:
    text = PROGRAM.format(unknown="call anything(why)", exit=EXITS["directly"])
    assert sets(text) != sets(text.replace("    error stop 3\n", ""))


@pytest.mark.parametrize("name", EXITS)
def test_executed(name: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(unknown="", exit=EXITS[name]), HEAD, tmp_path, {"limit": 60})
