"""Peak against traffic, and the stack's height over a run where one was made."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.results import Frontier, HeadResult
from snapset.library.page_contents import HeadMaterial
from snapset.pictures import pareto_front, stack_picture
from snapset.render.layout.figure_order import DEFAULT
from snapset.render.layout.markup import Html, element, escaped, table
from snapset.render.layout.page_frame import figure
from snapset.render.pages.report_summary import SummaryPage

TALL = 1e300
"""What is larger is not drawn: it may be larger than any float."""


def charts(head: HeadMaterial, numbers: SummaryPage) -> Iterator[Html]:
    """What can be drawn of a head; ``numbers``: figures to draw with."""
    frontiers = head.result.frontiers or tuple(_marks(head.result, numbers))
    if frontiers:
        yield element("h3", escaped("Peak against traffic"))
        assumed = "" if head.result.frontiers else _assumed(head.result, numbers)
        caption = f"The stack's highest point against all bytes pushed; both axes are logarithmic{assumed}."
        yield figure(pareto_front.drawn_frontiers(head.result.head, frontiers), caption)
        yield table(("strategy", "peak bytes", "traffic bytes"),
                    [(escaped(name), escaped(f"{peak:,}"), escaped(f"{traffic:,}"))
                     for one in frontiers if not one.title for name, (peak, traffic) in one.marks.items()])
    yield element("h3", escaped("Stack over the run"))
    if head.run is None:
        yield element("p", escaped("Not run. With --set n=100 (an input; others are random) the adjoint is executed, "
                                   "and its stack drawn here."))
    else:
        yield figure(stack_picture.draw([head.run]), "Bytes on the stack at each step of the adjoint, as executed.")
        rows = [("store-all", head.run.reference.peak_bytes, head.run.reference.traffic_bytes),
                *((one.name, one.peak_bytes, one.traffic_bytes) for one in head.run.runs)]
        yield table(("strategy", "peak bytes, measured", "traffic bytes"),
                    [tuple(map(escaped, (name, _figure(peak), _figure(traffic)))) for name, peak, traffic in rows])


def _figure(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _marks(result: HeadResult, numbers: SummaryPage) -> Iterator[Frontier]:
    """The strategies alone, with numbers for what is not assumed."""
    every = {name: (numbers.number(one.peak_bytes), numbers.number(one.traffic_bytes))
             for name, one in result.totals.items()}
    marks = {name: (round(peak), round(traffic)) for name, (peak, traffic) in every.items()
             if max(peak, traffic) < TALL}
    if marks:
        yield Frontier("", (), marks, False)


def _assumed(result: HeadResult, numbers: SummaryPage) -> str:
    amounts = (amount for one in result.totals.values() for amount in (one.peak_bytes, one.traffic_bytes))
    open_ = any(not isinstance(numbers.figures(one), int) for one in amounts if one is not None)
    return f"; {DEFAULT} stands for each size and trip count without --assume" if open_ else ""
