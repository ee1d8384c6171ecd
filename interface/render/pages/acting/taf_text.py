"""``snapset report --format taf``: the CADJ STORE lines of every part, ready to paste in front of it.

    ! burgers.f90:12, in front of the part burgers@13 (lines 13 to 18)
    !$TAF INIT tape_burgers_13 = COMMON, nsteps
    !$TAF STORE u(2:n-1) = tape_burgers_13, key = step

INIT belongs to the beginning of the procedure. The key counts the runs of the part where DO loops around it tell it;
else it is yours to give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from snapset.frontend.base.visible_text import visible_line
from snapset.render.records.push_list import CodePushes, DoCount, HeadPushes, PushedSweeps, SavedPart

_WIDTH = 72


def write(heads: Sequence[HeadPushes], fixed: Mapping[str, bool]) -> str:
    """All heads. ``fixed``: by file, is it fixed form?"""
    lines: list[str] = []
    for head, strategy, codes in heads:
        lines += [f"! {head}, {strategy}: what TAF is to store before each part. How to use it: docs/act.md", ""]
        for code in codes:
            lines += _sweeps(code, code.sweeps, fixed.get(code.file, False), ())
    return "".join(f"{visible_line(one)}\n" for one in lines)


def _sweeps(code: CodePushes, sweeps: PushedSweeps, fixed: bool, around: tuple[DoCount, ...]) -> Iterator[str]:
    for one in sweeps.entries:
        if isinstance(one, SavedPart):
            loops = (*around, *one.loops)
            yield from _part(code, one, fixed, loops)
            if one.inner is not None:
                yield from _sweeps(code, one.inner, fixed, loops)


def _part(code: CodePushes, one: SavedPart, fixed: bool, loops: tuple[DoCount, ...]) -> Iterator[str]:
    saved = (*one.sbk, *one.snp)
    if not saved and not one.again:
        return
    mark = "C" if fixed else "!"
    what = f"the call of {one.callee}" if one.callee else f"lines {one.first_line} to {one.last_line}"
    yield f"{mark} {code.file}:{one.first_line}, in front of {one.id} ({what})"
    tape = re.sub(r"\W", "_", f"tape_{one.id}")
    count, key = _key(loops)
    start = "CADJ" if fixed else "!$TAF"
    if saved:
        yield from _continued(f"{start} INIT {tape} = COMMON, {count}", start)
    for entry in saved:
        if entry.text is None:
            yield f"{mark} not to be stored so: {entry.what}"
        else:
            yield from _continued(f"{start} STORE {entry.text} = {tape}, key = {key}", start)
            if entry.what:
                yield f"{mark} ({entry.what})"
    for again in one.again:
        yield f"{mark} not stored, as TAF can compute it again: {again.text or 'what is assigned'} (line {again.line})"
    yield ""


def _key(loops: Sequence[DoCount]) -> tuple[str, str]:
    """How often a part runs, and the number of a run, from 1 on: ``n*m`` and ``j + (i - 1)*m``."""
    if not all(one.name and one.last for one in loops):
        return "NUMBER_OF_RUNS", "NUMBER_OF_THIS_RUN"
    if not loops:
        return "1", "1"
    counts = [one.last if one.first == "1" else f"({one.last}) - ({one.first}) + 1" for one in loops]
    numbers = [one.name if one.first == "1" else f"({one.name} - ({one.first}) + 1)" for one in loops]
    key, inside = numbers[-1], ""
    for number, count in zip(numbers[-2::-1], counts[:0:-1], strict=True):
        inside = f"{inside}*({count})" if inside else f"({count})"
        key = f"{key} + ({number} - 1)*{inside}"
    return "*".join(f"({one})" if len(counts) > 1 else one for one in counts), key


def _continued(text: str, start: str) -> Iterator[str]:
    """A directive in lines of at most 72 columns, where a comma or an equals sign lets it be cut."""
    while len(text) > _WIDTH:
        at = max(text.rfind(", ", 0, _WIDTH), text.rfind("= ", 0, _WIDTH))
        if at <= len(start) + 4:
            break
        yield text[:at + 1]
        text = f"{start} &   {text[at + 1:].strip()}"
    yield text
