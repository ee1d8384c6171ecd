"""A time loop's sets and schedules as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page

if TYPE_CHECKING:
    from snapset.analysis.loops.loop_results import HeldLocation, LoopSets
    from snapset.analysis.loops.scheduled_loop import ScheduledLoop
    from snapset.analysis.schedules.actions import Schedule
    from snapset.analysis.schedules.schedule_table import Offer

MOST_SNAPSHOTS = 98


def write_schedule(
    loop: ScheduledLoop, figures: Figures, *, width: int = 80, colour: bool = False, ascii_only: bool = False,
    markup: bool = False,
    actions: Offer | None = None, emit: bool = False
) -> str:
    """The whole page. ``actions``: the schedule whose actions are listed; ``emit``: Tapenade's pragma."""
    result = loop.sets
    page = Page(TableStyle(max(width, 40), colour, ascii_only, markup))
    page.line(f"loop {result.file}:{result.line}, {_steps(result, figures)}, of {result.head}", "bold")
    parameters = ", ".join(result.parameters) or "none"
    page.line(f"parameters, never stored: {parameters}")
    _sets(page, result, figures)
    for name, reason in sorted(result.reasons.items()):
        page.line(f"{name}: {reason}", indent=2)
    _table(page, loop)
    if actions is not None:
        _actions(page, actions)
    if emit:
        page.line()
        for line in tapenade_pragma(loop):
            page.line(line, indent=2)
    for one in result.diagnostics:
        where = f"{one.span.file}:{one.span.line}:{one.span.column}"
        page.line()
        page.line(f"{where}: {one.severity} {one.code}: {one.message}", "yellow")
    return page.text()


def _table(page: Page, loop: ScheduledLoop) -> None:
    """All schedules, or why there is no table."""
    from snapset.analysis.schedules.actions import Content

    if loop.room is not None and not loop.schedules:
        page.line()
        names = ", ".join(f"--assume '{name}=...'" for name in loop.unknown) or "what a step leaves is not known"
        page.line(f"no table of schedules without numbers: give {names}", indent=2)
        if loop.online is not None:
            held = ", ".join(f"{one.runs} times up to {one.steps:,} steps" for one in loop.online.guarantees)
            many = "1 checkpoint" if loop.online.checkpoints == 1 else f"{loop.online.checkpoints:,} checkpoints"
            page.line(f"online, {many} of restart data, whatever the number of steps: no step is run more than {held}",
                      indent=2)
    if not loop.schedules:
        return
    timed = any(one.seconds is not None for one in loop.schedules)
    headers = ["schedule", "forward", "peak", "restarts", "dependencies"]
    table = page.table(*headers, *(["seconds"] if timed else []), "", whole=(1, 2, 3, 4, 5, 6), right=True)
    for one in loop.schedules:
        found = one.measured
        row = [one.name, f"{found.forward_steps:,}", f"{found.total:,}", str(found.stores(Content.RESTART)),
               str(found.stores(Content.DEPENDENCIES))]
        if timed:
            row.append("-" if one.seconds is None else f"{one.seconds:.4g}")
        table.add_row(*row, "best" if one.best else "" if one.fits else "too large", style="bold" if one.best else "")
    if loop.divide is not None:
        steps = loop.schedules[0].measured.sizes.steps
        forward = f"{round(steps*(1 + loop.divide.rerun)):,}" if loop.divide.fits else ""
        empty = [""] if timed else []
        table.add_row("divide, optimal", forward, f"{loop.divide.peak:,}", "", "", *empty,
                      "" if loop.divide.fits else "too large")
    page.show(table)
    page.line()
    divided = "" if loop.divide is None else (" divide: the whole run split by its length, its tape being store-all's "
                                              "(snapset divide --memory); its bytes with the capsules'.")
    if loop.measured:
        page.line("bytes of the steps: measured by a run on these inputs, each step recorded, for no formula tells "
                  "them.", indent=2)
    beside = "" if loop.room is None or loop.room.with_step else (
        f" The {loop.room.memory:,} bytes given are for checkpoints, the working storage comes on top; "
        "--memory ...+step takes it from them.")
    page.line("forward: steps run, the first run included. peak: bytes of checkpoints and of the working storage of "
              f"one step.{beside} restarts, dependencies: written in all.{divided}", indent=2)


