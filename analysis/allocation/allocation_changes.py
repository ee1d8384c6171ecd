"""Which allocations a stretch of code leaves changed behind it: a second run finds them so.

By location, over the paths of the stretch: was it allocated where the stretch began, is it now, and in the same shape?
``if (allocated(x))`` tells. The first run leaves something changed if some path to the end does. What the second run
makes of that is told by the same analysis, begun with what is allocated by then. STAT= is taken to report no error,
and a statement that would be one is taken not to be reached that way. A call does what its procedure's summary says
(:mod:`snapset.analysis.allocation.allocation_summaries`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from types import MappingProxyType

from snapset.analysis.allocation.allocation_states import AllocationState, CallChange
from snapset.analysis.dataflow.bitsets import May, union
from snapset.analysis.dataflow.framework import DataFlowProblem, Direction, SafeSide
from snapset.analysis.dataflow.solver import DirectedGraph, make_graph
from snapset.analysis.memory.reallocating_assignments import NOTHING, Reshaped, reshaped
from snapset.analysis.procedures.equal_shapes import SameShapes, ShapedCode
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

Where = tuple[str, int]  # a statement: its procedure and its node
Asks = Mapping[Where, AllocationState]
NO_CALLS: Mapping[int, CallChange] = MappingProxyType({})


@frozen
class Allocations:
    """As locations, what may be allocated at a stretch's end and was not where it began (``made``), the other way round
    (``gone``), or allocated anew since, perhaps in another shape (``anew``).

    ``again``: by node, what an ALLOCATE finds allocated in the second run. ``reshaping``: by node, what an assignment
    may give another shape than it had where the stretch began. ``asked``: by statement, in callees too, what it asks
    ALLOCATED of and may be told something else in the second run.
    """

    made: int = 0
    gone: int = 0
    anew: int = 0
    again: Mapping[int, int] = field(default_factory=dict)
    reshaping: Mapping[int, int] = field(default_factory=dict)
    asked: Mapping[Where, int] = field(default_factory=dict)


_NO_PATH = AllocationState()


@frozen(eq=False)
class AllocationStatus(DataFlowProblem[AllocationState]):
    """What each location may be on some path: allocated as it was where the code was entered (held), neither then nor
    now (none), since then (made), then and no more (gone), or anew (anew).

        ALLOCATE (x):      x ∈ none → made,  x ∈ gone → anew
        DEALLOCATE (x):    x ∈ made → none,  x ∈ held ∪ anew → gone
        IF (ALLOCATED(x)): x ∉ none ∪ gone where it holds,  x ∉ held ∪ made ∪ anew where not

    ``sides``: what holds on the ways out of such tests; ``changes``: what the statements do.
    """

    name = "allocation-status"
    direction = Direction.FORWARD
    safe = SafeSide.OVER
    joining = "∪ of each"
    bottom = _NO_PATH
    unreached = _NO_PATH

    sides: _Sides
    changes: Mapping[int, Callable[[AllocationState], AllocationState]]

    def join(self, one: AllocationState, other: AllocationState, /) -> AllocationState:
        return one | other

    def transfer(self, node: int, state: AllocationState) -> AllocationState:
        for bits, allocated in self.sides.get(node, ()):
            state = state.only(bits, allocated)
        return self.changes[node](state) if node in self.changes else state

    def shown(self, state: AllocationState) -> Mapping[str, tuple[str, ...]]:
        return {what: self.scope.names(getattr(state, what)) for what in ("none", "held", "made", "gone", "anew")}


class AllocationStretch:
    """A stretch of code, entered at ``enter`` and left at ``leave``. ``calls``: what calls in it do to allocations."""

    def __init__(self, model: ProcedureModel, procedures: Mapping[str, ir.Procedure], nodes: Iterable[int], enter: int,
                 leave: int, calls: Mapping[int, CallChange] = NO_CALLS) -> None:
        self.model = model
        self.leave = leave
        self.inside = frozenset(nodes)
        self.changes = _changes(model, procedures, self.inside, calls)
        self._graph: DirectedGraph | None = None
        self._sides: _Sides = {}
        if self.changes:
            self._graph, self._sides = _with_sides(model, set(self.inside), enter)

    def run(self, start: AllocationState) -> tuple[Mapping[int, AllocationState], AllocationState]:
        """The states before each node, and those at the end."""
        if self._graph is None:
            return dict.fromkeys(self.inside, start), start
        found = AllocationStatus(self.model.scope, start, self._sides, self.changes).solve(self._graph)
        return found.entries, found.at_exit(self.leave)

    def of(self, asks: Callable[[Mapping[int, AllocationState]], Asks]) -> Allocations:
        """What it leaves changed. ``asks``: what is asked in it and below it, in which states, by the states before
        its nodes."""
        if not self.changes:
            return Allocations()
        model, every = self.model, self.model.space.all()
        before, at_end = self.run(AllocationState(none=every, held=every))
        second, _ = self.run(AllocationState(held=every))
        again: dict[int, int] = {}
        reshaping: dict[int, int] = {}
        for node, change in self.changes.items():
            stmt, state = model.flow.nodes[node].stmt, before.get(node, AllocationState())
            if isinstance(stmt, ir.Allocate):
                found = union(objects(model, stmt.objects))
                again[node] = found & second.get(node, AllocationState()).there & at_end.made
                reshaping[node] = found & (state.held & ~state.none) & at_end.anew
            elif isinstance(stmt, ir.Assign):
                may = change(AllocationState(held=every)).anew
                reshaping[node] = may & (state.held | state.anew) & (at_end.anew | at_end.gone)
        answered = {place: (state.none & at_end.made) | (state.held & at_end.gone)
                    for place, state in asks(before).items()}
        return Allocations(at_end.made, at_end.gone, at_end.anew, again, reshaping, answered)


# ---------------------------------------------------------------- statements


def _changes(model: ProcedureModel, procedures: Mapping[str, ir.Procedure], inside: Iterable[int],
             calls: Mapping[int, CallChange]) -> dict[int, Callable[[AllocationState], AllocationState]]:
    """By node, what it does to allocations."""
    found: dict[int, Callable[[AllocationState], AllocationState]] = {}
    shapes: SameShapes | None = None
    if not any(model.effects[node].keep for node in inside):
        return found
    for node in inside:
        at = model.flow.nodes[node]
        if node in calls:
            found[node] = calls[node].after
        elif isinstance(at.stmt, ir.Allocate):
            found[node] = _allocating(*objects(model, at.stmt.objects))
        elif isinstance(at.stmt, ir.Deallocate):
            found[node] = _deallocating(*objects(model, at.stmt.objects), at.stmt.automatic)
        elif isinstance(at.stmt, ir.Call) and _moves(model, node):
            source, target = (objects(model, _refs(at.stmt.args[place : place + 1])) for place in (0, 1))
            found[node] = _moving(source, May(union(target)))
        elif isinstance(at.stmt, ir.Assign) and at.kind == "simple" and not at.masks:
            change = reshaped(at.stmt, model.refs)
            if change.whole:
                shapes = shapes or SameShapes(_shaped(model), procedures)
                change = replace(change, whole=change.whole & ~shapes.keeps(node))
            if change != NOTHING:
                found[node] = _assigning(change)
    return {node: _by_all_names(model, node, change) for node, change in found.items()}


def _by_all_names(model: ProcedureModel, node: int,
                  change: Callable[[AllocationState], AllocationState]) -> Callable[[AllocationState], AllocationState]:
    """The change, and perhaps the same of what the memory is called besides: ``t%w`` where ``q%w`` is deallocated and
    q leads to t."""
    space, stmt = model.space, model.flow.nodes[node].stmt
    by_name, every = space.allocatable | space.links, space.all()
    if not space.other_names & by_name:
        return change
    found = change(AllocationState(none=every, held=every))
    changed = May((found.made | found.gone | found.anew) & by_name)
    if isinstance(stmt, ir.Allocate):  # what it gives a pointer has no other name yet
        changed = May(changed & ~union(union(objects(model, [one])) for one in stmt.objects if _is_pointer(model, one)))
    others = May(space.with_aliases(changed) & by_name & ~changed)
    return (lambda state: change(state) | state.assigned(Reshaped(below=others))) if others else change


def _is_pointer(model: ProcedureModel, ref: ir.Ref) -> bool:
    """Else it is an allocatable."""
    found = model.refs.storage.component(model.refs.variables[ref.name], [part.name for part in ref.parts[1:]])
    return found is not None and found.pointer


def _shaped(model: ProcedureModel) -> ShapedCode:
    return ShapedCode(model.procedure, model.flow, model.graph, model.space, model.refs, model.effects, model.scope)


def _allocating(whole: int, part: int) -> Callable[[AllocationState], AllocationState]:
    return lambda state: state.allocated(whole, part)


def _deallocating(whole: int, part: int, automatic: bool) -> Callable[[AllocationState], AllocationState]:
    """``automatic``: what is not allocated stays so; else it is an error."""
    if automatic:
        return lambda state: state.deallocated(whole, part) | AllocationState(none=state.none, gone=state.gone)
    return lambda state: state.deallocated(whole, part)


def _moving(source: tuple[int, int], target: May) -> Callable[[AllocationState], AllocationState]:
    """MOVE_ALLOC: the target becomes what the source was, allocated or not."""
    return lambda state: state.deallocated(*source).assigned(Reshaped(below=target))


def _assigning(change: Reshaped) -> Callable[[AllocationState], AllocationState]:
    return lambda state: state.assigned(change)


def objects(model: ProcedureModel, refs: Iterable[ir.Ref]) -> tuple[int, int]:
    """The locations of what is (de)allocated: those that stand for nothing else, and the others."""
    whole = part = 0
    for ref in refs:
        touch = model.refs.touch(bare(ref))
        if touch.whole:
            whole |= touch.bits & ~model.space.descriptors
        else:
            part |= touch.bits & ~model.space.descriptors
    return whole, part


def _moves(model: ProcedureModel, node: int) -> bool:
    stmt = model.flow.nodes[node].stmt
    return isinstance(stmt, ir.Call) and stmt.intrinsic and stmt.name == "move_alloc"


def _refs(args: Iterable[ir.Argument]) -> list[ir.Ref]:
    return [arg.value for arg in args if isinstance(arg.value, ir.Ref)]


def bare(ref: ir.Ref) -> ir.Ref:
    """What is allocated: the last subscripts are bounds."""
    return ir.Ref((*ref.parts[:-1], ir.PartRef(ref.parts[-1].name)), ref.type, ref.rank)


# ---------------------------------------------------------------- IF (ALLOCATED(x))

_Sides = Mapping[int, tuple[tuple[int, bool], ...]]


def _with_sides(model: ProcedureModel, inside: set[int], enter: int) -> tuple[DirectedGraph, _Sides]:
    """The stretch's graph with a node on each way out of a test of ALLOCATED, and what holds there."""
    succs = {node: model.flow.succs[node] for node in inside}
    sides: dict[int, tuple[tuple[int, bool], ...]] = {}
    fresh = len(model.flow.nodes)
    for node in sorted(inside):
        at = model.flow.nodes[node]
        if at.kind != "test" or not isinstance(at.stmt, ir.If) or len(succs[node]) != 2:
            continue
        facts = [tuple(_facts(model, at.stmt.cond, truth)) for truth in (True, False)]
        ways = _ways(model, at.stmt, succs[node])
        if ways is not None and any(facts):
            for way, known in zip(ways, facts, strict=True):
                succs[fresh], sides[fresh] = (way,), known
                fresh += 1
            succs[node] = (fresh - 2, fresh - 1)
    return make_graph(enter, succs, inside | sides.keys()), sides


def _ways(model: ProcedureModel, stmt: ir.If, succs: tuple[int, ...]) -> tuple[int, int] | None:
    """Where control goes on if the condition holds, and if not."""
    first = model.flow.first_node
    yes, no = (first.get(block[0].id) if block else None for block in (stmt.then, stmt.orelse))
    if yes in succs and yes is not None:
        return yes, next(one for one in succs if one != yes)
    if no in succs and no is not None:
        return next(one for one in succs if one != no), no
    return None


def _facts(model: ProcedureModel, cond: ir.Expr, truth: bool) -> Iterator[tuple[int, bool]]:
    """The locations that are certainly allocated, or certainly not, where a condition holds (or does not)."""
    match cond:
        case ir.Unary(op=".not."):
            yield from _facts(model, cond.operand, not truth)
        case ir.Binary(op=".and." | ".or." as op) if truth == (op == ".and."):
            yield from _facts(model, cond.left, truth)
            yield from _facts(model, cond.right, truth)
        case ir.Intrinsic(name="allocated", args=(ir.Argument(value=ir.Ref() as ref),)):
            touch = model.refs.touch(ref)
            if touch.whole:
                yield touch.bits, truth
        case _:
            pass
