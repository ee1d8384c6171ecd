"""A run on several ranks as text for people: the parts' verdicts, a row for each plan, and who waits for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.frontend.base.visible_text import visible_line
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankedPart, RankedRun

FEW = 4
_MEANING = {
    "silent": "no message in it",
    "self-contained": "every message is wholly inside: the second run may do all again",
    "right-tight": "no path leads back into it: send again what is wholly inside, log the other receives",
    "not right-tight": "log all receives, send nothing again",
}


def write_messages(result: RankedComparison, *, whole: bool = True, width: int = 80, colour: bool = False,
                   ascii_only: bool = False, markup: bool = False) -> str:  # fmt: skip
    """The whole page; ``whole``: with the parts' verdicts."""
    page = Page(TableStyle(max(width, 40), colour, ascii_only, markup))
    if _silent(result):
        page.line(f"{result.head} on {result.ranks} ranks: no message, so nothing to send again and nothing to log; "
                  f"{len(result.runs) - 1} plans run, each with the gradient of store-all")
        return page.text()
    what = f"snapshots of {result.strategy}" if result.strategy else "as recorded"
    page.line(f"{result.head} on {result.ranks} ranks, {result.sends} sends, {what}", "bold")
    if whole:
        for part in result.parts:
            _part(page, part)
    _plans(page, result)
    for run in result.runs:
        _trouble(page, run)
    for said in result.diagnostics:
        page.line()
        page.line(f"{said.span.file}:{said.span.line}:{said.span.column}: {said.severity} {said.code}: {said.message}",
                  "yellow")
    return page.text()


def _silent(result: RankedComparison) -> bool:
    """Is no message sent at all, and all right?"""
    return (result.traces is not None and not result.traces.places and result.right and not result.diagnostics
            and len(result.runs) > 1 and all(part.verdict == "silent" for part in result.parts))


def _part(page: Page, part: RankedPart) -> None:
    runs = f"{part.instances} run{'' if part.instances == 1 else 's'} on all ranks"
    page.line()
    page.line(f"{part.id}: {part.verdict} (on this run, {runs})", "bold cyan")
    page.line(_MEANING[part.verdict], indent=2)
    if part.contradicts:
        page.line(f"proved: {part.proved}, and this run refutes it: report a bug, or the record is of another program",
                  "bold red", indent=2)
    elif part.proved:
        page.line(f"proved for {'as many' if part.proved != 'unknown' else 'these'} ranks: {part.proved}", indent=2)
    for one in part.crossing[:FEW]:
        page.line(f"crosses the border: {visible_line(one)}", indent=2)
    for one in part.arrows_back[:FEW]:
        page.line(f"arrow back: {visible_line(one)}", indent=2)
    if part.resent or part.logged:
        page.line(f"messages: {part.resent} may be sent again, {part.logged} logged where received in it", indent=2)


def _plans(page: Page, result: RankedComparison) -> None:
    page.line()
    table = page.table("plan", "equal", "peak", "log", "predicted", "sent again", "ends", right=True)
    for run in result.runs:
        equal = "-" if run.equal is None else "yes" if run.equal else "no"
        figures = (str(run.peak_bytes), str(run.log_bytes), _known(run.predicted_log_bytes), str(run.sent_again_bytes))
        row = figures if run.ends else ("-",) * 4
        table.add_row(run.plan, equal, *row, _end(run), style="" if run.right else "bold red")
    page.show(table, gap=0)
    page.line()
    page.line("equal: every rank's gradient, bit for bit. peak: the stack's, log: what is logged at most at once, on "
              "the rank with most of it; predicted: the log, from the messages alone. sent again: by all ranks.",
              indent=2)  # fmt: skip


def _known(value: int | None) -> str:
    return "-" if value is None else str(value)


def _end(run: RankedRun) -> str:
    if run.stuck:
        return "no: deadlock"
    if run.error is not None:
        return "no: error"
    left = [f"{count} {what}" for count, what in ((run.never_received, "message(s) never received"),
                                                  (run.never_completed, "request(s) never completed")) if count]
    return ", ".join(["yes", *left])


def _trouble(page: Page, run: RankedRun) -> None:
    if run.ends:
        return
    page.line()
    what = "the program itself" if run.plan == "store-all" else run.plan
    page.line(f"{what}: {'a deadlock' if run.stuck else 'an error'}", "bold red")
    if run.error is not None:
        page.line(visible_line(run.error), indent=2)
    for one in run.stuck:
        waits = ", ".join(map(str, one.waits_for)) or "nobody that is still running"
        cycle = "" if one.in_cycle else " (not in the cycle)"
        page.line(f"rank {one.rank}  {visible_line(one.where)} {one.sweep}: {one.text}; waits for {waits}{cycle}",
                  indent=2)  # fmt: skip
