"""A time loop under schedules as JSON: the schema ``snapset.loop-replay/1``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.documents.common_documents import PlaceDocument
from snapset.documents.loop_replay_documents import (
    LoopFiguresDocument,
    LoopReplayDocument,
    LostLocationDocument,
    ScheduleRunDocument,
)
from snapset.render.records.replay_json import difference, used_input
from snapset.render.records.report_json import diagnostic

if TYPE_CHECKING:
    from snapset.analysis.replay.timeloop.schedule_results import LoopFigures, LoopReplay


def document(result: LoopReplay) -> LoopReplayDocument:
    """The whole document."""
    return LoopReplayDocument(
        head=result.head,
        loop=PlaceDocument(file=result.file, line=result.line),
        inputs=[used_input(one) for one in result.inputs],
        steps=list(result.steps),
        memory=result.memory,
        restart_bytes=result.restart,
        dependency_bytes=result.dependencies,
        schedules={
            run.name: ScheduleRunDocument(
                equal=run.equal, error=run.error, differences=[difference(one) for one in run.differences],
                measured=_figures(run.measured), predicted=_figures(run.predicted), as_predicted=run.as_predicted,
                by_formula=run.by_formula)
            for run in result.runs
        },
        lost=None if result.lost is None else [
            LostLocationDocument(set=one.set, location=one.location, superfluous=one.superfluous)
            for one in result.lost],
        diagnostics=[diagnostic(one) for one in result.diagnostics],
    )  # fmt: skip


def _figures(one: LoopFigures | None) -> LoopFiguresDocument | None:
    if one is None:
        return None
    return LoopFiguresDocument(stored_bytes=one.stored, peak_bytes=one.peak, forward_steps=one.forward,
                               writes=one.writes, reads=one.reads, written_bytes=one.written, read_bytes=one.read)
