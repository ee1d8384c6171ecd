"""Where an adjoint has the parts of the source: the first run of each, and what is pushed right before it.

``burgers`` is differentiated as ``burgers_b``. Its forward sweep keeps the calls of ``burgers`` in their order, leaving
out what adjoint liveness drops, and right before the call of a part stand the PUSHes of its snapshot. A call may be of
``step_nodiff`` or ``step_cb``, copies of the original. A marked part is found by its first statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from snapset.analysis.comparison.control_values import begins_count
from snapset.analysis.comparison.sequence_alignment import agreement, align
from snapset.analysis.comparison.stack_calls import stack_call
from snapset.analysis.comparison.stack_contents import PartMark
from snapset.analysis.results import Part
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements

COPIES = ("_nodiff", "_cb", "_fwd")
_MOST = 4_000_000  # pairs of statements that are compared


@frozen
class PairedPart:
    """``before``: the statement of the adjoint that its snapshot is pushed for; ``pushes``: the ids of these PUSHes;
    ``again``: with which a marked part's second run begins, where that is certain."""

    part: Part
    before: ir.Stmt
    pushes: tuple[int, ...]
    again: ir.Stmt | None = None


def adjoint_of(name: str, program: ir.Program) -> str | None:
    """The key of the adjoint of a procedure: ``name_b``; of several in modules the only one."""
    found = [key for key, one in program.procedures.items() if one.name == f"{name}_b"]
    return found[0] if len(found) == 1 else None


def original_of(name: str) -> str | None:
    """``step`` of ``step_b``."""
    return name.removesuffix("_b") if name.endswith("_b") else None


def paired_parts(parts: Sequence[Part], source: ir.Procedure, adjoint: ir.Procedure) -> dict[str, PairedPart]:
    """By id of the part; without those whose first run the adjoint has not got."""
    found: dict[str, PairedPart] = {}
    before = _pushed_before(adjoint.body)
    calls = _called_parts([part for part in parts if part.kind == "call"], source, adjoint)
    regions = [part for part in parts if part.kind != "call"]
    for part, stmt in (*calls, *(_marked_parts(regions, source, adjoint) if regions else ())):
        found[part.id] = PairedPart(part, stmt, before.get(stmt.id, ()))
    for part in regions:
        runs = _both_runs(part, source, adjoint)
        if runs is not None:
            found[part.id] = PairedPart(part, runs[0], before.get(runs[0].id, ()), runs[1])
    return found


def _both_runs(part: Part, source: ir.Procedure, adjoint: ir.Procedure) -> tuple[ir.Stmt, ir.Stmt] | None:
    """The statement that a marked part begins with, in the adjoint's forward sweep and once more in its backward sweep;
    None unless the source has one such statement, and the adjoint two."""
    keyed = [(stmt, _key(stmt)) for stmt in statements(source.body)]
    first = next((key for stmt, key in keyed if part.first_line <= stmt.span.line <= part.last_line
                  and (key is not None or isinstance(stmt, ir.Call))), None)
    if first is None or sum(key == first for _, key in keyed) != 1:
        return None
    found = [stmt for stmt in statements(adjoint.body) if _key(stmt) == first]
    return (found[0], found[1]) if len(found) == 2 else None


def may_run_again(part: Part, source: ir.Procedure, adjoint: ir.Procedure) -> bool:
    """Has the adjoint a second run of a marked part, or of some of it? No, if all of it can be recognised, and no
    statement stands there twice."""
    inside = [stmt for stmt in statements(source.body) if part.first_line <= stmt.span.line <= part.last_line
              and not isinstance(stmt, ir.Marked | ir.Allocate | ir.Deallocate | ir.Continue)
              and not (isinstance(stmt, ir.Do | ir.If) and any(blocks(stmt)))]  # what stands in there tells
    keys = {_key(stmt) for stmt in inside}
    return None in keys or any(sum(_key(stmt) == key for stmt in statements(adjoint.body)) > 1 for key in keys)


def marks(paired: Mapping[str, PairedPart],
          adjoint: ir.Procedure) -> tuple[Mapping[int, PartMark], Mapping[int, PartMark]]:
    """Where the first runs of called parts begin, and where their adjoints do."""
    forward: dict[int, PartMark] = {}
    for one in paired.values():
        if isinstance(one.before, ir.Call):
            place = group_start(adjoint.body, one.before.id)
            if place is not None:
                forward.setdefault(place, PartMark(one.before, plain_name(one.before.name)))
    names = {mark.name for mark in forward.values()}
    backward: dict[int, PartMark] = {stmt.id: PartMark(stmt, name) for stmt in statements(adjoint.body)
                if isinstance(stmt, ir.Call) and stmt.name.endswith("_b") and (name := stmt.name[:-2]) in names}
    for one in paired.values():
        if one.again is not None:
            starts = [group_start(adjoint.body, stmt.id) for stmt in (one.before, one.again)]
            if None not in starts and starts[0] not in forward and starts[1] not in backward:
                forward[starts[0] or 0] = PartMark(one.before, one.part.id, marked=True)
                backward[starts[1] or 0] = PartMark(one.again, one.part.id, marked=True)
    return forward, backward


