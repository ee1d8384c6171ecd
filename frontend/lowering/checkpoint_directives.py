"""``!$AD`` directives: checkpointed parts between START and END, NOCHECKPOINT, II-LOOP and BINOMIAL-CKP."""

from __future__ import annotations

from dataclasses import dataclass, field

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import Pragma
from snapset.frontend.resolution.lowering_context import Context

START, END, NOCHECKPOINT, II_LOOP = "checkpoint-start", "checkpoint-end", "nocheckpoint", "ii-loop"
BINOMIAL = "binomial-ckp"
SAVES = "snapset saves", "snapset &"  # read by :mod:`snapset.frontend.reading.save_lists`


@frozen
class _Open:
    span: Span
    index: int


@dataclass(slots=True)
class OpenParts:
    """The parts that are open, block by block, innermost last."""

    blocks: list[list[_Open]] = field(default_factory=list)

    def enter(self) -> None:
        self.blocks.append([])

    def leave(self, end: Span | None) -> None:
        """The innermost block ends (None: with the procedure). Raises InputError where a part in it is open."""
        still_open = self.blocks.pop()
        if still_open:
            start = still_open[-1].span
            where = "the procedure's end" if end is None else f"line {end.line}, where its block ends"
            raise InputError(f"CHECKPOINT-START has no CHECKPOINT-END before {where}; put both in one block", start)

    def pragma(self, ctx: Context, pragma: Pragma, body: list[ir.Stmt]) -> list[ir.Stmt]:
        """``body``, the block so far, after ``pragma``: a part that ends here is one statement of it."""
        word = pragma.kind.split()[0] if pragma.kind.split() else ""
        if word == "taf" or pragma.kind.startswith(SAVES):
            return body
        if word == START:
            self.blocks[-1].append(_Open(pragma.span, len(body)))
        elif word == END:
            return self._end(ctx, pragma.span, body)
        elif word == NOCHECKPOINT:
            ctx.checkpoint = False
        elif word == II_LOOP:
            ctx.independent = pragma.span
        elif word == BINOMIAL:
            ctx.binomial = pragma
        else:
            spelt = pragma.kind.upper() if word == "snapset" else f"AD {pragma.kind}"
            ctx.note("SN203", f"directive `${spelt}` means nothing here and is ignored", pragma.span)
        return body

    def _end(self, ctx: Context, span: Span, body: list[ir.Stmt]) -> list[ir.Stmt]:
        if not self.blocks[-1]:
            raise _unmatched(span, [mark for block in self.blocks for mark in block])
        start = self.blocks[-1].pop()
        inner = tuple(body[start.index :])
        if not inner:
            ctx.note("SN205", "this checkpointed part is empty and is ignored", start.span)
            return body
        return [*body[: start.index], ir.Marked(span=start.span, body=inner, end=span)]


def _unmatched(span: Span, outside: list[_Open]) -> InputError:
    if outside:
        line = outside[-1].span.line
        return InputError(
            f"CHECKPOINT-END in another block than its CHECKPOINT-START of line {line}; put both in one block", span
        )
    return InputError("CHECKPOINT-END without CHECKPOINT-START", span)
