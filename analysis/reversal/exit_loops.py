"""Loops left by EXIT: how often they ran is recorded, and once by which way they were left.

In every iteration but the last no EXIT was taken, so the test before an EXIT needs no record of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop


@frozen
class ExitLoop:
    """A loop that only its own end and its EXITs leave: ``do i = 1, n; if (r < eps) exit; ...; end do``.

    ``tests``: the nodes of the tests that lead to an EXIT. ``way_count``: in how many ways the loop may end, its own
    end included: 2 here.
    """

    loop: Loop
    tests: frozenset[int]
    way_count: int


def find_exit_loops(model: ProcedureModel) -> Mapping[int, ExitLoop]:
    """By loop index, the loops left by EXIT whose EXITs tell by themselves which test led to them."""
    return {loop.index: found for loop in model.flow.loops if (found := _exit_loop(model, loop)) is not None}


def _exit_loop(model: ProcedureModel, loop: Loop) -> ExitLoop | None:
    succs, preds, nodes = model.flow.succs, model.graph.preds, model.flow.nodes
    doors = (loop.init, loop.test) if loop.init >= 0 else (model.flow.first_node[loop.stmt.id],)
    leaving = {n for n, target in loop.leaving if n in preds and n != loop.test and target not in doors}
    if not leaving or any(p in preds and n in preds and p not in doors for p, n in loop.entering):
        return None
    if any(succs[n] != (loop.end,) or nodes[n].loops[-1] != loop.index for n in leaving):
        return None
    tests = set[int]()
    for node in leaving:
        test = _decides(model, loop, node)
        if test is None or nodes[test].level != nodes[loop.end].level:
            return None
        tests.add(test)
    ends = loop.init >= 0 or (isinstance(loop.stmt, ir.While) and loop.stmt.cond is not None)
    return ExitLoop(loop, frozenset(tests), len(leaving) + ends)


def _decides(model: ProcedureModel, loop: Loop, leaving: int) -> int | None:
    """The IF that one of whose sides leads to this EXIT and nowhere else, if nothing else leads there."""
    preds, succs, nodes = model.graph.preds, model.flow.succs, model.flow.nodes
    at = leaving
    while len(preds[at]) == 1:
        (before,) = preds[at]
        if before not in loop.body:
            return None
        if len(succs[before]) > 1:
            return before if isinstance(nodes[before].stmt, ir.If) and nodes[before].kind == "test" else None
        at = before
    return None

