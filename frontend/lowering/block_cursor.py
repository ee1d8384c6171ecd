"""A procedure's statements one after the other: blocks, what closes them, and the checkpointed parts in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import Item, Line, Pragma
from snapset.frontend.lowering.checkpoint_directives import OpenParts
from snapset.frontend.lowering.openmp_directives import PREFIX, OpenDirectives, joined
from snapset.frontend.parsing.statement_classifier import Statement, classify
from snapset.frontend.resolution.lowering_context import Context

_CONTINUATIONS = {
    "else": "if", "else if": "if", "case": "select", "guard": "select", "elsewhere": "where",
}  # fmt: skip


@frozen
class BlockOpening:
    """The statement that opens a block: its construct (``if``), text, place and name."""

    construct: str
    text: str
    span: Span
    name: str | None = None


@frozen
class ClosedBlock:
    """A block and the statement that ended it (None: the procedure's end)."""

    body: ir.Block
    statement: Statement
    line: Line


Lower = Callable[["Cursor", Line, Statement], tuple[ir.Stmt, ...]]


@dataclass(slots=True)
class Cursor:
    """A place among ``items``. ``lower`` makes statements of one line (and of the blocks it opens)."""

    ctx: Context
    items: Sequence[Item]
    lower: Lower
    marks: OpenParts
    at: int = 0

    @deep
    def block(self, opening: BlockOpening, *, last: bool = False) -> ClosedBlock:
        """The statements up to the one that ends ``opening``'s block; its END where this is its ``last`` block.

        Raises InputError where it is not closed, where another construct's end comes first, and for
        checkpointed parts that do not begin and end in this block.
        """
        self.ctx.checkpoint = True  # NOCHECKPOINT before a construct is for its first statement
        body = self._statements(opening)
        if self.at >= len(self.items):
            missing = f"END {opening.construct.upper()} is missing"
            end = self.items[-1].span.end_line
            raise InputError(f"`{opening.text}` is not closed: {missing} before line {end}", opening.span)
        line = self.items[self.at]
        assert isinstance(line, Line)
        self.at += 1
        closed = ClosedBlock(body, classify(line.text), line)
        if last and closed.statement.kind != "end":
            what = f"`{opening.text}` of line {opening.span.line}"
            raise InputError(f"`{line.text}` cannot stand here: {what} must end first", line.span)
        return closed

    def procedure(self, end: Line, opening: BlockOpening) -> ir.Block:
        """All statements; ``end`` is the procedure's END, whose label may be jumped to."""
        body = self._statements(opening)
        if self.at < len(self.items):
            line = self.items[self.at]
            raise InputError(f"`{_text(line)}` closes nothing: no construct is open", line.span)
        return (*body, *labelled_end(end))

    def inner(self, line: Line, text: str) -> ir.Block:
        """The statement in ``if (...) text`` and its like, on the same line."""
        return self.lower(self, replace(line, text=text, label=None, construct=None), classify(text))

    def _statements(self, opening: BlockOpening) -> ir.Block:
        body: list[ir.Stmt] = []
        regions = OpenDirectives()
        self.marks.enter()
        while self.at < len(self.items):
            item = self.items[self.at]
            if isinstance(item, Pragma):
                body = self._pragma(item, body, regions)
                continue
            statement = classify(item.text)
            if statement.kind == "end" or statement.kind in _CONTINUATIONS:
                _check_end(opening, statement, item)
                self.marks.leave(item.span)
                regions.block_done(self.ctx)
                return tuple(body)
            self.at += 1
            self.ctx.span = item.span
            body.extend(_with_label(self.lower(self, item, statement), item))
            self.ctx.checkpoint = True
            if self.ctx.independent is not None:
                self.ctx.note("SN203", "II-LOOP before what is no DO loop is ignored", self.ctx.independent)
                self.ctx.independent = None
            if self.ctx.binomial is not None:
                self.ctx.note("SN203", "BINOMIAL-CKP before what is no DO loop is ignored", self.ctx.binomial.span)
                self.ctx.binomial = None
            regions.statement_done(self.ctx)
        self.marks.leave(None)
        regions.block_done(self.ctx)
        return tuple(body)

    def _pragma(self, item: Pragma, body: list[ir.Stmt], regions: OpenDirectives) -> list[ir.Stmt]:
        """``body``, the block so far, after a directive."""
        if not item.kind.startswith(PREFIX):
            self.at += 1
            return self.marks.pragma(self.ctx, item, body)
        directive, self.at = joined(self.items, self.at)
        return [*body, *regions.directive(self.ctx, directive, item.span)]


def labelled_end(line: Line) -> tuple[ir.Stmt, ...]:
    """What a jump to the label of a construct's END reaches."""
    return () if line.label is None else (ir.Continue(span=line.span, label=line.label),)


def _with_label(stmts: tuple[ir.Stmt, ...], line: Line) -> tuple[ir.Stmt, ...]:
    if line.label is None or not stmts:
        return stmts
    return (replace(stmts[0], label=line.label), *stmts[1:])


def _text(item: Item) -> str:
    return item.text if isinstance(item, Line) else f"$ad {item.kind}"


def _check_end(opening: BlockOpening, statement: Statement, line: Line) -> None:
    """Raises InputError unless ``statement`` ends or continues the block that ``opening`` opened."""
    construct = statement.parts[0] if statement.kind == "end" else _CONTINUATIONS[statement.kind]
    if construct != opening.construct:
        if opening.construct == "procedure":
            raise InputError(f"`{line.text}` belongs to no open {construct.upper()}", line.span)
        raise InputError(
            f"`{line.text}` does not fit `{opening.text}` of line {opening.span.line}, which is still open", line.span
        )
    name = statement.parts[1] if statement.kind == "end" else ""
    if name and name != opening.name:
        what = f"`{opening.text}` of line {opening.span.line}"
        raise InputError(f"`{line.text}` does not name the construct it closes, {what}", line.span)
