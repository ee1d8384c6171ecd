"""What the machine pushes, by kind and line, against figures derived by hand: control bytes above all.

The cost model and the machine's plan ask the same method what is recorded of control, so that they agree says nothing.
Here each figure follows from the program's text: how often a statement runs, and what its reversal must be told.

* A branch (IF, SELECT CASE): 1 byte each time it is run.
* A computed GOTO, an arithmetic IF: a block number, 4 bytes each time.
* WHILE, or DO without bounds: how often it ran, 4 bytes each time it is entered.
* DO: nothing while its bounds keep their values; if not, or if it is left early, 4 bytes for each bound that is no
  constant, each time it is entered. Left by EXIT: 1 byte more if there is another way out, too; its IF has none.
* WHERE: a byte for each element of a mask that is overwritten; MAX, MIN, ABS: a byte for each element.
* Values: the bytes of what an assignment overwrites, where a derivative reads it: 8 for `y` in ``y = y*x(i)``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.gradient import by_plans, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.symbolic.rendering import text
from snapset.frontend.load import load_text

Pushed = dict[tuple[int, str], tuple[int, int]]
START, END = "!$AD CHECKPOINT-START\n", "!$AD CHECKPOINT-END\n"
FRAME = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  integer :: i, k, m
  real(8) :: t, v(4), w(4)
  y = 1.5d0
{body}
end subroutine p
"""
CALLEE = """subroutine c(u, y, k)
  real(8), intent(in) :: u
  real(8), intent(inout) :: y
  integer, intent(in) :: k
  if (k > 2) then
    y = y*u
  else
    y = y + u
  end if
end subroutine c
"""


def pushed(source: str, options: AnalysisOptions, n: int) -> Pushed:
    """By line and what was pushed there, how often and how many bytes. The gradient must be right, the stack empty."""
    (head,) = parse_heads("p(x)>(y)")
    program, inputs = load_text(source), Inputs({"n": n})
    analysis = prepare(program, head, options)
    machine = Machine(analysis.models.program, find_procedure(program, head).key)
    records = record_program(analysis.adjoints, analysis.order, LAZY)
    plans = make_plans(machine, analysis, records)
    expected, _ = store_all(head, machine, inputs)
    assert any(np.any(a != 0) for a in expected.values.values())
    gradient, run = by_plans(head, machine, plans, inputs)
    assert gradient.same(expected)
    assert run.stack.height == 0
    found: Pushed = {}
    for row, often, size in zip(plans.rows, run.stack.pushed, run.stack.bytes, strict=True):
        if often:
            flow = analysis.adjoints.by_key[row.procedure].model.flow
            key = flow.nodes[row.node].span.line, row.location
            before = found.get(key, (0, 0))
            found[key] = before[0] + often, before[1] + size
    return found


