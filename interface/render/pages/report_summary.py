"""What a report says first, in a screen: the head, its totals, the dearest parts and locations, what is not known, what
makes gradients wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import NamedTuple

from snapset.analysis.results import Bytes, HeadResult, Part
from snapset.render.layout.brief_look import BriefLook
from snapset.render.layout.byte_figures import Figures, total
from snapset.render.layout.figure_order import DEFAULT, order_of
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.whole_result import all_diagnostics
from snapset.render.pages.report_text import ESTIMATED, ReportPage, plural


def dearest(result: HeadResult, figures: Figures, most: int) -> list[Part]:
    """The parts with the largest snapshots, as they stand in the program."""
    page = SummaryPage(TableStyle(), figures, result, BriefLook())
    return [result.parts[place] for place in sorted(page.order()[:most])]


class _Saved(NamedTuple):
    """One of the locations that take most. ``at``: the part's id, or the line that tapes."""

    name: str
    size: Bytes | None
    at: str


class SummaryPage(ReportPage):
    """The page, written by :meth:`write`."""

    longest = 120

    def __init__(self, look: TableStyle, figures: Figures, result: HeadResult, brief: BriefLook) -> None:
        super().__init__(look, figures)
        self.result = result
        self.brief = brief
        self._numbers: dict[object, float] = {}
        self.estimates = False

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
            self.line(f"~ stands for a long formula: {DEFAULT} for each of its names, unless --assume gives a number; "
                      "--format json has the formula")
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
        table = self.table(self._title("dearest parts", len(order)), *self.result.strategies)
        for part in shown:
            saved = [self.short(part.solutions[one].snapshot_bytes) if one in part.solutions else "-"
                     for one in self.result.strategies]
            table.add_row(part.id, *saved)
        self.show(table)

    def dearest_locations(self) -> None:
        """What takes most under the first strategy: in one snapshot, and on the tape while its procedure runs once."""
        strategy = next(iter(self.result.strategies), "")
        found = sorted(self.saved(strategy) + self.taped(strategy), key=lambda one: -self.number(one.size))
        if not found:
            return
        whole = self.figures(total(one.size for one in found))
        title = self._title(f"dearest locations, {strategy}", len(found))
        shares = isinstance(whole, int) and whole > 0
        table = self.table(title, "bytes", *(["share"] if shares else []), "at")
        for one in found[:self.brief.top]:
            figure = self.figures(one.size)
            share = []
            if isinstance(figure, int) and isinstance(whole, int) and whole:
                share = [f"{100*figure/whole:.0f} %"]
            table.add_row(one.name, self.short(one.size), *share, one.at)
        self.show(table)

    def saved(self, strategy: str) -> list[_Saved]:
        """What the parts' snapshots hold."""
        solutions = [(part, part.solutions[strategy]) for part in self.result.parts if strategy in part.solutions]
        return [_Saved(f"{'Snp' if name in one.snp else 'Sbk'} {one.sections.get(name, name)}", size, part.id)
                for part, one in solutions for name, size in one.sizes.items()]

    def taped(self, strategy: str) -> list[_Saved]:
        """What lines tape, each once: several parts of a procedure have the same lines behind them."""
        found: dict[tuple[str, int, str], _Saved] = {}
        for part in self.result.parts:
            for entry in part.solutions[strategy].tape if strategy in part.solutions else ():
                key = entry.file, entry.line, entry.location
                if key not in found or self.number(found[key].size) < self.number(entry.bytes):
                    found[key] = _Saved(f"tape {entry.location}", entry.bytes,
                                        f"{PurePath(entry.file).name}:{entry.line}")
        return list(found.values())

    def _title(self, what: str, number: int) -> str:
        return f"{what} ({self.brief.top} of {number})" if number > self.brief.top else what

    def warnings(self) -> None:
        """What makes gradients wrong, by code, with the first place of each."""
        found = [one for one in all_diagnostics(self.result) if one.severity != "note"]
        counts = Counter(one.code for one in found)
        if not counts:
            return
        self.line()
        for code, number in sorted(counts.items()):
            first = next(one for one in found if one.code == code)
            style = "bold red" if first.severity == "error" else "yellow"
            self.line(f"{plural(number, first.severity)} {code}, first at {first.span.file}:{first.span.line}: "
                      f"{first.message}", style)

