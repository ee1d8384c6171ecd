"""The plans of leaves that tape what their adjoint needs, and of no more.

In split mode no call is a checkpoint: what a statement tapes is what some derivative statement before it reads. That
holds of every interval of the run, wherever it begins, since an interval has no derivative statements but those of the
run. So a leaf from the middle of one procedure to the middle of another tapes by the plan of each, and needs no more at
its ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any

from snapset.analysis.analysis_options import AnalysisOptions
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend import ir
from snapset.frontend.ir.rewriting import rewritten


def leaf_options(options: AnalysisOptions) -> AnalysisOptions:
    """Those under which no call is a checkpoint, and each test is recorded."""
    return replace(options, call_checkpoints=False, record_branches=True, recompute=False, dag=False,
                   tape_scalars=True)


def unmarked(program: ir.Program) -> ir.Program:
    """The program without its marked parts' borders: what is inside stands where it stood."""
    procedures = {key: replace(one, body=_spliced(rewritten(one.body, _without_borders)))
                  for key, one in program.procedures.items()}
    return replace(program, procedures=MappingProxyType(procedures))


def _without_borders(node: Any) -> Any:
    if not is_dataclass(node) or isinstance(node, type):
        return node
    new = {one.name: _spliced(value) for one in fields(node)
           if isinstance(value := getattr(node, one.name), tuple) and any(isinstance(s, ir.Marked) for s in value)}
    return replace(node, **new) if new else node


def _spliced(block: ir.Block) -> ir.Block:
    found: list[ir.Stmt] = []
    for stmt in block:
        found += stmt.body if isinstance(stmt, ir.Marked) else (stmt,)
    return tuple(found)


def leaf_plans(analysis: Analysis, machine: Machine) -> Plans | str:
    """The plans of all procedures; or why leaves have to store all. ``analysis``: under :func:`leaf_options`."""
    plans = make_plans(machine, analysis, record_program(analysis.adjoints, analysis.order, LAZY, plain=True))
    return next(_reasons(machine, plans), plans)


def _reasons(machine: Machine, plans: Plans) -> Iterator[str]:
    if not machine.direct:
        yield "the program has pointers, or communicates"
    if machine.allocates:
        yield "the program allocates memory"
    for code in machine.codes.values():
        if code.foralls:
            yield f"{code.procedure.name} has a FORALL"
    for plan in plans.procedures.values():
        if len(plan.levels) > 1 or plan.levels[0].parts:
            yield "a call stays a checkpoint, as in a recursion"
        if any(level.again or level.behind for level in plan.levels):
            yield "something is computed again from values that may be older than the leaf"