# Name: the body (line 8 is its first), what is pushed by line, and the cost model's bytes of it all, by hand: each side
# of a branch may be the one that is always taken. n is 5. Branches are recorded, not evaluated again.
CASES: Mapping[str, tuple[str, Pushed, str]] = {
    # The IF runs for i = 1 to 5; y*x(i) for 3, 4, 5. y + x(i) reads nothing in its derivative.
    "if": ("do i = 1, n\nif (i > 2) then\ny = y*x(i)\nelse\ny = y + x(i)\nend if\nend do",
           {(9, "branch"): (5, 5), (10, "y"): (3, 24)}, "9*n"),
    # The second test runs where the first is false, i = 2 to 5; the products for i = 1 and for 4, 5.
    "else if": ("do i = 1, n\nif (i == 1) then\ny = y*x(i)\nelse if (i < 4) then\ny = y + x(i)\nelse\ny = y*x(i)\n"
                "end if\nend do",
                {(9, "branch"): (5, 5), (11, "branch"): (4, 4), (10, "y"): (1, 8), (14, "y"): (2, 16)}, "10*n"),
    # One byte tells which of the cases; products for 1 and for 4, 5.
    "select": ("do i = 1, n\nselect case (i)\ncase (1)\ny = y*x(i)\ncase (2:3)\ny = y + x(i)\ncase default\n"
               "y = y*x(1)\nend select\nend do",
               {(9, "branch"): (5, 5), (11, "y"): (1, 8), (15, "y"): (2, 16)}, "9*n"),
    # Bounds that nothing overwrites: no control at all.
    "constant trips": ("do i = 1, 3\ny = y*x(i)\nend do", {(9, "y"): (3, 24)}, "24"),
    "trips that stay": ("do i = n, 2, -1\ny = y*x(i)\nend do", {(9, "y"): (4, 32)}, "8*n - 8"),
    # m is overwritten in the loop around: 4 bytes for the one bound that is no constant, 5 entries; 1+2+3+4+5 products.
    "trips that change": ("m = 1\ndo k = 1, n\ndo i = 1, m\ny = y*x(i)\nend do\nm = m + 1\nend do",
                          {(10, "trip count"): (5, 20), (11, "y"): (15, 120)}, ""),
    "downwards": ("do k = 1, n\nm = k\ndo i = m, 1, -1\ny = y*x(i)\nend do\nend do",
                  {(10, "trip count"): (5, 20), (11, "y"): (15, 120)}, ""),
    # Two bounds, m and m + 1: 8 bytes for each of 5 entries; two products each time.
    "two bounds": ("m = 0\ndo k = 1, n\nm = m + 1\ndo i = m, m + 1\ny = y*x(1)\nend do\nm = m - 1\nend do",
                   {(11, "trip count"): (5, 40), (12, "y"): (10, 80)}, ""),
    # Entered twice: 4 bytes for n, and one that tells EXIT from the end. The IF has none. Products for 1, 2, 3.
    "exit": ("do k = 1, 2\ndo i = 1, n\nif (i > 3) exit\ny = y*x(i)\nend do\nend do",
             {(9, "trip count"): (2, 10), (11, "y"): (6, 48)}, "16*n + 10"),
    # There is no other way out: 4 bytes. m runs through 1 to 4 and is x's subscript, so that each m = m + 1 tapes it.
    "only an exit": ("do k = 1, 2\nm = 0\ndo\nm = m + 1\nif (m > 3) exit\ny = y*x(m)\nend do\nend do",
                     {(12, "trip count"): (2, 8), (11, "m"): (8, 32), (13, "y"): (6, 48)}, ""),
    # Entered twice, three turns each.
    "while": ("do k = 1, 2\nt = 1\ndo while (t < 4)\ny = y*x(1)\nt = t + 1\nend do\nend do",
              {(10, "trip count"): (2, 8), (11, "y"): (6, 48)}, ""),
    # Five turns: i is a subscript and overwritten in each.
    "goto": ("i = 0\n10 i = i + 1\ny = y*x(i)\nif (i < n) goto 10",
             {(11, "branch"): (5, 5), (9, "i"): (5, 20), (10, "y"): (5, 40)}, ""),
    # i = 1 goes to 20, 2 to 30, the others on.
    "computed goto": ("do i = 1, n\ngoto (20, 30), i\ny = y*x(i)\ngoto 40\n20 y = y + x(i)\ngoto 40\n30 y = y*x(1)\n"
                      "40 continue\nend do",
                      {(9, "block number"): (5, 20), (10, "y"): (3, 24), (14, "y"): (1, 8)}, "12*n"),
    "arithmetic if": ("do i = 1, n\nif (i - 3) 20, 30, 40\n20 y = y + x(i)\ngoto 50\n30 y = y*x(1)\ngoto 50\n"
                      "40 y = y*x(i)\n50 continue\nend do",
                      {(9, "block number"): (5, 20), (12, "y"): (1, 8), (14, "y"): (2, 16)}, "12*n"),
    # Both masks read v, which the first assignment changes: four elements, three turns, each assignment its own.
    "where": ("v = x(1)*[1, 2, 3, 4]\ndo i = 1, 3\nwhere (v > 0.1d0)\nv = 2*v\nelsewhere (v < 3)\nv = 3*v\nend where\n"
              "end do\ny = sum(v*v)",
              {(11, "mask"): (3, 12), (13, "mask"): (3, 12)}, "24"),
    # And w, v are factors of w = v*w: 32 bytes each time.
    "where with values": ("v = x(1)*[1, 2, 3, 4]\nw = x(2)\ndo i = 1, 3\nwhere (v > w)\nw = v*w\nv = v*2\nend where\n"
                          "end do\ny = sum(v*w)",
                          {(12, "mask"): (3, 12), (13, "mask"): (3, 12), (12, "w"): (3, 96), (13, "v"): (3, 96)},
                          "216"),
    # Which argument of MAX it was: a byte; nothing of t, whose derivative is 1 or 0.
    "max": ("do i = 1, n\nt = x(i) - 0.5d0\nt = max(t, 0.1d0)\ny = y + t\nend do", {(10, "side"): (5, 5)}, "n"),
    "max and abs": ("do i = 1, n\nt = x(i) - 0.5d0\nt = max(t, 0.1d0, 0.3d0*t) + abs(t)\ny = y + t\nend do",
                    {(10, "side"): (5, 10)}, "2*n"),
    # One push, a byte for each of four elements. v = 2*v overwrites what v*v's derivative reads.
    "abs of an array": ("v = x(1)*[1, 2, 3, 4]\nv = abs(v - 0.5d0)\nw = v*v\nv = 2*v\ny = sum(v)*sum(w)",
                        {(9, "side"): (1, 4), (11, "v"): (1, 32)}, "36"),
    # Each call is a part: y is its snapshot. In its adjoint the last product's value is needed by nobody, so not run.
    "call": ("do i = 1, n\ncall c(x(i), y, i)\nend do", {(9, "y"): (5, 40), (16, "branch"): (5, 5)}, "9*n"),
    # Split: the callee's text as if it stood here, its branch and product (for 3, 4, 5) taped in the first sweep.
    "call that is split": ("do i = 1, n\n!$AD NOCHECKPOINT\ncall c(x(i), y, i)\nend do",
                           {(17, "branch"): (5, 5), (18, "y"): (3, 24)}, "9*n"),
    # It leaves the loop at i = 4, by no EXIT: the loop's 4 bytes once, and the test's for 1 to 4.
    "return": ("do i = 1, n\nif (i > 3) return\ny = y*x(i)\nend do",
               {(8, "trip count"): (1, 4), (9, "branch"): (4, 4), (10, "y"): (3, 24)}, "9*n + 4"),
    "cycle": ("do i = 1, n\nif (i == 2) cycle\ny = y*x(i)\nend do", {(9, "branch"): (5, 5), (10, "y"): (4, 32)}, "9*n"),
    # The part's snapshot is y. Its second run tapes, of two turns, one product; behind it products for 3, 4, 5.
    "in a part": (f"do k = 1, n\n{START}do i = 1, 2\nif (i > 1) then\ny = y*x(k)\nelse\ny = y + x(k)\nend if\nend do\n"
                  f"{END}if (k > 2) y = y*x(1)\nend do",
                  {(9, "y"): (5, 40), (11, "branch"): (10, 10), (12, "y"): (5, 40), (18, "branch"): (5, 5),
                   (18, "y"): (3, 24)}, "35*n"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_machine_pushes_what_follows_by_hand(name: str) -> None:
    body, expected, _ = CASES[name]
    assert pushed(text_of(body), AnalysisOptions(record_branches=True), 5) == expected


@pytest.mark.parametrize("name", [name for name, (*_, formula) in CASES.items() if formula])
def test_the_cost_model_counts_what_follows_by_hand(name: str) -> None:
    body, _, formula = CASES[name]
    (head,) = parse_heads("p(x)>(y)")
    analysis = prepare(load_text(text_of(body)), head, AnalysisOptions(record_branches=True))
    records = dict(record_program(analysis.adjoints, analysis.order, LAZY))
    assert text(CostModel(HeadStructure(analysis.adjoints, analysis.order), records).head().traffic) == formula


@pytest.mark.parametrize("name", ["if", "select", "cycle"])
def test_a_branch_that_is_evaluated_again_has_no_byte(name: str) -> None:
    """The DO variable, which all of these ask for, comes back by itself."""
    body, expected, _ = CASES[name]
    assert pushed(text_of(body), AnalysisOptions(), 5) == {
        key: one for key, one in expected.items() if key[1] != "branch"}


# The report's lines of control in C: the body of a part in a loop, and line, what and bytes of one run of the part.
REPORTED: Mapping[str, tuple[str, tuple[int, str, str]]] = {
    # Two entries with a bound that changes, 4 bytes each; two of WHILE; two left by one of two ways; two by EXIT alone.
    "trips that change": ("m = k\ndo i = 1, 2\ndo j = 1, m\ny = y*x(j)\nend do\nm = m + 1\nend do",
                          (12, "trip count", "8")),
    "while": ("do i = 1, 2\nt = 1\ndo while (t < 4)\ny = y*x(1)\nt = t + 1\nend do\nend do", (12, "trip count", "8")),
    "exit": ("do i = 1, 2\ndo j = 1, n\nif (j > 3) exit\ny = y*x(j)\nend do\nend do", (11, "trip count", "10")),
    "only an exit": ("do i = 1, 2\nm = 0\ndo\nm = m + 1\nif (m > 3) exit\ny = y*x(m)\nend do\nend do",
                     (14, "trip count", "8")),
    # As often as the loop around runs.
    "computed goto": ("do i = 1, 2\ngoto (20, 30), i\ny = y*x(i)\ngoto 40\n20 y = y + x(i)\ngoto 40\n30 y = y*x(1)\n"
                      "40 continue\nend do", (11, "block number", "8")),
    "if": ("do i = 1, n\nif (i > 1) y = y*x(i)\nend do", (11, "branch", "n")),
}


@pytest.mark.parametrize("name", REPORTED)
def test_the_report_counts_what_follows_by_hand(name: str) -> None:
    body, expected = REPORTED[name]
    source = FRAME.replace("i, k, m", "i, j, k, m").format(body=f"do k = 1, n\n{START}{body}\n{END}end do")
    (head,) = parse_heads("p(x)>(y)")
    (part,) = analyse(load_text(source), head, (LAZY,), AnalysisOptions(record_branches=True)).parts
    (line,) = part.solutions["lazy"].control
    assert line.bytes is not None
    assert (line.line, line.what, text(line.bytes)) == expected


def text_of(body: str) -> str:
    return FRAME.format(body=body) + (CALLEE if "call c" in body else "")
