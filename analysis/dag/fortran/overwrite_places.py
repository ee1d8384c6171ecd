"""G_b from a flow graph: which statements overwrite what a vertex's variable held at a statement."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dag.fortran.memory_cells import Cell, cell
from snapset.analysis.dag.problem.graphs import placeholder
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, union
from snapset.analysis.dataflow.part_graphs import flat_graph
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen


@frozen
class Place:
    """Where a location is overwritten: a statement, a call or a part as a whole.

    ``node``: in the flow graph; the level's last node for the end of the location's scope. ``index``: the location's
    in the procedure's space; through a pointer, or in storage that others overlay, the first of those it may be.
    """

    span: Span
    location: str
    node: int
    index: int


class Places:
    """The overwrite places of one level, by reaching definitions over all of it. May-analysis: more are safe.

    A level's adjoint turns at its end, where everything is still in scope. ``ends``: it does not (split mode), so
    that the procedure's own variables are lost there: a placeholder for each.
    """

    def __init__(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, ends: bool = False) -> None:
        self.adjoint = adjoint
        self.model = adjoint.model
        self.lives = self.model.lives(level.running)
        self.level = level
        self.graph = level.graph.forward
        self.found: dict[str, Place] = {}
        self.leaving = self.model.space.all() & ~self.model.visible if ends and level.graph.index == 0 else 0
        self._ids: dict[tuple[int, int], str] = {}
        self._memo: dict[tuple[int, Cell, int], frozenset[str]] = {}
        self._elements: dict[int, Cell | None] = {}
        self._parts: dict[int, int] = {}

    def written(self, node: int) -> int:
        """What a node of the forward sweep, or the first run or the adjoint of a part, may write.

        All that a part's code may write: out(C̄) of the equations presumes that its adjoint restores what To Be
        Recorded does, which is here chosen anew.
        """
        if node not in self.level.parts:
            return self.model.effects[node].out if node in self.level.running else 0
        if node not in self._parts:
            inside = self.level.graph.parts.get(node)
            nodes = (node,) if inside is None else flat_graph(self.model.flow, inside).order
            out = union(self.model.effects[n].out for n in nodes)
            self._parts[node] = self.model.space.with_aliases(out | self.level.parts[node].out_cbar)
        return self._parts[node]

    def of(self, node: int, cell: Cell, itself: bool) -> frozenset[str]:
        """The places that overwrite a cell first behind ``node``; ``itself``: or at the node.

        What is known of an array's lives (:mod:`snapset.analysis.procedures.array_lives`) counts: other iterations of
        a loop may write none but elements of their own, and a loop may write all of them.
        """
        places: set[str] = set()
        life = self.lives.own(node, May(cell.bits)) if cell.element else May(cell.bits)
        if itself and self.hits(node, cell, life):
            places.add(self.name(node, cell.bits))
            life = self.left(node, cell, life)
        known = cell if cell.constants is not None else Cell(cell.bits)
        if (node, known, life) not in self._memo:
            self._memo[node, known, life] = self._behind(node, known, life)
        return frozenset(places) | self._memo[node, known, life]

    def _behind(self, node: int, cell: Cell, life: May) -> frozenset[str]:
        places: set[str] = set()
        seen: set[tuple[int, int]] = set()
        todo = [(node, self.lives.closed_forward(node, life))]
        while todo:
            before, life = todo.pop()
            for at in self.graph.succs[before] if life else ():
                now = self.lives.opened_forward(at, life)
                if (at, now) in seen:
                    continue
                seen.add((at, now))
                if self.hits(at, cell, now):
                    places.add(self.name(at, cell.bits))
                if at == self.level.graph.leave and self.leaving & cell.bits & self.lives.fold(now):
                    places.add(self.end(cell.bits))
                todo.append((at, self.lives.closed_forward(at, self.left(at, cell, now))))
        return frozenset(places)

    def hits(self, node: int, cell: Cell, life: May) -> bool:
        """May a node overwrite a cell in that life? Elements are told apart by constant subscripts too."""
        touched = life if node in self.level.parts else self.lives.touchable(node, life)
        if not self.written(node) & cell.bits & self.lives.fold(touched):
            return False
        other = self.element(node)
        return other is None or other.bits != cell.bits or not cell.element or other.relation(cell) != "distinct"

    def left(self, node: int, cell: Cell, life: May) -> May:
        """What of its life a cell has left behind a node: nothing where that certainly overwrites all of it."""
        if node in self.level.parts or node not in self.level.running:
            return life
        if cell.element and self.element(node) == cell:
            return EMPTY
        return life & ~(self.model.effects[node].kill | self.lives.element_kills(node))

    def element(self, node: int) -> Cell | None:
        """The element an assignment that runs overwrites, if it is known by numbers."""
        if node not in self._elements:
            self._elements[node] = self._element(node)
        return self._elements[node]

    def _element(self, node: int) -> Cell | None:
        at = self.model.flow.nodes[node]
        if not isinstance(at.stmt, ir.Assign) or at.masks or at.stmt.target.rank or at.stmt.target.substring:
            return None
        touch = self.model.refs.touch(at.stmt.target)
        found = cell(touch.bits, touch.whole, at.stmt.target)
        return found if found.element and found.constants is not None and self.written(node) == touch.bits else None

    def name(self, node: int, bit: int) -> str:
        """``location@line``, numbered where a line overwrites it at several nodes.

        An assignment overwrites one piece of memory, whatever it may be part of: it is one place.
        """
        stmt = self.model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign) and stmt.target.type.kind != "derived" and node not in self.level.parts:
            bit = self.model.refs.touch(stmt.target).bits
        if (node, bit) not in self._ids:
            span = self.model.flow.nodes[node].span
            index = next(members(bit))
            location = self.model.space.infos[index].name
            name, count = f"{location}@{span.line}", 2
            while name in self.found:
                name, count = f"{location}@{span.line}#{count}", count + 1
            self.found[name] = Place(span, location, node, index)
            self._ids[node, bit] = name
        return self._ids[node, bit]

    def end(self, bit: int) -> str:
        """The placeholder of a location whose scope ends."""
        index = next(members(bit))
        location, leave = self.model.space.infos[index].name, self.level.graph.leave
        name = placeholder(location)
        self.found[name] = Place(self.model.flow.nodes[leave].span, location, leave, index)
        return name

    @property
    def by_name(self) -> Mapping[str, Place]:
        return dict(self.found)
