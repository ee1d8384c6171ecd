"""What a report says first, in a screen: the head, its totals, the dearest parts and locations, what is not known, what
makes gradients wrong."""

from __future__ import annotations

from collections import Counter
from math import inf
from pathlib import PurePath

from snapset.analysis.results import Bytes, HeadResult, Part
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.render.layout.brief_look import BriefLook
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.figure_order import DEFAULT, by_bytes, order_of
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.whole_result import all_diagnostics
from snapset.render.pages.report_text import ESTIMATED, ReportPage


def dearest(result: HeadResult, figures: Figures, most: int) -> list[Part]:
    """The parts with the largest snapshots, as they stand in the program."""
    page = SummaryPage(TableStyle(), figures, result, BriefLook())
    return [result.parts[place] for place in sorted(page.order()[:most])]


class SummaryPage(ReportPage):
    """The page, written by :meth:`write`."""

    longest = 120

    def __init__(self, look: TableStyle, figures: Figures, result: HeadResult, brief: BriefLook) -> None:
        super().__init__(look, figures)
        self.result = result
        self.brief = brief
        self._numbers: dict[object, float] = {}
        self.estimates = False
        self.told: set[Diagnostic] = set()
        """What the summary has said whole, and need not be said again."""

    def short(self, amount: Bytes | None) -> str:
        """A figure for people, ``~ 13,344`` for a long formula: what that means is said once, at the end."""
        figure = super().short(amount)
        self.estimates |= figure.endswith(ESTIMATED)
        return figure.removesuffix(ESTIMATED)

    def write(self) -> None:
        """All of it."""
        result = self.result
        self.head(result, legend=False)
        self.totals(result)
        if not result.parts:
            return
        self.unknown(result)
        self.dearest_parts()
        self.dearest_locations()
        if self.estimates:
            self.line()
            self.line(f"~ with {DEFAULT} for each name that has no number: --assume gives them, --format json has all "
                      "formulas")
        self.warnings()

    def order(self) -> list[int]:
        """The places of the parts, the dearest first; as they stand where they cost the same."""
        return sorted(range(len(self.result.parts)), key=lambda place: self._weight(self.result.parts[place]))

    def _weight(self, part: Part) -> tuple[float, ...]:
        """The bytes of a snapshot, the first strategy's first."""
        return tuple(-self.number(one.snapshot_bytes) for one in part.solutions.values())

    def number(self, amount: Bytes | None) -> float:
        """A figure to compare with: unknown ones come first. Many parts cost the same, and each is asked for twice."""
        key = None if amount is None else amount.key
        if key not in self._numbers:
            self._numbers[key] = order_of(amount, self.figures)
        return self._numbers[key]

    def dearest_parts(self) -> None:
        """The parts with the largest snapshots."""
        every = self.result.parts
        order = [every[place] for place in self.order() if any(self._weight(every[place]))]
        if len(order) < 2:
            return
        shown = order[:self.brief.top]
        table = self.table(self._title("dearest parts, one snapshot", len(order)), *self.result.strategies)
        for part in shown:
            saved = [self.short(part.solutions[one].snapshot_bytes) if one in part.solutions else "-"
                     for one in self.result.strategies]
            table.add_row(part.id, *saved)
        self.show(table)

    def dearest_locations(self) -> None:
        """What pushes most in the whole run under the first strategy, of which the traffic is the sum."""
        found = by_bytes(self.result.dearest, self.number)
        if not found:
            return
        strategy = next(iter(self.result.strategies), "")
        whole = self.result.totals[strategy].traffic_bytes
        many = f"the {self.brief.top} " if len(found) > self.brief.top else ""
        table = self.table(f"{many}dearest locations, {strategy}", "bytes in all", "share", "at")
        for one in found[:self.brief.top]:
            at = one.part or f"{PurePath(one.file).name}:{one.line}"
            table.add_row(f"{one.what} {one.location}", self.short(one.bytes), self.share(one.bytes, whole), at)
        self.show(table)

    def share(self, some: Bytes, whole: Bytes | None) -> str:
        """What part of the traffic that is; ``~`` where that depends on names without numbers."""
        one, all_ = self.number(some), self.number(whole)
        if whole is None or not 0 < one <= all_ < inf:
            return "-"
        figures = self.figures(some), self.figures(whole)
        exact = all(isinstance(figure, int) for figure in figures) or some.scaled(int(all_)) == whole.scaled(int(one))
        self.estimates |= not exact
        percent = 100*one/all_
        return f"{'' if exact else '~ '}{f'{percent:.0f}' if percent >= 1 else '< 1'} %"

    def _title(self, what: str, number: int) -> str:
        return f"{what} ({self.brief.top} of {number})" if number > self.brief.top else what

    def warnings(self) -> None:
        """What makes gradients wrong: the first of each code, and how many there are."""
        found = [one for one in all_diagnostics(self.result) if one.severity != "note"]
        counts = Counter(one.code for one in found)
        if counts:
            self.line()
        for code, number in sorted(counts.items()):
            first = next(one for one in found if one.code == code)
            self.told.add(first)
            self.diagnostic(first, 0, f" (the first of {number})" if number > 1 else "")
