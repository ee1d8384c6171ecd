"""A head's result as text for people. No colour codes unless the caller asks for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from itertools import groupby
from math import inf
from typing import TypeAlias

from snapset.analysis.results import Bytes, HeadResult, Optimality, Part, Solution
from snapset.analysis.symbolic.atoms import squeezed
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.visible_text import visible_line
from snapset.render.layout.byte_figures import Figures, total
from snapset.render.layout.figure_order import DEFAULT, order_of
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page
from snapset.render.layout.whole_result import all_diagnostics, unknown
from snapset.render.pages.part_messages_text import message_lines

_SETS = (
    ("req", "Req", "needed by earlier adjoints"),
    ("use_c", "use(C)", "read by C's first run"),
    ("out_c", "out(C)", "written by C's first run"),
    ("use_cbar", "use(adj C)", "read by C's adjoint"),
    ("out_cbar", "out(adj C)", "changed by C's adjoint"),
    ("use_dbar", "use(adj D)", "read by D's adjoint"),
    ("out_dbar", "out(adj D)", "changed by D's adjoint"),
)
_OPTIONS = (
    ("snp0", "Snp0", "always in Snp"),
    ("opt1", "Opt1", "+ Sbk, or - Req_C"),
    ("opt2", "Opt2", "+ Sbk, or - Snp and Req_C"),
    ("opt3", "Opt3", "+ Snp, or - Req_D"),
)
LONGEST = 400
HUGE = 10**24
"""Estimates from here on are written with an exponent: hundreds of loops in each other make hundreds of digits."""
FEW = 8
ESTIMATED = f" ({DEFAULT} for each name)"
ALIKE = 3
"""So many diagnostics that say the same have a line each."""
_LEGEND = "C: the part. D: what runs after it until the adjoint turns. adj: its adjoint."


def render(
    result: HeadResult, assume: Mapping[str, int] | None = None, *, width: int = 80, colour: bool = False
) -> str:
    """The whole report of one head. ``assume`` gives values to sizes and trip counts by name."""
    collections("render", assume=assume)
    return write(result, Figures(assume or {}), width=width, colour=colour)


def write(
    result: HeadResult, figures: Figures, *, width: int = 80, colour: bool = False, ascii_only: bool = False
) -> str:
    """As :func:`render`, with figures that the caller made; ``ascii_only`` draws lines with ASCII."""
    look = looking(width, colour, ascii_only)
    return write_around(result, [part_text(part, result.strategies, figures, look) for part in result.parts], figures,
                        look)  # fmt: skip


def looking(width: int, colour: bool, ascii_only: bool) -> TableStyle:
    """How a report looks."""
    return TableStyle(max(width, 40), colour, ascii_only)


def part_text(part: Part, strategies: tuple[str, ...], figures: Figures, look: TableStyle) -> str:
    """What a report says of one part."""
    page = ReportPage(look, figures)
    page.part(part, strategies)
    return page.text()


def write_around(result: HeadResult, parts: Iterable[str], figures: Figures, look: TableStyle) -> str:
    """The whole report, the parts already being texts (:func:`part_text`)."""
    head, end = ReportPage(look, figures), ReportPage(look, figures)
    head.head(result)
    end.end(result)
    return "".join((head.text(), *parts, end.text()))


class ReportPage(Page):
    """The page, and the figures that everything is written with."""

    longest = LONGEST

    def __init__(self, look: TableStyle, figures: Figures) -> None:
        super().__init__(look)
        self.figures = figures

    def short(self, amount: Bytes | None) -> str:
        """A figure for people."""
        return short(amount, self.figures, self.longest)

    # ------------------------------------------------------------ pieces of the report

    def head(self, result: HeadResult, legend: bool = True) -> None:
        """The head, and its calls in split mode. ``legend``: what C, D and adj are."""
        self.line(f"Adjoint of {result.head}: {plural(len(result.parts), 'checkpointed part')}", "bold")
        if result.parts and legend:
            self.line(_LEGEND)
        elif not result.parts:
            self.line(f"Nothing is checkpointed: {result.no_parts}.", indent=2)
        if result.splits:
            places = ", ".join(f"{one.callee} at {one.file}:{one.line}" for one in result.splits)
            self.line(f"Calls in split mode, no checkpoints: {places}", indent=0 if result.parts else 2)
        for code in result.contexts:
            places = ", ".join(f"{file}:{line}" for file, line in code.calls)
            self.line(f"{code.procedure} has a code of its own (context {code.number}) for the calls at {places}: "
                      f"varied {names(code.varied)}; useful {names(code.useful)}")

    def part(self, part: Part, strategies: tuple[str, ...]) -> None:
        self.line()
        self.line(title(part), "bold cyan")
        self.sets(part)
        solutions = {name: part.solutions[name] for name in strategies if name in part.solutions}
        self.solutions(part, solutions)
        self.moves(part)
        self.again(part, solutions)
        self.records("taped at", part, {name: _tape(one) for name, one in solutions.items()})
        self.records("control at", part, {name: _control(one) for name, one in solutions.items()})
        self.messages(part)
        if part.diagnostics:
            self.line()
        self.diagnostics(part.diagnostics)

    def messages(self, part: Part) -> None:
        """What it says to other ranks."""
        if part.messages is not None:
            self.line()
            for label, text in message_lines(part.messages, part.file, self.figures):
                self.line(f"{label:<10}{text}", indent=2)

    def sets(self, part: Part) -> None:
        table = self.table("set", "what it is", "locations", whole=(0, 1))
        for field, label, meaning in _SETS:
            table.add_row(label, meaning, names(getattr(part.sets, field)))
        if part.sets.intact:
            table.add_row("intact", "overwritten, but not what adj C reads", names(part.sets.intact))
        for field, label, meaning in _OPTIONS:
            table.add_row(label, meaning, names(getattr(part.options, field)))
        self.show(table, gap=0)

    def solutions(self, part: Part, solutions: Mapping[str, Solution]) -> None:
        table = self.table("solution", *solutions)
        every = list(solutions.values())
        if any(one.req != part.sets.req for one in every):
            table.add_row("Req", *(names(one.req) for one in every))
        table.add_row("Snp", *(self.sized(one.snp, one) for one in every))
        table.add_row("Sbk", *(self.sized(one.sbk, one) for one in every))
        table.add_row("Req_D", *(names(one.req_d) for one in every))
        table.add_row("Req_C", *(names(one.req_c) for one in every))
        figures = self.figures.text
        table.add_row("snapshot bytes", *(figures(one.snapshot_bytes) for one in every))
        for kind in ("D", "C"):
            sums = (total(entry.bytes for entry in one.tape if entry.part == kind) for one in every)
            table.add_row(f"tape bytes, {kind}", *map(figures, sums))
        table.add_row("control bytes", *(figures(total(entry.bytes for entry in one.control)) for one in every))
        if any(one.peak_bytes is not None for one in every):
            table.add_row("peak bytes", *(self.short(one.peak_bytes) for one in every))
        if any(one.traffic_bytes is not None for one in every):
            table.add_row("traffic bytes", *(self.short(one.traffic_bytes) for one in every))
        self.show(table)

    def moves(self, part: Part) -> None:
        """What optimal decides otherwise than lazy or eager, what it gains, and where it would turn round."""
        moves = [move for one in part.solutions.values() for move in one.moves]
        if not moves:
            return
        table = self.table("optimal takes", "not", "as do", "gains peak", "traffic", "where")
        for one in moves:
            given = one.low is not None and one.high is not None
            when = f"{self.figures.text(one.low)} < {self.figures.text(one.high)}; else {one.instead}"
            table.add_row(f"{one.location} in {one.side}", one.instead, ", ".join(one.over) or "-", f"{one.peak:,}",
                          f"{one.traffic:,}", when if given else "always")
        self.show(table)

    def again(self, part: Part, solutions: Mapping[str, Solution]) -> None:
        """What is computed again instead of taped or saved."""
        found = sorted({one for solution in solutions.values() for one in solution.again},
                       key=lambda one: (one.part != "Snp", one.part, one.at, one.file, one.line))
        if not found:
            return
        table = self.table("computed again", "in", "what", *solutions, whole=(0, 1))
        for one in found:
            at = part.id if one.part == "Snp" else f"line {one.at}"
            inside = [str(one.line) if one in solution.again else "-" for solution in solutions.values()]
            table.add_row(at, one.part, one.text, *(x if x == "-" else f"as at {x}" for x in inside))
        self.show(table)

    def sized(self, locations: tuple[str, ...], solution: Solution) -> str:
        """``u (8*n)``, one a line."""
        return "\n".join(f"{solution.sections.get(name, name)} ({self.figures.text(solution.sizes.get(name))})"
                         for name in sorted(locations)) or "-"

    def records(self, where: str, part: Part, columns: Mapping[str, list[_Record]]) -> None:
        """What the strategies record, statement by statement, side by side."""
        keys = sorted({record[:4] for records in columns.values() for record in records})
        if not keys:
            return
        table = self.table(where, "in", "what", *columns)
        for key in keys:
            file, line, kind, what = key
            found = [[record for record in records if record[:4] == key] for records in columns.values()]
            place = f"line {line}" if file == part.file else f"{visible_line(file)}:{line}"
            table.add_row(place, kind, what, *(self.recorded(one) if one else "-" for one in found))
        self.show(table)

    def recorded(self, records: list[_Record]) -> str:
        """The model's figure, and beside it what was counted."""
        modelled = self.figures.text(total(record[4] for record in records))
        if any(record[5] is None for record in records):
            return modelled
        return f"{modelled}, counted {self.figures.text(total(record[5] for record in records))}"

    def diagnostic(self, one: Diagnostic, indent: int = 2, more: str = "") -> None:
        span = one.span
        style = {"error": "bold red", "warning": "yellow", "note": ""}[one.severity]
        self.line(f"{span.file}:{span.line}:{span.column}: {one.severity} {one.code}: {one.message}{more}", style,
                  indent)

    def end(self, result: HeadResult) -> None:
        self.about_the_program(result, {one for part in result.parts for one in part.diagnostics})
        if result.parts:
            self.line()
        for strategy in result.strategies if result.parts else ():
            every = [part.solutions[strategy] for part in result.parts if strategy in part.solutions]
            saved = self.figures.text(total(one.snapshot_bytes for one in every))
            self.line(f"{strategy}: one snapshot of every part takes {saved} bytes", "bold")
        self.totals(result)
        if result.totals:
            self.unknown(result)
            self.choices(result)

    def about_the_program(self, result: HeadResult, shown: Collection[Diagnostic] = ()) -> None:
        """What is said of the program, but for what has been."""
        every = all_diagnostics(result)
        if any(one not in shown for one in every):
            self.line()
            self.line("About the program", "bold")
            self.diagnostics(every, shown)

    def diagnostics(self, every: Iterable[Diagnostic], told: Collection[Diagnostic] = ()) -> None:
        """A line each, but for what has been said; of many that say the same the first, and where the others are."""
        alike: dict[tuple[str, str], list[Diagnostic]] = {}
        for one in every:
            alike.setdefault((one.code, one.message), []).append(one)
        for same in alike.values():
            rest = [one for one in same if one not in told]
            for one in rest if len(same) <= ALIKE else same[:1]:
                if one in rest:
                    self.diagnostic(one)
            if len(same) > ALIKE and (others := [one for one in rest if one is not same[0]]):
                places = ", ".join(_lines(file, [one.span.line for one in said]) for file, said in groupby(
                    others, key=lambda one: one.span.file))
                if same[0] in told:
                    self.line(f"{same[0].code} as above, {len(others)} more: {places}", indent=2)
                else:
                    self.line(f"and {len(others)} more: {places}", indent=6)

    def totals(self, result: HeadResult) -> None:
        """The whole head: the highest point of the stack, and what is written on it."""
        if not result.totals:
            return
        self.line()
        table = self.table("the whole adjoint", *result.totals)
        table.add_row("peak bytes", *(self.short(one.peak_bytes) for one in result.totals.values()))
        table.add_row("traffic bytes", *(self.short(one.traffic_bytes) for one in result.totals.values()))
        if result.counted_trips is not None:
            counted = (self.figures.text(one.counted_traffic) for one in result.totals.values())
            table.add_row("traffic, counted", *counted)
        self.show(table, gap=0)

    def choices(self, result: HeadResult) -> None:
        """What less peak costs in traffic, and how the strategy optimal was found."""
        self.frontiers(result)
        found = result.optimal
        if found is not None and found.defaulted:
            names_ = ", ".join(sorted(found.defaulted)[:12]) + (" ..." if len(found.defaulted) > 12 else "")
            self.line(f"optimal: {found.default} stands for {names_}; --assume gives other numbers")
        if found is not None and not found.exact:
            self.line(f"optimal: {found.decisions} decisions, not all combinations of which were compared; "
                      f"{distance(found)}, never worse than lazy or eager")

    def unknown(self, result: HeadResult) -> None:
        """What no declaration gives, once for the whole report, and what would settle it."""
        names_ = [one for one in unknown(result) if squeezed(one) not in self.figures.assume]
        if names_:
            more = f", and {len(names_) - FEW} more (JSON has all)" if len(names_) > FEW else ""
            options = " ".join(f"--assume '{squeezed(one)}=100'" for one in names_[:FEW])
            self.line(f"not known, and standing under a name of its own: {', '.join(names_[:FEW])}{more}; give numbers "
                      f"with {options}")

    def frontiers(self, result: HeadResult) -> None:
        """Peak against traffic: what no other choice beats in both."""
        for one in result.frontiers:
            self.line()
            what = "the whole adjoint" if not one.title else one.title
            self.line(f"{what}: peak against traffic" + ("" if one.exact else ", of what was compared"), "bold")
            table = self.table("peak bytes", "traffic bytes", "strategy", "otherwise than lazy")
            for point in one.points:
                found = [name for name, at in one.marks.items() if at == (point.peak, point.traffic)]
                saved = ", ".join(point.saved[:6]) + (", ..." if len(point.saved) > 6 else "")
                table.add_row(f"{point.peak:,}", f"{point.traffic:,}", ", ".join(found) or "-", saved or "-")
            self.show(table, gap=0)
            beaten = [f"{name} ({peak:,}, {traffic:,})" for name, (peak, traffic) in one.marks.items()
                      if all((peak, traffic) != (p.peak, p.traffic) for p in one.points)]
            if beaten:
                self.line(f"beaten: {', '.join(beaten)}", indent=2)