def _actions(page: Page, offer: Offer) -> None:
    from snapset.analysis.schedules.paper_printer import paper_actions

    table = page.table(offer.name, "action", "forward", "adjoint", whole=(0, 1, 2, 3))
    for one in paper_actions(offer.measured.schedule):
        table.add_row("-" if one.index is None else str(one.index), one.action, one.forward, one.adjoint)
    page.show(table)


def tapenade_pragma(loop: ScheduledLoop) -> tuple[str, ...]:
    """The line before the DO that takes no more memory, and the forward steps it takes. Tapenade restores what feeds no
    derivative, too, and takes 98 snapshots at most."""
    from snapset.analysis.schedules.package_schedules import multistage

    sizes = loop.schedules[0].measured.sizes if loop.schedules else None
    if sizes is None or loop.room is None or loop.untrimmed_bytes is None:
        return ("!$AD BINOMIAL-CKP needs numbers for all sizes: give --memory and --assume",)
    each = loop.untrimmed_bytes
    peak = max((one.measured.working for one in loop.schedules if not one.name.startswith("all")), default=0)
    room = loop.room.memory - (peak if loop.room.with_step else 0)
    count = min(MOST_SNAPSHOTS, room//each if each else MOST_SNAPSHOTS, max(1, sizes.steps - 1))
    if count < 1:
        return (f"no room for one of Tapenade's snapshots of this loop, {each} bytes each",)
    forward = recounted(multistage(sizes.steps, count))
    return (f"!$AD BINOMIAL-CKP {sizes.steps} {count} 1",
            f"{count} snapshot{'s' if count > 1 else ''} of {each} bytes; {forward} forward steps")


def recounted(schedule: Schedule) -> int:
    """The steps that a schedule runs forward."""
    from snapset.analysis.schedules.abstract_machine import recount

    return recount(schedule, schedule.steps).forward


def _steps(result: LoopSets, figures: Figures) -> str:
    """How many steps, in words."""
    count = figures.text(result.most_steps)
    most = "" if result.steps is not None else "at most "
    each = "" if result.period == 1 else f" of {result.period} iterations"
    return f"{most}{count} {'step' if count == '1' else 'steps'}{each}"


def _sets(page: Page, result: LoopSets, figures: Figures) -> None:
    table = page.table("set", "what", "bytes", "", whole=(0,))
    table.add_row("restart", _names(result.restart), figures.text(result.restart_bytes), _spans(result))
    for number, held in enumerate(result.shorter, 1):
        table.add_row(f"  for {number} {'step' if result.period == 1 else 'iteration'}{'s' if number > 1 else ''}",
                      _names(held), _sum(held, figures), "the last one recorded")
    for number, names in enumerate(result.first_steps):
        table.add_row(f"  at step {number}", ", ".join(names) or "nothing", "", "")
    extra = {one.name for one in result.untrimmed} - {one.name for one in result.restart}
    if extra:
        more = [one for one in result.untrimmed if one.name in extra]
        table.add_row("untrimmed", f"and {_names(more)}", _sum(more, figures), "restored by others only")
    control = figures(result.control)
    beside = f"with {figures.text(result.control)} of control" if control not in (0, None) else ""
    table.add_row("dependencies", _names(result.dependencies), figures.text(result.dependency_bytes),
                  ", ".join(filter(None, ("a step", beside))))
    table.add_row("working", "one step recorded and reversed", figures.text(result.step_peak), "at most")
    page.show(table)
    if result.adjoint_parameters:
        page.line()
        page.line(f"the adjoint of a step reads of the parameters: {', '.join(result.adjoint_parameters)}", indent=2)


def _names(held: Iterable[HeldLocation]) -> str:
    return ", ".join(one.shown for one in held) or "nothing"


def _sum(held: Iterable[HeldLocation], figures: Figures) -> str:
    from snapset.render.layout.byte_figures import total

    return figures.text(total(one.bytes for one in held))


def _spans(result: LoopSets) -> str:
    """``long-range: f1 from span 2``, or that there is no such thing."""
    later = [(number, names) for number, names in enumerate(result.spans) if number > 1 and names]
    if not later:
        return "the same for every span"
    return "; ".join(f"long-range: {', '.join(names)} from span {number}" for number, names in later)
