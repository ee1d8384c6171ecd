"""Where something is (Span), what is to be said about it (Diagnostic), and unusable input (InputError)."""

from __future__ import annotations

from typing import Literal

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.visible_text import visible_line

Severity = Literal["note", "warning", "error"]


@frozen(quick=True, order=True)
class Span:
    """A stretch of source text in the user's own file (includes and preprocessing undone).

    ``line`` and ``end_line`` are 1-based and inclusive; they differ for continued statements.
    """

    file: str
    line: int
    end_line: int
    column: int = 1


@frozen(order=True)
class Diagnostic:
    """One remark about the program: a stable code (``SN101``), how bad, where, and what to do."""

    code: str
    severity: Severity
    message: str
    span: Span


class InputError(Exception):
    """The input or the command line is unusable (exit code 2).

    ``str(error)`` is the one line to print: ``file:line:column: error: what, and what to do``.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.message = message
        self.span = span
        where = f"{span.file}:{span.line}:{span.column}: " if span else ""
        super().__init__(visible_line(f"{where}error: {message}"))
