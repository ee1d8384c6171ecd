"""The store-all adjoint: every overwritten value recorded, every statement differentiated. The reference.

It takes nothing from the analysis: all real assignments have a derivative, nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from snapset.analysis.replay.codegen.compiled_procedure import Function
from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.codegen.forall import at_once, gathered
from snapset.analysis.replay.machine.communicating_nodes import communicated, communicated_back
from snapset.analysis.replay.machine.function_results import results
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES, Stack, Undo, stopped
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.analysis.replay.memory.runtime_support import Array, Index, ReplayError, Slot
from snapset.analysis.replay.ranks.rank_events import DoneEvent
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen

ENTRY = 600  # bytes that Python takes for one entry of the trace, more or less


@dataclass(slots=True)
class _Entry:
    frame: Frame
    node: int
    bytes: int
    derivative: Callable[..., Any] | None
    undo: Undo
    mask: Array | None
    actuals: Bound | None
    events: tuple[DoneEvent, ...] = ()


@dataclass(slots=True)
class _Number:
    """A statement that overwrote one number, as most in loops over elements do."""

    frame: Frame
    node: int
    bytes: int
    derivative: Callable[..., Any] | None
    slot: Slot
    index: Index
    old: Any


@frozen
class OverwrittenPlace:
    """The numbers that a statement in a loop overwrites, one in each run. In the trace: with the index, and the number
    that it was."""

    frame: Frame
    node: int
    slot: Slot
    bytes: int
    derivative: Callable[..., Any] | None


class StoreAll:
    """Runs a machine's root forward and backward.

    ``steps``: of the forward sweep, which are the primal's, statements (``statements``), tests and calls;
    ``derivatives_run``: statement adjoints of the backward sweep.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.derivatives = {key: _derivatives(lowering) for key, lowering in machine.lowerings.items()}
        self.trace: list[_Entry | _Number | tuple[OverwrittenPlace, Index, Any]] = []
        self.stack = Stack()
        self.statements = 0
        self.steps = 0
        self.derivatives_run = 0

    def forward(self, frame: Frame) -> None:
        """Run a procedure to its end, recording.

        Raises:
            ReplayError: the program went wrong; its ``span`` says where.
        """
        code, s = frame.code, frame.s
        flow, node = code.flow, code.flow.entry
        try:
            while node != flow.exit:
                if node in code.choose:
                    self.count()
                    node = code.choose[node](s, frame)
                    continue
                if node in code.binds:
                    self.count()
                    node = self.machine.after_call(frame, node, self.call(frame, node))
                    continue
                if node in code.run:
                    self.record(frame, node)
                    if node in code.messages:
                        entry = self.trace[-1]
                        assert isinstance(entry, _Entry)
                        entry.events = communicated(frame, node)
                    else:
                        code.run[node](s, frame)
                node = flow.succs[node][0]
        except FAILURES as error:
            raise stopped(error, flow.nodes[node].span, frame) from error

    def count(self) -> None:
        """One step more. Raises ReplayError where there are too many, or too much is kept."""
        self.steps += 1
        limits = self.machine.limits
        if self.steps > limits.left:
            raise ReplayError("the program does not end within the steps allowed (--max-steps)")
        if self.stack.height + ENTRY * len(self.trace) > limits.bytes:
            raise ReplayError(f"the store-all adjoint keeps over {limits.bytes} bytes: does the program end? "
                              "Give smaller sizes with --set, or more room with --max-bytes")

    def record(self, frame: Frame, node: int) -> None:
        """Leave behind what a statement that is about to run needs to be taken back."""
        self.statements += 1
        self.count()
        code, s = frame.code, frame.s
        derivative = self.derivatives[code.procedure.key].get(node)
        if node in code.single:
            (slot, index), = code.spots[node](s, frame)
            size = code.single[node]
            self.trace.append(_Number(frame, node, size, derivative, slot, index, slot.values[index]))
            self.stack.push(size)
            return
        undo, size = Undo(), 0
        if node in code.spots:
            for slot, index in code.spots[node](s, frame):
                count = undo.save(slot, index)
                self.stack.push(count)
                size += count
        mask = code.masks[node](s, frame) if node in code.masks else None
        if derivative is not None or node in code.spots:
            self.trace.append(_Entry(frame, node, size, derivative, undo, mask, None))

    def target(self, frame: Frame, node: int, slot: int) -> OverwrittenPlace:
        """What a generated function records with, once for each node."""
        code = frame.code
        return OverwrittenPlace(frame, node, frame.s[slot], code.single[node],
                      self.derivatives[code.procedure.key].get(node))

    def recorded(self, steps: int, size: int) -> None:
        """A generated function has run so many steps, and has recorded so many bytes."""
        self.steps += steps - 1
        self.stack.push(size)
        self.count()

    @deep
    def call(self, frame: Frame, node: int) -> int:
        actuals = self.record_call(frame, node)
        alternate = 0
        for one in runs(actuals):
            inner = self.machine.called(frame, one)
            with self.machine.limits:
                self.forward(inner)
            alternate = inner.alternate
        return alternate

    def record_call(self, frame: Frame, node: int) -> Bound:
        """Leave behind what a call needs to be taken back; its actual arguments."""
        before = results(frame, node)
        actuals: Bound = frame.code.binds[node](frame.s, frame)
        derivative = self.derivatives[frame.code.procedure.key].get(node)
        self.trace.append(_Entry(frame, node, 0, derivative, before, None, actuals))
        return actuals

    def backward(self) -> None:
        """Undo and differentiate everything recorded, last first."""
        while self.trace:
            entry = self.trace.pop()
            if isinstance(entry, tuple):
                self.undo_run(*entry)
                continue
            try:
                if isinstance(entry, _Number):
                    self.undo_number(entry)
                    continue
                forall = entry.frame.code.foralls.get(entry.node)
                if forall is None:
                    self.undo(entry)
                    continue
                trace = cast("list[_Entry | _Number]", self.trace)  # a FORALL is walked
                entries = gathered(entry, trace, forall)
                self.derivatives_run += at_once(entry.frame, entries, forall, self.restore)
            except FAILURES as error:
                raise stopped(error, entry.frame.code.flow.nodes[entry.node].span, entry.frame) from error

    def undo_number(self, entry: _Number) -> None:
        """Take back a statement that overwrote one number."""
        entry.slot.values[entry.index] = entry.old
        self.stack.pop(entry.bytes)
        if entry.derivative is not None:
            self.derivatives_run += 1
            entry.derivative(entry.frame.s, entry.frame, None)

    def undo_run(self, target: OverwrittenPlace, index: Index, old: Any) -> None:
        """Take back one run of a statement in a loop that was recorded by a function."""
        target.slot.values[index] = old
        self.stack.height -= target.bytes
        if target.derivative is not None:
            self.derivatives_run += 1
            try:
                target.derivative(target.frame.s, target.frame, None)
            except FAILURES as error:
                raise stopped(error, target.frame.code.flow.nodes[target.node].span, target.frame) from error

    def restore(self, entry: _Entry | _Number) -> None:
        """Bring back what a statement overwrote."""
        assert isinstance(entry, _Entry)
        entry.undo.restore_associations()
        entry.undo.restore_values()
        self.stack.pop(entry.bytes)

    def undo(self, entry: _Entry) -> None:
        """Take back one statement or call, and run its derivative."""
        self.restore(entry)
        communicated_back(entry.frame, entry.events)
        if entry.derivative is not None:
            if entry.actuals is not None:
                entry.derivative(entry.frame.s, ArgumentAdjoints(entry.actuals))
            else:
                self.derivatives_run += 1
                differentiate(entry.frame, entry.node, entry.derivative, entry.mask, entry.undo)
        entry.undo.restore_states()


def differentiate(frame: Frame, node: int, derivative: Callable[..., Any], mask: Array | None, undo: Undo,
                  gone_back: Callable[[], None] | None = None) -> None:
    """Run a statement's derivative. Where it gave a variable other memory, its target's adjoint is of the new memory
    and its operands' are of the old; ``gone_back`` hears when that is there again."""
    found = derivative(frame.s, frame, mask)
    if node in frame.code.growing:
        next(found, None)
        undo.restore_states()
        if gone_back is not None:
            gone_back()
        next(found, None)


class ArgumentAdjoints(list[Any]):
    """The adjoints of the memory that was passed, by argument of the procedure ``key`` and leaf."""

    __slots__ = ("key",)

    def __init__(self, actuals: Bound) -> None:
        super().__init__([None if slot.b is None else slot.b[()] for slot, _ in actual]
                         if isinstance(actual, list) else None for actual in actuals)
        self.key = actuals.to.key


def _derivatives(lowering: NodeFunctions) -> dict[int, Function]:
    return lowering.once("every", _every, lambda: lowering.adjoints(lambda _: _every, "a"))


def _every(ref: ir.Ref) -> bool:
    return True
