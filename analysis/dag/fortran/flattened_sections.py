"""Flattened sections in the making: what they require may grow until all addresses are found again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.analysis.dag.fortran.memory_cells import Cell
from snapset.analysis.dag.fortran.value_numbering import SectionValues
from snapset.analysis.dag.problem.graphs import Graph, reduced, union
from snapset.analysis.dag.problem.vertex_elimination import Extended, Operation
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.intrinsics import record


@frozen
class Flattened:
    """A flattened section, for whoever executes it or writes code for it; it may need no graph.

    ``nodes``: of the flow graph, in order. ``formulas``: each operation's result over its arguments, ``held``: the
    vertices that a variable holds, as references over vertices
    (:func:`~snapset.analysis.dag.fortran.flattening.stand_in`).
    ``cells``: which memory that is. ``results``: the vertex each node assigns. ``addresses``: the vertices in the
    subscripts of held ones.
    ``extended``: labels and what is left after elimination. ``required``: R_i. ``outputs``: the results whose
    adjoints come from behind the section.
    """

    name: str
    nodes: tuple[int, ...]
    operations: tuple[Operation, ...]
    formulas: Mapping[str, ir.Expr]
    held: Mapping[str, ir.Ref]
    cells: Mapping[str, Cell]
    results: Mapping[int, str]
    addresses: Mapping[str, frozenset[str]]
    extended: Extended
    required: frozenset[str]
    outputs: frozenset[str]

    @property
    def narrow(self) -> frozenset[str]:
        """The partials that are -1, 0 or 1, for which a byte is enough: of MAX, MIN, ABS, SIGN, DIM and MERGE."""
        def sided(result: str) -> bool:
            formula = self.formulas[result]
            return isinstance(formula, ir.Intrinsic) and record(formula).sided

        return frozenset(name for name, (_, result) in self.extended.partials.items() if sided(result))


class Draft:
    """A section whose required set may still grow."""

    def __init__(self, values: SectionValues, nodes: list[int], extended: Extended, outputs: frozenset[str]) -> None:
        self.values = values
        self.nodes = nodes
        self.extended = extended
        self.outputs = outputs
        self.required = extended.graph.required
        self.order: frozenset[str] = frozenset()

    def graph(self, name: str = "section") -> Graph:
        return Graph(name, self.extended.graph.edges, self.required)

    def require(self, wanted: Iterable[str]) -> frozenset[str]:
        """Require these vertices too, and the addresses of all that comes in; the places that come in."""
        self.required |= frozenset(wanted)
        while True:
            self.order = frozenset(reduced(self.graph()).order)
            more = union(self.values.addresses.get(v, ()) for v in self.order) - self.required
            if not more:
                return union(self.values.overwrites.get(v, ()) for v in self.order)
            self.required |= more

    def needs(self, wanted: frozenset[str]) -> bool:
        return not wanted <= self.required

    def flattened(self, name: str) -> Flattened:
        v = self.values
        return Flattened(name, tuple(self.nodes), tuple(v.operations), v.formulas, v.held, v.cells, v.results,
                         v.addresses, self.extended, self.required, self.outputs)


def targets(stmt: ir.Stmt | None) -> tuple[ir.Expr, ...]:
    """The references a statement writes through, some perhaps in an implied DO."""
    match stmt:
        case ir.Assign() | ir.PointerAssign():
            return (stmt.target,)
        case ir.IO():
            return stmt.writes
        case ir.Call():
            received = tuple(a.value for a in stmt.args if isinstance(a.value, ir.Ref))
            return received if stmt.result is None else (*received, stmt.result)
        case _:
            return ()
