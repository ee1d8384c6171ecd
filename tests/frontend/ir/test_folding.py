"""Conditions that are constant, and what becomes of the branches that are never taken."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.frontend import ir
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.ir.condition_folding import chosen, truth
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

TEXT = """module m
  integer, parameter :: k = 3
  logical, parameter :: on = .true.
end module m
subroutine p(x, n, y)
  use m
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, parameter :: list(2) = [1, 2], two = k - 1
  character(*), parameter :: word = 'ab '
  y = x
  {statement}
end subroutine p
"""


def procedure(statement: str) -> ir.Procedure:
    return load_text(TEXT.format(statement=statement)).procedures["p"]


@pytest.mark.parametrize(("condition", "value"), [
    (".true.", True), (".false.", False), (".not. on", False), ("k == 3", True), ("two*2 >= k + 2", False),
    ("k /= 3 .or. on", True), ("n > 2 .and. k < 3", False), ("on .or. n > 2", True), ("on .eqv. (k > 5)", False),
    ("word == 'ab'", True), ("word /= 'ab'", False), ("-k < 0", True),
    ("n > 2", None), ("n > 2 .and. on", None), ("list(1) == 1", None), ("1.0d0 > 0.5d0", None), ("word < 'b'", None),
    ("on .neqv. n > 2", None), (".not. (n > 2)", None),
])
def test_truth(condition: str, value: bool | None) -> None:
    found = procedure(f"if ({condition}) y = 2*y")
    (stmt,) = (s for s in found.body if isinstance(s, ir.If))
    assert truth(stmt.cond, found.variables) is value


@pytest.mark.parametrize(("selector", "cases", "result"), [
    ("k", ("(1)", "(2:4)", "default"), (True, 1)), ("k", ("(1)", "default"), (True, 1)), ("k", ("(1)",), (True, None)),
    ("k", ("(:2)", "(1, 3)"), (True, 1)), ("n", ("(1)", "default"), (False, None)), ("word", ("('ab')",), (True, 0)),
    ("on", ("(.false.)", "(.true.)"), (True, 1)), ("k", ("(4:)", "default", "(3)"), (True, 2)),
])
def test_cases(selector: str, cases: tuple[str, ...], result: tuple[bool, int | None]) -> None:
    text = "\n".join((f"select case ({selector})", *(f"case {case}\ny = 2*y" for case in cases), "end select"))
    found = procedure(text)
    (stmt,) = (s for s in found.body if isinstance(s, ir.Select))
    assert chosen(stmt, found.variables) == result


def reachable(found: ir.Procedure) -> set[int]:
    """The lines of the assignments that control can reach."""
    flow = build_flow(found)
    seen, work = set(), [flow.entry]
    while work:
        node = work.pop()
        if node not in seen:
            seen.add(node)
            work += flow.succs[node]
    lines = {s.id: s.span.line for s in statements(found.body)}
    return {lines[flow.nodes[n].stmt.id] for n in seen if isinstance(flow.nodes[n].stmt, ir.Assign)}


def test_a_branch_not_taken_is_not_reached() -> None:
    assert reachable(procedure("if (k == 3) then\ny = 1\nelse\ny = 2\nend if")) == {12, 14}
    assert reachable(procedure("if (k /= 3) then\ny = 1\nelse\ny = 2\nend if")) == {12, 16}
    assert reachable(procedure("if (n /= 3) then\ny = 1\nelse\ny = 2\nend if")) == {12, 14, 16}
    assert reachable(procedure("select case (k)\ncase (1)\ny = 1\ncase (3)\ny = 2\nend select\ny = 3")) == {12, 17, 19}
    assert reachable(procedure("select case (k)\ncase (1)\ny = 1\nend select\ny = 3")) == {12, 17}


def test_but_by_a_jump_into_it() -> None:
    assert reachable(procedure("if (n > 2) goto 10\nif (.false.) then\n10 y = 1\nend if")) == {12, 15}


@pytest.mark.parametrize("statement", [
    "if (k == 3) y = y*y", "if (k == 1) y = y*y", "if (.false.) then\ny = 2\nelse if (n > 2) then\ny = y*x\nend if",
    "select case (k)\ncase (1)\ny = 1\ncase (2:)\ny = y*y\nend select", "if (on) then\nif (n > 2) y = y*y*x\nend if",
])
def test_nothing_is_recorded_and_the_gradient_is_right(statement: str) -> None:
    (head,) = parse_heads("p(x)>(y)")
    text = TEXT.format(statement=f"!$AD CHECKPOINT-START\n{statement}\n!$AD CHECKPOINT-END\ny = y*y")
    (run,) = compare(load_text(text), head, options=AnalysisOptions(record_branches=True)).runs
    assert run.equal
    assert run.control_bytes == statement.count("n > 2")


CALLED = """subroutine q(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  integer, parameter :: k = 3
  integer :: i
  do i = 1, n
    if (k == 3) y = y*x
    if (k == 1) then
      y = 0
    else if (i > 2) then
      y = y + 1
    end if
    select case (k)
    case (1)
      y = y*y*y
    case default
      y = y + x
    end select
    select case (k)
    case (:2)
      y = 0
    end select
  end do
end subroutine q
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x
  call q(x, n, y)
  y = y*y
end subroutine p
"""


def test_a_called_procedure_takes_the_same_branches() -> None:
    """Its first run is one Python function, its second goes node by node."""
    (head,) = parse_heads("p(x)>(y)")
    (run,) = compare(load_text(CALLED), head).runs
    assert run.equal, run.error
    jumping = CALLED.replace("i = 1, n\n", "i = 1, n\n    if (i == 2) goto 10\n")
    jumping = jumping.replace("  y = 0\n    else", "  y = 0\n10    y = y + 0.5d0*x\n    else")
    (run,) = compare(load_text(jumping), head).runs
    assert run.equal, run.error
