"""A page for a browser: what was found, each remark with its evidence folded beneath, and the tables."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.render.formats.annotations import Annotation, Outcome
from snapset.render.layout.markup import Html, element, escaped, table
from snapset.render.layout.page_frame import document


def write(outcome: Outcome) -> str:
    """The page."""
    tables = [made for one in outcome.tables for made in (
        element("h2", escaped(one.title)), table(one.header, (map(escaped, row) for row in one.rows)))]
    remarks = [_remark(one) for one in outcome.annotations if one.message]
    found = [element("h2", escaped(f"Findings: {len(remarks)}")), *remarks] if remarks else \
        [element("p", escaped("Nothing to complain of."))]
    closing = [element("p", escaped(outcome.closing))] if outcome.closing else []
    return document(f"snapset: {outcome.title}", element("main", element("h1", escaped(outcome.title)), *tables, *found,
                                                         *closing))


def _remark(one: Annotation) -> Html:
    summary = element("summary", element("code", escaped(f"{one.file}:{one.line}")), escaped(f" {one.title}"))
    return element("details", summary, *_inside(one), class_=f"part {one.level}", open="")


def _inside(one: Annotation) -> Iterator[Html]:
    for line in one.message:
        yield element("p", escaped(line))
    for way in one.flows:
        steps = [element("li", escaped(f"{step.file}:{step.line} {step.text}")) for step in way.steps]
        yield element("p", escaped(f"{way.text}:"))
        yield element("ul", *steps, class_="chain")
