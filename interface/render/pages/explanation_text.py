"""Explanations as text: what is saved and by which rule, then the statements, each with its source line and a caret."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.quoted_code import only_code
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page

if TYPE_CHECKING:
    from snapset.analysis.evidence.part_explanation import Explanation
    from snapset.analysis.evidence.steps import Chain, EvidenceStep

Source = Mapping[tuple[str, int], str]
"""The lines that may be shown, by file and number."""

_DOES = {
    "adjoint reads": "its adjoint reads {}", "reads": "reads {}", "overwrites": "overwrites {}",
    "calls": "passes {} on to {note}", "part": "the part here has {} too", "unknown": "may do anything to {}",
    "ends": "{} ends with its procedure", "again": "something is computed again from {}",
}
_ON_THE_WAY = 8  # lines of a way that are shown


def write(found: Sequence[Explanation], figures: Figures, source: Source, *, width: int = 80, colour: bool = False,
          ascii_only: bool = False, markup: bool = False) -> str:
    """All explanations, one below the other; ``markup``: as HTML."""
    page = _Page(TableStyle(max(width, 60), colour, ascii_only, markup), figures, source)
    for number, alike in enumerate(_together(found)):
        if number:
            page.line()
        page.explanation(alike[0], ", ".join(one.strategy for one in alike), names=number == 0)
    return page.text()


def _together(found: Sequence[Explanation]) -> list[list[Explanation]]:
    """What is the same under several strategies, together."""
    groups: dict[object, list[Explanation]] = {}
    for one in found:
        same = one.part.id, one.location, one.member, one.chains, one.section, one.bytes, one.peak, one.traffic
        groups.setdefault(same, []).append(one)
    return list(groups.values())


class _Page(Page):
    def __init__(self, look: TableStyle, figures: Figures, source: Source) -> None:
        super().__init__(look)
        self.figures = figures
        self.source = source

    def explanation(self, one: Explanation, strategies: str, *, names: bool) -> None:
        """One location; ``strategies``: those that it is so under; ``names``: say what C and D are."""
        part = one.part
        kind = f"call of {part.callee}" if part.kind == "call" else "marked part"
        where = f"{part.file}:{part.first_line}" + (f"-{part.last_line}" if part.last_line > part.first_line else "")
        self.line(f"{one.location} at {part.id}, {kind}, {where}, {strategies}", "bold")
        self.line(f"saved: {self._saved(one)}", indent=2)
        self.line(f"in: {', '.join(map(spelt, one.member.names)) or 'none of the sets'}", indent=2)
        if names:
            self.line("C is the part, D what runs behind it, adj C and adj D their adjoints", indent=2)
        for reason in one.reasons:
            self.line()
            self.line(spelt(reason.text), indent=2)
            for name in reason.sets:
                for chain in one.chains:
                    if chain.set == name:
                        self._chain(chain)
            if reason.cure:
                self.line(f"Not to be saved here: if {spelt(reason.cure)}.", indent=2)
        self._costs(one)

    def _saved(self, one: Explanation) -> str:
        if not one.member.saved:
            return "no"
        size = "" if one.bytes is None else f", {self.figures.text(one.bytes)} bytes"
        return f"{', '.join(one.member.saved)}" + (f": {one.section}{size}" if one.member.snp or one.member.sbk else "")

    def _chain(self, chain: Chain) -> None:
        self.line(f"{spelt(chain.set)}:", indent=4)
        if not chain.steps:
            self.line("nothing that is known puts it there: an over-approximation", indent=6)
        for step in chain.steps:
            self._step(step)

    def _step(self, step: EvidenceStep) -> None:
        does, note = deed(step), remark(step)
        way = [line for line in step.lines if line != step.line]
        shown = ", ".join(map(str, way[:_ON_THE_WAY])) + (", ..." if len(way) > _ON_THE_WAY else "")
        over = f" (by way of line{'s' if len(way) > 1 else ''} {shown})" if way else ""
        text = self.source.get((step.file, step.line), "").strip()
        marks = carets(text, step.location)
        if text and not marks and step.role in ("adjoint reads", "reads", "overwrites"):
            does += ", by another name than in this line"
        self.line(f"{step.file}:{step.line}  {does}{note}{over}", indent=6)
        if text:
            self.quoted(text, marks, 10)

    def _costs(self, one: Explanation) -> None:
        figure, other = self.figures.text, one.other
        self.line()
        self.line(f"the whole adjoint: peak {figure(one.peak)} bytes, traffic {figure(one.traffic)} bytes", indent=2)
        if other is not None:
            self.line(f"with {other.side} instead of {other.instead}: peak {figure(other.peak)} bytes, traffic "
                      f"{figure(other.traffic)} bytes", indent=2)


def deed(step: EvidenceStep) -> str:
    """``its adjoint reads u``"""
    return _DOES[step.role].format(step.location, note=step.note)


def remark(step: EvidenceStep) -> str:
    """More on it, behind a colon; "" where there is none."""
    return f": {step.note}" if step.note and step.role != "calls" else ""


def spelt(text: str) -> str:
    """Names of sets and code as the report spells them: ``use(adj C)``."""
    return text.replace("C̄", "adj C").replace("D̄", "adj D")


def carets(text: str, location: str) -> str:
    """``^`` under each place of a line where the variable of a location is named; "" where it is not."""
    whole = location.strip("/").rpartition("::")[2] or location
    path = [re.split(r"=>|\(|\[", piece)[0] for piece in whole.split("%")]
    code = only_code(text)
    found = _places(path, code) or _places(path[:1], code)
    return "".join("^" if place in found else " " for place in range(max(found) + 1)) if found else ""


def _places(path: Sequence[str], text: str) -> list[int]:
    """Where a line names a component, elements of what holds it included: ``c(i)%s`` for ``c%s``."""
    pattern = r"(?:\s*\([^()]*\))?\s*%\s*".join(map(re.escape, path))
    return [match.start() for match in re.finditer(rf"(?<![\w%]){pattern}(?!\w)", text, re.IGNORECASE)]
