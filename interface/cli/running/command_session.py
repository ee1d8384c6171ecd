"""What every command that reads files does around its work: progress, cache, processes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from snapset.cli.running.progress import Progress
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.visible_text import visible_line
from snapset.library import analysis
from snapset.library.session import Session

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from snapset.analysis.results import HeadResult
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


CAN_FORK = hasattr(os, "fork")

WORTH = 20_000
"""Statements to analyse, counted once for each head, for which an interpreter is worth starting: some seconds."""

WORTH_FORK = 2_500
"""Those for which a fork is, which costs little."""


@contextmanager
def session_for(settings: Settings, no_head: Callable[[Program], Exception]) -> Iterator[Session]:
    """A session on the settings' files, with progress on stderr; what it found is kept when it ends well.

    Raises InputError for malformed strategies and heads before anything long begins, and ``no_head`` where there
    is none.
    """
    from snapset.frontend.persistence.disk_cache import no_cache, open_cache

    analysis.parse_strategies(settings.choices.strategies)
    heads = analysis.parse_heads(settings.heads)
    cache = no_cache() if settings.cache is None else open_cache(settings.cache)
    with Progress(settings.quiet) as progress, _fewer_collections():
        session = Session(
            settings.files, heads, settings.read, settings.regions, cache, progress.stage,
            settings.jobs or cores(), settings.choices.effects,
        )
        session.share = progress.share
        if not heads:
            raise no_head(session.program())
        try:
            yield session
        except InputError:
            cache.close()
            raise
        cache.close()
    if cache.trouble is not None and not settings.quiet:
        print(visible_line(f"note: {cache.trouble}"), file=sys.stderr)


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Nearly all that is made here stays: looking through it for garbage would take a tenth of the time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(10_000_000, 1000, 1000)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def results_of(session: Session, settings: Settings) -> tuple[HeadResult, ...]:
    """The results of all heads, by several processes where that is asked for, or pays."""
    stored = session.stored_results(settings.choices)
    if stored is not None:
        return stored
    with executor_of(session, settings) as executor:
        return session.results(settings.choices, executor)


@contextmanager
def executor_of(session: Session, settings: Settings) -> Iterator[Executor | None]:
    """What runs heads side by side, where that is asked for, or pays."""
    from snapset.library.executors import executor_for

    worth = WORTH_FORK if CAN_FORK else WORTH
    jobs = settings.jobs or (cores() if len(session.heads)*session.statements() >= worth else 1)
    session.processes = 1 if settings.executor is not None else jobs
    with executor_for(settings.executor, 1 if CAN_FORK else jobs, len(session.heads)) as executor:
        yield executor


def cores() -> int:
    """How many processes can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
