"""A box for each part: its solutions, and a row for each variable, with the sets it is in and the evidence for them.

The rows are what the source's variables link to. Evidence is shown until a page would become too large for a browser.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from snapset.analysis.results import Part, Solution
from snapset.library.page_contents import HeadMaterial
from snapset.render.html.part_box import PartBox
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.markup import Html, element, escaped, joined, table
from snapset.render.pages.brief_report import brief_lines, grouped
from snapset.render.pages.explanation_text import carets, deed, remark, spelt
from snapset.render.pages.report_text import short, title

if TYPE_CHECKING:
    from snapset.analysis.evidence.part_explanation import Explanation
    from snapset.analysis.evidence.steps import Chain, EvidenceStep

MOST_EVIDENCE, MOST_ROWS = 1_500_000, 1_500_000
"""Characters of all boxes."""
MOST_NAMES, FEW = 60, 8
_SETS = (("Req", "req"), ("use(C)", "use_c"), ("out(C)", "out_c"), ("use(adj C)", "use_cbar"),
         ("out(adj C)", "out_cbar"), ("use(adj D)", "use_dbar"), ("out(adj D)", "out_dbar"))


@dataclass(slots=True)
class BoxWriter:
    """Writes boxes. ``files``: the anchors of the files shown. ``spent``: characters so far."""

    figures: Figures
    source: Mapping[str, Sequence[str]]
    files: Mapping[str, str]
    spent: int = 0
    proved: int = 0
    left_out: int = field(default=0)

    def boxes(self, head: HeadMaterial, number: int) -> list[PartBox]:
        """Those of one head's parts, open where they are few; ``number``: which head it is."""
        explained: dict[str, list[str]] = {}
        for id_, name in head.why:
            explained.setdefault(id_, []).append(name)
        return [self._box(part, head, f"p{number}-{place}", explained.get(part.id, ()))
                for place, part in enumerate(head.result.parts)]

    def _box(self, part: Part, head: HeadMaterial, id_: str, explained: Collection[str]) -> PartBox:
        solutions = {name: part.solutions[name] for name in head.result.strategies if name in part.solutions}
        rows: dict[str, str] = {}
        shown: list[tuple[Html, ...]] = []
        for name in _rowed(solutions.values(), explained):
            if self.spent > MOST_ROWS:
                self.left_out += 1
                continue
            rows[name] = f"{id_}-{len(rows)}"
            why = None if self.proved > MOST_EVIDENCE else head.why.get((part.id, name))
            shown.append(self._row(name, part, solutions, why))
            self.spent += sum(map(len, shown[-1]))
        lines = brief_lines(solutions, self.figures)
        inside = [element("p", escaped(line)) for line in lines]
        if shown:
            headers = ("variable", "bytes", *solutions, "in the sets", "why")
            inside.append(table(headers, shown, rows.values()))
        inside.append(self._others(part, rows))
        inside += [element("p", escaped(f"{one.span.file}:{one.span.line}: {one.severity} {one.code}: {one.message}"),
                           class_=one.severity) for one in part.diagnostics]
        markup = element("details", element("summary", escaped(title(part))), *inside, class_="part", id=id_,
                         open="" if len(head.result.parts) <= FEW else None)
        first = next(iter(solutions.values()), None)
        return PartBox(part, id_, rows, frozenset() if first is None else frozenset((*first.snp, *first.sbk)), markup)

    def _row(self, name: str, part: Part, solutions: Mapping[str, Solution], why: Explanation | None
             ) -> tuple[Html, ...]:
        holding = next((one for one in solutions.values() if name in one.sizes), None)
        section = name if holding is None else holding.sections.get(name, name)
        size = "" if holding is None else short(holding.sizes[name], self.figures)
        held = [label for label, field_ in _SETS if name in getattr(part.sets, field_)]
        held += ["intact"] * (name in part.sets.intact)
        where = [", ".join(_sides(name, one)) or "-" for one in solutions.values()]
        return (element("code", escaped(section)), escaped(size), *map(escaped, where), escaped(", ".join(held)),
                self._why(why))

    def _others(self, part: Part, rows: Mapping[str, str]) -> Html:
        rest = sorted({name for _, field_ in _SETS for name in getattr(part.sets, field_)} - rows.keys())
        if not rest:
            return Html("")
        more = f", and {len(rest) - MOST_NAMES} more" if len(rest) > MOST_NAMES else ""
        return element("p", escaped(f"also read or written: {grouped(rest[:MOST_NAMES])}{more}"), class_="soft")

    # ------------------------------------------------------------ evidence

    def _why(self, why: Explanation | None) -> Html:
        if why is None:
            return escaped("see snapset explain")
        said = [self._reason(reason.text, reason.sets, reason.cure, why.chains) for reason in why.reasons]
        first = spelt(why.reasons[0].text)
        made = element("details", element("summary", escaped(first)), *said)
        self.proved += len(made)
        return made

    def _reason(self, text: str, sets: Sequence[str], cure: str, chains: Iterable[Chain]) -> Html:
        shown = [self._chain(chain) for name in sets for chain in chains if chain.set == name]
        end = element("p", escaped(f"Not to be saved here: if {spelt(cure)}.")) if cure else Html("")
        return joined([element("p", escaped(spelt(text))), *shown, end])

    def _chain(self, chain: Chain) -> Html:
        steps = [element("li", *self._step(step)) for step in chain.steps]
        none = element("li", escaped("nothing that is known puts it there: an over-approximation"))
        return joined([element("span", escaped(f"{spelt(chain.set)}:")), element("ul", *(steps or [none]),
                                                                                class_="chain")])

    def _step(self, step: EvidenceStep) -> Iterator[Html]:
        place = escaped(f"{step.file}:{step.line}")
        anchor = self.files.get(step.file)
        yield place if anchor is None else element("a", place, href=f"#{anchor}-{step.line}")
        yield escaped(f" {deed(step)}{remark(step)}")
        lines = self.source.get(step.file, ())
        text = lines[step.line - 1].strip() if 0 < step.line <= len(lines) else ""
        if text:
            marks = carets(text, step.location)
            yield element("pre", joined((escaped(line) for line in (text, marks) if line), Html("\n")))


def _rowed(solutions: Iterable[Solution], explained: Collection[str]) -> list[str]:
    """The variables with rows: what is kept under any strategy, then what else is explained."""
    kept = {name for one in solutions for side in (one.snp, one.sbk, one.req_d, one.req_c) for name in side}
    return [*sorted(kept), *sorted(set(explained) - kept)]


def _sides(name: str, one: Solution) -> list[str]:
    sides = (("Snp", one.snp), ("Sbk", one.sbk), ("Req_D", one.req_d), ("Req_C", one.req_c))
    return [label for label, held in sides if name in held]
