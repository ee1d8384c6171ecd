"""Figures of heads and parts against the project file's budgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from snapset.analysis.results import Bytes, HeadResult
from snapset.check.lock_comparison import Finding
from snapset.check.lock_file import keys
from snapset.config.budget_table import Budget
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.nearest_name import nearest
from snapset.library.analysis import parse_heads
from snapset.render.layout.byte_figures import Figures


@frozen
class _Subject:
    """What a budget may be for: its figures by strategy and name, and where it stands."""

    head: str
    span: Span | None
    figures: Mapping[str, Mapping[str, Bytes | None]]


def exceeded(budgets: Sequence[Budget], results: Iterable[HeadResult], figures: Figures,
             whole: bool) -> tuple[Finding, ...]:
    """The budgets that do not hold. ``whole``: all heads of the project were analysed.

    Raises InputError with the project file's line for a head, part, figure or strategy that is not there.
    """
    subjects = dict(_subjects(results))
    return tuple(sorted(one for budget in budgets for one in _exceeded(budget, subjects, figures, whole)))


def _subjects(results: Iterable[HeadResult]) -> Iterator[tuple[str, _Subject]]:
    for result in results:
        yield result.head, _Subject(result.head, None, {
            name: {"peak": one.peak_bytes, "traffic": one.traffic_bytes} for name, one in result.totals.items()})
        for key, part in keys(result.parts).items():
            yield key, _Subject(result.head, Span(part.file, part.first_line, part.last_line), {
                name: {"snapshot": one.snapshot_bytes, "peak": one.peak_bytes, "traffic": one.traffic_bytes}
                for name, one in part.solutions.items()})


def _exceeded(budget: Budget, subjects: Mapping[str, _Subject], figures: Figures, whole: bool) -> Iterator[Finding]:
    name = budget.name if budget.name in subjects else _canonical(budget.name)
    subject = subjects.get(name)
    if subject is None:
        if whole:
            raise InputError(f"budgets: {budget.name}: no head or part is called so{nearest(name, subjects)}",
                             budget.span)
        return
    if budget.strategy is not None and budget.strategy not in subject.figures:
        raise InputError(f"budgets: {budget.name}: strategy {budget.strategy} is not analysed; analysed are "
                         f"{', '.join(subject.figures)}", budget.span)
    for strategy, amounts in subject.figures.items():
        if budget.strategy not in (None, strategy):
            continue
        if budget.figure not in amounts:
            raise InputError(f"budgets: {budget.name}: a head has no {budget.figure}, only {', '.join(amounts)}",
                             budget.span)
        said = _said(budget, figures(amounts[budget.figure]))
        if said:
            yield Finding(subject.span or budget.span, name, f"{strategy}: {said}", "budget", subject.head, strategy)


def _canonical(name: str) -> str:
    """A head as results spell it."""
    try:
        heads = parse_heads([name])
    except InputError:
        return name
    return heads[0].text if len(heads) == 1 else name


def _said(budget: Budget, figure: int | str | None) -> str:
    if isinstance(figure, int):
        return f"{budget.figure} {figure} bytes, {figure - budget.most} over its budget of {budget.most}" if (
            figure > budget.most) else ""
    shown = "unknown" if figure is None else f"{figure} bytes"
    return f"{budget.figure} is {shown}: its budget of {budget.most} bytes needs numbers, by assume in the project file"
