"""A head's regions as text for people: what is stored where and why, what is recomputed, and how good that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from snapset.analysis.dag.problem.graphs import Prepared, Reduced, prepare
from snapset.frontend.base.visible_text import visible_line
from snapset.pictures.dag_scene import by_line
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page, RowsUnderHeaders
from snapset.render.pages.replay_text import random_inputs

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.level_problem import Section
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions, SolvedLevel
    from snapset.analysis.dag.problem.choice import Choice
    from snapset.analysis.dag.solvers.solve import Answer
    from snapset.analysis.replay.dag.dag_experiment import DagReplay
    from snapset.frontend.base.diagnostics import Span

FEW_NAMES = 4
FEW_REASONS = 2
FEW_ROWS = 12
FIGURES = ("cost", "U = ∅", "S = ∅", "by statement", "heuristic", "optimum", "gap")
_PLAIN = str.maketrans({"∂": "d", "∅": "{}"})


def write_dag(
    result: HeadRegions, run: DagReplay | None = None, *, verbose: bool = False, width: int = 80,
    colour: bool = False, ascii_only: bool = False, markup: bool = False
) -> str:
    """The whole page. ``run``: what its execution found. ``verbose``: every region, graph and name, however many."""
    page = _Page(Page(TableStyle(max(width, 40), colour, ascii_only, markup)), verbose)
    page.head(result)
    quiet = []
    for region in result.regions:
        if verbose or region.answer.choice.cost or len(result.regions) == 1:
            page.region(region, result)
        else:
            quiet.append(region.id)
    if run is not None:
        page.executed(run)
    page.end(result, quiet)
    text = page.page.text()
    return text.translate(_PLAIN) if ascii_only else text


class _Page:
    def __init__(self, page: Page, verbose: bool) -> None:
        self.page = page
        self.verbose = verbose

    def head(self, result: HeadRegions) -> None:
        many = "1 region" if len(result.regions) == 1 else f"{len(result.regions)} regions"
        unit = "values stored" if result.unit == "values" else "bytes stored over a run"
        self.page.line(f"Store or recompute in {result.head}: {many}, cost in {unit}", "bold")
        if len(result.regions) > 1:
            table = self.page.table("all regions", *FIGURES, right=True)
            table.add_row("", *totals(result))
            self.page.show(table)

    def end(self, result: HeadRegions, quiet: list[str]) -> None:
        if quiet:
            self.page.line()
            self.page.line(f"Nothing is stored in {len(quiet)} more: {self.names(quiet, 8)}")
        if result.defaulted:
            self.page.line()
            self.page.line(f"100 stands for {self.names(result.defaulted, 8)}: give numbers with --assume")
        if result.uncounted:
            self.page.line()
            lines = [f"{file}:{line}" for file, line in result.uncounted]
            self.page.line(f"trip counts stand for what the run does not tell of: {self.names(lines, 8)}")
        for one in result.diagnostics:
            where = f"{one.span.file}:{one.span.line}:{one.span.column}"
            self.page.line()
            self.page.line(f"{where}: {one.severity} {one.code}: {one.message}", "yellow")

    def executed(self, run: DagReplay) -> None:
        """What ran, and whether the gradient is right."""
        self.page.line()
        verdict = "equal but for rounding" if run.equal else "WRONG"
        self.page.line(f"executed: gradient {verdict}", "bold" if run.equal else "bold red")
        if run.error is not None:
            self.page.line(f"the adjoint failed at {run.error}", indent=2)
        for name, count in sorted(run.lost.items()):
            self.page.line(f"{name} was not found again as it had been, {count} times", indent=2)
        given = [f"{one.name}({','.join(map(str, one.shape))})" if one.shape
                 else f"{one.name}={one.value:g}" if isinstance(one.value, float | int) else f"{one.name}={one.value}"
                 for one in run.inputs if not one.unknown and (one.shape or one.value is not None)]
        self.page.line(f"inputs: {self.names(given, 8)}", indent=2)
        random_inputs(self.page, run.inputs, indent=2)
        self.page.line(f"largest difference from store-all, relative: {run.largest:.1e} (allowed {run.tolerance:.0e}); "
                       f"required values found again, bit for bit: {run.compared - sum(run.lost.values()):,} of "
                       f"{run.compared:,}", indent=2)
        self.page.line(f"bytes on the tape: S {run.places_bytes:,}, U {run.values_bytes:,}, control "
                       f"{run.control_bytes:,}; at most {run.peak_bytes:,} at a time; store-all writes "
                       f"{run.store_all_bytes:,}", indent=2)

    # ------------------------------------------------------------ one region

    def region(self, region: SolvedLevel, result: HeadRegions) -> None:
        level, answer = region.level, region.answer
        where = f"{region.first.file}:{region.first.line}-{region.last_line}"
        what = "code of the procedure" if region.kind == "procedure" else f"marked part in {region.procedure}"
        graphs = f"{len(level.sections)} graphs" if len(level.sections) != 1 else "1 graph"
        size = sum(len(graph.vertices) for graph in level.problem.graphs)
        self.page.line()
        self.page.line(f"{region.id}: {what} at {where}", "bold cyan")
        self.page.line(f"{graphs}, {size} vertices; {method(answer)}", indent=2)
        table = self.page.table("", *FIGURES, right=True)
        table.add_row("", *figures(answer))
        self.page.show(table)
        ready = prepare(level.problem)
        self.stored(region, ready)
        self.graphs(region, ready)

    def stored(self, region: SolvedLevel, ready: Prepared) -> None:
        choice, places = region.answer.choice, region.level.places
        rows: list[tuple[str, str, str]] = []
        for name in sorted(choice.S, key=lambda o: (places[o].span, o)):
            place = places[name]
            readers = [v for v, own in ready.overwrites.items() if name in own and own <= choice.S]
            rows.append((f"S  {place.location}", f"before {line(region, place.span)}",
                         f"restores {self.names(self.used(region, readers), FEW_NAMES)}"))
        for _, section, graph in by_line(region, ready):
            rows += [(f"U  {v}", lines(region, section), self.why(region, ready, graph, v))
                     for v in graph.order if v in choice.U & choice.cuts[graph.name]]
        if not rows:
            return
        table = self.page.table("stored", "where", "why")
        self.fill(table, rows)

    def used(self, region: SolvedLevel, vertices: Iterable[str]) -> list[str]:
        """Those that a cut takes; all where none does."""
        cuts = frozenset[str]().union(*region.answer.choice.cuts.values())
        found = sorted(vertices)
        return [v for v in found if v in cuts] or found

    def why(self, region: SolvedLevel, ready: Prepared, graph: Reduced, vertex: str) -> str:
        """What storing a vertex gives, and what recomputing it would take."""
        gives = "is required" if vertex in graph.required else f"gives {self.names(served(graph, vertex), FEW_REASONS)}"
        known = ready.restored(region.answer.choice.S)
        lost = [v for v in origins(graph, vertex, known) if v != vertex]
        if not lost:
            return gives if graph.arguments[vertex] else f"{gives}; {self.overwritten(region, ready, vertex)}"
        each = [f"{v} ({self.overwritten(region, ready, v)})" for v in lost[:FEW_REASONS]]
        more = f" and {len(lost) - FEW_REASONS} more" if len(lost) > FEW_REASONS else ""
        return f"{gives}; else it takes {', '.join(each)}{more}"

    def overwritten(self, region: SolvedLevel, ready: Prepared, vertex: str) -> str:
        spans = sorted({region.level.places[o].span.line for o in ready.overwrites.get(vertex, ())})
        return f"overwritten in line{'s' if len(spans) > 1 else ''} {self.names(map(str, spans), FEW_NAMES)}"

    def graphs(self, region: SolvedLevel, ready: Prepared) -> None:
        choice = region.answer.choice
        rows, untouched = [], 0
        for _, section, graph in by_line(region, ready):
            if not (self.verbose or any(v in choice.U or ready.overwrites.get(v) for v in choice.cuts[graph.name])):
                untouched += 1
                continue
            again = [v for v in graph.order if v in choice.recomputed[graph.name]]
            rows.append((lines(region, section), self.taken(ready, choice, graph), str(len(again)),
                         self.names([v for v in again if v in graph.required], FEW_REASONS) or "-"))
        if rows:
            table = self.page.table("lines", "takes", "recomputes", "of it required")
            self.fill(table, rows)
        if untouched:
            many = "1 graph takes" if untouched == 1 else f"{untouched} graphs take"
            self.page.line()
            self.page.line(f"{many} nothing but what is never overwritten", indent=2)

    def taken(self, ready: Prepared, choice: Choice, graph: Reduced) -> str:
        """A graph's cut: what is stored, then what is still there."""
        cut = sorted(choice.cuts[graph.name])
        stored = [f"{v} ({'U' if v in choice.U else 'S'})" for v in cut if v in choice.U or ready.overwrites.get(v)]
        intact = [v for v in cut if v not in choice.U and not ready.overwrites.get(v)]
        if self.verbose or not stored or len(intact) == 1:
            return self.names([*stored, *(f"{v} (intact)" for v in intact)], FEW_NAMES)
        return self.names(stored, FEW_NAMES) + (f"; {len(intact)} intact" if intact else "")

    def fill(self, table: RowsUnderHeaders, rows: Sequence[tuple[str, ...]]) -> None:
        for row in rows if self.verbose else rows[:FEW_ROWS]:
            table.add_row(*row)
        self.page.show(table)
        if len(rows) > FEW_ROWS and not self.verbose:
            self.page.line(f"and {len(rows) - FEW_ROWS} more; --verbose lists them", indent=2)

    def names(self, names: Iterable[str], few: int) -> str:
        every = list(names)
        if self.verbose or len(every) <= few + 1:
            return ", ".join(every)
        return f"{', '.join(every[:few])} and {len(every) - few} more"


