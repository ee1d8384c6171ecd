"""READ and WRITE of internal files: assignments of what a CHARACTER variable says, or to it."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.analysis.replay.texts.edit_descriptors import UnknownFormatError, edits
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import names_in, rank_of, type_of


def is_internal(stmt: ir.Stmt | None) -> bool:
    return isinstance(stmt, ir.IO) and stmt.internal


def received(stmt: ir.IO) -> tuple[ir.Ref, ...]:
    """All references that get values: items, those of implied DOs and their variables, the file, IOSTAT."""
    return tuple(_references(stmt.writes))


def _references(items: tuple[ir.Expr, ...]) -> Iterator[ir.Ref]:
    for item in items:
        if isinstance(item, ir.Ref):
            yield item
        elif isinstance(item, ir.ImpliedDo):
            yield from _references(item.items)


def lines(stmt: ir.IO, values: ExpressionCode) -> Iterator[str]:
    """The statements of such a READ or WRITE.

    Raises:
        RefusedError: internal files that are arrays, formats with other descriptors than I, F, E, ES, D, A, L and X, a
            list-directed WRITE of what is written as the compiler likes it, END= and its like.
    """
    transfer = stmt.transfer
    word = f"{stmt.action.upper()} of an internal file"
    if transfer is None or stmt.labels:
        raise refuse(f"this {word}", stmt.span)
    reading = stmt.action == "read"
    unit = (stmt.reads if reading else stmt.writes)[transfer.unit]
    items = (stmt.writes if reading else stmt.reads)[transfer.first:transfer.first + transfer.count]
    others = 1 + (transfer.status >= 0) if not reading else transfer.status >= 0
    loops = [item for item in _all(items) if isinstance(item, ir.ImpliedDo)]
    if rank_of(unit) or not isinstance(unit, ir.Ref) or len(received(stmt)) != others + len(loops) + (
            len(tuple(_references(items))) if reading else 0):
        raise refuse(f"this {word}", stmt.span)
    _check(items, transfer, reading, values, word)
    if reading:
        yield from _reading(stmt, transfer, items, values)
    else:
        yield from _writing(stmt, transfer, unit, items, values)
    for loop in loops:
        place = values.slot(ir.Ref((ir.PartRef(loop.var),), ir.INTEGER))
        yield f"{place.code}.values[()] = {after(loop, values)}"


def _all(items: tuple[ir.Expr, ...]) -> Iterator[ir.Expr]:
    for item in items:
        yield item
        if isinstance(item, ir.ImpliedDo):
            yield from _all(item.items)


def _check(items: tuple[ir.Expr, ...], transfer: ir.Transfer, reading: bool, values: ExpressionCode, word: str) -> None:
    leaves = [item for item in _all(items) if not isinstance(item, ir.ImpliedDo)]
    listed = ("integer", "character") if not reading else ("real", "integer", "logical", "character")
    kinds = listed if transfer.form == "*" else ("real", "integer", "logical", "character")
    other = next((item for item in leaves if type_of(item).kind not in kinds), None)
    if other is not None:
        raise refuse(f"the list-directed {word} with a {type_of(other).kind} item" if transfer.form == "*"
                     else f"a {word} with a {type_of(other).kind} item", values.span)
    if any(isinstance(inner, ir.ImpliedDo) for item in items if isinstance(item, ir.ImpliedDo) for inner in item.items):
        raise refuse(f"a {word} with nested implied DOs", values.span)
    named = {ref.name for ref in _references(items)} if reading else set()
    for ref in _references(items) if reading else ():
        if (names_in(ref) - {ref.name}) & named or ref.substring is not None:
            raise refuse(f"a {word} that gives `{ref.name}` and its subscript values", values.span)


def _form(transfer: ir.Transfer, values: ExpressionCode) -> str:
    """The name of the format in the generated code's namespace."""
    if transfer.form == "*":
        return "None"
    try:
        found = edits(transfer.form or "")
    except UnknownFormatError:
        raise refuse(f"the format {transfer.form or 'of an internal file'}", values.span) from None
    name = f"format_{len(values.constants)}"
    values.constants[name] = found
    return name


