"""``snapset report --format pushes``: the PUSH and POP calls of a hand-written adjoint, in order.

    subroutine burgers, burgers.f90:2

    forward sweep
      the part burgers@13, lines 13 to 18: before its first run
          call push(u(2:n-1))
      before line 20: nu = nu*(1.0d0 + 1.0d-3*dt)
          call push(nu)
    backward sweep
      ...

The indented lines are Fortran; everything else is a comment of its.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from snapset.frontend.base.visible_text import visible_line
from snapset.render.records.push_list import (
    AssignedAgain,
    CodePushes,
    HeadPushes,
    Kept,
    PushedSweeps,
    SavedPart,
    TapedStatement,
)

Source = Mapping[tuple[str, int], str]
_STEP = 2


def write(heads: Sequence[HeadPushes], source: Source) -> str:
    """All heads, one below the other; ``source``: the lines of the files."""
    lines: list[str] = []
    for head, strategy, codes in heads:
        lines += [f"! {head}, {strategy}: what the adjoint pushes and pops, in order. How to use it: docs/act.md", ""]
        for code in codes:
            lines += _Code(code, source).lines()
    return "".join(f"{visible_line(one)}\n" for one in lines)


@dataclass(frozen=True)
class _Code:
    code: CodePushes
    source: Source

    def lines(self) -> list[str]:
        """Both sweeps of one procedure's adjoint."""
        _, mark, which = self.code.key.partition(":")
        kind = f" ({which})" if mark and not which.startswith(":") else ""
        found = [f"! ==== {self.code.procedure}{kind}, {self.code.file}:{self.code.line}"]
        forward, backward = list(self.forward(self.code.sweeps, 0)), list(self.backward(self.code.sweeps, 0))
        if not forward and not backward:
            return [*found, "! nothing is pushed here", ""]
        return [*found, "! -- forward sweep", *forward, "! -- backward sweep", *backward, ""]

    def forward(self, sweeps: PushedSweeps, depth: int) -> Iterator[str]:
        if sweeps.idle:
            yield self._said(f"leave out {_lines(sweeps.idle)}: no adjoint needs what is done there", depth)
        for one in sweeps.entries:
            if isinstance(one, TapedStatement):
                if one.kept:
                    yield self._said(f"before {self._line(one.line)}", depth)
                    yield from _calls("push", one.kept, depth)
            else:
                saved = (*one.sbk, *one.snp)
                yield self._said(f"{_title(one)}: before its first run", depth)
                yield from _calls("push", saved, depth) if saved else (self._said("nothing", depth + 1),)
                if one.idle is None:
                    yield self._said("its first run is left out: no adjoint needs what it does", depth)
                elif one.idle:
                    yield self._said(f"its first run leaves out {_lines(one.idle)}: no adjoint needs that", depth)

    def backward(self, sweeps: PushedSweeps, depth: int) -> Iterator[str]:
        for one in reversed(sweeps.entries):
            if isinstance(one, TapedStatement):
                line = self._line(one.line)
                yield self._said(one.place.format(line) if one.place else f"first, when {line} is taken back", depth)
                yield from self._again(one.first, depth)
                yield from _calls("pop", one.kept[::-1], depth)
                yield from self._again(one.again, depth)
            else:
                yield from self._part(one, depth)

    def _part(self, one: SavedPart, depth: int) -> Iterator[str]:
        yield self._said(f"{_title(one)}: before its adjoint", depth)
        yield from _calls("pop", one.snp[::-1], depth)
        yield from _calls("push", one.both, depth)
        yield from self._again(one.again, depth)
        if one.callee is not None:
            yield self._said(f"the adjoint of {one.callee}: its forward sweep, its backward sweep", depth + 1)
        elif one.inner is not None:
            forward, backward = list(self.forward(one.inner, depth + 1)), list(self.backward(one.inner, depth + 1))
            yield self._said("its second run", depth + 1)
            yield from forward
            yield self._said("its backward sweep", depth + 1)
            yield from backward
        if one.sbk or one.both:
            yield self._said(f"{_title(one)}: behind its adjoint", depth)
            yield from _calls("pop", one.both[::-1], depth)
            yield from _calls("pop", one.sbk[::-1], depth)
        if one.behind:
            yield self._said(f"{_title(one)}: all of it taken back", depth)
            yield from self._again(one.behind, depth)

    def _again(self, statements: Sequence[AssignedAgain], depth: int) -> Iterator[str]:
        """What is computed again, ready to be pasted."""
        indent = " "*(_STEP*depth + 6)
        for one in statements:
            yield (f"!{indent[1:]}run line {one.line} again" if one.text is None else
                   f"{indent}{one.text}  ! again, as in line {one.line}")

    def _line(self, number: int) -> str:
        text = self.source.get((self.code.file, number), "").strip()
        return f"line {number}: {text}" if text else f"line {number}"

    def _said(self, text: str, depth: int) -> str:
        return f"! {' '*_STEP*depth}{text}"


def _title(one: SavedPart) -> str:
    first, last = one.first_line, one.last_line
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    what = "the part" if one.callee is None else f"the call of {one.callee},"
    return f"{what} {one.id}, {lines}"


def _lines(numbers: Sequence[int]) -> str:
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _calls(word: str, kept: Sequence[Kept], depth: int) -> Iterator[str]:
    """The CALL statements; a comment for what has no name."""
    indent = " "*(_STEP*depth + 6)
    for one in kept:
        if one.text is None:
            yield f"!{indent[1:]}{word} {one.what}"
        else:
            yield f"{indent}call {word}({one.text})" + (f"  ! {one.what}" if one.what else "")
