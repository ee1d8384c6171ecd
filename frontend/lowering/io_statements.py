"""READ, WRITE, PRINT, OPEN, CLOSE, INQUIRE and the file positioning statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.frontend import ir
from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_scan import closing, keyword, masked, split_top
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import expression, items, reference

_LABELS = frozenset({"err", "end", "eor"})
_OUTPUTS = frozenset({"iostat", "iomsg", "size", "newunit", "id"})
_INQUIRED_BY = frozenset({"unit", "file"})
_TRANSFERS = ("read", "write", "print")


def lower_io(ctx: Context, action: str, text: str) -> ir.IO:
    """One input/output statement; ``text`` is what follows its keyword.

    Raises NotUnderstoodError for a namelist that is not known.
    """
    control, list_text = _taken_apart(action, text)
    reads: list[ir.Expr] = []
    writes: list[ir.Expr] = []
    labels: dict[str, int] = {}
    internal = False
    unit = status = message = described = -1
    for key, value in control:
        if key in _LABELS and value.isdigit():
            labels[key] = int(value)
        elif key == "unit" and action in _TRANSFERS and value != "*":
            internal = _unit(ctx, action, value, reads, writes)
            unit = len(reads if action == "read" else writes) - 1
        elif key in ("fmt", "nml") and action in _TRANSFERS:
            stands = len(reads)
            described = stands if _format(ctx, action, key, value, reads, writes) else -1
        elif _is_output(action, key):
            status = len(writes) if key == "iostat" else status
            message = len(writes) if key == "iomsg" else message
            writes.append(reference(ctx, value))
        elif value != "*":
            reads.append(expression(ctx, value))
    calls = len(ctx.before)
    values = items(ctx, list_text)
    if action == "read" and len(ctx.before) > calls and (
            len(values) > 1 or not isinstance(values[0], ir.Ref) or "(" == list_text[0]):
        raise NotUnderstoodError("READ of several items with function references, which run as the items are read")
    if internal and labels:
        if status < 0:
            status = len(writes)
            writes.append(ctx.fresh("iostat", ir.INTEGER))
        _jumps(ctx, writes[status], labels)
        labels = {}
    first = len(writes if action == "read" else reads)
    transfer = None
    if internal and action in ("read", "write"):
        form = _form(ctx, dict(control).get("fmt"))
        transfer = ir.Transfer(form, unit, first, len(values), status, message, -1 if form is not None else described)
    if action == "read":
        writes.extend(_received(value) for value in values)
    else:
        reads.extend(values)
    writes.extend(_indices(ctx, values))
    return ir.IO(
        span=ctx.span, action=action, reads=tuple(reads), writes=tuple(writes), labels=tuple(labels.values()),
        internal=internal,
        certain=_gives_all(ctx, control) if action == "read" else transfer is not None and status < 0 and not (
            labels or rank_of(writes[unit])),
        transfer=transfer,
    )


def _jumps(ctx: Context, status: ir.Expr, labels: Mapping[str, int]) -> None:
    """END=, EOR= and ERR= of an internal file: jumps behind the statement, as its status tells."""
    zero = ir.Literal_(0, ir.INTEGER)
    for key, label in labels.items():
        value: ir.Expr = ir.Unary("-", ir.Literal_(1 if key == "end" else 2, ir.INTEGER), ir.INTEGER)
        cond = ir.Binary(">", status, zero, ir.LOGICAL) if key == "err" else ir.Binary("==", status, value, ir.LOGICAL)
        ctx.after.append(ir.If(span=ctx.span, cond=cond, then=(ir.Goto(span=ctx.span, to=label),)))


def _taken_apart(action: str, text: str) -> tuple[list[tuple[str, str]], str]:
    """The control list as (keyword, value), and the text of the input/output list."""
    mask = masked(text)
    close = closing(mask, 0) if text.startswith("(") else -1
    rest = text[close + 1 :].strip()
    if close < 0 or action == "print" or (action == "read" and rest.startswith(",")):
        first, *others = split_top(text) or ("*",)
        return [("fmt" if action in ("read", "print") else "unit", first)], ", ".join(others)
    control = list(_keyed(split_top(text[1:close])))
    return control, rest.removeprefix(",").strip()


def _gives_all(ctx: Context, control: Iterable[tuple[str, str]]) -> bool:
    """Has every item of a READ got a value where the run goes on?"""
    given = dict(control)
    form = given.get("fmt")
    listed = "nml" in given or (form is not None and (form == "*" or _namelist(ctx, form) is not None))
    return not listed and given.keys() <= {"unit", "fmt", "rec", "pos", "advance"}


def _form(ctx: Context, text: str | None) -> str | None:
    """The text of a format, where the source has it."""
    if text is None or text == "*":
        return text
    if text.isdigit():
        lines = (item for item in ctx.scope.unit.items if isinstance(item, Line))
        return next((line.text.removeprefix("format").strip() for line in lines
                     if line.label == int(text) and line.text.startswith("format")), None)
    value = expression(ctx, text)
    return value.value if isinstance(value, ir.Literal_) and isinstance(value.value, str) else None


def _keyed(specs: Iterable[str]) -> Iterable[tuple[str, str]]:
    for place, spec in enumerate(specs):
        key, value = keyword(spec)
        yield key or ("unit" if place == 0 else "fmt"), value


def _is_output(action: str, key: str) -> bool:
    if action == "inquire":
        return key not in _INQUIRED_BY and key != "id"
    return key in _OUTPUTS


def _unit(ctx: Context, action: str, text: str, reads: list[ir.Expr], writes: list[ir.Expr]) -> bool:
    """The unit: a file's number, or for an internal file the variable that is read or written."""
    unit = expression(ctx, text)
    internal = type_of(unit).kind == "character"
    (writes if internal and action != "read" else reads).append(unit)
    return internal


def _format(
    ctx: Context, action: str, key: str, text: str, reads: list[ir.Expr], writes: list[ir.Expr]
) -> bool:
    """What a format or a namelist reads and writes; is it a format that is computed, which is read first?"""
    if text == "*" or text.isdigit():
        return False
    names = _namelist(ctx, text)
    if names is not None:
        members = tuple(reference(ctx, name) for name in names)
        (writes if action == "read" else reads).extend(members)
    elif key == "nml":
        raise NotUnderstoodError(f"NAMELIST `{text}` is not known")
    else:
        reads.append(expression(ctx, text))
        return True
    return False


def _namelist(ctx: Context, name: str) -> tuple[str, ...] | None:
    """The members of a group of this procedure, its hosts, or else the only one of that name."""
    scope = ctx.scope
    places = [scope.key, scope.host, scope.module]
    groups = [ctx.world.namelists[place] for place in places if place is not None and place in ctx.world.namelists]
    for group in groups:
        if name in group:
            return group[name]
    if not name.isidentifier() or name in ctx.variables:
        return None
    everywhere = [group[name] for group in ctx.world.namelists.values() if name in group]
    return everywhere[0] if len(everywhere) == 1 else None


def _indices(ctx: Context, values: Iterable[ir.Expr]) -> Iterable[ir.Ref]:
    """The variables of implied DOs, which have other values afterwards."""
    for value in values:
        if isinstance(value, ir.ImpliedDo):
            yield ir.Ref((ir.PartRef(value.var),), ctx.variable(value.var).type)
            yield from _indices(ctx, value.items)


def _received(value: ir.Expr) -> ir.Expr:
    if isinstance(value, (ir.Ref, ir.ImpliedDo)):
        return value
    raise NotUnderstoodError("READ into what is not a variable")
