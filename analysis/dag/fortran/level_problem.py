"""Graphs from code: the straight-line sections of one level, flattened, and G_b over the whole level.

A section is a run of scalar assignments without a jump or a part between them. A vertex is the value of a
reference: a scalar variable's between two assignments, an element's as long as its array and its subscripts
stay. A section ends before a statement whose reference may be an element assigned in it under another name
(CLU: aliasing splits sections). Every other statement with a derivative is a graph of its own, all that its
derivative reads being required, and so is a part or call, with all that its adjoint reads: nothing is dropped that is
not understood. In a loop the values of each iteration are values of their own: a vertex is stored, and a place
stores, each time it is passed.

Beyond the paper, required are also the bounds of loops, and the addresses of all elements that are read from memory
or put back where they were overwritten. An array overwritten by a statement that reads its own address from it
(``ix(ix(1)) = 2``) keeps the address beside the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dag.fortran.flattened_sections import Draft, targets
from snapset.analysis.dag.fortran.flattened_sections import Flattened as Flattened
from snapset.analysis.dag.fortran.memory_cells import Cell
from snapset.analysis.dag.fortran.overwrite_places import Place, Places
from snapset.analysis.dag.fortran.straight_line_code import Chains
from snapset.analysis.dag.fortran.value_numbering import SectionValues
from snapset.analysis.dag.problem.graphs import Graph, Problem
from snapset.analysis.dag.problem.vertex_elimination import Order, extend
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, union
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen


@frozen
class Section:
    """A graph's statements. ``flattened``: its operations are known; else its derivative's reads are required."""

    name: str
    first: Span
    last: Span
    statements: int
    flattened: bool


@frozen
class WholeLocation:
    """What a vertex outside flattened sections is: location ``index`` as a whole when ``node`` is reached."""

    node: int
    index: int


@frozen
class LevelProblem:
    """Store or recompute for one level: the problem, and what its names stand for.

    ``flattened``: all flattened sections, in the order of their graphs where they have one. ``wholes``: the
    vertices of the graphs that are not flattened. ``places`` holds all of O, and perhaps more.
    """

    problem: Problem
    sections: tuple[Section, ...]
    places: Mapping[str, Place]
    flattened: tuple[Flattened, ...] = ()
    wholes: Mapping[str, WholeLocation] | None = None


def level_problem(adjoint: ProcedureAdjoint, index: int, order: Order = "markowitz", ends: bool = False,
                  scarce: bool = True) -> LevelProblem:
    """The graphs of the procedure's own level (0) or of a marked part.

    ``order``, ``scarce``: of the elimination (:func:`~snapset.analysis.dag.problem.vertex_elimination.extend`).
    ``ends``: the adjoint does not turn at the procedure's end (split mode): what goes out of scope there is lost.

    Raises InputError for a call in split mode: what its backward sweep needs, its own tape and the tape of what runs
    later would have to share.
    """
    for node in sorted(adjoint.split_calls):
        if node in adjoint.levels[index].graph.forward.preds:
            at = adjoint.model.flow.nodes[node]
            raise InputError("store or recompute takes every call as a checkpoint: analyse this one as such too, "
                             "not in split mode", at.span)
    return _Level(adjoint, adjoint.levels[index], order, scarce, ends).build()


class _Level:
    def __init__(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, order: Order, scarce: bool,
                 ends: bool) -> None:
        self.adjoint = adjoint
        self.model = adjoint.model
        self.level = level
        self.order: Order = order
        self.scarce = scarce
        self.places = Places(adjoint, level, ends)
        self.overwrites: dict[str, frozenset[str]] = {}
        self.recorded: set[str] = set()
        self.names: set[str] = set()
        self.graph_names: set[str] = set()
        self.wholes: dict[str, WholeLocation] = {}
        self.drafts: list[Draft] = []
        self.inside: dict[int, Draft] = {}
        self.reads: dict[int, int] = {}

    def build(self) -> LevelProblem:
        self.draft()
        self.reads = {n: bits for n in self.level.graph.forward.order
                      if n not in self.inside and (bits := self.derivative_reads(n))}
        self.require_addresses()
        graphs: list[Graph] = []
        sections: list[Section] = []
        flattened = []
        for node in self.level.graph.forward.order:
            draft = self.inside.get(node)
            if draft is not None and draft.nodes[0] == node:
                name = self.unique(node)
                flattened.append(draft.flattened(name))
                if draft.required:
                    graphs.append(self.finished(draft, name))
                    sections.append(Section(name, self.span(node), self.span(draft.nodes[-1]), len(draft.nodes), True))
            elif node in self.reads:
                name = self.unique(node)
                graphs.append(self.single(node, name))
                sections.append(Section(name, self.span(node), self.end(node), 1, False))
        problem = Problem(tuple(graphs), self.overwrites, recorded=frozenset(self.recorded))
        return LevelProblem(problem, tuple(sections), self.places.by_name, tuple(flattened), self.wholes)

    # ------------------------------------------------------------ flattened sections

    def draft(self) -> None:
        for chain in Chains(self.model, self.level).all():
            while chain:
                values = SectionValues(self.adjoint, self.level, self.places, self.fresh)
                taken = 0
                while taken < len(chain) and values.take(chain[taken]):
                    taken += 1
                if taken:
                    self.close(values, chain[:taken])
                chain = chain[max(taken, 1):]  # one that finds its own address in what it overwrites stays whole

    def close(self, values: SectionValues, nodes: list[int]) -> None:
        useful = self.places.lives.fold(self.adjoint.active.useful.get(nodes[-1], EMPTY))
        outputs = values.outputs(useful)
        extended = extend("section", tuple(values.operations), outputs=outputs, order=self.order, scarce=self.scarce,
                          values=frozenset(values.required))
        draft = Draft(values, nodes, extended, outputs)
        self.drafts.append(draft)
        self.inside |= dict.fromkeys(nodes, draft)

    def finished(self, draft: Draft, name: str) -> Graph:
        labels = draft.extended.graph.required - draft.values.required
        self.recorded |= draft.values.with_addresses(draft.values.recorded | (draft.required - labels)) & draft.order
        self.overwrites |= draft.values.overwrites
        return draft.graph(name)

    # ------------------------------------------------------------ what is not flattened

    def derivative_reads(self, node: int) -> May:
        """What the derivative statement at a node, or the adjoint of a part, reads."""
        facts = self.level.parts.get(node)
        reads = facts.use_cbar | facts.passed if facts is not None else self.adjoint.derivative.get(node, EMPTY)
        # What is allocated is put back in any case, as under lazy: no vertex.
        given = self.adjoint.reversal.regenerated(node) | self.adjoint.model.space.allocations
        return self.places.lives.fold(reads) & ~given

    def single(self, node: int, name: str) -> Graph:
        """A graph that requires what a node reads, location by location."""
        required = set()
        for index in members(self.reads[node]):
            vertex = self.fresh(f"{self.model.space.infos[index].name} at {self.span(node).line}")
            self.overwrites[vertex] = self.behind(node, index)
            self.wholes[vertex] = WholeLocation(node, index)
            required.add(vertex)
        self.recorded |= required
        return Graph(name, (), frozenset(required))

    def behind(self, node: int, index: int) -> frozenset[str]:
        """Where a location is overwritten from a node on; by a part, what its first run loses, and of what is read
        behind its adjoint all that it overwrites."""
        facts = self.level.parts.get(node)
        lost = facts is None or bool((facts.out_c & ~facts.intact | facts.passed) >> index & 1)
        return self.places.of(node, Cell(1 << index), lost)

    # ------------------------------------------------------------ addresses

    def require_addresses(self) -> None:
        """Require the address of every element that a place may put back, until that brings in no more places."""
        todo = [o for draft in self.drafts for o in draft.require(())]
        todo += [o for node, bits in self.reads.items() for i in members(bits) for o in self.behind(node, i)]
        done: set[str] = set()
        while todo:
            place = todo.pop()
            if place not in done:
                done.add(place)
                todo.extend(self.addressed(self.places.found[place].node))

    def addressed(self, node: int) -> Iterator[str]:
        """Require the address of what a node overwrites; the places that come in."""
        draft = self.inside.get(node)
        if draft is not None:
            wanted = draft.values.addresses[draft.values.results[node]]
            if draft.needs(wanted):
                draft.values.recorded |= wanted
                yield from draft.require(wanted)
            return
        wanted_bits = self.address_reads(node) & ~self.reads.get(node, 0)
        if wanted_bits:
            self.reads[node] = self.reads.get(node, 0) | wanted_bits
        for index in members(wanted_bits):
            yield from self.behind(node, index)

    def address_reads(self, node: int) -> int:
        """The locations in the subscripts of what a statement overwrites, but for those it overwrites itself."""
        if node in self.level.parts:
            return 0
        refs = self.model.refs
        bits = union(refs.subscripts(x) if isinstance(x, ir.Ref) else refs.values(x)
                     for x in targets(self.model.flow.nodes[node].stmt))
        provided = self.adjoint.reversal.regenerated(node) | self.places.written(node) | self.model.space.allocations
        return self.model.space.with_aliases(bits) & ~provided

    # ------------------------------------------------------------ names

    def span(self, node: int) -> Span:
        return self.model.flow.nodes[node].span

    def end(self, node: int) -> Span:
        inner = self.level.graph.parts.get(node)
        return self.span(node if inner is None else self.model.flow.levels[inner].leave)

    def fresh(self, name: str) -> str:
        """A vertex's name, with primes where it is taken."""
        while name in self.names:
            name += "'"
        self.names.add(name)
        return name

    def unique(self, node: int) -> str:
        """A graph's name: procedure@line, numbered where a line has several."""
        base = f"{self.model.procedure.name}@{self.span(node).line}"
        name, count = base, 2
        while name in self.graph_names:
            name, count = f"{base}#{count}", count + 1
        self.graph_names.add(name)
        return name
