"""Pieces of arrays in snapshots: of an array that a call gets one element or section of, only that is lost.

``call advance(u(:, k))`` overwrites nothing of u but ``u(:, k)``. Where D̄ leaves u alone, or tapes what it overwrites
of it, the elements lost between C's first run and its adjoint are among those C writes: saving and restoring them
restores u whole. The subscripts are evaluated where the snapshot is taken; C's adjoint call evaluates them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.analysis.callsites import CallSite
from snapset.analysis.model import Model, Models
from snapset.frontend import ir
from snapset.frontend.binding import bind
from snapset.frontend.exprs import rank_of


def call_pieces(models: Models, model: Model, node: int) -> Mapping[int, ir.Ref]:
    """By location, the one reference through which a call writes it, if it selects elements of it."""
    site = model.calls[node]
    out = model.effects[node].out
    found: dict[int, ir.Ref] = {}
    if not site.targets or site.stmt.pointer is not None:
        return found
    for ref in dict.fromkeys(a.value for a in site.stmt.args if isinstance(a.value, ir.Ref)):
        bits = model.refs.touch(ref).bits
        if bits & out and not bits & (bits - 1) and _selects(ref):
            index = bits.bit_length() - 1
            info = model.space.infos[index]
            plain = info.bytes is None and not info.aliasable and len(info.shapes) == len(ref.parts)
            if plain and _alone(models, model, site, ref, bits):
                found[index] = ref
    return found


def applicable(pieces: Mapping[int, ir.Ref], saved: int, lost_by_d: int) -> Mapping[int, ir.Ref]:
    """Of a part's pieces those that may stand for what is saved; ``lost_by_d``: what D̄ overwrites and does not tape."""
    return {i: ref for i, ref in pieces.items() if saved >> i & 1 and not lost_by_d >> i & 1}


def _selects(ref: ir.Ref) -> bool:
    """Plain subscripts and ranges, not all of them ``:``."""
    subscripts = [s for part in ref.parts for s in part.subscripts or ()]
    plain = all(s.step is None if isinstance(s, ir.Range) else rank_of(s) == 0 for s in subscripts)
    return plain and ref.substring is None and any(s != ir.Range() for s in subscripts)


def _alone(models: Models, model: Model, site: CallSite, ref: ir.Ref, bit: int) -> bool:
    """Does the call write the location through this reference only, and no more than it selects?"""
    if site.stmt.result is not None and model.refs.touch(site.stmt.result).bits & bit:
        return False
    for target in site.targets:
        callee = models.by_key[target.key]
        writing = [i for i, link in enumerate(target.links) if link.out & bit and callee.summary.out >> i & 1]
        dummies = {callee.space.locations[i].area for i in writing}
        through = {area for area, actual, scalar in _passed(models, target.key, site.stmt)
                   if actual == ref and (scalar or ref.rank > 0)}
        if not dummies <= through:
            return False
    return True


def _passed(models: Models, key: str, stmt: ir.Call) -> Iterator[tuple[ir.Area, ir.Expr, bool]]:
    """The memory of each dummy argument, what is passed for it, and whether the dummy is a scalar."""
    procedure = models.program.procedures[key]
    for name, actual in zip(procedure.formals, bind(stmt, procedure), strict=True):
        variable = procedure.variables.get(name)
        if actual is not None and variable is not None:
            yield variable.area, actual, variable.shape.rank == 0
