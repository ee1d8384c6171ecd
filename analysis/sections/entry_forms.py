r"""What integer expressions of a step of a loop are in values that there are when the step begins: their *entry forms*.

    k = 3, 4, 5 ...      new = mod(k, 3)        new is mod(k, 3)
                         t = before; before = now; now = t          behind these now is before

A name that nothing in the step has written yet is its own form; one that a single assignment has given a value has the
form of that. Two forms have certainly different values where they are remainders of what differs by no multiple, sums
with other constants, ``3 - now`` beside ``now``, or two of several names that are set to different constants before the
loop and given each other's values by every step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from snapset.analysis.dataflow.bitsets import Exact, May, members
from snapset.analysis.dataflow.part_graphs import flat_graph
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Level

DEEP = 6  # assignments that lead from one name to another


@dataclass(frozen=True)
class EntryForms:
    """Finds them. ``step``: the level of one step of a loop; ``counter``: the loop's variable; ``written``: what the
    loop overwrites; ``known``: of that, what is known of every step that is to be restarted."""

    model: ProcedureModel
    step: Level
    counter: Exact
    written: May
    known: May
    _behind: dict[int, frozenset[int]] = field(default_factory=dict)

    # ------------------------------------------------------------ paths of a step

    @cached_property
    def _inside(self) -> frozenset[int]:
        return frozenset(self.step.nodes)

    @cached_property
    def _succs(self) -> Mapping[int, tuple[int, ...]]:
        graph = flat_graph(self.model.flow, self.step.index)
        every = dict(enumerate(self.model.flow.succs))
        return {n: every[n] for n in graph.order if n != self.step.leave} | {self.step.leave: ()}

    def reached(self, start: int, without: int = -1) -> frozenset[int]:
        """The nodes of a step that can be come to from one, that included, on ways that do not lead through another."""
        found, work = {start} - {without}, [start] if start != without else []
        while work:
            for n in self._succs.get(work.pop(), ()):
                if n != without and n in self._inside and n not in found:
                    found.add(n)
                    work.append(n)
        return frozenset(found)

    # ------------------------------------------------------------ entry forms

    def form(self, expr: ir.Subscript, node: int, deep: int = 0) -> ir.Expr | None:
        """What an integer expression is at a node, of values that there are when the step begins; None: not known."""
        match expr:
            case ir.Literal_():
                return expr
            case ir.Unary(op="+" | "-"):
                inner = self.form(expr.operand, node, deep)
                return None if inner is None else replace(expr, operand=inner)
            case ir.Binary(op="+" | "-" | "*"):
                left, right = self.form(expr.left, node, deep), self.form(expr.right, node, deep)
                return None if left is None or right is None else replace(expr, left=left, right=right)
            case ir.Intrinsic(name="mod" | "modulo", rank=0):
                args = [self.form(one.value, node, deep) for one in expr.args]
                known = tuple(replace(one, value=arg) for one, arg in zip(expr.args, args, strict=True)
                              if arg is not None)
                return replace(expr, args=known) if len(known) == len(args) else None
            case ir.Ref() if expr.rank == 0 and expr.type.kind == "integer" and self._is_scalar(expr):
                return self._name(expr, node, deep)
            case _:
                return None

    def _is_scalar(self, ref: ir.Ref) -> bool:
        return len(ref.parts) == 1 and not ref.parts[0].subscripts and not self.model.space.infos[
            next(members(self.model.refs.touch(ref).bits))].may_move

    def _name(self, ref: ir.Ref, node: int, deep: int) -> ir.Expr | None:
        bits = self.model.space.with_aliases(self.model.refs.touch(ref).bits)
        if not bits & (self.written | self.counter):
            return ref
        writers = [n for n in self.step.nodes if self.model.effects[n].out & bits]
        if not any(node in self._later(writer) for writer in writers):
            known = not bits & ~(self.known | self.counter) and len(list(members(bits))) == 1
            return ref if known else None
        if len(writers) != 1 or deep > DEEP:
            return None
        (writer,) = writers
        stmt = self.model.flow.nodes[writer].stmt
        if (writer == node or not isinstance(stmt, ir.Assign) or stmt.target != ref or self._masked(writer)
                or writer in self._later(writer) or node in self.reached(self.step.enter, without=writer)):
            return None
        return self.form(stmt.value, writer, deep + 1)

    def _later(self, node: int) -> frozenset[int]:
        """What may run behind a node in the same step."""
        if node not in self._behind:
            starts = (n for n in self._succs.get(node, ()) if n in self._inside)
            self._behind[node] = frozenset(chain.from_iterable(map(self.reached, starts)))
        return self._behind[node]

    def _masked(self, node: int) -> bool:
        at = self.model.flow.nodes[node]
        return bool(at.masks) or at.kind != "simple" or self.at_once(node)

    # ------------------------------------------------------------ which forms differ

    def differ(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Have two entry forms certainly different values?"""
        if (isinstance(one, ir.Intrinsic) and isinstance(other, ir.Intrinsic) and one.name == other.name
                and len(one.args) == len(other.args) == 2 and one.args[1].value == other.args[1].value):
            by = number(one.args[1].value)
            apart = _apart(one.args[0].value, other.args[0].value)
            return by is not None and by != 0 and apart is not None and apart % by != 0
        if isinstance(one, ir.Binary) and isinstance(other, ir.Binary) and one.op == other.op == "+":
            if one.left == other.left and number(one.left) is not None:
                return self.differ(one.right, other.right)
            if one.right == other.right and number(one.right) is not None:
                return self.differ(one.left, other.left)
        if isinstance(one, ir.Ref) and isinstance(other, ir.Ref) and one != other:
            return {one.name, other.name} <= self._exchanged
        return _never_alike(one, other)

    @cached_property
    def _exchanged(self) -> frozenset[str]:
        """Integers that are different constants before the loop, and that every step gives each other's values."""
        names = {name for n in self.step.nodes for name in self._written_name(n)}
        while True:
            moved = {name: self._given(name) for name in names}
            kept = {name for name, value in moved.items() if value in names}
            if kept == names:
                break
            names = kept
        begins = {name: self._constant_before(name) for name in names}
        different = len(set(moved.values())) == len(names) and len(set(begins.values())) == len(names)
        return frozenset(names) if different and None not in begins.values() else frozenset()

    def _written_name(self, node: int) -> Iterator[str]:
        stmt = self.model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign) and stmt.target.rank == 0 and stmt.target.type.kind == "integer" and (
                self._is_scalar(stmt.target)):
            bits = self.model.refs.touch(stmt.target).bits
            if self.model.space.with_aliases(bits) == bits and not bits & ~self.known:
                yield stmt.target.name

    def _given(self, name: str) -> str | None:
        """The name whose value at the step's beginning ``name`` has at its end."""
        ref = ir.Ref((ir.PartRef(name),), ir.INTEGER)
        bits = self.model.refs.touch(ref).bits
        writers = [n for n in self.step.nodes if self.model.effects[n].out & bits]
        if len(writers) != 1 or self.step.leave in self.reached(self.step.enter, without=writers[0]):
            return None
        stmt = self.model.flow.nodes[writers[0]].stmt
        if not isinstance(stmt, ir.Assign) or self._masked(writers[0]) or writers[0] in self._later(writers[0]):
            return None
        found = self.form(stmt.value, writers[0])
        return found.name if isinstance(found, ir.Ref) else None

    def _constant_before(self, name: str) -> int | None:
        """The one constant that it is given outside of the steps, before the loop."""
        bits = self.model.refs.touch(ir.Ref((ir.PartRef(name),), ir.INTEGER)).bits
        flow = self.model.flow
        writers = [n for n, e in enumerate(self.model.effects) if e.out & bits and n not in self._inside]
        if len(writers) != 1:
            return None
        stmt = flow.nodes[writers[0]].stmt
        if not isinstance(stmt, ir.Assign) or self._masked(writers[0]):
            return None
        if self.step.enter in _reach(flow.succs, flow.entry, writers[0]) or (
                writers[0] in _reach(flow.succs, self.step.enter)):
            return None
        return number(stmt.value)

    def at_once(self, node: int) -> bool:
        """Is it of a FORALL?"""
        loops = self.model.flow.loops
        return any(isinstance(stmt := loops[n].stmt, ir.Do) and stmt.kind == "forall"
                   for n in self.model.flow.nodes[node].loops)

    def always(self, node: int) -> bool:
        """Does every way through a step lead through a node?"""
        without = self.reached(self.step.enter, without=node)
        leaving = any(s not in self._inside for n in without for s in self._succs[n])
        return not leaving and self.step.leave not in without


