"""The statements of a generated adjoint's procedure, walked with a stack beside them.

What leaves the stack alone is summed up by what it may write; loops and branches that push are put on the stack as
one entry. Jumps forward among them are followed, those back are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from snapset.analysis.comparison.balanced_items import Altered, Changed
from snapset.analysis.comparison.control_values import decided, peeled
from snapset.analysis.comparison.jump_free import leaves, without_jumps
from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.comparison.stack_contents import (
    Around,
    Branching,
    Net,
    PartMark,
    RepeatedPops,
    StackValue,
    Sweep,
    UnpairedError,
    marks_only,
)
from snapset.analysis.comparison.stack_frames import StackFrame
from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import blocks, statements

Moves = Literal["balanced", "pushes", "pops"]
"""What a call of a procedure does to the stack."""


@frozen
class Called:
    """What is known of a procedure that is called. ``partly``: what it gives back somewhere, perhaps not whole."""

    moves: Moves
    change: Altered
    partly: May = EMPTY


@dataclass
class SweepWalk:
    """One procedure. ``known``: of those that it calls. ``forward``, ``backward``: by id of a statement, the mark of a
    part that is put before it."""

    model: ProcedureModel
    known: Mapping[str, Called]
    forward: Mapping[int, PartMark] = field(default_factory=dict)
    backward: Mapping[int, PartMark] = field(default_factory=dict)
    moving: frozenset[int] = frozenset()

    def net(self) -> Net:
        """The whole body; marks alone are no move of the stack. Raises UnpairedError where a POP has no certain PUSH.
        """
        body = self.model.procedure.body
        while body and isinstance(body[-1], ir.Return) and body[-1].label is None:
            body = body[:-1]
        body = without_jumps(body, self._moving(body))
        self.moving = self._moving(body)
        net = self.block(body, {})
        contents = [*(entry.content for entry in net.entries), *(demand.content for demand in net.demands)]
        return self._without_marks(net) if all(map(marks_only, contents)) else net

    @deep
    def block(self, block: ir.Block, values: Mapping[str, int]) -> Net:
        """A block by itself. ``values``: of controls that are known."""
        frame = StackFrame(self.model, self.chosen)
        pending = list(reversed(block))
        while pending:
            stmt = pending.pop()
            if isinstance(stmt, ir.Call) and stmt.name == "adstack_startrepeat":
                frame.ask(self._look(stmt, pending))
            else:
                self._statement(frame, stmt, values)
            call = stack_call(stmt)
            if values and isinstance(stmt, ir.Call) and call is not None and call.role == "pop control":
                target = saved_place(stmt)
                values = {name: value for name, value in values.items() if target is None or name != target.name}
        return frame.net()

    def chosen(self, branching: Branching, name: str, value: int) -> Net:
        """What a branch does when a control has a value."""
        frame = StackFrame(self.model, self.chosen)
        self._branch(frame, branching.stmt, {name: value})
        return frame.net()

    def _statement(self, frame: StackFrame, stmt: ir.Stmt, values: Mapping[str, int]) -> None:
        if stmt.id in self.backward:
            frame.ask(self.backward[stmt.id])
        if stmt.id in self.forward:
            frame.push(self.forward[stmt.id])
        if stmt.id not in self.moving:
            self._plain(frame, stmt)
            return
        match stmt:
            case ir.Call():
                self._call(frame, stmt)
            case ir.Do(kind="forall"):
                raise UnpairedError(stmt, "a FORALL with a PUSH or POP in it, where Fortran has no CALL: this does not "
                                          "compile")
            case ir.Do() | ir.While():
                before = stmt.before if isinstance(stmt, ir.While) else ()
                frame.add((Changed(self._own(stmt)),))
                first, others = peeled(stmt) or (None, {})
                if first is not None:
                    frame.put(self._settled(self.block(stmt.body, first)))
                self._loop(frame, stmt, self.block((*before, *stmt.body), others))
                frame.add((Changed(self._own(stmt)),))
            case ir.If() | ir.Select():
                self._branch(frame, stmt, values)
            case ir.ScopeBlock() | ir.Marked():
                frame.add((Changed(self._own(stmt)),))
                frame.put(self.block(stmt.body, values))
            case _:
                self._plain(frame, stmt)

    def _plain(self, frame: StackFrame, stmt: ir.Stmt) -> None:
        if leaves(stmt) and self.moving:
            raise UnpairedError(stmt, "a jump among PUSHes and POPs")
        change = Altered()
        for one in statements((stmt,)):
            change |= self._own(one)
        if change.may:
            frame.add((Changed(change),))

    def _own(self, stmt: ir.Stmt) -> Altered:
        return self.written.get(stmt.id, Altered())

    def _call(self, frame: StackFrame, stmt: ir.Call) -> None:
        call = stack_call(stmt)
        if leaves(stmt):
            raise UnpairedError(stmt, "a jump among PUSHes and POPs")
        if call is None:
            frame.add((Changed(self._own(stmt)),))
            moves = {self.known[key].moves for key in stmt.targets if key in self.known}
            if moves == {"pushes"}:
                frame.push(Sweep(stmt))
            elif moves == {"pops"}:
                frame.ask(Sweep(stmt))
            elif moves - {"balanced"}:
                raise UnpairedError(stmt, f"{stmt.name} moves the stack in ways that are not followed")
        elif call.role in ("push", "push control"):
            frame.push(StackValue(stmt, call))
        elif call.role in ("pop", "pop control"):
            frame.ask(StackValue(stmt, call))
        else:
            raise UnpairedError(stmt, f"{stmt.name} is not followed")

    def _look(self, stmt: ir.Call, pending: list[ir.Stmt]) -> RepeatedPops:
        """The POPs up to ADSTACK_ENDREPEAT, taken off ``pending``. Raises UnpairedError for anything else there."""
        values: list[StackValue | Around] = []
        while pending:
            one = pending.pop()
            call = stack_call(one)
            if call is not None and isinstance(one, ir.Call):
                if one.name == "adstack_endrepeat":
                    return RepeatedPops(stmt, tuple(values))
                if call.role == "pop":
                    values.append(StackValue(one, call))
                    continue
                if one.name == "adstack_resetrepeat":
                    continue
            elif isinstance(one, ir.Do) and _only_pops(one.body):
                values.append(Around(one, self.block(one.body, {})))
                continue
            break
        raise UnpairedError(stmt, "more than POPs is repeated")

    def _settled(self, net: Net) -> Net:
        """A stretch that both pushes and asks, without the marks: what runs a part again in the same stretch, or leaves
        its adjoint to another, is no fault of the stack's."""
        return self._without_marks(net) if net.entries and net.demands else net

    def _without_marks(self, net: Net) -> Net:
        """Without those that are asked for and, where more is asked for, without those that lie on the stack."""
        frame = StackFrame(self.model, self.chosen, list(net.demands), net.base, list(net.entries))
        frame.drop_asked_marks()
        if frame.demands or all(marks_only(entry.content) for entry in frame.entries):
            frame.drop_marks()
        return frame.net()

    def _loop(self, frame: StackFrame, stmt: ir.Do | ir.While, net: Net) -> None:
        net = self._settled(net)
        if net.entries and net.demands:
            raise UnpairedError(stmt, "a loop both pushes and pops what others do")
        if net.entries:
            frame.push(Around(stmt, net))
        elif net.demands:
            frame.ask(Around(stmt, net))
        else:
            frame.add(net.base)

    def _branch(self, frame: StackFrame, stmt: ir.If | ir.Select, values: Mapping[str, int]) -> None:
        frame.add((Changed(self._own(stmt)),))
        ways = blocks(stmt)
        if isinstance(stmt, ir.If) and values:
            taken = decided(stmt.cond, values)
            if taken is not None:
                frame.put(self.block(stmt.then if taken else stmt.orelse, values))
                return
        if isinstance(stmt, ir.Select) and not any(case.values is None for case in stmt.cases):
            ways = (*ways, ())
        ways = tuple(way for way in ways if not way or not isinstance(way[-1], ir.Stop))  # nothing comes after it
        if len(ways) == 1:
            frame.put(self.block(ways[0], {}))
            return
        nets = tuple(self._settled(self.block(way, values)) for way in ways)
        branching = Branching(stmt, nets)
        if all(net.neutral for net in nets):
            for net in nets:
                frame.add(net.base)
        elif not any(net.demands for net in nets):
            frame.push(branching)
        elif not any(net.entries for net in nets):
            frame.ask(branching)
        else:
            raise UnpairedError(stmt, "a branch both pushes and pops what others do")

    # ------------------------------------------------------------ what statements do

    @cached_property
    def written(self) -> Mapping[int, Altered]:
        """By id of a statement, what its own nodes may write; of calls what they leave with another value."""
        found: dict[int, Altered] = {}
        for node in self.model.flow.nodes:
            if node.stmt is not None:
                found[node.stmt.id] = found.get(node.stmt.id, Altered()) | self._written_by(node.index)
        return found

    def _written_by(self, node: int) -> Altered:
        out = self.model.effects[node].out
        site = self.model.calls.get(node)
        if site is None:
            return Altered(out, out)
        if not site.targets or any(target.key not in self.known for target in site.targets):
            return Altered(out)  # without source: nobody says that it gives back nothing
        result = EMPTY if site.stmt.result is None else self.model.refs.touch(site.stmt.result).bits
        known = [(target, self.known[target.key].change) for target in site.targets]
        may = union(target.outs(change.may) for target, change in known) | result
        lost = union(target.outs(change.lost) for target, change in known) | result
        close = self.model.space.with_aliases
        return Altered(May(out & close(may)), May(out & close(lost)))

    def _moving(self, body: ir.Block) -> frozenset[int]:
        """The statements in which the stack is moved, or a part's mark stands, by id."""
        found: set[int] = set()
        for stmt in reversed(list(statements(body))):  # those inside a statement come after it
            if self._moves(stmt) or any(one.id in found for block in blocks(stmt) for one in block):
                found.add(stmt.id)
        return frozenset(found)

    def _moves(self, stmt: ir.Stmt) -> bool:
        if stmt.id in self.forward or stmt.id in self.backward:
            return True
        if not isinstance(stmt, ir.Call):
            return False
        return stack_call(stmt) is not None or any(
            self.known[key].moves != "balanced" for key in stmt.targets if key in self.known)


def _only_pops(body: ir.Block) -> bool:
    """Is a loop's body nothing but POPs of values, and loops of such?"""
    def pops(stmt: ir.Stmt) -> bool:
        call = stack_call(stmt)
        return (isinstance(stmt, ir.Do) and _only_pops(stmt.body)) or (call is not None and call.role == "pop")

    return bool(body) and all(map(pops, body))