def totals(result: HeadRegions) -> list[str]:
    """The figures of all regions together."""
    cost, lower = result.total(lambda a: a.choice.cost), result.total(lambda a: a.lower)
    return [
        _figure(cost),
        _figure(result.total(lambda a: a.bounds.tbr.cost)),
        _figure(result.total(lambda a: a.bounds.required.cost)),
        _figure(result.total(lambda a: a.bounds.by_statement)),
        _figure(result.total(lambda a: a.heuristic.cost)),
        _optimum(result.total(lambda a: a.optimum), lower),
        _gap(None if lower is None or cost is None else (cost - lower) / cost if cost else 0.0),
    ]


def figures(answer: Answer) -> list[str]:
    """The same of one."""
    bounds = answer.bounds
    return [_figure(one) for one in (answer.choice.cost, bounds.tbr.cost, bounds.required.cost, bounds.by_statement,
                                     answer.heuristic.cost)] + [_optimum(answer.optimum, answer.lower),
                                                                _gap(answer.gap)]


def method(answer: Answer) -> str:
    """How the answer was found, and whether the heuristic's biclique cover is a minimal one."""
    by = {"biclique": "the biclique heuristic", "search": "the search", "optimum": "the integer program"}
    cover = "" if answer.cover.exact else " (greedy biclique cover)"
    return f"found by {by[answer.method]}{cover}{', proved optimal' if answer.proved else ''}"


