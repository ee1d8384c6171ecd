"""A time loop's sets as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page

if TYPE_CHECKING:
    from snapset.analysis.loops.loop_results import HeldLocation, LoopSets


def write_schedule(
    result: LoopSets, figures: Figures, *, width: int = 80, colour: bool = False, ascii_only: bool = False
) -> str:
    """The whole page."""
    page = Page(TableStyle(max(width, 40), colour, ascii_only))
    page.line(f"loop {result.file}:{result.line}, {_steps(result, figures)}, of {result.head}", "bold")
    parameters = ", ".join(result.parameters) or "none"
    page.line(f"parameters, never stored: {parameters}")
    _sets(page, result, figures)
    for name, reason in sorted(result.reasons.items()):
        page.line(f"{name}: {reason}", indent=2)
    for one in result.diagnostics:
        where = f"{one.span.file}:{one.span.line}:{one.span.column}"
        page.line()
        page.line(f"{where}: {one.severity} {one.code}: {one.message}", "yellow")
    return page.text()


def _steps(result: LoopSets, figures: Figures) -> str:
    """How many steps, in words."""
    if result.most_steps is None:
        return "steps unknown before it runs"
    count = figures.text(result.most_steps)
    most = "" if result.steps is not None else "at most "
    each = "" if result.period == 1 else f" of {result.period} iterations"
    return f"{most}{count} {'step' if count == '1' else 'steps'}{each}"


def _sets(page: Page, result: LoopSets, figures: Figures) -> None:
    table = page.table("set", "what", "bytes", "", whole=(0, 2))
    table.add_row("restart", _names(result.restart), figures.text(result.restart_bytes), _spans(result))
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