def _reach(succs: tuple[tuple[int, ...], ...], start: int, without: int = -1) -> frozenset[int]:
    found, work = {start}, [start]
    while work:
        for n in succs[work.pop()]:
            if n != without and n not in found:
                found.add(n)
                work.append(n)
    return frozenset(found)


def number(expr: ir.Expr | None) -> int | None:
    """A constant's value."""
    if isinstance(expr, ir.Unary) and expr.op == "-":
        inner = number(expr.operand)
        return None if inner is None else -inner
    value = expr.value if isinstance(expr, ir.Literal_) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _difference(one: ir.Expr, other: ir.Expr) -> Quantity | None:
    a, b = (affine(expr, lambda ref: True) for expr in (one, other))
    return None if a is None or b is None else a - b


def _apart(one: ir.Expr, other: ir.Expr) -> int | None:
    """The difference of two expressions, where it is a constant."""
    found = _difference(one, other)
    return None if found is None or found.constant is None else int(found.constant)


def _never_alike(one: ir.Expr, other: ir.Expr) -> bool:
    """Is the difference of two expressions a constant other than 0, or odd: ``now - (3 - now)``?"""
    found = _difference(one, other)
    if found is None:
        return False
    if found.constant is not None:
        return found.constant != 0
    nothing = {name.name: 0 for name in found.names}
    rest = found.evaluate(nothing)
    return rest % 2 == 1 and all((found.evaluate({**nothing, name: 1}) - rest) % 2 == 0 for name in nothing)
