"""The statement adjoints of assignments and calls, as lines of generated code."""

from __future__ import annotations

from snapset.analysis.replay.calls import Calls
from snapset.analysis.replay.expressions import Values
from snapset.analysis.replay.partials import SMOOTH, Moves, Partials
from snapset.frontend import ir
from snapset.frontend.exprs import rank_of, type_of, walk


def assign_adjoint(values: Values, pieces: list[ir.Assign], may: Moves, sided: bool = False) -> Partials:
    """From the adjoint of an assignment's target to those of its value. Takes (slots, frame, mask).

    ``sided``: which side MAX, MIN ... took has been recorded.
    """
    partials = Partials(values, may, sided)
    for piece in pieces:
        if piece.target.type.kind not in SMOOTH:
            continue
        partials.complex = any(type_of(one).kind == "complex" for one in (piece.target, *walk(piece.value)))
        place = values.slot(piece.target)
        rank = piece.target.rank
        t = partials.hold(f"take(s[{place.number}], {values.index(piece.target, place)}, mask)")
        before = len(partials.lines)
        partials.push(piece.value, t, rank)
        inner = partials.lines[before:]
        if inner:
            partials.lines[before:] = [f"if anything({t}):", *("    " + line for line in inner)]
    return partials


def call_adjoint(calls: Calls, stmt: ir.Call, may: Moves) -> list[str]:
    """The adjoints of passed expressions to their operands. Takes (slots, temporaries)."""
    partials = Partials(calls.values, may)
    for place, (_, actual) in enumerate(calls.bound_args(stmt)):
        if actual is not None and not calls.is_memory(actual):
            partials.complex = any(type_of(one).kind == "complex" for one in walk(actual))
            t = partials.hold(f"temps[{place}]")
            before = len(partials.lines)
            partials.push(actual, t, rank_of(actual))
            inner = partials.lines[before:]
            if inner:
                partials.lines[before:] = [f"if {t} is not None and anything({t}):", *("    " + x for x in inner)]
    return partials.lines
