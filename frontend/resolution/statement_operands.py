"""From text to meaning: expressions, variables and lists of a statement."""

from __future__ import annotations

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import masked
from snapset.frontend.parsing import expression_parser, syntax_tree
from snapset.frontend.parsing.expression_parser import WallError
from snapset.frontend.resolution.data_references import declaration
from snapset.frontend.resolution.expression_resolution import arguments, implied_do, resolve, resolve_ref
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError

_UNSUPPORTED = pattern_of(r"[\w)]\s*\[|'\s*\(|\b\d+u\b")
_NUMBER = pattern_of(r"\b\d+\b")
_DEEP = 90


def expression(ctx: Context, text: str) -> ir.Expr:
    """The meaning of an expression; the calls it needs are in ``ctx.before``."""
    return resolve(ctx, expression_parser.expression(text))


def right_side(ctx: Context, text: str) -> ir.Expr:
    """The meaning of a value that something is given. ``(q)`` is all of q, its elements counted from one on."""
    value = expression(ctx, text)
    if not isinstance(value, ir.Ref) or not value.rank or not text.startswith("("):
        return value
    last, declared = value.parts[-1], declaration(ctx, value.parts)
    own = 0 if last.subscripts is not None or declared is None else declared.shape.rank
    return replace(value, parts=(*value.parts[:-1], replace(last, subscripts=(ir.Range(),)*own))) if own else value


def reference(ctx: Context, text: str) -> ir.Ref:
    """The meaning of a variable that is written or otherwise named."""
    return resolve_ref(ctx, expression_parser.designator(text))


def argument_list(ctx: Context, text: str) -> tuple[ir.Argument, ...]:
    return arguments(ctx, expression_parser.arguments(text))


def items(ctx: Context, text: str) -> tuple[ir.Expr, ...]:
    """The items of an input/output list."""
    return tuple(
        implied_do(ctx, node, scoped=False) if isinstance(node, syntax_tree.Implied) else resolve(ctx, node)
        for node in expression_parser.expression_list(text)
    )


def bounds(ctx: Context, text: str) -> tuple[ir.Subscript, ...]:
    """Values and ranges as in CASE: ``1, 3:5, 7:``."""
    found: list[ir.Subscript] = []
    for node in expression_parser.arguments(text):
        if isinstance(node.value, syntax_tree.Triplet):
            ends = (node.value.lower, node.value.upper, node.value.step)
            found.append(ir.Range(*(None if end is None else resolve(ctx, end) for end in ends)))
        else:
            found.append(resolve(ctx, node.value))
    return tuple(found)


def condition(ctx: Context, text: str, span: Span) -> tuple[tuple[ir.Stmt, ...], ir.Expr]:
    """An expression of a construct's statement at ``span``, and the calls it needs first.

    One that is not understood is unknown, after an opaque statement. Raises InputError for what is not Fortran.
    """
    ctx.before, ctx.span, ctx.inlined = [], span, 0
    try:
        value = expression(ctx, text)
    except NotUnderstoodError as why:
        return (opaque(ctx, text, str(why)),), ir.OpaqueExpr(text, tuple(ctx.variables))
    except WallError as why:
        raise_unreadable(ctx, text, why)
        return (opaque(ctx, text, str(why)),), ir.OpaqueExpr(text, tuple(ctx.variables))
    return tuple(ctx.before), value


def opaque(ctx: Context, text: str, why: str) -> ir.Opaque:
    """A statement that is not understood, with its diagnostic."""
    ctx.note("SN202", f"not understood: {why}; taken to read and write everything it can reach")
    labels = {int(number) for number in _NUMBER.findall(masked(text))} & ctx.labels
    return ir.Opaque(span=ctx.span, text=text, labels=tuple(sorted(labels)))


def raise_unreadable(ctx: Context, text: str, why: WallError) -> None:
    """Raises InputError for text the wall refuses, unless it is valid.

    What is valid and refused: another image's variable, a constant's substring, very deep nesting.
    """
    mask = masked(text)
    depth = deepest = 0
    for char in mask:
        depth += (char in "([") - (char in ")]")
        deepest = max(deepest, depth)
    if not _UNSUPPORTED.search(mask) and deepest <= _DEEP:
        raise cannot_read(ctx, text, str(why))


def cannot_read(ctx: Context, text: str, why: str) -> InputError:
    shown = text if len(text) <= 80 else text[:77] + "..."
    return InputError(f"cannot read this statement as Fortran: `{shown}`: {why}; correct it", ctx.span)
