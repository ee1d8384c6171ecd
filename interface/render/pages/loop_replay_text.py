"""A time loop under schedules as text for people: a row for each schedule, measured beside predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page
from snapset.render.pages.replay_text import difference, used_inputs

if TYPE_CHECKING:
    from snapset.analysis.replay.timeloop.schedule_results import LoopReplay, ScheduleRun

_NAMES = {"stored": "bytes stored at once", "peak": "peak", "forward": "forward steps", "writes": "writes",
          "reads": "reads", "written": "bytes written", "read": "bytes read"}
_WHY = {"unused": "nothing reads it in these runs", "unchanged": "its place still holds the right value on this input"}


def write_loop_replay(
    result: LoopReplay, *, width: int = 80, colour: bool = False, ascii_only: bool = False, markup: bool = False
) -> str:
    """The whole page."""
    page = Page(TableStyle(max(width, 40), colour, ascii_only, markup))
    steps = " and ".join(map(str, result.steps)) or "no"
    page.line(f"Replay of {result.head}, the loop of {result.file}:{result.line} under schedules: {steps} steps",
              "bold")
    used_inputs(page, result.inputs)
    page.line(f"restart data {result.restart} bytes, dependencies of a step {result.dependencies}, memory "
              f"{result.memory}")
    table = page.table("schedule", "equal", "peak", "forward", "writes", "reads", "as predicted", right=True)
    for run in result.runs:
        table.add_row(*_row(run), style="" if run.equal else "bold red")
    page.show(table)
    for run in result.runs:
        if run.error is not None:
            page.line(f"{run.name}: {run.error}", "bold red")
        for one in run.differences:
            page.line(f"{run.name}: {difference(one)}", "bold red")
    _others(page, result)
    page.line()
    page.line("equal: the gradient, bit for bit. peak: bytes of checkpoints and working storage; forward: steps run, "
              "the first run included; writes, reads: of checkpoints. as predicted: these, and the bytes stored at "
              "once, written and read, beside what the action list and the sets say.", indent=2)
    _lost(page, result)
    for said in result.diagnostics:
        where = f"{said.span.file}:{said.span.line}:{said.span.column}"
        page.line()
        page.line(f"{where}: {said.severity} {said.code}: {said.message}", "yellow")
    return page.text()


def _row(run: ScheduleRun) -> tuple[str, ...]:
    found = run.measured
    if found is None:
        return run.name, "failed", "-", "-", "-", "-", "-"
    return (run.name, "yes" if run.equal else "no", str(found.peak), str(found.forward), str(found.writes),
            str(found.reads), run.as_predicted or "-")


def _others(page: Page, result: LoopReplay) -> None:
    """What was not as predicted."""
    for run in result.runs:
        if run.measured is None or run.predicted is None or run.as_predicted == "same":
            continue
        said = ", ".join(f"{_NAMES[name]} {here} (predicted {there})"
                         for name, here, there in run.measured.besides(run.predicted))
        more = run.as_predicted == "more"
        page.line(f"{run.name}: it took {run.as_predicted} than was predicted: {said}", "bold red" if more else "")


def _lost(page: Page, result: LoopReplay) -> None:
    """Which locations the gradient needs."""
    if result.lost is None:
        return
    needed = [one for one in result.lost if one.superfluous is None]
    page.line()
    page.line(f"{len(needed)} of {len(result.lost)} locations change the gradient when they are left out", indent=2)
    for one in result.lost:
        if one.superfluous is not None:
            page.line(f"{one.location} of the {one.set}: {_WHY[one.superfluous]}", indent=4)