def _writing(stmt: ir.IO, transfer: ir.Transfer, unit: ir.Ref, items: tuple[ir.Expr, ...],
             values: ExpressionCode) -> Iterator[str]:
    yield f"record = Writer({_form(transfer, values)})"
    for item in items:
        if isinstance(item, ir.ImpliedDo):
            with values.implied_loop(item) as loop:
                yield f"{loop}: {'; '.join(f'record.put({values.value(one)})' for one in item.items)}"
        else:
            yield f"record.put({values.value(item)})"
    place = values.slot(unit)
    index = values.index(unit, place)
    slot = place.code
    if unit.substring is None:
        yield f"{slot}.values[{index}] = record.done({slot}.values.dtype.itemsize)"
    else:
        yield f"x = cut({slot}.values[{index}], {values.ends(unit.substring)})"
        yield f"{slot}.values[{index}] = {values.stored(unit, place, index, 'record.done(len(x))')}"
    yield from _status(stmt, transfer, values)


def _reading(stmt: ir.IO, transfer: ir.Transfer, items: tuple[ir.Expr, ...], values: ExpressionCode) -> Iterator[str]:
    yield _record(stmt, transfer, values)
    inner = _each(items, "take", values)
    if transfer.status < 0:
        yield from inner
        return
    yield from _status(stmt, transfer, values)
    yield "try:"
    yield from ("    " + line for line in (*inner, "pass"))
    yield "except TransferError as error:"
    (status,) = _status(stmt, transfer, values, "error.status")
    yield f"    {status}"


def _record(stmt: ir.IO, transfer: ir.Transfer, values: ExpressionCode) -> str:
    return f"record = Reader({values.value(stmt.reads[transfer.unit])}, {_form(transfer, values)})"


def _each(items: tuple[ir.Expr, ...], action: str, values: ExpressionCode) -> list[str]:
    """``record.take`` (or ``drop``) for every item of a READ, in order."""
    def one(ref: ir.Ref) -> str:
        place = values.slot(ref)
        return f"record.{action}({place.code}, {values.index(ref, place)})"

    found = []
    for item in items:
        if isinstance(item, ir.ImpliedDo):
            with values.implied_loop(item) as loop:
                found.append(f"{loop}: {'; '.join(one(ref) for ref in item.items if isinstance(ref, ir.Ref))}")
        elif isinstance(item, ir.Ref):
            found.append(one(item))
    return found


def _status(stmt: ir.IO, transfer: ir.Transfer, values: ExpressionCode, code: str = "0") -> Iterator[str]:
    if transfer.status >= 0:
        ref = stmt.writes[transfer.status]
        assert isinstance(ref, ir.Ref)
        place = values.slot(ref)
        yield f"{place.code}.values[{values.index(ref, place)}] = {code}"


def after(loop: ir.ImpliedDo, values: ExpressionCode) -> str:
    """The variable's value after an implied DO."""
    step = "1" if loop.step is None else f"int({values.value(loop.step)})"
    start, stop = (f"int({values.value(end)})" for end in (loop.start, loop.stop))
    return f"{start} + max(0, ({stop} - {start} + {step}) // {step}) * {step}"


def spots(stmt: ir.IO, values: ExpressionCode) -> list[str]:
    """What such a statement may write: whole variables, as it is taped."""
    return [f"({values.slot(ref).code}, ())" for ref in received(stmt)]


def adjoint_lines(stmt: ir.IO, values: ExpressionCode) -> list[str]:
    """What is read depends on nothing: its adjoint is dropped. What a null value leaves as it was keeps its own."""
    transfer = stmt.transfer
    if stmt.action != "read" or transfer is None:
        return []
    items = stmt.writes[transfer.first:transfer.first + transfer.count]
    dropped = _each(items, "drop", values)
    return [_record(stmt, transfer, values), "try:", *("    " + line for line in (*dropped, "pass")),
            "except TransferError: pass"]
