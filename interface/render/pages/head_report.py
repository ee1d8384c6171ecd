"""The report of a head, put together from what is written of each adjoint code: a query, like all else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from snapset.analysis.incremental.query_engine import QueryOwner, query
from snapset.analysis.part_places import unique
from snapset.analysis.pipeline import HeadAnalysis
from snapset.analysis.results import Bytes, HeadResult, OptionalSets, Part, Sets, Solution, Total
from snapset.frontend.base.diagnostics import Diagnostic, InputError
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.base.nearest_name import nearest
from snapset.render.layout.brief_look import BriefLook
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.code_selection import ALL, CodeSelection
from snapset.render.layout.whole_result import all_diagnostics
from snapset.render.pages import brief_report, report_text

FEW = 8
_NO_OPTIONS = OptionalSets((), (), (), ())
_NO_SETS = Sets((), (), (), (), (), (), ())


@frozen
class OutputForm:
    """How a report is written: JSON, or text of a width, with colours or not, in ASCII or not; numbers for names.
    ``brief``: a few lines a part, and what a summary needs of it. ``visible``: which diagnostics are shown."""

    json: bool
    look: tuple[int, bool, bool]
    assume: Mapping[str, int]
    brief: bool = False
    visible: CodeSelection = ALL

    @property
    def key(self) -> tuple[object, ...]:
        """All that the text of a part depends on."""
        assumed, shown = tuple(sorted(self.assume.items())), repr(self.visible)
        return self.json, () if self.json else self.look, assumed, self.brief, shown


WrittenCode: TypeAlias = tuple[tuple[str, ...], tuple[Part, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Of one adjoint code: the texts of its parts; their outlines; their ids before equal ones are told apart; the assumed
names that formulas did contain; all names in them, if there is something to assume."""
Totals: TypeAlias = tuple[tuple[int | str | None, ...], tuple[str, ...], tuple[str, ...]]
"""How the totals are written; the assumed names in them; all names."""
WrittenPlain: TypeAlias = tuple[tuple[WrittenCode, ...], HeadResult, Totals]
"""What is written of all codes, the result around them, its totals."""


@frozen
class WrittenHead:
    """The texts of a head's parts, the figures that the rest is written with, and the result of which the parts are
    only outlines. ``said``: all diagnostics, also those that are not shown."""

    texts: tuple[str, ...]
    figures: Figures
    result: HeadResult
    said: tuple[Diagnostic, ...] = ()


@frozen
class Writing:
    """Writes what reports need of a head in one form, as plain data (:func:`head_written`)."""

    form: OutputForm

    @property
    def key(self) -> str:
        """All that is made here depends on besides the head."""
        return repr(self.form.key)

    def __call__(self, found: HeadAnalysis) -> WrittenPlain:
        """Raises InputError as :meth:`HeadAnalysis.around` does."""
        return HeadReport(found, self.form).written()

    def of_code(self, found: HeadAnalysis) -> Callable[[str], object]:
        """Asks what is written of one code: another process may do that ahead."""
        report = HeadReport(found, self.form)
        return lambda key: report.code(key, self.form.key, ())


def head_written(form: OutputForm, plain: WrittenPlain) -> WrittenHead:
    """What :class:`Writing` made."""
    codes, result, (totals, *names) = plain
    figures = Figures(form.assume)
    for used, contained in (names, *(code[3:] for code in codes)):
        figures.used.update(used)
        figures.contained.update(contained)
    for amount, figure in zip(_amounts(result), totals, strict=True):
        if amount is not None:
            figures.known(amount, figure)
    return WrittenHead(tuple(text for code in codes for text in code[0]), figures, form.visible.of(result),
                       all_diagnostics(result))


