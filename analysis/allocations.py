"""Which allocations a stretch of code leaves changed behind it: a second run finds them so.

By location, over the paths of the stretch: ``same`` as where it began, ``made`` (allocated since) or ``gone``
(deallocated since, perhaps made anew with another shape). Made and gone again is the same; the stretch leaves
something changed if some path to its end does. STAT= is taken to report no error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from snapset.analysis.model import Model
from snapset.analysis.solver import make_graph, solve
from snapset.frontend import ir
from snapset.frontend.walk import statements


@dataclass(frozen=True, slots=True)
class Allocations:
    """What may be made or gone at a stretch's end, as locations; ``guarded``: the ids of ALLOCATE statements
    that run only where their object is not allocated, which a second run leaves out by itself."""

    made: int
    gone: int
    guarded: frozenset[int]


@dataclass(frozen=True, slots=True)
class _State:
    """What each location may be, on some path."""

    same: int = 0
    made: int = 0
    gone: int = 0

    def __or__(self, other: _State) -> _State:
        return _State(self.same | other.same, self.made | other.made, self.gone | other.gone)

    def allocated(self, whole: int, part: int) -> _State:
        return _State(self.same & ~whole, self.made | (self.same & whole) | part, self.gone)

    def deallocated(self, whole: int, part: int) -> _State:
        back = self.made & whole
        return _State((self.same & ~whole) | back, self.made & ~whole, self.gone | (self.same & whole) | part)


def allocations(model: Model, nodes: Iterable[int], enter: int, leave: int) -> Allocations:
    """What the stretch ``nodes``, entered at ``enter`` and left at ``leave``, leaves changed."""
    inside = set(nodes)
    if not any(isinstance(model.flow.nodes[n].stmt, ir.Allocate | ir.Deallocate) or _moves(model, n) for n in inside):
        return Allocations(0, 0, frozenset())

    def transfer(node: int, state: _State) -> _State:
        stmt = model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Allocate):
            return state.allocated(*objects(model, stmt.objects))
        if isinstance(stmt, ir.Deallocate):
            return state.deallocated(*objects(model, stmt.objects))
        if isinstance(stmt, ir.Call) and _moves(model, node):
            source, target = (objects(model, _refs(stmt.args[at : at + 1])) for at in (0, 1))
            state = state.deallocated(*source)
            return replace(state, gone=state.gone | target[0] | target[1])
        return state

    graph = make_graph(enter, dict(enumerate(model.flow.succs)), inside)
    found = solve(graph, _State(same=model.space.all()), _State(), lambda a, b: a | b, transfer)
    at_end = found.after.get(leave, _State())
    return Allocations(at_end.made, at_end.gone, frozenset(_guarded(model.procedure.body)))


def objects(model: Model, refs: Iterable[ir.Ref]) -> tuple[int, int]:
    """The locations of what is (de)allocated: those that stand for nothing else, and the others."""
    whole = part = 0
    for ref in refs:
        touch = model.refs.touch(_bare(ref))
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


def _guarded(block: ir.Block) -> Iterable[int]:
    """ALLOCATE of ``x`` alone, directly behind ``if (.not. allocated(x))``."""
    for stmt in statements(block):
        if isinstance(stmt, ir.If):
            name = _not_allocated(stmt.cond)
            yield from (one.id for one in stmt.then if isinstance(one, ir.Allocate)
                        and [_bare(ref).parts for ref in one.objects] == [name])


def _bare(ref: ir.Ref) -> ir.Ref:
    """What is allocated: the last subscripts are bounds."""
    return replace(ref, parts=(*ref.parts[:-1], ir.Part(ref.parts[-1].name)))


def _not_allocated(cond: ir.Expr) -> tuple[ir.Part, ...] | None:
    match cond:
        case ir.Unary(op=".not.", operand=ir.Intrinsic(name="allocated", args=(ir.Argument(value=ir.Ref() as ref),))):
            return ref.parts
        case _:
            return None
