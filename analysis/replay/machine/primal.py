"""Runs compiled procedures forward: entering, walking the flow graph, calling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from snapset.analysis.memory.storage_units import Overlays
from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure
from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.fused.compile import FusedFunction, compile_fused
from snapset.analysis.replay.fused.register_slots import Slots
from snapset.analysis.replay.machine.stack import FAILURES, stopped
from snapset.analysis.replay.memory.associations import ProcedureValue
from snapset.analysis.replay.memory.frames import GLOBAL, Actual, Bound, Frame, Memory
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot
from snapset.analysis.replay.memory.variable_slots import SlotPlace, passed_variables
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.analysis.replay.statements.procedure_entry import (
    ProcedureEntry,
    check_memory,
    made,
    maker,
)
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.interprocedural.call_graph import reachable

PATIENCE = 2000  # statements of a procedure run node by node before it is worth compiling
ENDLESS = 1_000_000
ROOM = 1_000_000_000
CALLS = 5_000  # within each other


@dataclass(slots=True)
class Limits:
    """``left``: how many more nodes may run before the machine gives up (an endless loop).

    ``bytes``: what the store-all adjoint may keep, with what the machine itself takes to remember it. ``calls``: how
    many more calls may run within each other; ``deepest``: how many have. ``again``: second runs within each other.
    """

    left: int = ENDLESS
    bytes: int = ROOM
    calls: int = CALLS
    deepest: int = 0
    again: int = 0

    def __enter__(self) -> None:
        """``with limits:`` while a call runs. Raises ReplayError where there are too many within each other."""
        if self.calls <= 0:
            raise ReplayError(f"over {CALLS} calls are within each other: the program calls itself without end?")
        self.calls -= 1
        self.deepest = max(self.deepest, CALLS - self.calls)

    def __exit__(self, *_: object) -> None:
        self.calls += 1

    @contextmanager
    def second_run(self) -> Iterator[None]:
        """While a call runs again. Raises ReplayError where more do within each other than calls have."""
        if self.again > 2*self.deepest + 10:
            raise ReplayError("second runs go deeper than first ones did: a part does something else when it runs "
                              "again, which a diagnostic says (SN104)")
        self.again += 1
        try:
            yield
        finally:
            self.again -= 1


class Machine:
    """The compiled procedures below one root. ``direct``: whole procedures run as one function where they can.
    ``in_callees``: statements run so far by procedures that plainly run ones called; :meth:`run` and :meth:`stretch`
    count their own. ``ranked``: it is one of several, which communicate.

    Raises:
        InputError: a statement below the root that the machine does not execute.
    """

    def __init__(self, program: ir.Program, root: str, direct: bool = True, ranked: bool = False) -> None:
        self.program = program
        self.root = root
        self.lowerings: dict[str, NodeFunctions] = {}
        self.codes: dict[str, CompiledProcedure] = {}
        for key in reachable(program, root):
            procedure = program.procedures[key]
            lowering = NodeFunctions(program, procedure, build_flow(procedure))
            self.codes[key] = lowering.lower()
            self.lowerings[key] = lowering
            if self.codes[key].messages and not ranked:
                span = self.codes[key].flow.nodes[min(self.codes[key].messages)].span
                raise InputError("replay does not execute what ranks say to each other, unless it is told "
                                 "how many there are: --ranks N", span)
        self.shared = Overlays(program).sizes
        for code in self.codes.values():
            for place in code.layout.slots:
                check_memory(place, self.shared)
        self.passed = passed_variables(code.procedure for code in self.codes.values())
        self.hosts = {key: p.host for key, p in program.procedures.items() if p.host is not None}
        pointers = any(not p.leaf.has_values for code in self.codes.values() for p in code.layout.slots)
        talks = any(code.messages for code in self.codes.values())
        self.direct = direct and not pointers and not talks
        self.allocates = any(code.growing or any(isinstance(node.stmt, ir.Allocate | ir.Deallocate)
                                                 for node in code.flow.nodes) for code in self.codes.values())
        self.patience = PATIENCE
        self.run_by_nodes: dict[str, int] = {}
        self._entries: dict[str, ProcedureEntry] = {}
        self.compiled: dict[str, FusedFunction | None] = {}
        self.limits = Limits()
        self.in_callees = 0

    def memory(self) -> Memory:
        """Fresh global memory: every global variable below the root, undefined."""
        memory = Memory(self.shared, self.hosts, passed=self.passed)
        empty = Frame(None, memory, None)
        for code in self.codes.values():
            for place in code.layout.slots:
                variable = place.variable
                if variable.area.kind in GLOBAL and variable.value is None and variable.area not in self.shared:
                    key = variable.area, place.leaf.path
                    if key not in memory.slots:
                        memory.slots[key] = made(place, code)(empty, ())
                        memory.depths[key] = place.leaf.depth
        return memory

    # ------------------------------------------------------------ entering a procedure

    def enter(self, key: str, actuals: list[Actual], memory: Memory, host: Frame | None) -> Frame:
        """A frame for one run, its dummy arguments being views of ``actuals`` (the result's last). ``host``: the run of
        the procedure that contains it."""
        code, entry = self.codes[key], self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = ProcedureEntry.of(code, self.shared)
        frame = Frame(code, memory, host)
        for place, name in entry.procedures:
            if place < len(actuals):
                actual = actuals[place]
                frame.procedures[name] = actual if isinstance(actual, ProcedureValue) else None
        s = frame.s = [_NOTHING] * len(code.layout.slots)
        for number, make in entry.makers:
            s[number] = make(frame, actuals)
        return frame

    def slot(self, place: SlotPlace, code: CompiledProcedure, frame: Frame) -> Slot:
        """The memory of a global variable or a constant."""
        return maker(place, code, self.shared)(frame, ())

    # ------------------------------------------------------------ running

    def run(self, frame: Frame) -> int:
        """Run a whole procedure plainly. The statements run."""
        key = frame.code.procedure.key
        run = self.run_by_nodes.get(key, 0)
        if self.direct and (key == self.root or run >= self.patience):
            direct = self.directly(frame.code)
            if direct is not None and direct.fits(frame.s):
                return direct.function(frame.s, frame, self)
        count = self.stretch(frame, frame.code.flow.entry, frame.code.flow.exit)
        self.run_by_nodes[key] = run + count
        return count

    def directly(self, code: CompiledProcedure) -> FusedFunction | None:
        """The function of a whole procedure, compiled when it is first run."""
        key = code.procedure.key
        if key not in self.compiled:
            lowering = self.lowerings[key]
            self.compiled[key] = compile_fused(lowering, Slots(lowering, self.shared), code.procedure.body, "direct")
        return self.compiled[key]

    def hand_over(self, name: str, frame: Frame, error: Exception, local: Mapping[str, Any]) -> int:
        """Go on node by node where a procedure's function cannot; the statements run by both."""
        direct = self.compiled[frame.code.procedure.key]
        assert direct is not None
        node, count = direct.resume(frame, error, local)
        return count + self.stretch(frame, node, frame.code.flow.exit)

    def stretch(self, frame: Frame, start: int, stop: int, running: frozenset[int] | None = None,
                skip: Mapping[int, int] | None = None) -> int:
        """Run from ``start`` until ``stop``; only the nodes of ``running`` (None: all). The statements run.

        ``skip``: where control goes on behind a test that does not run.

        Raises:
            ReplayError: the program went wrong; its ``span`` says where.
        """
        code, s, node, count, passed = frame.code, frame.s, start, 0, 0
        run, choose, succs, nodes = code.run, code.choose, code.flow.succs, code.flow.nodes
        try:
            while node != stop:
                passed += 1
                if passed > self.limits.left:
                    raise ReplayError("the program does not end within the steps allowed (--max-steps)")
                if running is not None and node not in running and nodes[node].kind != "join":
                    node = succs[node][0] if len(succs[node]) == 1 else (skip or {})[node]
                    continue
                if node in choose:
                    count += 1
                    node = choose[node](s, frame)
                    continue
                if node in run:
                    count += 1
                    run[node](s, frame)
                elif node in code.binds:
                    count += 1
                    node = self.after_call(frame, node, self.call(frame, node))
                    continue
                node = succs[node][0]
        except FAILURES as error:
            raise stopped(error, nodes[node].span, frame) from error
        return count

    @deep
    def call(self, frame: Frame, node: int) -> int:
        """Run the procedure a call node calls, plainly; gives its alternate return."""
        alternate = 0
        for one in runs(frame.code.binds[node](frame.s, frame)):
            inner = self.called(frame, one)
            with self.limits:
                steps = self.run(inner)  # which adds what its own callees run
            self.in_callees += steps
            alternate = inner.alternate
        return alternate

    def called(self, frame: Frame, actuals: Bound) -> Frame:
        """What a call runs, entered."""
        inner = self.enter(actuals.to.key, actuals, frame.memory, actuals.to.host)
        inner.caller = frame
        return inner

    def after_call(self, frame: Frame, node: int, alternate: int) -> int:
        labels = frame.code.alternates[node]
        return labels[alternate - 1] if 1 <= alternate <= len(labels) else int(frame.code.flow.succs[node][0])


_NOTHING = Slot(None, None, ())


