"""The parts as a tree: calls and marked parts, what they call and hold beneath them, each with its snapshot's bytes.

    march@12  call of step      8*n      8*n + 16
      step@31  marked part      8*n      8*n
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from snapset.analysis.results import HeadResult, Part
from snapset.render.html.part_box import PartBox
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.markup import Html, element, escaped, joined
from snapset.render.pages.report_summary import SummaryPage
from snapset.render.pages.report_text import short

_TOOLS = (("button", "as it runs", {"data_sort": "place", "aria_pressed": "true"}),
          ("button", "by bytes", {"data_sort": "bytes", "aria_pressed": "false"}),
          ("button", "open all", {"data_open": "yes"}), ("button", "close all", {"data_open": "no"}))


class CallTree:
    """The tree of one head. ``numbers``: weighs bytes, for the order."""

    def __init__(self, result: HeadResult, boxes: Sequence[PartBox], figures: Figures, numbers: SummaryPage) -> None:
        self.result = result
        self.figures = figures
        self.numbers = numbers
        self.anchors = {box.part.id: box.id for box in boxes}
        self.inner: defaultdict[str, list[Part]] = defaultdict(list)
        self.of_procedure: defaultdict[str, list[Part]] = defaultdict(list)
        for part in result.parts:
            if part.parent is None:
                self.of_procedure[part.procedure].append(part)
            else:
                self.inner[part.parent].append(part)
        self.seen: set[str] = set()
        self.place = 0

    def markup(self) -> Html:
        """The tree under its tools, which need a script and are hidden without one."""
        strategies = self.result.strategies[:2]
        tools = [element(tag, escaped(text), type="button", **more) for tag, text, more in _TOOLS]
        search = element("input", type="search", placeholder="search", aria_label="search the call tree")
        called = {name for part in self.result.parts for name in _callees(part)}
        roots = [one for one in self.of_procedure if one not in called] or list(self.of_procedure)[:1]
        items = [self._item(part) for root in roots for part in self._opened(root)]
        rest = [self._item(part) for name in self.of_procedure if name not in self.seen
                for part in self._opened(name)]
        heads = [element("span", escaped(f"{one}, snapshot"), class_="figure") for one in strategies]
        columns = element("div", element("span", escaped("part"), class_="what"), *heads, class_="row columns")
        return element("section", element("div", search, *tools, element("output"), class_="tools", hidden=""), columns,
                       element("ul", *items, *rest, class_="tree"), class_="calls")

    def _opened(self, procedure: str) -> Sequence[Part]:
        """The parts of a procedure, the first time it is met."""
        if procedure in self.seen:
            return ()
        self.seen.add(procedure)
        return self.of_procedure.get(procedure, ())

    def _item(self, part: Part) -> Html:
        self.place += 1
        place = self.place
        known = [name for name in _callees(part) if name in self.seen and name in self.of_procedure]
        below = [*self.inner.get(part.id, ()), *(one for name in _callees(part) for one in self._opened(name))]
        items = [self._item(one) for one in below]
        what = f"call of {part.callee}" if part.kind == "call" else "loop" if part.kind == "loop" else "marked part"
        name = element("a", escaped(part.id), href=f"#{self.anchors[part.id]}")
        again = f"; the parts of {', '.join(known)} stand elsewhere here" if known else ""
        shown = [part.solutions[one] for one in self.result.strategies[:2] if one in part.solutions]
        figures = [element("span", escaped(short(one.snapshot_bytes, self.figures)), class_="figure")
                   for one in shown]
        row = element("span", element("span", name, escaped(f"  {what}{again}"), class_="what"), *figures, class_="row")
        bytes_ = f"{self.numbers.number(shown[0].snapshot_bytes):g}" if shown else "0"
        if not items:
            return element("li", row, class_="leaf", data_place=str(place), data_bytes=bytes_)
        folded = element("details", element("summary", row), element("ul", joined(items)), open="")
        return element("li", folded, data_place=str(place), data_bytes=bytes_)


def _callees(part: Part) -> list[str]:
    return [] if part.callee is None else part.callee.split(", ")
