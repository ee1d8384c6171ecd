"""Error exits: what only a run that stops can come to is no part of what a run does."""

from __future__ import annotations

import pytest
from snapset.frontend import ir
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.cfg.dead_ends import LiveCalls, dead_ends
from snapset.frontend.interprocedural.unit_reachability import Roots
from snapset.frontend.load import is_closed, load_text, load_units
from snapset.frontend.reading.read import split_units, text_items

FAIL = """
subroutine fail(code)
  integer, intent(in) :: code
  call unknown(code)
  stop
end subroutine fail
"""
HEAD = """
subroutine head(x, y)
  real(8) :: x, y
{body}
  y = x
end subroutine head
"""
ERROR_EXIT = "if (x < 0) call fail(1)"
BODIES = {
    "an error exit": (ERROR_EXIT, {"head"}),
    "two of them": (f"{ERROR_EXIT}\nif (x > 9) call fail(2)", {"head"}),
    "one in a branch with an assignment": ("if (x < 0) then\nx = 1\ncall fail(1)\nend if", {"head"}),
    "one behind that is jumped to": ("if (x < 0) goto 9\nif (x > 1) goto 8\n9 call fail(1)\n8 continue", {"head"}),
    "a call before it that does return": ("if (x < 0) then\ncall soft(1)\ncall fail(1)\nend if", {"head"}),
    "a call that may return": ("if (x < 0) call soft(1)", {"head", "soft"}),
    "a call in the way of all": ("call soft(1)", {"head", "soft"}),
    "through a caller": ("if (x < 0) call harder(1)", {"head"}),
    "through one that stops only at times": ("if (x < 0) call perhaps(1)", {"head", "perhaps"}),
    "STOP itself": ("if (x < 0) then\ncall soft(1)\nstop\nend if", {"head"}),
    "ERROR STOP": ("if (x < 0) then\ncall soft(1)\nerror stop 3\nend if", {"head"}),
}
OTHERS = """
subroutine soft(code)
  integer, intent(in) :: code
  print *, code
end subroutine soft
subroutine harder(code)
  integer, intent(in) :: code
  call soft(code)
  call fail(code)
end subroutine harder
subroutine perhaps(code)
  integer, intent(in) :: code
  if (code > 3) call fail(code)
end subroutine perhaps
"""


def calls_in(program: ir.Program, root: str) -> dict[str, list[str]]:
    """The procedures that run below one, each with the unknown procedures that it calls."""
    return {procedure.key: [one.name for one in calls] for procedure, calls in LiveCalls(program, [root]).procedures()}


@pytest.mark.parametrize("name", BODIES)
def test_what_runs_in_a_run_that_returns(name: str) -> None:
    body, expected = BODIES[name]
    program = load_text(HEAD.format(body=body) + FAIL + OTHERS)
    found = calls_in(program, "head")
    assert found.keys() == expected
    assert not any(found.values()), "the unknown procedure is called where the run stops"


def test_what_is_unknown_before_a_return_counts() -> None:
    program = load_text(HEAD.format(body="if (x < 0) call fail(1)") + FAIL.replace("  stop\n", ""))
    found = calls_in(program, "head")
    assert found == {"head": [], "fail": ["unknown"]}


def test_the_head_may_end_with_stop() -> None:
    """A main program does; it runs all the same."""
    main = "program main\ncall unknown()\ncall one()\nstop\nend program\n"
    program = load_text(main + "subroutine one()\nend subroutine\n")
    found = calls_in(program, "main")
    assert found == {"main": ["unknown"], "one": []}


def test_recursion_is_taken_to_return() -> None:
    text = "recursive subroutine a(n)\ninteger :: n\ncall b(n)\nend\nrecursive subroutine b(n)\ninteger :: n\n" \
           "call a(n)\nstop\nend\n"
    assert calls_in(load_text(HEAD.format(body="call a(1)") + text), "head").keys() == {"head", "a", "b"}


def test_dead_nodes_are_those_that_no_way_leads_out_of() -> None:
    text = "subroutine s(x)\nreal :: x\nif (x < 0) then\nx = 1\nstop\nend if\nx = 2\nend\n"
    flow = build_flow(load_text(text).procedures["s"])
    assert sorted({flow.nodes[node].span.line for node in dead_ends(flow)}) == [4, 5]


HANDLER = """
module handler
  procedure(), pointer :: hook => null()
contains
  subroutine fail()
    if (associated(hook)) call hook()
    stop
  end subroutine fail
end module handler
module elsewhere
contains
  subroutine unneeded()
  end subroutine unneeded
end module elsewhere
subroutine head(x, y)
  use handler
  real(8) :: x, y
  if (x < 0) call fail()
  y = x
  {body}
end subroutine head
"""


@pytest.mark.parametrize(("body", "read"), [("", False), ("call hook()", True)])
def test_a_pointer_that_only_an_error_exit_calls_needs_no_other_file(body: str, read: bool) -> None:
    """What a pointer leads to all files may say, so all are read, but for one that no run which returns calls."""
    units = split_units(text_items(HANDLER.format(body=body), "t.f90", ReadOptions()), "t.f90")
    program = load_units(units, ("t.f90",), Roots(frozenset({"head"})))
    assert ("elsewhere::unneeded" in program.procedures) == read
    assert is_closed(program, roots=Roots(frozenset({"head"}))) != read
