"""A report put together from what earlier runs wrote of each procedure, and from what is new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from snapset.analysis.incremental.result_store import key_of
from snapset.analysis.part_results import unique
from snapset.analysis.results import HeadResult, OptionalSets, Part, Sets, Solution
from snapset.render import report_text
from snapset.render.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.analysis.incremental.warm_pipeline import Incremental

_NO_OPTIONS = OptionalSets((), (), (), ())
_NO_SETS = Sets((), (), (), (), (), (), ())


@dataclass(frozen=True, slots=True)
class Form:
    """``json`` or text of a width, with colours or not, in ASCII or not; numbers for names."""

    json: bool
    look: tuple[int, bool, bool]
    assume: Mapping[str, int]


Region: TypeAlias = tuple[tuple[str, ...], tuple[Part, ...], tuple[str, ...], frozenset[str]]
"""Of one procedure: the texts of its parts; their outlines; their ids as they are before equal ones are told apart;
the assumed names that formulas did contain."""


def write(found: Incremental, form: Form) -> tuple[str, frozenset[str], HeadResult] | None:
    """The report, the assumed names in it, and the result of which parts are only outlines.

    None where there is no part, or parts of several procedures have the same id, which only the whole result tells
    apart.
    """
    writer = _Writer(found, form)
    regions = [writer.region(key) for key in found.order]
    if not any(texts for texts, _, _, _ in regions):
        return None  # why there is no part, only the whole analysis tells
    if len({one for _, _, ids, _ in regions for one in ids}) < sum(len(set(ids)) for _, _, ids, _ in regions):
        return None
    texts = [text for region in regions for text in region[0]]
    outlines = tuple(part for region in regions for part in region[1])
    used = frozenset[str]().union(*(region[3] for region in regions))
    names = tuple(one.name for one in found.strategies)
    result = HeadResult(found.head, outlines, names, found.diagnostics(), found.totals())
    figures = _with_totals(found, Figures(form.assume), result)
    if form.json:
        from snapset.render import report_json

        text = report_json.dumps_around(report_json.document_around(result, figures), texts)
    else:
        text = report_text.write_around(result, texts, figures, report_text.looking(*form.look))
    return text, used | figures.used, result


def _with_totals(found: Incremental, figures: Figures, result: HeadResult) -> Figures:
    """Figures that know how the totals are written, which are the longest formulas."""
    name = key_of("totals", found.totals_key(), sorted(figures.assume.items()))
    amounts = [amount for one in result.totals.values() for amount in (one.peak_bytes, one.traffic_bytes)]
    known: tuple[tuple[int | str | None, ...], frozenset[str]] | None = found.shelf.small(name)
    if known is None:
        found.shelf.keep(name, (tuple(map(figures, amounts)), frozenset(figures.used)))
        return figures
    for amount, written in zip(amounts, known[0], strict=True):
        if amount is not None:
            figures.known(amount, written)
    figures.used.update(known[1])
    return figures


class _Writer:
    def __init__(self, found: Incremental, form: Form) -> None:
        self.found = found
        self.form = form
        self.shared = Figures(form.assume)

    def region(self, procedure: str) -> Region:
        """What was written of a procedure, or is now."""
        store = self.found.shelf.store
        form = (self.form.json, () if self.form.json else self.form.look, sorted(self.form.assume.items()))
        name = key_of("region", self.found.key(procedure), form)
        known: Region | None = store.get(name)
        if known is not None:
            return known
        parts = self.found.parts(procedure)
        ids = tuple(part.id for part in parts)
        figures = self._figures()
        write = self._write(figures)
        texts = tuple(write(part.renamed(one)) for part, one in zip(parts, unique(ids), strict=True))
        made: Region = texts, tuple(map(outline, parts)), ids, frozenset(figures.used)
        store.put(name, made)
        return made

    def _figures(self) -> Figures:
        """What formulas were written already may be used again, but not what names they contained."""
        return self.shared.again() if self.form.assume else self.shared

    def _write(self, figures: Figures) -> Callable[[Part], str]:
        if self.form.json:
            from snapset.render import report_json

            return lambda part: report_json.part_text(part, figures)
        look, names = report_text.looking(*self.form.look), tuple(one.name for one in self.found.strategies)
        return lambda part: report_text.part_text(part, names, figures, look)


def outline(part: Part) -> Part:
    """A part without its sets: its diagnostics, and the bytes of its snapshots."""
    solutions = {name: _outline(solution) for name, solution in part.solutions.items()}
    return replace(part, sets=_NO_SETS, options=_NO_OPTIONS, solutions=solutions)


def _outline(solution: Solution) -> Solution:
    return replace(solution, req=(), options=_NO_OPTIONS, snp=(), sbk=(), req_d=(), req_c=(), peak_bytes=None,
                   traffic_bytes=None, tape=(), control=(), sizes={}, moves=(), sections={})  # fmt: skip
