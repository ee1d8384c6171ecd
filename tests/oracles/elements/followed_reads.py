"""What is proved of reads, held against a run: has all that a node reads of an array been written since another began?

    c(1) = x; do k = 2, n; c(k) = c(k - 1); end do      "c(k - 1) reads what has been written since c(1) = x began"

In a run each read of an element of c finds the last write of that element; it has to be none that ran before. The same
of loops whose iterations own elements, and of statements that together write every element of an array: then each of
these has been written. Jumps are followed here, on top of :class:`tests.oracles.elements.element_trace.Trace`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.load import load_text

from tests.oracles.elements.element_sets import cells_of
from tests.oracles.elements.element_trace import Frame, Span, Trace
from tests.oracles.elements.element_values import NotTracedError, Value

_JUMPS = (ir.Goto, ir.Cycle, ir.Exit, ir.Return)


class _JumpError(Exception):
    def __init__(self, stmt: ir.Stmt) -> None:
        self.stmt = stmt


@dataclass(frozen=True, slots=True)
class Step:
    """One execution of a statement's own evaluation: its operations, and since when each statement of the procedure's
    run has begun last. ``ended``: nothing is evaluated, the statement has ended."""

    stmt: ir.Stmt
    frame: Frame
    first: int
    last: int
    begun: Mapping[int, int]
    ended: bool = False


class FollowedRun(Trace):
    """A run with its ``steps``."""

    def __init__(self, program: ir.Program, key: str, values: Mapping[str, float], varied: Sequence[str]) -> None:
        self.steps: list[Step] = []
        self.begun: dict[int, dict[int, int]] = {}  # by run of a procedure and statement
        self.running: list[ir.Stmt] = []
        self.frames: list[Frame] = []  # all are kept: their numbers tell runs apart
        super().__init__(program, key, values, varied)

    def statement(self, frame: Frame, stmt: ir.Stmt) -> None:
        if id(frame) not in self.begun:
            self.frames.append(frame)
            self.begun[id(frame)] = {}
        self.begun[id(frame)][stmt.id] = first = len(self.operations)
        if isinstance(stmt, _JUMPS):
            raise _JumpError(stmt)
        self.running.append(stmt)
        try:
            if isinstance(stmt, ir.While) and stmt.cond is not None and not stmt.before:
                self.repeated(frame, stmt)
            elif isinstance(stmt, ir.Where):
                self.masked(frame, stmt)
            else:
                super().statement(frame, stmt)
        except _JumpError as jump:
            named = jump.stmt.name if isinstance(jump.stmt, ir.Exit) else None
            if named is None or not isinstance(stmt, ir.If) or stmt.name != named:
                raise
        finally:
            self.running.pop()
        if isinstance(stmt, ir.Assign | ir.Call):
            self.note(frame, stmt, first)
        self.note(frame, stmt, len(self.operations), ended=True)

    def masked(self, frame: Frame, stmt: ir.Where) -> None:
        """Assignments of the elements where the mask holds; then those where it does not."""
        mask = self.value(frame, stmt.mask)
        for body, holds in ((stmt.body, True), (stmt.elsewhere, False)):
            for one in body:
                if not isinstance(one, ir.Assign) or rank_of(one.value) not in (0, np.ndim(mask)):
                    raise NotTracedError("WHERE")
                first = self.begun[id(frame)][one.id] = len(self.operations)
                ids, index = self.select(frame, one.target)[()], self.subscripts(frame, one.target)
                values = np.broadcast_to(self.value(frame, one.value), ids.shape)
                self.operations.append(tuple(
                    self.written(int(cell), replace(value, reads=value.reads | test.reads), index, one.target.type)
                    for cell, value, test in zip(ids.flat, values.flat, mask.flat, strict=True)
                    if bool(test.v) == holds))
                self.note(frame, one, first)

    def note(self, frame: Frame, stmt: ir.Stmt, first: int, ended: bool = False) -> None:
        self.steps.append(Step(stmt, frame, first, len(self.operations), dict(self.begun[id(frame)]), ended))

    def tested(self, frame: Frame, cond: ir.Expr) -> Any:
        first = len(self.operations)
        found = super().tested(frame, cond)
        self.note(frame, self.running[-1], first)
        return found

    # ------------------------------------------------------------ jumps

    def block(self, frame: Frame, block: ir.Block) -> None:
        whole, labels = block, {stmt.label: at for at, stmt in enumerate(block) if stmt.label is not None}
        while True:
            try:
                return super().block(frame, block)
            except _JumpError as jump:
                to = getattr(jump.stmt, "to", None)
                if to in labels:
                    block = whole[labels[to]:]
                elif isinstance(jump.stmt, ir.Return) and whole is frame.procedure.body:
                    return None
                else:
                    raise

    def turned(self, frame: Frame, stmt: ir.Do | ir.While) -> bool:
        """Run a loop's body once; is the loop left?"""
        try:
            self.block(frame, stmt.body)
        except _JumpError as jump:
            if not isinstance(jump.stmt, ir.Cycle | ir.Exit) or jump.stmt.name not in (None, stmt.name):
                raise
            return isinstance(jump.stmt, ir.Exit)
        return False

    def repeated(self, frame: Frame, stmt: ir.While) -> None:
        assert stmt.cond is not None
        while self.tested(frame, stmt.cond) and not self.turned(frame, stmt):
            pass

    def loop(self, frame: Frame, stmt: ir.Do) -> None:
        start, stop, step = (self.tested(frame, one) for one in (stmt.start, stmt.stop, stmt.step or ir.Literal_(
            1, ir.INTEGER)))
        (cell,) = self.select(frame, stmt.var)[()].flat
        for value in range(start, start + step*max(0, (stop - start + step)//step), step):
            self.write(int(cell), Value(value), ir.INTEGER)
            if self.turned(frame, stmt):
                return
        self.write(int(cell), Value(start + step*max(0, (stop - start + step)//step)), ir.INTEGER)


class _Judge:
    """One run beside the proofs of its procedures."""

    def __init__(self, run: FollowedRun, models: Models) -> None:
        self.run, self.models = run, models
        self.writes: dict[int, list[int]] = {}  # by cell: the operations
        for at, together in enumerate(run.operations):
            for target in {one.target for one in together if one.target is not None}:
                self.writes.setdefault(target, []).append(at)
        self.checked = 0

    def written(self, cell: int, before: int) -> int:
        """The last operation that wrote a cell; -1 where there is none."""
        writes = self.writes.get(cell, [])
        at = bisect_left(writes, before)
        return writes[at - 1] if at else -1

    def wrong(self) -> Iterator[str]:
        for step in self.run.steps:
            model = self.models.by_key[step.frame.procedure.key]
            yield from self.kills(step, model) if step.ended else self.reads(step, model)

    def since(self, step: Step, model: ProcedureModel, node: int) -> int:
        """When a node has begun last; beyond all where it has not."""
        flow = model.flow
        found = [step.begun.get(one) for one, first in flow.first_node.items() if first == node]
        if (stmt := flow.nodes[node].stmt) is not None:
            found.append(step.begun.get(stmt.id))
        return max((one for one in found if one is not None), default=1 << 60)

    def reads(self, step: Step, model: ProcedureModel) -> Iterator[str]:
        nodes = {node.index for node in model.flow.nodes if node.stmt is not None and node.stmt.id == step.stmt.id
                 and node.kind not in ("step", "loop-test")}
        proofs = [(one.index, one.opens) for one in model.proofs.earlier_writes if one.readers & nodes]
        proofs += [(one.index, one.opens) for one in model.proofs.iteration_private
                   if one.opens is not None and nodes and nodes <= one.loop.body]
        for index, opens in proofs:
            self.checked += 1
            since, cells = self.since(step, model, opens), self.cells(step, model, index)
            for at in range(step.first, step.last):
                read = {cell for one in self.run.operations[at] for cell in one.reads} & cells
                if any(self.written(cell, at) < since for cell in read):
                    yield f"line {step.stmt.span.line} reads older elements of {model.space.infos[index].name}"

    def kills(self, step: Step, model: ProcedureModel) -> Iterator[str]:
        for one in model.proofs.array_kills:
            if model.flow.last_node.get(step.stmt.id) == one.closes:
                since = self.since(step, model, one.opens)
                if any(self.written(cell, step.last) < since for cell in self.cells(step, model, one.index)):
                    yield f"line {step.stmt.span.line}: not all of {model.space.infos[one.index].name} is written"

    def cells(self, step: Step, model: ProcedureModel, index: int) -> set[int]:
        here = Span(step.stmt, step.frame, step.first, step.last, len(self.run.memory), {})
        return set(cells_of(self.run, here, model, index))


def followed(text: str, key: str, values: Mapping[str, float], varied: Sequence[str]) -> tuple[list[str], int]:
    """What is wrong with the proofs of a program's procedures, and how often one was held against the run. Raises
    NotTracedError."""
    program = load_text(text)
    judge = _Judge(FollowedRun(program, key, values, varied), Models(program))
    return list(dict.fromkeys(judge.wrong())), judge.checked
