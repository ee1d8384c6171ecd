"""Which diagnostics are shown: ``select`` and ``ignore`` of the project file, ``! snapset: ignore[SN104]`` at a line.

    allocate(work(n))  ! snapset: ignore[SN104]

hides SN104 at that statement. An ignore that hides nothing is itself said, as a slip of the pen or as a leftover.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest

if TYPE_CHECKING:
    from snapset.analysis.results import HeadResult, Part

FEW = 4
LARGEST = 64 * 2**20
"""Bytes in a source."""
_MARK = pattern_of(r"!\s*snapset:\s*ignore(?:\[([^\]]*)\])?", re.IGNORECASE)


def codes_like(text: str) -> tuple[str, ...]:
    """The codes that are meant: ``SN104``, or all that begin so: ``SN1``. Raises ValueError where there is none."""
    from snapset.frontend.rules import RULES

    wanted = text.strip().upper()
    found = tuple(code for code in RULES if re.fullmatch(r"SN\d*", wanted) and code.startswith(wanted))
    if not found:
        raise ValueError(f"{text.strip()}: no diagnostic's code{nearest(wanted, RULES)}; snapset explain CODE tells "
                         "what one means, docs/diagnostics.md lists them")
    return found


@frozen
class CodeSelection:
    """What to show: of ``select`` (all, where it is empty) what is not in ``ignore`` nor, by file and line, in
    ``lines``.

    ``project``: the file that says so.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    lines: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    project: str = ""

    def shows(self, one: Diagnostic) -> bool:
        """Is it to be seen?"""
        return ((not self.select or one.code in self.select) and one.code not in self.ignore
                and not any(one.code in self.lines.get(at, ()) for at in _places(one)))

    def shown(self, every: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Those of some that are to be seen."""
        return tuple(filter(self.shows, every))

    def of_part(self, part: Part) -> Part:
        """A part without what is not shown."""
        return replace(part, diagnostics=self.shown(part.diagnostics)) if part.diagnostics else part

    def of(self, result: HeadResult) -> HeadResult:
        """A result without what is not shown."""
        return replace(result, parts=tuple(map(self.of_part, result.parts)), diagnostics=self.shown(result.diagnostics))

    def unused(self, every: Iterable[Diagnostic], whole: bool) -> Iterator[str]:
        """What hides nothing of all that is said; ``whole``: of all heads, so that nothing else can be said."""
        if not whole:
            return
        said = tuple(every)
        codes = {one.code for one in said}
        if self.ignore and not codes & set(self.ignore):
            more = ", ..." if len(self.ignore) > FEW else ""
            yield f"{self.project}: ignore: none of {', '.join(self.ignore[:FEW])}{more} is said; take it away"
        hidden = {(*at, one.code) for one in said for at in _places(one)}
        for (file, line), marked in sorted(self.lines.items()):
            for code in marked:
                if (file, line, code) not in hidden:
                    yield f"{file}:{line}: ignore[{code}]: {code} is not said here; take the comment away"


ALL = CodeSelection()


def _places(one: Diagnostic) -> Iterator[tuple[str, int]]:
    """The lines of its statement."""
    return ((one.span.file, line) for line in range(one.span.line, one.span.end_line + 1))


def selection(files: Iterable[str], select: Sequence[str], ignore: Sequence[str], project: str) -> CodeSelection:
    """That of some source files and of the project file. Raises InputError for a mark without a known code."""
    return CodeSelection(tuple(select), tuple(ignore), dict(_marks(files)), project)


def _marks(files: Iterable[str]) -> Iterator[tuple[tuple[str, int], tuple[str, ...]]]:
    for file in files:
        text = _text(file)
        if "snapset:" not in text.lower():
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found = _MARK.search(line)
            if found:
                yield (file, number), _codes(found[1], Span(file, number, number, found.start() + 1))


def _text(file: str) -> str:
    """Of a file that may be a source; what is none is refused elsewhere."""
    path = Path(file)
    try:
        return path.read_text(errors="replace") if path.is_file() and path.stat().st_size <= LARGEST else ""
    except (OSError, ValueError):
        return ""


def _codes(text: str | None, span: Span) -> tuple[str, ...]:
    if not text or not text.strip():
        raise InputError("snapset: ignore: of what? write the codes, as in ! snapset: ignore[SN104, SN202]", span)
    try:
        return tuple(code for one in text.split(",") for code in codes_like(one))
    except ValueError as error:
        raise InputError(f"snapset: ignore: {error}", span) from None
