"""A whole procedure, or a part, as one Python function: loops are Python's loops, scalars its variables.

Made for procedures whose control is structured (GOTO forward out of constructs, or back around a stretch, included);
the others keep being run node by node. The function takes (slots, frame, machine), gives the number of
statements run, and hands over to the node functions where Python's arithmetic raises an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from snapset.analysis.replay.fused import control_flow as control
from snapset.analysis.replay.fused.lines import Construct, Lines, Mark, Steps
from snapset.analysis.replay.fused.register_slots import Slots
from snapset.analysis.replay.fused.scalar_values import NotFusableError, Scalars, is_cached
from snapset.analysis.replay.fused.subscript_ranges import LoopScopes
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import type_of
from snapset.frontend.ir.statement_walk import statements

Weight: TypeAlias = Callable[[int], int]


@frozen
class Text:
    """A generated function. ``marks``: by line, from the second. ``spills``: cached slots it writes.

    ``loops``: the DO loops by number. ``needed``: slots that must have memory.
    """

    source: str
    marks: tuple[Mark, ...]
    spills: tuple[int, ...]
    loops: dict[int, Steps]
    needed: tuple[int, ...]


class FunctionWriter:
    """Writes the function for a block of statements. ``running``: the nodes that run (None: all). ``stops``: a run
    past the machine's limit is no error, but is handed over where an iteration begins. ``weight``: what a run of a node
    counts (1). ``records``: it notes what nodes overwrite (``q5``: of node 5), a number each. ``costly``: see
    :func:`compile_fused`."""

    def __init__(self, lowering: NodeFunctions, slots: Slots, running: frozenset[int] | None = None,
                 stops: bool = False, weight: Weight | None = None, records: bool = False,
                 costly: frozenset[int] = frozenset()) -> None:
        self.code = lowering.code
        self.flow = lowering.flow
        self.values = lowering.values
        self.pieces = lowering.pieces
        self.slots = slots
        self.running = running
        self.stops = stops
        self.weight: Weight = weight or (lambda node: 1)
        self.records = records
        self.costly = costly
        self.recorded: dict[int, int] = {}
        self.scopes = LoopScopes()
        self.scalars = Scalars(self.values, self.scopes)
        self.lines = Lines()
        self.loops = {loop.stmt.id: loop for loop in self.flow.loops}
        self.steps: dict[int, Steps] = {}
        self.nodes = {(n.stmt.id, n.kind): n.index for n in self.flow.nodes if n.stmt is not None}

    def write(self, block: ir.Block, name: str) -> Text:
        """The function.

        Raises:
            NotDirectError: the control of the block is not structured.
        """
        lines, slots = self.lines, self.slots
        lines.add("call = m.call; limit = m.limits.left; c = 0; g = -1")
        if self.records:
            lines.add("rec = m.trace.append")
        lines.add(lambda: "; ".join(map(slots.load, slots.cached)))
        lines.add(lambda: "; ".join(self.views(self.scalars.views)))
        lines.add(lambda: "; ".join(f"q{n} = m.target(f, {n}, {slot})" for n, slot in sorted(self.recorded.items())))
        lines.add("try:")
        lines.indent += 1
        self.block(block)
        lines.flush()
        lines.add("pass")
        lines.indent -= 1
        lines.add("except FALLBACK as error:")
        lines.add(f"    return m.hand_over('{name}', f, error, locals())")
        lines.add("; ".join(map(slots.spill, slots.dirty)))
        lines.add("return c")
        source = lines.source(f"def {name}(s, f, m):")
        fixed = [n for n in self.scalars.views if not slots.moves(n)]
        return Text(source, tuple(lines.marks), slots.dirty, self.steps, (*slots.cached, *fixed))

    # ------------------------------------------------------------ memory

    def views(self, numbers: Iterable[int]) -> list[str]:
        """Lines that take hold of arrays' memory."""
        found = []
        for n in sorted(numbers):
            found.append(f"m{n} = {self.slots.view(n)}")
            found += [f"o{n}_{d} = s[{n}].lo[{d}]" for slot, d in sorted(self.scalars.lows) if slot == n]
        return found

    def spill(self, numbers: Iterable[int]) -> None:
        lines = [self.slots.spill(n) for n in sorted(numbers) if n in self.slots.dirty]
        if lines:
            self.lines.add("; ".join(lines))

    def reload(self, numbers: Iterable[int]) -> None:
        """Take back what a node may have written, and the memory of what it may have allocated."""
        numbers = list(numbers)
        lines = [self.slots.load(n) for n in sorted(numbers) if n in self.slots.cached]
        if lines:
            self.lines.add("; ".join(lines))
        moved = [n for n in numbers if self.slots.moves(n)]
        if moved:
            self.lines.add(lambda: "; ".join(self.views(n for n in moved if n in self.scalars.views)))

    def inlined(self) -> None:
        """Write back what inlined node code of the expressions made since reads."""
        self.spill(self.scalars.inlined)
        self.scalars.inlined.clear()

    # ------------------------------------------------------------ blocks

    def counted(self, node: int) -> int:
        """What a test counts. Raises NotFusableError where that is not always the same."""
        if node in self.costly:
            raise NotFusableError
        return self.weight(node)

    def runs(self, node: int) -> bool:
        return self.running is None or node in self.running

    def block(self, block: ir.Block, done: frozenset[int] = frozenset()) -> None:
        """Statements in order; those between a GOTO and its label are a Python loop of their own."""
        if self.flow.jumps_into - done:
            for at in reversed(range(len(block))):
                label = block[at].label
                if label is None or label in done or label not in self.flow.jumps_into:
                    continue
                sources = [k for k, stmt in enumerate(block) for s in statements((stmt,))
                           if isinstance(s, ir.Goto) and s.to == label]
                if sources and max(sources) < at:
                    self.stretch(block[:at], Construct("forward", label=label), done)
                    self.block(block[at:], done | {label})
                    return
                if sources and min(sources) >= at:
                    self.block(block[:at], done)
                    self.stretch(block[at:max(sources) + 1], Construct("backward", label=label), done | {label})
                    self.block(block[max(sources) + 1:], done)
                    return
        for stmt in block:
            self.values.at(stmt.span)
            self.statement(stmt)

    def stretch(self, block: ir.Block, construct: Construct, done: frozenset[int]) -> None:
        lines = self.lines
        lines.flush()
        lines.add("while True:")
        with lines.construct(construct):
            with lines.inside():
                if construct.kind == "backward":
                    self.endless()
                with self.scopes.conditional():
                    self.block(block, done)
            lines.add(" break")
        lines.arrivals(construct)

    def endless(self) -> None:
        """No more rounds than the limit. Raises NotFusableError in a function that stops: it counts DO loops only."""
        if self.stops:
            raise NotFusableError
        self.lines.add("limit -= 1")
        self.lines.add("if c > limit: endless()")

    def statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.If():
                control.branch(self, stmt)
            case ir.Select():
                control.select(self, stmt)
            case ir.Do():
                control.counted(self, stmt)
            case ir.While():
                control.uncounted(self, stmt)
            case ir.Where():
                node = self.nodes[stmt.id, "simple"]
                if self.runs(node):
                    self.by_node(node, ())
                self.block((*stmt.body, *stmt.elsewhere))
            case ir.ScopeBlock() | ir.Marked():
                self.block(stmt.body)
            case ir.Continue():
                return
            case ir.Call():
                self.call(stmt)
            case ir.Stop():
                self.by_node(self.nodes[stmt.id, "stop"], ())
            case ir.Cycle() | ir.Exit() | ir.Goto() | ir.Return(alternate=None):
                self.jump(stmt)
            case ir.Assign() | ir.Allocate() | ir.Deallocate() | ir.IO(labels=()):
                self.simple(stmt)
            case _:
                raise NotFusableError

    # ------------------------------------------------------------ simple statements

    def simple(self, stmt: ir.Stmt) -> None:
        node = self.nodes[stmt.id, "simple"]
        if node not in self.code.run or not self.runs(node):
            return
        if isinstance(stmt, ir.Assign) and not self.flow.nodes[node].masks and node not in self.costly:
            try:
                self.assign(stmt, node)
                return
            except NotFusableError:
                self.scalars.inlined.clear()
        self.by_node(node, self.slots.writes[node])

    def assign(self, stmt: ir.Assign, node: int) -> None:
        target, own = stmt.target, type_of(stmt.value)
        if target.rank > 0 or target.type.kind == "derived" or (own.kind == "logical") != (
                target.type.kind == "logical"):
            raise NotFusableError
        value = self.scalars.converted(self.scalars.value(stmt.value), own, target.type)
        reached = self.values.slot(target)
        place = reached.place
        if reached.leaf is not place.leaf:  # z%re
            raise NotFusableError
        cached = is_cached(place)
        to = f"v{place.number}" if cached else self.scalars.element(target, place)
        code = self.scalars.narrow(value, target.type) if cached and target.type.kind == "integer" else value.code
        self.inlined()
        if self.records:  # what goes wrong does so before it is recorded
            name, index = self.scalars.name(), "" if cached else f"{to[to.index('[') + 1:-1]},"
            if not cached and target.type.kind == "integer":
                code = self.scalars.narrow(value, target.type)
            self.lines.add(f"{name} = {code}", node)
            self.lines.add(self.noted(node, place.number, to, index), node)
            code = name
        self.lines.add(f"{to} = {code}", node)
        self.lines.pending += self.weight(node)

    def noted(self, node: int, slot: int, old: str, index: str = "") -> str:
        """The line that records what a node is about to overwrite."""
        self.recorded[node] = slot
        return f"rec((q{node}, ({index}), {old}))"

    def by_node(self, node: int, written: Iterable[int]) -> None:
        """Run a node's own function. Raises NotFusableError where it would have to be recorded."""
        if self.records and node in self.code.spots:
            raise NotFusableError
        self.spill(self.code.touched[node])
        if node in self.costly:
            self.lines.add(f"m.more += cost{node}(s, f) - 1", node)
        self.lines.add(f"n{node}(s, f)", node)
        self.lines.pending += self.weight(node)
        moved = [n for n in self.code.touched[node] if self.slots.moves(n)]
        self.reload({*written, *moved})

    def call(self, stmt: ir.Call) -> None:
        node = self.nodes[stmt.id, "call"]
        if stmt.alternates:
            raise NotFusableError
        if not self.runs(node):
            return
        if node in self.code.run:
            self.by_node(node, self.slots.writes[node])
            return
        if self.stops:
            raise NotFusableError
        self.spill(self.slots.writes[node])
        self.lines.add(f"call(f, {node})")
        self.lines.pending += self.weight(node)
        self.reload(self.slots.writes[node])

    def jump(self, stmt: ir.Stmt) -> None:
        lines = self.lines
        for loop in self.scopes.loops:
            loop.doubtful = True
        match stmt:
            case ir.Return() if self.stops:
                raise NotFusableError
            case ir.Return():
                lines.pending -= sum(c.counted for c in lines.open)
                lines.flush()
                lines.add("; ".join((*map(self.slots.spill, self.slots.dirty), "return c")))
            case ir.Goto():
                at = lines.find(lambda c: c.label == stmt.to)
                lines.jump(at, lines.open[at].kind == "backward")
            case ir.Cycle() | ir.Exit():
                named = stmt.name
                at = lines.find(lambda c: c.kind == "loop" and named in (None, c.name))
                lines.jump(at, isinstance(stmt, ir.Cycle))