# file, line, C or D, what, bytes, bytes counted
_Record: TypeAlias = tuple[str, int, str, str, Bytes | None, Bytes | None]


def _tape(solution: Solution) -> list[_Record]:
    return [(entry.file, entry.line, entry.part, entry.location, entry.bytes, entry.counted) for entry in solution.tape]


def _control(solution: Solution) -> list[_Record]:
    return [(entry.file, entry.line, entry.part, entry.what, entry.bytes, entry.counted) for entry in solution.control]


def title(part: Part) -> str:
    """``burgers@14: marked part at burgers_region.f90:14-19, in burgers``"""
    what = {"region": "marked part", "loop": "loop", "call": f"call of {part.callee}"}[part.kind]
    lines = str(part.first_line) if part.first_line == part.last_line else f"{part.first_line}-{part.last_line}"
    inside = f", inside {part.parent}" if part.parent else ""
    modes = ["split mode"]*part.split + ([f"context {part.context}"] if part.context else [])
    mode = f" ({', '.join(modes)})" if modes else ""
    return f"{part.id}: {what} at {part.file}:{lines}, in {part.procedure}{mode}{inside}"


def short(amount: Bytes | None, figures: Figures, longest: int = LONGEST) -> str:
    """A figure that people can read: ``8*n - 16``; of a formula that is longer, what it comes to with a number for all
    that is not known. The longest formulas only JSON has."""
    formula = figures.text(amount)
    if len(formula) <= longest or (about := order_of(amount, figures)) == inf:
        return formula if len(formula) <= longest else f"a formula of {len(formula):,} characters (--format json)"
    return f"~ {about:,}{ESTIMATED}" if about < HUGE else f"~ {Decimal(about):.1e}{ESTIMATED}"


def _lines(file: str, lines: Iterable[int]) -> str:
    """``flux.f90:12, 14-16``"""
    spans: list[list[int]] = []
    for line in sorted(set(lines)):
        if spans and line == spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return f"{visible_line(file)}:" + ", ".join(
        str(first) if first == last else f"{first}-{last}" for first, last in spans)


def names(locations: Iterable[str]) -> str:
    """Sorted, with commas; a dash for none."""
    return ", ".join(sorted(locations)) or "-"


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def distance(found: Optimality) -> str:
    """How far from the best what was found may be."""
    if found.least_peak is None:
        return "how far from the best is not known"
    if found.least_peak >= found.peak:
        return "the peak is the least, proved; its traffic may not be"
    percent = 100*(found.peak - found.least_peak)/max(found.least_peak, 1)
    return f"its peak is at most {percent:.2g} % above the least, proved"