class HeadReport(QueryOwner):
    """Writes the parts of a head in one form."""

    def __init__(self, found: HeadAnalysis, form: OutputForm) -> None:
        super().__init__(found.engine)
        self.found = found
        self.form = form
        self.shared = Figures(form.assume)

    def written(self) -> WrittenPlain:
        """All codes' parts, what is around them, and the totals, which are the longest formulas."""
        codes: list[WrittenCode] = []
        seen: dict[str, int] = {}
        for key in self.found.planning.order():
            code = self.code(key, self.form.key, ())
            ids = code[2]
            before = tuple((one, seen[one]) for one in dict.fromkeys(ids) if one in seen)
            codes.append(self.code(key, self.form.key, before) if before else code)
            for one in ids:
                seen[one] = seen.get(one, 0) + 1
        result = self.found.around(tuple(part for code in codes for part in code[1]))
        return tuple(codes), result, self.totals(self.form.key)

    @query("file")
    def code(self, key: str, form: tuple[object, ...], before: tuple[tuple[str, int], ...]) -> WrittenCode:
        """The parts of one code; ``before``: how often their ids are those of codes before it."""
        parts = self.found.builder.parts(key)
        ids = tuple(part.id for part in parts)
        figures = self.shared.again() if self.form.assume else self.shared  # texts of formulas may be used again
        write = self._writer(figures)
        renamed = [part.renamed(one) for part, one in zip(parts, unique(ids, dict(before)), strict=True)]
        texts = tuple(write(self.form.visible.of_part(part)) for part in renamed)
        outlines = tuple(outline(part) for part in renamed)
        return texts, outlines, ids, tuple(sorted(figures.used)), tuple(sorted(figures.contained))

    @query("value")
    def totals(self, form: tuple[object, ...]) -> Totals:
        figures = Figures(self.form.assume)
        made = tuple(figures(amount) for one in self.found.totals().values() for amount in _of_total(one))
        return made, tuple(sorted(figures.used)), tuple(sorted(figures.contained))

    def _writer(self, figures: Figures) -> Callable[[Part], str]:
        if self.form.json:
            from snapset.render.records import report_json

            return lambda part: report_json.part_text(part, figures)
        look, names = report_text.looking(*self.form.look), self.found.names
        if self.form.brief:
            return lambda part: brief_report.brief_text(part, names, figures, look)
        return lambda part: report_text.part_text(part, names, figures, look)


def _amounts(result: HeadResult) -> list[Bytes | None]:
    return [amount for one in result.totals.values() for amount in _of_total(one)]


def _of_total(total: Total) -> tuple[Bytes | None, ...]:
    return total.peak_bytes, total.traffic_bytes, total.counted_traffic


def counted_trips(found: HeadAnalysis) -> Mapping[str, int]:
    """The trip counts that a counted run tells of a head."""
    return found.trips() or {}


def page(heads: Sequence[WrittenHead], json: bool, look: tuple[int, bool, bool],
         brief: BriefLook | None = None, wanted: Sequence[str] = (),
         notes: Callable[[], Sequence[str]] = tuple) -> str:
    """The report of some heads; ``brief``: the answer first, and a few lines a part; ``wanted``: only these parts.
    ``notes``: what JSON says of names in options, asked for when all figures are made.

    Raises InputError for a part that no head has.
    """
    if wanted:
        return _parts(heads, wanted)
    if json:
        from snapset.render.records import report_json

        documents = [report_json.document_around(one.result, one.figures) for one in heads]
        said = notes()
        return report_json.dumps_around([report_json.noted(one, said) for one in documents],
                                        [one.texts for one in heads])
    looks = report_text.looking(*look)
    if brief is not None:
        return "\n".join(brief_report.write_around(one.result, one.texts, one.figures, looks, brief)
                         for one in heads)
    return "\n".join(report_text.write_around(one.result, one.texts, one.figures, looks) for one in heads)


def _parts(heads: Sequence[WrittenHead], wanted: Sequence[str]) -> str:
    """The parts that are meant, of all heads."""
    every = [(part, text) for one in heads for part, text in zip(one.result.parts, one.texts, strict=True)]
    for name in wanted:
        if not any(part.is_meant(name) for part, _ in every):
            known = [part.id for part, _ in every]
            more = f" and {len(known) - FEW} more" if len(known) > FEW else ""
            raise InputError(f"--part {name}: no checkpointed part is called so, or stands there"
                             f"{nearest(name, set(known))}; there are {', '.join(known[:FEW]) or 'none'}{more}")
    return "".join(text for part, text in every if any(map(part.is_meant, wanted))).lstrip("\n")


def outline(part: Part) -> Part:
    """A part without its sets: its diagnostics, and the bytes of its snapshots."""
    solutions = {name: _outline(solution) for name, solution in part.solutions.items()}
    return replace(part, sets=_NO_SETS, options=_NO_OPTIONS, solutions=solutions)


def _outline(solution: Solution) -> Solution:
    return replace(solution, req=(), options=_NO_OPTIONS, snp=(), sbk=(), req_d=(), req_c=(), peak_bytes=None,
                   traffic_bytes=None, tape=(), control=(), sizes={}, moves=(), sections={})  # fmt: skip
