"""Comparisons as text: what is missing first, then what is superfluous, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.analysis.symbolic.atoms import Sym
from snapset.render.layout.byte_figures import Figures, total
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page
from snapset.render.pages.explanation_text import Source, carets, spelt

if TYPE_CHECKING:
    from snapset.analysis.comparison.verdicts.compared_head import ComparedHead, SavedValue
    from snapset.analysis.comparison.verdicts.missing_values import MissingValue
    from snapset.analysis.evidence.part_explanation import Explanation
    from snapset.analysis.results import Bytes, Part

_DOES = {"adjoint reads": "its adjoint reads", "overwrites": "overwrites", "reads": "reads"}
_LONGEST = 200  # characters of a formula that people read


def write(found: Sequence[ComparedHead], figures: Figures, source: Source, *, every: bool = False, width: int = 80,
          colour: bool = False, ascii_only: bool = False, markup: bool = False) -> str:
    """All heads, one below the other. ``every``: also the PUSHes that are needed; ``markup``: as HTML."""
    page = _Page(TableStyle(max(width, 60), colour, ascii_only, markup), figures, source)
    for number, one in enumerate(found):
        if number:
            page.line()
        page.head(one, every)
    return page.text()


class _Page(Page):
    def __init__(self, look: TableStyle, figures: Figures, source: Source) -> None:
        super().__init__(look)
        self.figures = figures
        self.source = source

    def head(self, found: ComparedHead, every: bool) -> None:
        """What there is in all, then what is missing, superfluous, and not judged."""
        superfluous = [one for one in found.saved if one.superfluous]
        unjudged = [one for one in found.saved if one.verdict == "not judged"]
        self.line(f"{found.head}: adjoint {found.adjoint}", "bold")
        self._counted("PUSHes of values", found.saved)
        self._counted("superfluous", superfluous)
        if unjudged:
            self._counted("not judged", unjudged)
        said = "; the gradient is wrong" if found.missing else ""
        self.line(f"{len(found.missing):>5}  missing{said}", "red" if found.missing else "", indent=2)
        for missing in found.missing:
            self._missing(missing)
        self._listed("superfluous:", superfluous)
        if every:
            self._listed("needed:", [one for one in found.saved if one.verdict == "needed"])
        for one in found.not_followed:
            self.line()
            self.line(f"not judged: {one.procedure}, {one.file}:{one.line}: {one.why}")
        if found.unpaired:
            self.line()
            self.line("parts whose first run is not in the adjoint, or was not found there: "
                      f"{', '.join(found.unpaired)}")

    def _counted(self, what: str, values: Sequence[SavedValue]) -> None:
        size = self._summed(total(one.bytes for one in values))
        self.line(f"{len(values):>5}  {what}" + (f": {size}, each run once" if values else ""), indent=2)

    def _summed(self, amount: Bytes | None) -> str:
        """``8*n + 48 bytes``; of a long sum what it hangs on."""
        text = self.figures.text(amount)
        if amount is None or len(text) <= _LONGEST:
            return f"{text} bytes"
        names = sorted(one.name for one in amount.names if isinstance(one, Sym))
        return f"bytes that hang on {len(names)} sizes ({', '.join(names[:2])} ...; --assume gives them numbers)"

    def _listed(self, title: str, values: Sequence[SavedValue]) -> None:
        if not values:
            return
        self.line()
        self.line(title, "bold")
        groups: dict[str, list[SavedValue]] = {}
        for one in values:
            groups.setdefault(_of(one.region), []).append(one)
        for region, own in groups.items():
            self.line(region, indent=2)
            for one in own:
                self._value(one)

    def _value(self, one: SavedValue) -> None:
        pops = f", POP in line {', '.join(map(str, one.pops))}" if one.pops else ""
        before = f", taped for line {one.statement} of the source" if one.statement else ""
        size = self.figures.text(one.bytes)
        self.line(f"{one.file}:{one.line}  {one.location}, {size} bytes{pops}{before}", indent=4)
        if one.why:
            self.line(one.why, indent=6)
        if one.explanation is not None and one.verdict in ("unread", "unchanged"):
            for reason in one.explanation.reasons[:1]:
                self.line(f"in the source: {spelt(reason.text)}", indent=6)

    def _missing(self, one: MissingValue) -> None:
        size = "" if one.bytes is None else f", {self.figures.text(one.bytes)} bytes"
        self.line()
        if one.region is None:
            self._untaped(one, size)
            return
        self.line(f"missing: {one.location} at {_of(one.region)}{size}", "bold")
        self.line(f"{one.file}:{one.line}  what the adjoint runs here reads {one.location}, and it is no more what it "
                  "was before the part's first run: push it there, and pop it here", indent=2)
        if one.explanation is not None:
            self._evidence(one.explanation)

    def _untaped(self, one: MissingValue, size: str) -> None:
        if one.fault:
            self.line(f"missing: {one.location}, the stack is not undone as it was made{size}", "bold")
            self.line(f"{one.file}:{one.line}  {one.fault}", indent=2)
            return
        if one.statement is None:
            self.line(f"missing: {one.location}, a variable that the tool made{size}", "bold")
            self.line(f"{one.file}:{one.line}  what stands here reads {one.location} of an earlier turn, and each turn "
                      "overwrites it: push it before it is overwritten", indent=2)
            return
        lines = ", ".join(map(str, one.before))
        self.line(f"missing: {one.location}, not taped for line {one.statement} of the source{size}", "bold")
        several = len(one.before) > 1
        where = (f"before line{'s' if several else ''} {lines} of the source, which overwrite{'' if several else 's'} "
                 "it" if lines else "before it is overwritten")
        self.line(f"{one.file}:{one.line}  the adjoint of that line reads {one.location}, and it is no more what it "
                  f"was when the line ran: push it {where}", indent=2)

    def _evidence(self, one: Explanation) -> None:
        for chain in one.chains:
            for step in chain.steps[-1:]:
                text = self.source.get((step.file, step.line), "").strip()
                if step.role not in _DOES:
                    continue
                does, note = _DOES[step.role], f": {step.note}" if step.note else ""
                self.line(f"{step.file}:{step.line}  {does} {step.location}{note}", indent=4)
                if text:
                    self.quoted(text, carets(text, step.location), 8)


def _of(region: Part | None) -> str:
    if region is None:
        return "taped, for no part"
    kind = f"call of {region.callee}" if region.kind == "call" else "marked part"
    return f"{region.id}, {kind}, {region.file}:{region.first_line}"
