"""The statement adjoints of assignments and calls, as lines of generated code."""

from __future__ import annotations

from snapset.analysis.replay.codegen import element_assignments
from snapset.analysis.replay.codegen.actual_arguments import Calls
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.codegen.partial_derivatives import SMOOTH, Moves, Partials
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, type_of, walk


def assign_adjoint(values: ExpressionCode, pieces: list[ir.Assign], may: Moves, sided: bool = False,
                   as_generator: bool = False, whole: ir.Assign | None = None) -> Partials:
    """From the adjoints of an assignment's targets, all taken first, to those of its values.

    Takes (slots, frame, mask).
    ``sided``: which side MAX, MIN ... took has been recorded. ``as_generator``: the code yields between the two.
    ``whole``: the assignment, whose elements' components may be copied as wholes.
    """
    partials = Partials(values, may, sided)
    taken: list[tuple[ir.Assign, str]] = []
    for piece in pieces:
        if piece.target.type.kind in SMOOTH:
            place = values.slot(piece.target)
            code = f"take({place.code}, {values.index(piece.target, place)}, mask)"
            if place.leaf.having:
                code = f"{code} if {place.code}.had_memory() else 0.0"
            taken.append((piece, partials.hold(code)))
    elements = () if whole is None else element_assignments.element_assignments(whole, values)
    held = [(one, partials.hold(element_assignments.taken(one, values))) for one in elements]
    if as_generator:
        partials.lines.append("yield")
    for one, t in held:
        assert whole is not None
        element_assignments.give(one, whole.value, t, partials)
    for piece, t in taken:
        before, rank = len(partials.lines), piece.target.rank
        partials.complex = any(type_of(one).kind == "complex" for one in (piece.target, *walk(piece.value)))
        if 0 < rank_of(piece.value) < rank and partials.moving(piece.value):
            rank = rank_of(piece.value)  # one array for every element of an array of derived type
            partials.push(piece.value, partials.hold(f"np.sum({t}, axis=tuple(range(np.ndim({t}) - {rank})))"), rank)
        else:
            partials.push(piece.value, t, rank)
        inner = partials.lines[before:]
        if inner:
            flows = f"anything({t})" if piece.target.rank else f"{t} != 0"
            partials.lines[before:] = [f"if {flows}:", *("    " + line for line in inner)]
    return partials


def call_adjoint(calls: Calls, stmt: ir.Call, may: Moves) -> list[str]:
    """The adjoints of passed expressions to their operands. Takes (slots, temporaries), these as the procedure takes
    them that was run."""
    lines: list[str] = []
    for key in stmt.targets:
        inner = _passed_adjoint(calls, stmt, key, may)
        if inner:
            lines += [f"if temps.key == {calls.values.text(key)}:", *("    " + line for line in inner)]
    return lines


def _passed_adjoint(calls: Calls, stmt: ir.Call, key: str, may: Moves) -> list[str]:
    partials = Partials(calls.values, may)
    inner = calls.layout_of(key)
    for place, (name, actual) in enumerate(calls.bound_args(stmt, key)):
        if actual is None or isinstance(actual, ir.ProcedureRef) or calls.is_passed(actual, key, name):
            continue
        for leaf, (value, _) in enumerate(calls.leaves(actual, inner.places(name, stmt.span), stmt)):
            if value is None or not partials.moving(value):
                continue
            partials.complex = any(type_of(one).kind == "complex" for one in walk(value))
            t = partials.hold(f"temps[{place}][{leaf}]")
            before = len(partials.lines)
            partials.push(value, t, rank_of(value))
            pushed = partials.lines[before:]
            if pushed:
                partials.lines[before:] = [f"if {t} is not None and anything({t}):", *("    " + x for x in pushed)]
    return partials.lines