def lines(region: SolvedLevel, section: Section) -> str:
    """Where a graph's statements are."""
    first, last = section.first, section.last.end_line
    if last == first.line:
        return line(region, first)
    return f"{line(region, first)}-{last}".replace("line ", "lines ", 1)


def line(region: SolvedLevel, span: Span) -> str:
    """With the file where that is another one (INCLUDE)."""
    return f"line {span.line}" if span.file == region.first.file else f"{visible_line(span.file)}:{span.line}"


def served(graph: Reduced, vertex: str) -> list[str]:
    """The required vertices that a vertex leads to."""
    seen, todo = {vertex}, [vertex]
    while todo:
        for user in graph.uses[todo.pop()]:
            if user not in seen:
                seen.add(user)
                todo.append(user)
    return [v for v in graph.order if v in seen and v in graph.required]


def origins(graph: Reduced, vertex: str, known: frozenset[str]) -> list[str]:
    """The lost minimal vertices that a vertex would be recomputed from."""
    seen, todo = {vertex}, [vertex]
    while todo:
        for argument in graph.arguments[todo.pop()]:
            if argument not in seen and argument not in known:
                seen.add(argument)
                todo.append(argument)
    return [v for v in graph.order if v in seen and not graph.arguments[v]]


def _figure(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _optimum(optimum: int | None, lower: int | None) -> str:
    if optimum is not None:
        return _figure(optimum)
    return "-" if lower is None else f">= {lower:,}"


def _gap(gap: float | None) -> str:
    return "-" if gap is None else f"{100 * gap:.1f} %" if gap else "0 %"
