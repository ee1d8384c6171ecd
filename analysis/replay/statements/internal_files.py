"""READ and WRITE of internal files: assignments of what a CHARACTER variable says, or to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.memory.runtime_support import NotExecutedError
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.analysis.replay.texts.edit_descriptors import Format, UnknownFormatError, edits
from snapset.analysis.replay.texts.record_writer import RecordWriter
from snapset.frontend import ir
from snapset.frontend.base.visible_text import visible
from snapset.frontend.ir.expression_queries import rank_of, type_of


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
        RefusedError: namelists, SIZE=, formats with descriptors that are not executed, items of derived type.
    """
    transfer = stmt.transfer
    word = f"{stmt.action.upper()} of an internal file"
    if transfer is None or stmt.labels or (transfer.form is None and not _is_computed(stmt, transfer)):
        raise refuse(f"this {word}", stmt.span)
    reading = stmt.action == "read"
    unit = (stmt.reads if reading else stmt.writes)[transfer.unit]
    items = (stmt.writes if reading else stmt.reads)[transfer.first:transfer.first + transfer.count]
    others = (not reading) + (transfer.status >= 0) + (transfer.message >= 0)
    loops = [item for item in _all(items) if isinstance(item, ir.ImpliedDo)]
    if not isinstance(unit, ir.Ref) or len(received(stmt)) != others + len(loops) + (
            len(tuple(_references(items))) if reading else 0):
        raise refuse(f"this {word}", stmt.span)
    _check(items, reading, values, word)
    inner = _reading(stmt, transfer, unit, items, values) if reading else _writing(stmt, transfer, unit, items, values)
    if transfer.status < 0:
        yield from inner
        return
    yield _status(stmt, transfer, values)
    yield "try:"
    yield from ("    " + line for line in inner)
    yield "except TransferError as error:"
    if transfer.message >= 0:
        yield "    raise ReplayError('IOMSG is asked for, which no standard says') from error"
    yield f"    {_status(stmt, transfer, values, 'error.status')}"


def _all(items: tuple[ir.Expr, ...]) -> Iterator[ir.Expr]:
    for item in items:
        yield item
        if isinstance(item, ir.ImpliedDo):
            yield from _all(item.items)


def _check(items: tuple[ir.Expr, ...], reading: bool, values: ExpressionCode, word: str) -> None:
    leaves = [item for item in _all(items) if not isinstance(item, ir.ImpliedDo)]
    kinds = ("real", "integer", "logical", "character", "complex")
    other = next((item for item in leaves if type_of(item).kind not in kinds), None)
    if other is not None:
        raise refuse(f"a {word} with a {type_of(other).kind} item", values.span)
    if reading and any(ref.substring is not None for ref in _references(items)):
        raise refuse(f"a {word} that gives substrings values", values.span)


def _is_computed(stmt: ir.IO, transfer: ir.Transfer) -> bool:
    """Is the format the value of a text? Else there is none (a namelist), or a label that an ASSIGN has given."""
    return transfer.form is None and transfer.described >= 0 and not rank_of(
        stmt.reads[transfer.described]) and type_of(stmt.reads[transfer.described]).kind == "character"


def _form(stmt: ir.IO, transfer: ir.Transfer, values: ExpressionCode) -> str:
    """Code of the format: a name in the generated code's namespace, or what makes it of a text that is computed."""
    if transfer.form == "*":
        return "None"
    if _is_computed(stmt, transfer):
        return f"computed_format({values.value(stmt.reads[transfer.described])})"
    try:
        found = edits(transfer.form or "")
    except UnknownFormatError:
        raise refuse(f"the format {transfer.form or 'of an internal file'}", values.span) from None
    name = f"format_{len(values.constants)}"
    values.constants[name] = found
    return name


def computed_format(text: bytes) -> Format:
    """Raises ReplayError for a format with descriptors that are not executed."""
    try:
        return edits(text.decode("latin-1"))
    except UnknownFormatError:
        raise NotExecutedError(f"the format {visible(text.decode('latin-1').strip())} is not executed") from None


def _loops(item: ir.Expr, values: ExpressionCode, one: Callable[[ir.Expr], str]) -> Iterator[str]:
    """``one`` for an item, in the loops of implied DOs; their variables have their values behind them."""
    if not isinstance(item, ir.ImpliedDo):
        yield one(item)
        return
    place = values.slot(ir.Ref((ir.PartRef(item.var),), ir.INTEGER))
    with values.implied_loop(item) as loop:
        yield f"{loop}:"
        for inner in item.items:
            yield from ("    " + line for line in _loops(inner, values, one))
    yield f"{place.code}.values[()] = {after(item, values)}"


