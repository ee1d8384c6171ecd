"""What storing costs in bytes over a run: sizes times execution counts, so that branches and loops count.

CLU section 5 names it as the open problem that |S| + |U| counts a place in a loop once, and both sides of a branch.
Counts are static ones (trip counts from the cost model, for one execution of the region, each way of an IF or SELECT
taken equally often), or those of a run that gcov counted. What is not known has a default and is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil

from snapset.analysis.costs.profile_counts import Lines, NodeCounts
from snapset.analysis.costs.stack_model import HeadStructure
from snapset.analysis.costs.tape_pushes import Pushes
from snapset.analysis.dag.fortran.level_problem import Flattened, LevelProblem
from snapset.analysis.dag.fortran.overwrite_places import Place
from snapset.analysis.dag.problem.graphs import Costs
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.placement.partition_decisions import with_default
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.loop_sums import total
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import Quantity, number
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import blocks

REAL_BYTES = 8


class Weights:
    """Makes the costs of one head's regions. ``lines``: execution counts by file and line, else static ones.

    ``defaulted``: sizes and trip counts that were not given and not known; ``used``: all that counted.
    ``uncounted``: lines whose count the run does not tell, so that their static count stands for it.
    """

    def __init__(self, analysis: Analysis, assume: Mapping[str, int], lines: Lines | None = None) -> None:
        self.defaulted: set[str] = set()
        self.uncounted: set[tuple[str, int]] = set()
        self.used: set[str] = set()
        named = with_default(assume, self.defaulted)

        def given(sym: Sym) -> int:
            self.used.add("".join(sym.name.split()).lower())
            return named(sym)

        self.given = given
        self.analysis = analysis
        self.lines = lines
        self.structures = HeadStructure(analysis.adjoints, analysis.order, self.given)
        self.records = record_program(analysis.adjoints, analysis.order, LAZY, tape_all=True)

    def of(self, key: str, index: int, level: LevelProblem, price: int) -> Costs:
        """The costs of one region's problem. ``price``: bytes that one recomputed operation counts for."""
        return _Region(self, key, index).costs(level, price)


class _Region:
    def __init__(self, weights: Weights, key: str, index: int) -> None:
        self.weights = weights
        self.index = index
        adjoint = weights.analysis.adjoints.by_key[key]
        self.model = adjoint.model
        self.level = adjoint.levels[index]
        self.scope = weights.structures.scope(key)
        self.pushes = Pushes(adjoint, weights.records[key], self.scope)
        marked = self.model.flow.levels[index].marked
        self.shares = shares_of(self.model.procedure.body if marked is None else marked.body)
        self.parts = adjoint.levels[index].graph.parts
        self.counted = None if weights.lines is None else NodeCounts(self.model, self.scope, weights.lines)

    def costs(self, level: LevelProblem, price: int) -> Costs:
        vertices: dict[str, int] = {}
        prices: dict[str, int] = {}
        flattened = {one.name: one for one in level.flattened}
        wholes = level.wholes or {}
        for graph in level.problem.graphs:
            section = flattened.get(graph.name)
            sizes = {} if section is None else value_sizes(section)
            for v in graph.vertices:
                whole = wholes.get(v)
                if whole is not None:
                    vertices[v] = self.bytes(whole.node, self.pushes.size(whole.index))
                elif section is not None:
                    vertices[v] = self.bytes(section.nodes[0], number(sizes.get(v, REAL_BYTES)))
                    prices[v] = price * self.executions(section.nodes[0])
        places = {name: self.place(place) for name, place in level.places.items()}
        return Costs(vertices, places, prices)

    def place(self, place: Place) -> int:
        part = self.level.parts.get(place.node)
        piece = None if part is None else part.given.get(place.index)  # the elements that a call is given
        once = self.pushes.one_location(place.node, place.index) if piece is None else self.pushes.of_piece(
            piece, place.index, place.node)
        return self.bytes(place.node, once)

    def bytes(self, node: int, once: Quantity) -> int:
        """Of all executions, one at least: what is never executed still prefers to store less."""
        return max(1, self.all_executions(node, once))

    def executions(self, node: int) -> int:
        return self.all_executions(node, number(1))

    def all_executions(self, node: int, once: Quantity) -> int:
        """An amount of one execution of a node, for all of them."""
        if self.counted is not None:
            count = self.counted.count(node)
            if count is not None:
                return count * self.value(once)
            span = self.model.flow.nodes[node].span
            self.weights.uncounted.add((span.file, span.line))
        return ceil(self.share(node) * self.value(self.repeated(node, once)))

    def value(self, formula: Quantity) -> int:
        found = value(formula, self.weights.given)
        assert found is not None
        return found

    def repeated(self, node: int, once: Quantity) -> Quantity:
        """Once for every iteration of the loops around the node, those around the region apart."""
        flow = self.model.flow
        outside = set(flow.nodes[flow.levels[self.index].enter].loops)
        for loop in reversed([flow.loops[i] for i in flow.nodes[node].loops if i not in outside]):
            trips = self.scope.trips(loop)
            once = total(trips.counter, trips.count, once)
        return once

    def share(self, node: int) -> Fraction:
        """In how many of the executions of its loops' bodies a node runs: every way of an IF or SELECT around it is
        as likely. Statements behind a conditional jump or RETURN are taken to run."""
        marked = self.model.flow.levels[self.parts[node]].marked if node in self.parts else None
        stmt = marked or self.model.flow.nodes[node].stmt
        return Fraction(1) if stmt is None else self.shares.get(stmt.id, Fraction(1))


def shares_of(body: ir.Block) -> dict[int, Fraction]:
    """By statement (its id): the product of the chances of the ways that lead to it."""
    found: dict[int, Fraction] = {}
    pending = [(body, Fraction(1))]
    while pending:
        block, share = pending.pop()
        for stmt in block:
            found[stmt.id] = share
            inside = blocks(stmt)
            ways = 1
            if isinstance(stmt, ir.If):
                ways = 2
            elif isinstance(stmt, ir.Select):
                ways = len(inside) + (not stmt.exhaustive and all(case.values is not None for case in stmt.cases))
            pending += [(inner, share / ways) for inner in inside]
    return found


def value_sizes(section: Flattened) -> dict[str, int]:
    """Bytes of the values of a section; a partial and a product are as wide as what they are the derivative of."""
    sizes = {v: expr_bytes(expr) for v, expr in section.formulas.items()}
    sizes |= {v: ref.type.bytes or REAL_BYTES for v, ref in section.held.items()}
    labels = {label.name: result for (_, result), label in section.extended.remainder.items()}
    for name in section.extended.graph.vertices - sizes.keys():
        sizes[name] = sizes.get(labels.get(name) or name[1:].partition("/∂")[0], REAL_BYTES)
    return sizes | dict.fromkeys(section.narrow, 1)


def expr_bytes(expr: ir.Expr) -> int:
    """Bytes of a value that an operation gives."""
    if isinstance(expr, ir.Ref | ir.Unary | ir.Binary | ir.Intrinsic):
        return expr.type.bytes or REAL_BYTES
    return REAL_BYTES


def weighted_level(level: LevelProblem, costs: Costs) -> LevelProblem:
    """The same region with costs."""
    return replace(level, problem=replace(level.problem, costs=costs))
