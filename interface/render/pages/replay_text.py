"""A comparison as text for people: a row for each strategy, then where the bytes were spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.frontend.base.visible_text import visible_line
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.measurements import Comparison, Difference, PushedBytes, StrategyRun
    from snapset.analysis.replay.experiment.used_inputs import InputUsed

FEW_PLACES = 16
_WHY = {
    "unused": "nothing reads it afterwards",
    "unchanged": "its place still holds the right value on this input",
}


def write_replay(
    result: Comparison, *, verbose: bool = False, width: int = 80, colour: bool = False, ascii_only: bool = False,
    markup: bool = False
) -> str:
    """The whole page. ``verbose``: every place that saves something, however many there are."""
    page = Page(TableStyle(max(width, 40), colour, ascii_only, markup))
    page.line(f"Replay of {result.head}", "bold")
    used_inputs(page, result.inputs)
    _strategies(page, result)
    for run in result.runs:
        _failures(page, run)
    _places(page, result, verbose)
    for run in result.runs:
        _superfluous(page, run)
    for one in result.diagnostics:
        where = f"{one.span.file}:{one.span.line}:{one.span.column}"
        page.line()
        page.line(f"{where}: {one.severity} {one.code}: {one.message}", "yellow")
    return page.text()


def used_inputs(page: Page, inputs: tuple[InputUsed, ...]) -> None:
    """One line: what the run began with."""
    texts = []
    for one in inputs:
        if one.unknown:
            continue
        if one.shape:
            texts.append(f"{one.name}({','.join(map(str, one.shape))})" + (" as set" if one.given else ""))
        elif one.value is not None:
            texts.append(f"{one.name}={one.value:.6g}" if isinstance(one.value, float) else f"{one.name}={one.value}")
    if texts:
        page.line(f"inputs: {', '.join(texts)}")
    random_inputs(page, inputs)


def random_inputs(page: Page, inputs: tuple[InputUsed, ...], indent: int = 0) -> None:
    """One line: what began with random values although the program gives it some."""
    random = [one.name + (f"({','.join(map(str, one.shape))})" if one.shape else "") for one in inputs if one.unknown]
    if random:
        page.line(f"random, because their start values are not understood (--set NAME=VALUES gives them): "
                  f"{', '.join(random)}", indent=indent)


def _strategies(page: Page, result: Comparison) -> None:
    reference = result.reference
    needed = any(run.necessity is not None for run in result.runs)
    headers = ["strategy", "equal", "peak", "traffic", "model", "pushes", "control", "rerun"]
    table = page.table(*headers, *(["needed"] if needed else []), right=True)
    peak, traffic, pushes = map(str, (reference.peak_bytes, reference.traffic_bytes, reference.pushes))
    table.add_row("store-all", "-", peak, traffic, "-", pushes, "-", "0", *(["-"] if needed else []))
    for run in result.runs:
        row = [run.name, _verdict(run)]
        row += [_figure(run.peak_bytes), _figure(run.traffic_bytes), _predicted(run), _figure(run.pushes)]
        row += [_figure(run.control_bytes), _figure(run.recomputed_steps)]
        if needed:
            row.append(_share(run))
        table.add_row(*row, style="" if run.equal else "bold red")
    page.show(table)
    page.line()
    page.line("equal: the gradient, bit for bit. peak, traffic, control: bytes on the stack; model: peak/traffic that "
              f"the cost model predicts. rerun: steps of first runs; the program takes {reference.primal_steps} steps, "
              f"its store-all adjoint {reference.adjoint_steps}.", indent=2)
    for run in result.runs:
        if run.chosen is not None:
            page.line(f"{run.name}: here as {run.chosen}, which takes less on this run; by the cost model, which "
                      "counts the dearer side of every IF, and all iterations of a loop, it does not.", indent=2)


def _verdict(run: StrategyRun) -> str:
    if run.error is not None:
        return "failed"
    return "yes" if run.equal else "no"


def _figure(value: int | None) -> str:
    return "-" if value is None else str(value)


def _predicted(run: StrategyRun) -> str:
    if run.predicted_peak_bytes is None and run.predicted_traffic_bytes is None:
        return "-"
    if (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes):
        return "same"
    return f"{_figure(run.predicted_peak_bytes)}/{_figure(run.predicted_traffic_bytes)}"


def _share(run: StrategyRun) -> str:
    if run.necessity is None or run.necessity.share is None:
        return "-"
    needed = run.necessity.saved - len(run.necessity.superfluous)
    return f"{needed} of {run.necessity.saved}"


def _failures(page: Page, run: StrategyRun) -> None:
    if run.error is not None:
        page.line()
        page.line(f"{run.name}: the adjoint failed at {run.error}", "bold red")
    for one in run.differences:
        page.line()
        page.line(f"{run.name}: {difference(one)}", "bold red")


def difference(one: Difference) -> str:
    """``the adjoint of u differs in 3 elements, first u(2): store-all 0.25, found nan``"""
    element = f"({','.join(map(str, one.element))})" if one.element else ""
    many = f" in {one.count} element{'s' if one.count > 1 else ''}, first {one.independent}{element}" if element else ""
    return f"the adjoint of {one.independent} differs{many}: store-all {one.store_all!r}, found {one.found!r}"


def _places(page: Page, result: Comparison, verbose: bool) -> None:
    """Who saved what, the strategies side by side."""
    runs = [run for run in result.runs if run.error is None]
    found: dict[PushedBytes, dict[str, PushedBytes]] = {}
    for run in runs:
        for one in run.spent:
            found.setdefault(one.without_figures(), {})[run.name] = one
    if not found:
        return
    if len(found) > FEW_PLACES and not verbose:
        page.line()
        page.line(f"  {len(found)} places save something; --verbose lists them")
        return
    files = {place.file for place in found}
    table = page.table("saved at", "part", "what", *(run.name for run in runs))
    for place in sorted(found, key=lambda s: (s.file, s.line, s.part or "", s.kind, s.location)):
        where = f"line {place.line}" if len(files) == 1 else f"{visible_line(place.file)}:{place.line}"
        cells = [_cell(found[place].get(run.name)) for run in runs]
        table.add_row(where, place.part or "-", what(place), *cells)
    page.show(table)


def what(place: PushedBytes) -> str:
    """``Snp u``, ``tape nu``, ``control: branch``"""
    kinds = {"snp": "Snp ", "sbk": "Sbk ", "tape": "tape ", "mask": "WHERE ", "control": "control: "}
    return kinds[place.kind] + place.location


def _cell(one: PushedBytes | None) -> str:
    return "-" if one is None else f"{one.bytes} in {one.pushes}"


def _superfluous(page: Page, run: StrategyRun) -> None:
    if run.necessity is None or not run.necessity.superfluous:
        return
    page.line()
    page.line(f"{run.name}: saved, but the gradient is the same without", "bold")
    for one in run.necessity.superfluous:
        place = one.saved
        part = f", part {place.part}" if place.part else ""
        why = "" if one.superfluous is None else _WHY[one.superfluous]
        page.line(f"{place.file}:{place.line}{part}: {what(place)} ({place.bytes} bytes): {why}", indent=2)