def _writing(stmt: ir.IO, transfer: ir.Transfer, unit: ir.Ref, items: tuple[ir.Expr, ...],
             values: ExpressionCode) -> Iterator[str]:
    place = values.slot(unit)
    index, slot = values.index(unit, place), place.code
    whole, length = f"{slot}.values[{index}]", f"{slot}.values.dtype.itemsize"
    if unit.substring is not None:
        if rank_of(unit):
            raise refuse("a WRITE to substrings of an array", stmt.span)
        length = f"len(cut({whole}, {values.ends(unit.substring)}))"
    count = f"np.size({whole})" if rank_of(unit) else "1"
    yield f"record = Writer({_form(stmt, transfer, values)}, {length}, {count})"
    for item in items:
        yield from _loops(item, values, lambda one: f"record.put({values.value(one)})")
    if rank_of(unit):
        yield f"{whole} = records_of(record, {whole})"
        return
    stored = "record.done()[0]" if unit.substring is None else values.stored(unit, place, index, "record.done()[0]")
    yield f"{whole} = {stored}"


def records_of(record: RecordWriter, old: Any) -> Any:
    """The elements of an array that is an internal file, behind a WRITE to the first of them."""
    found = old.reshape(-1, order="F").copy()
    written = record.done()
    found[:len(written)] = written
    return found.reshape(old.shape, order="F")


def _reading(stmt: ir.IO, transfer: ir.Transfer, unit: ir.Ref, items: tuple[ir.Expr, ...],
             values: ExpressionCode) -> Iterator[str]:
    yield _record(stmt, transfer, unit, values)
    yield from _each(items, "take", values)


def _record(stmt: ir.IO, transfer: ir.Transfer, unit: ir.Ref, values: ExpressionCode) -> str:
    source = values.value(unit)
    records = f"{source}.reshape(-1, order='F').tolist()" if rank_of(unit) else f"[{source}]"
    return f"record = Reader({records}, {_form(stmt, transfer, values)})"


def _each(items: tuple[ir.Expr, ...], action: str, values: ExpressionCode) -> list[str]:
    """``record.take`` (or ``drop``) for every item of a READ, in order."""
    def one(ref: ir.Expr) -> str:
        assert isinstance(ref, ir.Ref)
        place = values.slot(ref)
        logical = ", True" if ref.type.kind == "logical" else ""
        return f"record.{action}({place.code}, {values.index(ref, place)}{logical})"

    return [line for item in items for line in _loops(item, values, one)]


def _status(stmt: ir.IO, transfer: ir.Transfer, values: ExpressionCode, code: str = "0") -> str:
    ref = stmt.writes[transfer.status]
    assert isinstance(ref, ir.Ref)
    place = values.slot(ref)
    return f"{place.code}.values[{values.index(ref, place)}] = {code}"


def after(loop: ir.ImpliedDo, values: ExpressionCode) -> str:
    """The variable's value after an implied DO."""
    step = "1" if loop.step is None else f"int({values.value(loop.step)})"
    start, stop = (f"int({values.value(end)})" for end in (loop.start, loop.stop))
    return f"{start} + max(0, ({stop} - {start} + {step}) // {step}) * {step}"


def spots(stmt: ir.IO, values: ExpressionCode) -> list[str]:
    """What such a statement may write: whole variables, as it is taped."""
    return [f"({values.slot(ref).code}, ())" for ref in received(stmt)]


def adjoint_lines(stmt: ir.IO, values: ExpressionCode) -> list[str]:
    """What is read depends on nothing: its adjoint is dropped. What a null value leaves as it was keeps its own.

    The READ runs once more for it, since items tell where others go (``i, a(i)``), and is taken back.
    """
    transfer = stmt.transfer
    if stmt.action != "read" or transfer is None:
        return []
    items, unit = stmt.writes[transfer.first:transfer.first + transfer.count], stmt.reads[transfer.unit]
    assert isinstance(unit, ir.Ref)
    loops = [values.slot(ir.Ref((ir.PartRef(item.var),), ir.INTEGER)) for item in _all(items)
             if isinstance(item, ir.ImpliedDo)]
    return [_record(stmt, transfer, unit, values), *(f"record.remember({place.code}, ())" for place in loops),
            "try:", *("    " + line for line in (*_each(items, "drop", values), "pass")),
            "except TransferError: pass", "record.forget()"]


NAMES: Final = {"computed_format": computed_format, "records_of": records_of}
