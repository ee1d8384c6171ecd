"""``snapset report --format html``: the answer, the call tree, the source, a box for each part, pictures, warnings."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.library.page_contents import HeadMaterial, PageMaterial
from snapset.render.html.call_tree import CallTree
from snapset.render.html.part_boxes import BoxWriter
from snapset.render.html.report_charts import charts
from snapset.render.html.source_listing import listing
from snapset.render.layout.brief_look import BriefLook
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.markup import Html, element, escaped, joined
from snapset.render.layout.page_frame import document
from snapset.render.layout.table_layout import TableStyle
from snapset.render.pages.report_summary import SummaryPage

_LOOK = TableStyle(markup=True)
_PLACES = (("answer", "The answer"), ("tree", "Call tree"), ("source", "Source"), ("parts", "Parts"),
           ("pictures", "Pictures"), ("said", "What is said of the program"))


def page(material: PageMaterial, figures: Figures) -> Html:
    """The whole file."""
    files = {file: f"f{number}" for number, file in enumerate(material.source)}
    writer = BoxWriter(figures, material.source, files)
    boxes = [writer.boxes(head, number) for number, head in enumerate(material.heads)]
    every = [box for one in boxes for box in one]
    title = ", ".join(head.result.head for head in material.heads)
    source = listing(every, material.source, files)
    parts = [box.markup for box in every]
    if writer.left_out:
        parts.append(element("p", escaped(f"{writer.left_out} variables have no row here, for the page's size: "
                                          "--format json has all")))
    inside = {
        "answer": [made for head in material.heads for made in _answer(head, figures)],
        "tree": [CallTree(head.result, own, figures, _numbers(head, figures)).markup()
                 for head, own in zip(material.heads, boxes, strict=True) if own],
        "source": [source] if every else [],
        "parts": parts,
        "pictures": [made for head in material.heads for made in charts(head, _numbers(head, figures))],
        "said": [_said(head, figures) for head in material.heads],
    }
    there = [(id_, heading) for id_, heading in _PLACES if any(inside[id_])]
    nav = element("nav", *(element("a", escaped(heading), href=f"#{id_}") for id_, heading in there))
    sections = [element("section", element("h2", escaped(heading)), *_hint(id_), *inside[id_], id=id_)
                for id_, heading in there]
    panel = element("aside", element("button", escaped("close"), type="button"), element("div"), id="panel",
                    aria_live="polite", aria_label="the variable", hidden="")
    return document(f"snapset: {title}", element("header", element("h1", escaped(f"Adjoint of {title}")), nav),
                    element("main", *sections), panel)


def _hint(id_: str) -> Iterator[Html]:
    hints = {
        "source": "Parts are shaded, inner ones darker. A variable leads to its sets and the evidence for them; bold: "
                  "saved before the part.",
        "parts": "Snp is saved before the part and restored before it runs again; Sbk is kept until its adjoint is "
                 "done; Req_D and Req_C are taped where the code behind the part (D), or its second run (C), "
                 "overwrites them.",
    }
    if id_ in hints:
        yield element("p", escaped(hints[id_]), class_="soft")


def _numbers(head: HeadMaterial, figures: Figures) -> SummaryPage:
    return SummaryPage(_LOOK, figures, head.result, BriefLook())


def _answer(head: HeadMaterial, figures: Figures) -> Iterator[Html]:
    summary = _numbers(head, figures)
    summary.write()
    summary.choices(head.result)
    yield Html(summary.text())


def _said(head: HeadMaterial, figures: Figures) -> Html:
    page_ = _numbers(head, figures)
    page_.about_the_program(head.result)
    return joined([Html(page_.text())])


