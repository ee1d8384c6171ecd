"""``do 10 i = ..`` to ``do i = ..``, with an ``end do`` after statement 10 for each loop that ends there.

Lines keep their spans; the terminating statement keeps its label, inside of the innermost of its loops, so that a
GOTO to it still is that loop's CYCLE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line, Pragma

_LABELLED = pattern_of(r"do (\d+) ?,? ?(.*)")


class _Loop(NamedTuple):
    label: int
    line: Line


def block_loops(items: Sequence[Item]) -> tuple[Item, ...]:
    """The statements of one program unit with block loops only.

    Raises InputError for a loop whose last statement is missing or lies outside of an enclosing loop.
    """
    if not any(isinstance(item, Line) and _LABELLED.match(item.text) for item in items):
        return tuple(items)
    result: list[Item] = []
    loops: list[_Loop] = []
    open_labels: Counter[int] = Counter()
    for item in items:
        if isinstance(item, Pragma):
            result.append(item)
            continue
        loop = _LABELLED.match(item.text)
        if loop is not None:
            loops.append(_Loop(int(loop[1]), item))
            open_labels[int(loop[1])] += 1
            item = replace(item, text=f"do {loop[2]}".rstrip())
        result.append(item)
        if item.label is not None and open_labels[item.label]:
            result += _ends(loops, item, open_labels.pop(item.label))
    if loops:
        raise InputError(f"loop without end: no statement {loops[-1].label} follows in its program unit",
                         loops[-1].line.span)
    return tuple(result)


def _ends(loops: list[_Loop], last: Line, count: int) -> list[Item]:
    """Take the ``count`` loops that end at ``last`` off the stack; their ``end do`` lines, innermost first."""
    ends: list[Item] = []
    for _ in range(count):
        inner = loops.pop()
        if inner.label != last.label:
            raise InputError(f"statement {last.label} ends an outer loop before statement {inner.label} ends the loop "
                             f"of line {inner.line.span.line}; end the inner loop first", last.span)
        construct = inner.line.construct
        ends.append(Line(f"end do {construct}" if construct else "end do", last.span))
    return ends[1:] if last.text == "end do" or last.text.startswith("end do ") else ends
