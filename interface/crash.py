"""What an unforeseen exception says: one line, with the Fortran that was being worked on, and where the traceback is.

The place costs nothing while all goes well: the frames of the traceback still hold the statement.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.visible_text import visible, visible_line

EXIT_CODE = 3
DURING = "while "
"""What a note of an exception begins with that says what was being done
(:class:`snapset.cli.running.progress.Progress`)."""
AT = "at "
"""And one that says where, from a process of which the frames are gone."""

_NO_ROOM = ("failed to map segment", "annot allocate memory")
_EXACT = ("stmt", "statement", "node", "call", "line", "item", "assign")


def described(error: BaseException, arguments: list[str], debug: bool) -> str:
    """The line, without the newline; ``debug``: after the traceback, which else goes to a file."""
    import traceback

    head = f"{_where(error)}error: {_doing(error)}: {_named(error)}; this is a bug in snapset"
    text = "".join(traceback.format_exception(error))
    if debug:
        print(visible(text), file=sys.stderr, end="")
        return head
    return f"{head}; {_kept(text, arguments)}"


def is_exhaustion(error: BaseException) -> bool:
    """Is it the machine that has not enough memory (or processes) for this run?

    A library that cannot be mapped into memory is an ImportError; a process that was killed for its memory leaves a
    broken pool.
    """
    if isinstance(error, ImportError):
        return any(words in str(error) for words in _NO_ROOM)
    return isinstance(error, MemoryError) or type(error).__name__ == "BrokenProcessPool" or \
        (isinstance(error, RuntimeError) and "can't start new thread" in str(error))


def exhausted(error: BaseException) -> str:
    """The line where memory is not enough."""
    return f"{_where(error)}error: {_doing(error)}: not enough memory; give it more, or fewer files"


def place_of(error: BaseException) -> Span | None:
    """The statement that was being worked on, as far as the innermost frame that has one tells."""
    loose: Span | None = None
    for frame in reversed(list(_frames(error))):
        exact, near = _spans(frame)
        if exact is not None:
            return exact
        loose = loose or near
    return loose


@contextmanager
def placed() -> Iterator[None]:
    """In another process: an exception is given a note of the statement, as its frames do not travel."""
    try:
        yield
    except Exception as error:
        span = place_of(error)
        if span is not None:
            error.add_note(f"{AT}{span.file}:{span.line}:{span.column}")
        raise


def _frames(error: BaseException) -> Iterator[dict[str, object]]:
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_locals
        trace = trace.tb_next


def _spans(names: dict[str, object]) -> tuple[Span | None, Span | None]:
    """Of a frame's names: a statement's place, and that of anything else (a procedure, what is being lowered)."""
    exact = (_span(names[name]) for name in _EXACT if name in names)
    return next(filter(None, exact), None), next(filter(None, map(_span, names.values())), None)


def _span(value: object) -> Span | None:
    found = value if isinstance(value, Span) else getattr(value, "span", None)
    if found is None:
        found = getattr(getattr(value, "ctx", None), "span", None)
    return found if isinstance(found, Span) else None


def _where(error: BaseException) -> str:
    try:
        span = place_of(error)
    except Exception:  # whatever a half-made object does when it is asked
        span = None
    if span is not None:
        return f"{span.file}:{span.line}:{span.column}: "
    return next((f"{note.removeprefix(AT)}: " for note in _notes(error) if note.startswith(AT)), "")


def _doing(error: BaseException) -> str:
    found = [note.removeprefix(DURING) for note in _notes(error) if note.startswith(DURING)]
    return found[0] if found else "running the command"


def _notes(error: BaseException) -> list[str]:
    return getattr(error, "__notes__", [])


def _named(error: BaseException) -> str:
    text = visible_line(str(error)[:200])
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _kept(text: str, arguments: list[str]) -> str:
    """Where the traceback is. The file is new, of a name nobody can foresee, and the user's alone."""
    import tempfile

    command = " ".join(["snapset", *arguments])
    try:
        handle, path = tempfile.mkstemp(prefix="snapset-", suffix=".traceback")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(visible(f"{command}\nPython {sys.version}\n\n{text}"))
    except OSError as why:
        return f"its traceback could not be written ({why.strerror}): --debug prints it"
    return f"its traceback is in {path}, and --debug prints it"
