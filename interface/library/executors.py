"""Where heads are analysed: in this process, in several, or on the workers of a Dask scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from snapset.frontend.base.diagnostics import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

SECONDS = 10
"""How long to wait for a Dask scheduler to answer."""


@contextmanager
def executor_for(asked: str | None, jobs: int, tasks: int) -> Iterator[Executor | None]:
    """Runs ``tasks`` tasks at most ``jobs`` at a time, or on what ``asked`` names (``dask:ADDRESS``).

    None: there is nothing to run side by side. Raises InputError for an executor that there is not.
    """
    if asked is not None:
        with _named(asked) as executor:
            yield executor
    elif min(jobs, tasks) > 1:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(min(jobs, tasks), mp_context=get_context("spawn"),
                                 initializer=_few_collections) as pool:
            yield pool
    else:
        yield None


def _few_collections() -> None:
    """Nearly all that a worker makes stays to its end, as in the command: looking for garbage would take most of its
    time."""
    import gc

    gc.set_threshold(10_000_000, 1000, 1000)


@contextmanager
def _named(asked: str) -> Iterator[Executor]:
    kind, _, address = asked.partition(":")
    if kind != "dask" or not address:
        raise InputError(f"--executor {asked}: write dask:ADDRESS, such as dask:tcp://127.0.0.1:8786")
    try:
        from distributed import Client
    except ImportError:
        raise InputError(f"--executor {asked}: Dask is not installed; pip install 'snapset[dask]'") from None
    try:
        client = Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"--executor {asked}: no scheduler answers there ({why})") from None
    with client, client.get_executor() as executor:
        yield executor
