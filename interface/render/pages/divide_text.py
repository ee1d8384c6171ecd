"""A divided run as text for people: a row for each choice of split points, its capsules; or one capsule."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from snapset.frontend.base.frozen_records import frozen
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page, RowsUnderHeaders
from snapset.render.pages.replay_text import difference, used_inputs

if TYPE_CHECKING:
    from snapset.analysis.replay.divide.divide_results import (
        ActiveProcedure,
        CapsuleView,
        DivideComparison,
        DividedResult,
        DividePlan,
    )

FEW_CAPSULES = 12


@frozen
class Look:
    """How wide and colourful a page is; ``verbose``: every capsule, however many."""

    width: int = 80
    colour: bool = False
    ascii_only: bool = False
    verbose: bool = False
    markup: bool = False

    def page(self) -> Page:
        return Page(TableStyle(max(self.width, 40), self.colour, self.ascii_only, self.markup))


_USUAL = Look()


def write_divide(result: DivideComparison, look: Look = _USUAL) -> str:
    """The whole page."""
    page = look.page()
    page.line(f"Division of {result.head}", "bold")
    used_inputs(page, result.inputs)
    page.line(f"{result.steps} steps ({result.unit}); {result.driver}")
    _runs(page, result)
    if result.leaf_plan:
        page.line("--leaf-plan: leaves tape what their adjoint needs; store-all's row tapes all", indent=2)
    elif result.why_store_all:
        page.line(f"--leaf-plan: leaves store all, as without it: {result.why_store_all}", "yellow", indent=2)
    for plan in result.plans:
        _rule(page, plan)
    for mid, least in result.too_large:
        page.line(f"{mid}: nothing keeps within --memory; the least that works is {least}", indent=2)
    for run in result.runs:
        _failures(page, run)
    _sizes(page, result)
    for plan in result.plans if look.verbose else result.plans[:1]:
        _capsules(page, plan, look.verbose)
    for one in result.diagnostics:
        page.line()
        where = f"{one.span.file}:{one.span.line}:{one.span.column}"
        page.line(f"{where}: {one.severity} {one.code}: {one.message}", "yellow")
    return page.text()


def _runs(page: Page, result: DivideComparison) -> None:
    table = page.table("run", "equal", "peak", "tape", "capsules", "largest", "recomputed", "slowdown", right=True)
    if result.reference is not None:
        peak = str(result.reference.peak_bytes)
        table.add_row("store-all", "-", peak, peak, "-", "-", "0", "1.0")
    runs, loop = {run.mid: run for run in result.runs}, result.loop
    if loop is not None:
        table.add_row(f"loop {loop.line}, s = {loop.snapshots}", "yes" if loop.equal else "no", str(loop.peak_bytes),
                      str(loop.tape_bytes), f"{loop.capsules}, {loop.capsule_bytes}", str(loop.largest_bytes),
                      str(loop.recomputed_steps), _times(loop.slowdown), style="" if loop.equal else "bold red")
    for plan in result.plans:
        _row(table, plan, runs.get(plan.mid))
    page.show(table)
    page.line()
    page.line("equal: the gradient, bit for bit. peak: bytes at once, of capsules, with that of the beginning, and of "
              "a leaf's tape. capsules: held at once, that of the beginning aside, and all bytes; largest: the largest "
              "one. recomputed: steps run plainly again. slowdown: CPU time, store-all's being 1.", indent=2)


def _row(table: RowsUnderHeaders, plan: DividePlan, run: DividedResult | None) -> None:
    largest = max((one.bytes for one in (plan.start, *plan.capsules.values())), default=0)
    if run is None:
        table.add_row(f"divide, {plan.mid}", "-", str(plan.peak_bytes), str(max(plan.tapes, default=0)),
                      f"{plan.tree.live}, {max(plan.held, default=0)}", str(largest), str(plan.tree.recomputed), "-")
        return
    verdict = "failed" if run.error is not None else "yes" if run.equal else "no"
    table.add_row(f"divide, {plan.mid}", verdict, _figure(run.peak_bytes), _figure(run.tape_bytes),
                  f"{plan.tree.live}, {_figure(run.capsule_bytes)}", _figure(run.largest_bytes),
                  _figure(run.recomputed_steps), _times(run.slowdown),
                  style="" if run.equal else "bold red")


def _times(slowdown: float | None) -> str:
    return "-" if slowdown is None else f"{slowdown:.1f}"


def _figure(value: int | None) -> str:
    return "-" if value is None else str(value)


def _rule(page: Page, plan: DividePlan) -> None:
    rule, tree = plan.rule, plan.tree
    limits = "no limit to d and t" if rule.stop == "none" else f"d = {rule.d}, t = {rule.t}"
    page.line(f"{plan.mid}: {limits}, leaves of at most {rule.alpha} steps: {len(tree.leaves)} of them, the longest "
              f"{tree.longest}; a step is run again {tree.most} times at most", indent=2)


def _failures(page: Page, run: DividedResult) -> None:
    if run.error is not None:
        page.line()
        page.line(f"{run.mid}: the adjoint failed at {run.error}", "bold red")
    for one in run.differences:
        page.line()
        page.line(f"{run.mid}: {difference(one)}", "bold red")


def _sizes(page: Page, result: DivideComparison) -> None:
    """What liveness saves, and what the end of the interval does."""
    table = page.table("capsules' data", "all memory", "live to the end", "live in the interval", "control", right=True)
    shown = False
    for plan in result.plans:
        found = list(plan.capsules.values())
        if found:
            shown = True
            table.add_row(f"{plan.mid}, median", *(str(round(median(getattr(one, name) for one in found)))
                                                   for name in ("state", "to_end", "data", "control")))
    if shown:
        page.show(table)


def _capsules(page: Page, plan: DividePlan, verbose: bool) -> None:
    found = sorted(plan.capsules.values(), key=lambda one: one.at)
    if not found or (len(found) > FEW_CAPSULES and not verbose):
        return
    table = page.table("step", "bytes", "of", "runs next", "active", "holds", whole=(0, 3))
    for one in found:
        table.add_row(str(one.at), str(one.bytes), str(one.state), one.where, str(one.depth), ", ".join(one.variables))
    page.line()
    page.line(f"capsules, {plan.mid}:")
    page.show(table, gap=0)


# ---------------------------------------------------------------- one capsule


def write_capsule(view: CapsuleView, look: Look = _USUAL) -> str:
    """The control stack from the head down, what is live in it and what is not."""
    page, size = look.page(), view.size
    page.line(f"Capsule of {view.head} at step {view.at} of {view.steps} ({view.unit})", "bold")
    page.line(f"{size.bytes} bytes: {size.data} of data, {size.control} of control; all memory has {size.state}")
    for depth, one in enumerate(view.procedures):
        page.line()
        page.line(f"{'runs' if depth == len(view.procedures) - 1 else 'calls'} at {one.file}:{one.line}, in "
                  f"{one.procedure}, entered at step {one.entered}")
        _procedure(page, one)
    return page.text()


def _procedure(page: Page, one: ActiveProcedure) -> None:
    for line, left in one.loops:
        page.line(f"in the loop of line {line}: {left} iterations left, this one among them", indent=2)
    if one.live:
        page.line("live: " + ", ".join(f"{name} ({size})" for name, size in one.live), indent=2)
    for why in sorted({why for _, _, why in one.dead}):
        names = ", ".join(f"{name} ({size})" for name, size, reason in one.dead if reason == why)
        page.line(f"dead, {why}: {names}", indent=2)