def _called_parts(parts: Sequence[Part], source: ir.Procedure, adjoint: ir.Procedure) -> list[tuple[Part, ir.Call]]:
    calls = [(stmt, _words(stmt)) for stmt in statements(source.body) if isinstance(stmt, ir.Call) and stmt.targets]
    forward = [(stmt, _words(stmt)) for stmt in statements(adjoint.body)
               if isinstance(stmt, ir.Call) and stmt.targets and stmt.name[-2:] != "_b"]
    if len(calls) * len(forward) > _MOST:
        return []

    def score(left: tuple[ir.Call, frozenset[str]], right: tuple[ir.Call, frozenset[str]]) -> float:
        same = plain_name(left[0].name) == plain_name(right[0].name)
        return 1.0 + agreement(left[1], right[1]) if same else 0.0

    pairs = {calls[i][0].id: forward[j][0] for i, j in align(calls, forward, score).items()}
    taken: set[int] = set()
    found = []
    for part in parts:
        callees = frozenset((part.callee or "").split(", "))
        for stmt, _ in calls:
            meant = {key.rsplit("::", 1)[-1] for key in stmt.targets}
            if stmt.id not in taken and part.first_line <= stmt.span.line <= part.last_line and callees & meant:
                taken.add(stmt.id)
                if stmt.id in pairs:
                    found.append((part, pairs[stmt.id]))
                break
    return found


def _marked_parts(parts: Sequence[Part], source: ir.Procedure, adjoint: ir.Procedure) -> list[tuple[Part, ir.Stmt]]:
    left = [stmt for stmt in statements(source.body) if _key(stmt) is not None]
    right = [stmt for stmt in statements(adjoint.body) if _key(stmt) is not None]
    if len(left) * len(right) > _MOST:
        return []
    pairs = align([_key(one) for one in left], [_key(one) for one in right], lambda a, b: float(a == b))
    found = []
    for part in parts:
        inside = [right[pairs[i]] for i, stmt in enumerate(left)
                  if part.first_line <= stmt.span.line <= part.last_line and i in pairs]
        if inside:
            found.append((part, inside[0]))
    return found


def _key(stmt: ir.Stmt) -> object:
    """What makes a statement the same in the source and in the adjoint; None for those that are not looked at."""
    match stmt:
        case ir.Assign(target=target, value=value):
            return target, value
        case ir.Do(var=var, start=start, stop=stop, step=step):
            return "do", var, start, stop, step
        case ir.If(cond=cond):
            return "if", cond
        case ir.Call(name=name) if stack_call(stmt) is None:
            return "call", plain_name(name)
        case _:
            return None


def plain_name(name: str) -> str:
    for suffix in COPIES:
        name = name.removesuffix(suffix)
    return name


def _words(stmt: ir.Call) -> frozenset[str]:
    return frozenset(one.name for argument in stmt.args for one in walk(argument.value) if isinstance(one, ir.Ref))


# ---------------------------------------------------------------- what stands before a statement


def _pushed_before(body: ir.Block) -> dict[int, tuple[int, ...]]:
    """By the id of a statement, the PUSHes of values right before it, loops of nothing but PUSHes among them."""
    found: dict[int, tuple[int, ...]] = {}
    for block in _all_blocks(body):
        pending: tuple[int, ...] = ()
        for stmt in block:
            pushes = _only_pushes(stmt)
            if pushes is not None:
                pending += pushes
                continue
            if pending:
                found[stmt.id] = pending
            pending = ()
    return found


def group_start(body: ir.Block, number: int) -> int | None:
    """The id of the first of the PUSHes right before a statement, ``ad_count = 1`` among them; its own where there are
    none."""
    for block in _all_blocks(body):
        for place, stmt in enumerate(block):
            if stmt.id == number:
                while place and (_only_pushes(block[place - 1]) is not None or begins_count(block[place - 1])):
                    place -= 1
                return block[place].id
    return None


def _all_blocks(body: ir.Block) -> Iterator[ir.Block]:
    yield body
    for stmt in statements(body):
        yield from blocks(stmt)


def _only_pushes(stmt: ir.Stmt) -> tuple[int, ...] | None:
    """The PUSHes of values in a statement that does nothing else; None for any other."""
    inside = [one for one in statements((stmt,)) if not blocks(one) or isinstance(one, ir.Call)]
    calls = [(one, stack_call(one)) for one in inside]
    if not inside or any(call is None or call.role not in ("push", "push control") for _, call in calls):
        return None
    found = tuple(one.id for one, call in calls if call is not None and call.role == "push")
    return found or None
