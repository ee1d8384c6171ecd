"""The vertices of one section: which value a reference reads, and what overwrites where it is held."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dag.fortran.flattening import (
    Flattener,
    addressed,
    direct_references,
    references,
    subscript_references,
)
from snapset.analysis.dag.fortran.memory_cells import Cell, cell
from snapset.analysis.dag.fortran.overwrite_places import Places
from snapset.analysis.dag.problem.vertex_elimination import Operation
from snapset.analysis.dataflow.bitsets import EMPTY, union
from snapset.frontend import ir
from snapset.frontend.ir.pretty_print import expr as text


class SectionValues:
    """The values of a section so far.

    ``operations``, ``formulas`` and ``required``: of the statements. ``recorded``: what per-statement To Be Recorded
    restores. ``overwrites``: their part of G_b. ``addresses``: of elements, the subscripts' vertices: memory can only
    be read where they are known. ``held``: the vertices that a variable holds, as references over vertices;
    ``cells``: which memory. ``results``: by node what its assignment gives. ``fresh`` makes a name unique.
    """

    def __init__(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, places: Places,
                 fresh: Callable[[str], str]) -> None:
        self.adjoint = adjoint
        self.model = adjoint.model
        self.level = level
        self.places = places
        self.fresh = fresh
        self.node = -1
        self.operations: list[Operation] = []
        self.formulas: dict[str, ir.Expr] = {}
        self.required: set[str] = set()
        self.recorded: set[str] = set()
        self.overwrites: dict[str, frozenset[str]] = {}
        self.addresses: dict[str, frozenset[str]] = {}
        self.held: dict[str, ir.Ref] = {}
        self.cells: dict[str, Cell] = {}
        self.results: dict[int, str] = {}
        self.current: dict[Cell, str] = {}
        self.peeked: dict[Cell, str] = {}
        self.written: dict[int, set[Cell]] = {}
        self.inputs: dict[str, int] = {}
        self.elements = 0
        self.addressing = 0

    # ------------------------------------------------------------ statements

    def take(self, node: int) -> bool:
        """Add an assignment; False (and nothing done) if it must begin a section of its own, or cannot even that."""
        stmt = self.model.flow.nodes[node].stmt
        assert isinstance(stmt, ir.Assign)
        every = [stmt.target, *references(stmt.value)]
        every += [inner for ref in every for inner in subscript_references(ref)]
        if not all(map(self.known_apart, every)):
            return False
        if not self.addressable(stmt.target):
            return False
        self.node = node
        self.assign(stmt)
        return True

    def known_apart(self, ref: ir.Ref) -> bool:
        """Is every element of its array that the section writes certainly another, or certainly this one?"""
        own, written = self.cell(ref), self.written.get(self.bit(ref), ())
        return own in written or all(own.relation(one) == "distinct" for one in written)

    def addressable(self, target: ir.Ref) -> bool:
        """Can every element written in the section be found again before anything is put back?

        Not if its address may come from an element that the section writes: the two would wait for each other.
        """
        elements = self.elements | (0 if self.model.refs.touch(target).whole else self.bit(target))
        addressing = self.addressing | union(self.elements_of(ref) for ref in subscript_references(target))
        if elements & addressing:
            return False
        self.elements, self.addressing = elements, addressing
        return True

    def elements_of(self, ref: ir.Ref) -> int:
        """The arrays whose elements a reference's value is made of, as far as the section knows."""
        vertex = self.current.get(self.cell(ref))
        if vertex is not None:
            return self.inputs[vertex]
        return 0 if self.model.refs.touch(ref).whole else self.bit(ref)

    def assign(self, stmt: ir.Assign) -> None:
        active = self.node in self.adjoint.active.derivative
        line = self.model.flow.nodes[self.node].span.line
        if active:
            for ref in (stmt.target, *filter(self.moves, references(stmt.value))):
                indices = self.subscripts(ref)
                self.required |= indices
                self.recorded |= indices
        result = self.fresh(f"{text(stmt.target)} from {line}")
        flat = Flattener(result, self.vertex, self.moves)
        flat.run(stmt.value, stmt.target.type, active)
        self.operations += flat.operations
        self.formulas |= flat.formulas
        for operation in flat.operations:
            self.inputs[operation.result] = union(self.inputs[v] for v in operation.arguments)
            for partial in operation.partials.values():
                self.recorded.update(*(flat.leaves[v] for v in partial.reads))
        own = self.hold(result, stmt.target)
        self.results[self.node] = result
        self.current[own] = result
        self.written.setdefault(own.bits, set()).add(own)
        if not flat.leaves[result]:
            self.overwrites[result] = frozenset()  # a constant
        elif self.node in self.level.running:
            self.overwrites[result] = self.places.of(self.node, own, False)

    # ------------------------------------------------------------ references

    def bit(self, ref: ir.Ref) -> int:
        """The location (0: a constant)."""
        return self.model.refs.touch(ref).bits

    def cell(self, ref: ir.Ref) -> Cell:
        """Which memory a reference is at the current statement."""
        touch = self.model.refs.touch(ref)
        return cell(touch.bits, touch.whole, ref if touch.whole else addressed(ref, self.peek))

    def peek(self, ref: ir.Ref) -> str | None:
        """The vertex of a reference, or a name that is no vertex's where it is none yet; None for a constant."""
        own = self.cell(ref)
        if not own.bits or own in self.current:
            return self.current.get(own)
        return self.peeked.setdefault(own, f"to be read {len(self.peeked)}")

    def vertex(self, ref: ir.Ref) -> str | None:
        """The value a reference reads at the current statement; None for a constant."""
        if not self.bit(ref):
            return None
        for inner in direct_references(ref):  # of which each sees to those in its own subscripts
            self.vertex(inner)
        own = self.cell(ref)
        if own not in self.current:
            name = self.fresh(f"{text(ref)} at {self.model.flow.nodes[self.node].span.line}")
            self.current[own] = name
            self.hold(name, ref)
            provided = self.adjoint.reversal.regenerated(self.node)
            self.overwrites[name] = frozenset() if own.bits & provided else self.places.of(self.node, own, True)
            self.inputs[name] = (own.bits if own.element else 0) | union(self.inputs[v] for v in self.addresses[name])
        return self.current[own]

    def hold(self, vertex: str, ref: ir.Ref) -> Cell:
        """Note where a vertex is held."""
        self.addresses[vertex] = self.subscripts(ref)
        self.held[vertex] = addressed(ref, self.vertex)
        self.cells[vertex] = self.cell(ref)
        return self.cells[vertex]

    def subscripts(self, ref: ir.Ref) -> frozenset[str]:
        """The vertices of all subscripts of a reference."""
        return frozenset(v for inner in subscript_references(ref) if (v := self.vertex(inner)) is not None)

    def moves(self, ref: ir.Ref) -> bool:
        return bool(self.bit(ref) & self.places.lives.fold(self.adjoint.active.varied.get(self.node, EMPTY)))

    def with_addresses(self, vertices: Iterable[str]) -> frozenset[str]:
        """The vertices with all subscripts of them and of what they are read through."""
        found = set(vertices)
        todo = sorted(found)
        while todo:
            fresh = self.addresses.get(todo.pop(), frozenset()) - found
            found |= fresh
            todo.extend(fresh)
        return frozenset(found)

    def outputs(self, useful: int) -> frozenset[str]:
        """The last values assigned in the section whose adjoints what follows may have set."""
        return frozenset(self.current[own] for bit, cells in self.written.items() if bit & useful for own in cells)
