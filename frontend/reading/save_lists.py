"""What the source declares to be saved before a statement.

    !$SNAPSET SAVES(a, u(2:n-1))          CADJ STORE theta(:,:,:,bi,bj) =
    !$AD CHECKPOINT-START                 CADJ &     comlev1_bibj, key = tkey, kind = isbyte
    ...                                         CALL CALC_RHO( theta, rho )

Both may be continued: ``!$SNAPSET &`` and ``CADJ &`` go on with the line before. Of TAF's STORE only the names count;
tape, key and kind say where the values go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from snapset.frontend.base.declared_saves import SaveList
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line, Pragma, Unit
from snapset.frontend.base.text_scan import closing, split_top, top_equals
from snapset.frontend.reading.unreadable_units import every_unit

_BLANK = pattern_of(r"\s+")
_BEGINS = pattern_of(r"(saves|store)(?![a-z0-9_])\s*(.*)")
_START = "checkpoint-start"


@frozen
class _Directive:
    """One directive, continuation lines joined. ``behind``: the number of the item after it."""

    word: Literal["saves", "store"]
    text: str
    span: Span
    behind: int


def save_lists(units: Iterable[Unit]) -> tuple[SaveList, ...]:
    """Those of all units, in order. Raises InputError for a SAVES without its parentheses."""
    return tuple(one for unit in every_unit(units) for one in _of(unit.items))


def _of(items: Sequence[Item]) -> Iterator[SaveList]:
    for one in _directives(items):
        names = _saves(one) if one.word == "saves" else _store(one.text)
        before, starts = _next(items, one.behind)
        yield SaveList("SAVES" if one.word == "saves" else "STORE", names, one.span, before, starts)


def _directives(items: Sequence[Item]) -> Iterator[_Directive]:
    pending: _Directive | None = None
    tool = ""
    for at, item in enumerate(items):
        if not isinstance(item, Pragma):
            continue
        whose, _, text = item.kind.partition(" ")
        if whose not in ("snapset", "taf"):
            continue
        text = text.lstrip()
        goes_on = pending is not None and whose == tool and pending.behind == at
        if goes_on and pending is not None and (text.startswith("&") or pending.text.endswith("&")):
            joined = f"{pending.text.removesuffix('&')} {text.removeprefix('&')}".strip()
            span = replace(pending.span, end_line=item.span.end_line)
            pending = replace(pending, text=joined, span=span, behind=at + 1)
            continue
        if pending is not None:
            yield pending
        found, tool = _BEGINS.match(text), whose
        right = found is not None and (found[1] == "saves") == (whose == "snapset")
        pending = _Directive("saves" if whose == "snapset" else "store", found[2], item.span, at + 1) \
            if found is not None and right else None
    if pending is not None:
        yield pending


def _saves(one: _Directive) -> tuple[str, ...]:
    """Raises InputError for a list that has no parentheses around it."""
    if not one.text.startswith("(") or closing(one.text, 0) != len(one.text) - 1:
        raise InputError("SAVES needs its names in parentheses, SAVES(a, u(2:n-1)); SAVES() saves nothing", one.span)
    return split_top(_BLANK.sub("", one.text[1:-1]))


def _store(text: str) -> tuple[str, ...]:
    """``a, b(:,k) = tape, key = k``: the names are what stands before the first ``=``."""
    text = _BLANK.sub("", text)
    at = top_equals(text)
    return split_top(text if at < 0 else text[:at])


def _next(items: Sequence[Item], at: int) -> tuple[Span | None, int]:
    """The statement that follows, and how many parts begin before it."""
    starts = 0
    for item in items[at:]:
        if isinstance(item, Line):
            return item.span, starts
        starts += item.kind.startswith(_START)
    return None, starts
