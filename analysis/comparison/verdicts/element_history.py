"""What has read an element before a statement overwrites it, since it was given that value.

    r(i)%qlat = 0
    DO k=1,n
      r(i)%qlat = r(i)%qlat + uh(k)*past(k, i)      overwrites what the line above, or its own last turn, has made:
    END DO                                          what reads r(i)%qlat behind the loop reads none of that
"""

from __future__ import annotations

from collections.abc import Collection

from snapset.analysis.comparison.verdicts.backward_reads import subscripts
from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir


def readers_before(model: ProcedureModel, node: int, place: ir.Ref, readers: Collection[int]) -> frozenset[int]:
    """Those of the nodes ``readers`` that may read what ``node`` overwrites as ``place``.

    All ways that lead to the node are followed back, each until an assignment has given that very element its value:
    nothing above it has read that. Once something on the way changes what says which element it is, the place is
    another one, and no assignment ends the way any more.
    """
    chosen = _choosing(model, place)
    found: set[int] = set()
    seen: set[tuple[int, bool]] = set()
    pending = [(before, chosen is not None) for before in model.flow.preds[node]]
    while pending:
        at, same = state = pending.pop()
        if state in seen:
            continue
        seen.add(state)
        if same and _gives(model, at, place):
            continue
        if at in readers:
            found.add(at)
        stays = same and not model.space.with_aliases(model.effects[at].out) & (chosen or EMPTY)
        pending += [(before, stays) for before in model.flow.preds[at]]
    return frozenset(found)


def _choosing(model: ProcedureModel, place: ir.Ref) -> May | None:
    """The locations that say which element a place is; None where it names what the procedure does not know."""
    inner = list(subscripts(place))
    if any(one.name not in model.procedure.variables for one in (place, *inner)):
        return None
    return union([model.refs.touch(place).subscripts, *(model.refs.touch(one).bits for one in inner)])


def _gives(model: ProcedureModel, node: int, place: ir.Ref) -> bool:
    """Does a node certainly give that very place a value, by itself or with the array that it is in?"""
    one = model.flow.nodes[node]
    if not isinstance(one.stmt, ir.Assign) or one.kind != "simple" or one.masks:
        return False
    given = one.stmt.target.parts
    return len(given) <= len(place.parts) and all(
        mine.name == its.name and mine.subscripts in (None, its.subscripts)
        for mine, its in zip(given, place.parts, strict=False))
