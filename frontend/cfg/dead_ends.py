"""What only a run that stops can come to: error exits, and the procedures that never return.

``if (x < 0) call fail('negative')`` where ``fail`` ends with STOP: behind that call there is nothing, and no adjoint is
ever run of a run that came there. So what ``fail`` reads, writes and calls counts for nothing, however little is known
of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.interprocedural.call_graph import bottom_up, callees
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.ir.statement_walk import statements


def ended(flow: FlowGraph, returns: Callable[[ir.Call], bool]) -> FlowGraph:
    """The flow graph without the edges behind calls that never return."""
    last = {node.index for node in flow.nodes if isinstance(node.stmt, ir.Call) and not returns(node.stmt)}
    if not last:
        return flow
    succs = tuple(() if at in last else ones for at, ones in enumerate(flow.succs))
    preds = tuple(tuple(one for one in ones if one not in last) for ones in flow.preds)
    return replace(flow, succs=succs, preds=preds)


def dead_ends(flow: FlowGraph) -> frozenset[int]:
    """The nodes from which no way leads to the exit."""
    living, work = {flow.exit}, [flow.exit]
    while work:
        fresh = [one for one in flow.preds[work.pop()] if one not in living]
        living.update(fresh)
        work += fresh
    return frozenset(node.index for node in flow.nodes) - living


class LiveCalls:
    """The calls that a run which returns can make, of one program, below some procedures."""

    def __init__(self, program: ir.Program, roots: Iterable[str]) -> None:
        self.program = program
        self.roots = tuple(roots)
        self._ending: set[str] = set()  # the procedures that never return
        groups = dict.fromkeys(group for root in self.roots for group in bottom_up(program, root))
        for group in groups:
            if len(group) == 1 and group[0] not in self.roots and self._never_returns(group[0]):
                self._ending.add(group[0])

    def procedures(self) -> Iterator[tuple[ir.Procedure, tuple[ir.Call, ...]]]:
        """Each procedure that may run, with those of its calls that are no calls of procedures with source by name."""
        work, found = list(self.roots), set(self.roots)
        while work:
            procedure = self.program.procedures[work.pop()]
            unknown, called = self._calls(procedure)
            fresh = [key for key in called if key not in found]
            found.update(fresh)
            work += fresh
            yield procedure, unknown

    def _calls(self, procedure: ir.Procedure) -> tuple[tuple[ir.Call, ...], tuple[str, ...]]:
        """The calls without targets or by a pointer that count, and the keys of what is called."""
        facts = body_facts_of(procedure)
        if not facts.outside and not facts.indirect and not self._may_end(procedure):
            return (), facts.callees
        calls = [one for one in statements(procedure.body) if isinstance(one, ir.Call) and not one.intrinsic]
        if self._may_end(procedure):
            flow = ended(build_flow(procedure), self._returns)
            dead = dead_ends(flow)
            if flow.entry not in dead or procedure.key not in self.roots:
                unreached = {node.stmt.id for node in flow.nodes if node.index in dead and node.stmt is not None}
                calls = [one for one in calls if one.id not in unreached]
        unknown = tuple(one for one in calls if not one.targets or one.via == "pointer")
        return unknown, tuple(dict.fromkeys(key for one in calls for key in one.targets))

    def _may_end(self, procedure: ir.Procedure) -> bool:
        return body_facts_of(procedure).stops or not self._ending.isdisjoint(callees(procedure))

    def _never_returns(self, key: str) -> bool:
        procedure = self.program.procedures[key]
        if not self._may_end(procedure):
            return False
        flow = ended(build_flow(procedure), self._returns)
        return flow.entry in dead_ends(flow)

    def _returns(self, call: ir.Call) -> bool:
        return not call.targets or any(key not in self._ending for key in call.targets)
