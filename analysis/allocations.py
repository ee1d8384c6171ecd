"""Which allocations a stretch of code leaves changed behind it: a second run finds them so.

By location, over the paths of the stretch: was it allocated where the stretch began, is it now, and in the same shape?
``if (allocated(x))`` tells. The first run leaves something changed if some path to the end does. What the second run
makes of that is told by the same analysis, begun with what is allocated by then. STAT= is taken to report no error,
and a statement that would be one is taken not to be reached that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from snapset.analysis.asked import asked
from snapset.analysis.bits import union
from snapset.analysis.extents import SameShapes
from snapset.analysis.model import Model
from snapset.analysis.reallocation import NOTHING, Reshaped, reshaped
from snapset.analysis.solver import Graph, make_graph, solve
from snapset.frontend import ir


@dataclass(frozen=True, slots=True)
class Allocations:
    """As locations, what may be allocated at a stretch's end and was not where it began (``made``), the other way round
    (``gone``), or allocated anew since, perhaps in another shape (``anew``).

    ``again``: by node, what an ALLOCATE finds allocated in the second run. ``reshaping``: by node, what an assignment
    may give another shape than it had where the stretch began. ``asked``: by node, what it asks ALLOCATED of and may
    be told something else in the second run.
    """

    made: int = 0
    gone: int = 0
    anew: int = 0
    again: Mapping[int, int] = field(default_factory=dict)
    reshaping: Mapping[int, int] = field(default_factory=dict)
    asked: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _State:
    """What each location may be, on some path: ``held`` is allocated as it was, ``none`` neither then nor now."""

    none: int = 0
    held: int = 0
    made: int = 0
    gone: int = 0
    anew: int = 0

    def __or__(self, other: _State) -> _State:
        return _State(self.none | other.none, self.held | other.held, self.made | other.made, self.gone | other.gone,
                      self.anew | other.anew)

    @property
    def there(self) -> int:
        return self.held | self.made | self.anew

    def without(self, bits: int) -> _State:
        return _State(self.none & ~bits, self.held & ~bits, self.made & ~bits, self.gone & ~bits, self.anew & ~bits)

    def only(self, bits: int, allocated: bool) -> _State:
        """On the side of a test where these locations are allocated, or are not."""
        if allocated:
            return _State(self.none & ~bits, self.held, self.made, self.gone & ~bits, self.anew)
        return _State(self.none, self.held & ~bits, self.made & ~bits, self.gone, self.anew & ~bits)

    def allocated(self, whole: int, part: int) -> _State:
        free = (self.none | self.gone) & whole
        kept = self.only(free, True)  # paths on which it is there already end in an error
        kept = _State(kept.none, kept.held & ~whole, kept.made & ~free, kept.gone, kept.anew & ~free)
        return kept | _State(made=self.none & (whole | part), gone=0,
                             anew=(self.gone & (whole | part)) | (self.held & whole & ~free))

    def deallocated(self, whole: int, part: int) -> _State:
        there = self.there & whole
        kept = self.without(there)
        both = whole | part
        return kept | _State(none=self.made & both, gone=(self.held | self.anew) & both)

    def assigned(self, change: Reshaped) -> _State:
        """By an assignment that may give another shape, and allocates what is not there."""
        found = self.only(change.whole | change.made, True)
        found |= _State(made=self.none & change.made, held=self.gone & change.made)
        direct = change.whole | change.part
        below = _State(none=self.made, made=self.none, gone=self.held | self.anew, anew=self.held | self.gone)
        return found | _State(made=self.none & direct, anew=(self.held | self.gone) & direct) | \
            below.without(~change.below)


def allocations(model: Model, procedures: Mapping[str, ir.Procedure], nodes: Iterable[int], enter: int,
                leave: int) -> Allocations:
    """What the stretch ``nodes``, entered at ``enter`` and left at ``leave``, leaves changed."""
    inside = set(nodes)
    changes = _changes(model, procedures, inside)
    if not changes:
        return Allocations()
    graph, sides = _with_sides(model, inside, enter)

    def run(start: _State) -> tuple[Mapping[int, _State], Mapping[int, _State]]:
        def transfer(node: int, state: _State) -> _State:
            if node in sides:
                for bits, allocated in sides[node]:
                    state = state.only(bits, allocated)
                return state
            return changes[node](state) if node in changes else state

        found = solve(graph, start, _State(), lambda a, b: a | b, transfer)
        return found.before, found.after

    every = model.space.all()
    before, after = run(_State(none=every, held=every))
    at_end = after.get(leave, _State())
    second, _ = run(_State(held=every))
    again: dict[int, int] = {}
    reshaping: dict[int, int] = {}
    for node, change in changes.items():
        stmt, state = model.flow.nodes[node].stmt, before.get(node, _State())
        if isinstance(stmt, ir.Allocate):
            found = union(objects(model, stmt.objects))
            again[node] = found & second.get(node, _State()).there & at_end.made
            reshaping[node] = found & (state.held & ~state.none) & at_end.anew
        elif isinstance(stmt, ir.Assign):
            may = change(_State(held=every)).anew
            reshaping[node] = may & (state.held | state.anew) & (at_end.anew | at_end.gone)
    answered = {node: asked(model, node) & ((state.none & at_end.made) | (state.held & at_end.gone))
                for node, state in before.items() if node in inside}
    return Allocations(at_end.made, at_end.gone, at_end.anew, again, reshaping, answered)


# ---------------------------------------------------------------- statements


def _changes(model: Model, procedures: Mapping[str, ir.Procedure],
             inside: Iterable[int]) -> dict[int, Callable[[_State], _State]]:
    """By node, what it does to allocations."""
    found: dict[int, Callable[[_State], _State]] = {}
    shapes: SameShapes | None = None
    if not any(model.effects[node].keep for node in inside):
        return found
    for node in inside:
        at = model.flow.nodes[node]
        if isinstance(at.stmt, ir.Allocate):
            found[node] = _allocating(*objects(model, at.stmt.objects))
        elif isinstance(at.stmt, ir.Deallocate):
            found[node] = _deallocating(*objects(model, at.stmt.objects))
        elif isinstance(at.stmt, ir.Call) and _moves(model, node):
            source, target = (objects(model, _refs(at.stmt.args[place : place + 1])) for place in (0, 1))
            found[node] = _moving(source, union(target))
        elif isinstance(at.stmt, ir.Assign) and at.kind == "simple" and not at.masks:
            change = reshaped(at.stmt, model.refs)
            if change.whole:
                shapes = shapes or SameShapes(model, procedures)
                change = replace(change, whole=change.whole & ~shapes.keeps(node))
            if change != NOTHING:
                found[node] = _assigning(change)
    return found


def _allocating(whole: int, part: int) -> Callable[[_State], _State]:
    return lambda state: state.allocated(whole, part)


def _deallocating(whole: int, part: int) -> Callable[[_State], _State]:
    return lambda state: state.deallocated(whole, part)


def _moving(source: tuple[int, int], target: int) -> Callable[[_State], _State]:
    """MOVE_ALLOC: the target becomes what the source was, allocated or not."""
    return lambda state: state.deallocated(*source).assigned(Reshaped(below=target))


def _assigning(change: Reshaped) -> Callable[[_State], _State]:
    return lambda state: state.assigned(change)


def objects(model: Model, refs: Iterable[ir.Ref]) -> tuple[int, int]:
    """The locations of what is (de)allocated: those that stand for nothing else, and the others."""
    whole = part = 0
    for ref in refs:
        touch = model.refs.touch(bare(ref))
        if touch.whole:
            whole |= touch.bits
        else:
            part |= touch.bits
    return whole, part


def _moves(model: Model, node: int) -> bool:
    stmt = model.flow.nodes[node].stmt
    return isinstance(stmt, ir.Call) and stmt.intrinsic and stmt.name == "move_alloc"


def _refs(args: Iterable[ir.Argument]) -> list[ir.Ref]:
    return [arg.value for arg in args if isinstance(arg.value, ir.Ref)]


def bare(ref: ir.Ref) -> ir.Ref:
    """What is allocated: the last subscripts are bounds."""
    return ir.Ref((*ref.parts[:-1], ir.Part(ref.parts[-1].name)), ref.type, ref.rank)


# ---------------------------------------------------------------- IF (ALLOCATED(x))

_Sides = Mapping[int, tuple[tuple[int, bool], ...]]


def _with_sides(model: Model, inside: set[int], enter: int) -> tuple[Graph, _Sides]:
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


def _ways(model: Model, stmt: ir.If, succs: tuple[int, ...]) -> tuple[int, int] | None:
    """Where control goes on if the condition holds, and if not."""
    first = model.flow.first_node
    yes, no = (first.get(block[0].id) if block else None for block in (stmt.then, stmt.orelse))
    if yes in succs and yes is not None:
        return yes, next(one for one in succs if one != yes)
    if no in succs and no is not None:
        return next(one for one in succs if one != no), no
    return None


def _facts(model: Model, cond: ir.Expr, truth: bool) -> Iterator[tuple[int, bool]]:
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
