"""A run on several ranks as text for people: the parts' verdicts, a row for each plan, and who waits for whom. And what
is proved without a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.frontend.base.visible_text import visible_line
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page
from snapset.render.pages.part_messages_text import message_lines
from snapset.render.records.messages_json import communicating, inside_of

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankedPart, RankedRun, StuckRank
    from snapset.analysis.results import HeadResult, Part

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
    chain = _chain(run.stuck)
    places = [f"{visible_line(one.where)} {one.sweep}:" for one in chain]
    for at, (one, place) in enumerate(zip(chain, places, strict=True)):
        after = chain[at + 1] if at + 1 < len(chain) else None
        waits = ", ".join(map(str, one.waits_for)) or "nobody that is still running"
        cycle = "" if one.in_cycle else " (not in the cycle)"
        follows = one.in_cycle and after is not None and one.waits_for == (after.rank,)
        more = ", who is at" if follows else f"; waits for {waits}{cycle}"
        page.line(f"rank {one.rank}  {place:{max(map(len, places))}} {visible_line(one.text)}{more}", indent=2)


def _chain(stuck: tuple[StuckRank, ...]) -> tuple[StuckRank, ...]:
    """The ranks of the cycle, each before one that it waits for, then the others."""
    cycle = {one.rank: one for one in stuck if one.in_cycle}
    found: list[StuckRank] = []
    while cycle:
        after = [rank for rank in (found[-1].waits_for if found else ()) if rank in cycle]
        found.append(cycle.pop(min(after or cycle)))
    return (*found, *(one for one in stuck if not one.in_cycle))


def write_proved(result: HeadResult, *, width: int = 80, colour: bool = False, ascii_only: bool = False,
                 markup: bool = False) -> str:
    """The page of what is proved::

        model(u)>(cost): 4 calls of MPI in 3 checkpointed parts that communicate; 1 of 3 unknown (33 %)
    """
    page = Page(TableStyle(max(width, 40), colour, ascii_only, markup))
    parts = communicating(result)
    calls = inside_of(parts)
    if not parts:
        page.line(f"{result.head}: no call of MPI in a checkpointed part communicates", "bold")
        return page.text()
    unknown = sum(one.messages is not None and one.messages.verdict == "unknown" for one in parts)
    page.line(f"{result.head}: {_count(len(calls), 'call')} of MPI in {_count(len(parts), 'checkpointed part')} "
              f"that communicate; {unknown} of {len(parts)} unknown ({100*unknown/len(parts):.0f} %)", "bold")
    _verdicts(page, parts)
    page.line()
    table = page.table("call", "at", "innermost part", "verdict on it")
    for call, part in calls.items():
        assert part.messages is not None
        table.add_row(visible_line(call.text), f"{visible_line(call.file)}:{call.line}", part.id, part.messages.verdict)
    page.show(table, gap=0)
    for part in parts:
        page.line()
        page.line(f"{part.id}:", "bold cyan")
        assert part.messages is not None
        for label, text in message_lines(part.messages, part.file, Figures()):
            page.line(f"{label:8} {text}", indent=2)
    return page.text()


def _verdicts(page: Page, parts: Sequence[Part]) -> None:
    """How many parts have which verdict, and once what is not understood."""
    found = [one.messages for one in parts if one.messages is not None]
    for verdict, count in Counter(one.verdict for one in found).most_common():
        assumed = sum(bool(one.assumed) for one in found if one.verdict == verdict)
        page.line(f"{count} {verdict}{f' ({assumed} if something holds that is assumed)' if assumed else ''}", indent=2)
    for why, count in Counter(one.why[:1] for one in found if one.verdict == "unknown").most_common():
        page.line(f"unknown in {_count(count, 'part')}: {visible_line('; '.join(why)) or 'no proof'}", indent=2)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
