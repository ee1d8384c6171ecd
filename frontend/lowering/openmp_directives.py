"""OpenMP directives: comments that give variables a private copy.

A program means the same with and without its OpenMP directives, but for PRIVATE and FIRSTPRIVATE: inside, such a name
is another variable, undefined at the beginning or a copy; the variable outside keeps its value. What is shared,
reduced, LASTPRIVATE or THREADPRIVATE has the value it would have without the directive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Pragma
from snapset.frontend.base.text_scan import closing, split_top
from snapset.frontend.resolution.lowering_context import Context
from snapset.frontend.resolution.private_copies import allocated_like, original, own_copy

PREFIX = "omp "
_WORD = pattern_of(r"\s*,?\s*([a-z_]\w*)\s*(\()?")
_LOOPS = frozenset(("do", "simd", "taskloop", "distribute", "loop"))
_REGIONS = frozenset((
    "parallel", "sections", "single", "task", "target", "teams", "master", "masked", "workshare", "scope", "taskgroup",
))  # fmt: skip
_ZEROS: dict[ir.Kind, int | float | bool] = {"real": 0.0, "integer": 0, "logical": False, "complex": 0.0}


@frozen
class Directive:
    """One OpenMP directive.

    ``words``: what it begins with (``parallel do``), without END. ``private``, ``copied``: names in its clauses.
    """

    words: tuple[str, ...]
    end: bool
    private: tuple[str, ...]
    copied: tuple[str, ...]

    @property
    def is_loop(self) -> bool:
        return not _LOOPS.isdisjoint(self.words)

    @property
    def is_region(self) -> bool:
        return not self.is_loop and not _REGIONS.isdisjoint(self.words)


@dataclass(slots=True)
class OpenDirectives:
    """The directives that are open in one block, innermost last: their words and the names before them.

    ``loop``: the names before a directive that is for the next statement alone.
    """

    open: list[tuple[tuple[str, ...], dict[str, ir.Expr]]] = field(default_factory=list)
    loop: dict[str, ir.Expr] | None = None

    def directive(self, ctx: Context, found: Directive, span: Span) -> tuple[ir.Stmt, ...]:
        """Let the directive begin or end what it is for; the statements that give private copies values."""
        if found.end:
            while any(words == found.words for words, _ in self.open):
                words, names = self.open.pop()
                ctx.names = names
                if words == found.words:
                    break
            return ()
        if not (found.private or found.copied) and not found.is_region:
            return ()
        outer = ctx.names
        inner, stmts = _copies(ctx, found, span)
        if found.is_loop:
            self.loop = outer if self.loop is None else self.loop
        elif found.is_region:
            self.open.append((found.words, outer))
        else:
            return ()
        ctx.names = {**outer, **inner}
        return stmts

    def statement_done(self, ctx: Context) -> None:
        """The statement a loop directive is for has been read."""
        if self.loop is not None:
            ctx.names, self.loop = self.loop, None

    def block_done(self, ctx: Context) -> None:
        """The block ends: a directive without its END does."""
        self.statement_done(ctx)
        if self.open:
            ctx.names = self.open[0][1]
            self.open.clear()


def joined(items: Sequence[Item], at: int) -> tuple[Directive, int]:
    """The directive that begins at ``items[at]``, an OpenMP pragma, and the place behind it."""
    text = ""
    while at < len(items):
        item = items[at]
        if not isinstance(item, Pragma) or not item.kind.startswith(PREFIX):
            break
        piece = item.kind[len(PREFIX) :]
        continues = piece[:1] not in ("", " ", "\t", "0")
        if text and not continues and not text.endswith("&"):
            break
        text = text.removesuffix("&") + (" " + piece[1:] if continues and text else piece.lstrip(" \t0&")).rstrip()
        at += 1
    return parsed(text.removesuffix("&")), at


def parsed(text: str) -> Directive:
    """``parallel do private(a, b) reduction(+: s)``"""
    words: list[str] = []
    clauses: dict[str, tuple[str, ...]] = {}
    at = 0
    while (found := _WORD.match(text, at)) is not None:
        at = found.end()
        if found[2] is None:
            if not clauses:
                words.append(found[1])
            continue
        close = closing(text, at - 1)
        if close < 0:
            break
        clauses[found[1]] = (*clauses.get(found[1], ()), *split_top(text[at:close]))
        at = close + 1
    end = words[:1] == ["end"]
    known = tuple(word for word in words[end:] if word in _LOOPS | _REGIONS)
    return Directive(known, end, clauses.get("private", ()), clauses.get("firstprivate", ()))


def _copies(ctx: Context, found: Directive, span: Span) -> tuple[dict[str, ir.Expr], tuple[ir.Stmt, ...]]:
    """The private copies by name; what is not copied begins with zero, a value nobody may read."""
    inner: dict[str, ir.Expr] = {}
    stmts: list[ir.Stmt] = []
    outside, ctx.span = ctx.span, span
    for name in dict.fromkeys((*found.private, *found.copied)):
        model = original(ctx, name)
        if model is None:
            continue
        variable = ctx.variables[model.name]
        inner[name] = own = own_copy(ctx, name, variable)
        stmts += allocated_like(own, model, variable, span)
        zero = _ZEROS.get(variable.type.kind)
        if name in found.copied:
            stmts.append(ir.Assign(span=span, target=own, value=model))
        elif zero is not None and not variable.allocatable:
            stmts.append(ir.Assign(span=span, target=own, value=ir.Literal_(zero, variable.type)))
    ctx.span = outside
    return inner, tuple(stmts)
