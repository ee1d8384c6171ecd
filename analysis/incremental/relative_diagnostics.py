"""Diagnostics as seen from the line that their procedure begins in, so that it may move."""

from __future__ import annotations

from typing import TypeAlias

from snapset.frontend.base.diagnostics import Diagnostic, Span

Relative: TypeAlias = tuple[str, str, str, str | None, int, int, int]


def relative(found: Diagnostic, home: Span) -> Relative:
    """A diagnostic as seen from the line its procedure begins in."""
    span = found.span
    if span.file != home.file:
        return found.code, found.severity, found.message, span.file, span.line, span.end_line, span.column
    return (found.code, found.severity, found.message, None, span.line - home.line, span.end_line - home.line,
            span.column)


def absolute(found: Relative, home: str, first: int) -> Diagnostic:
    """The diagnostic again, its procedure beginning in line ``first`` of file ``home``."""
    code, severity, message, file, line, end, column = found
    if file is None:
        return Diagnostic(code, severity, message, Span(home, first + line, first + end, column))  # type: ignore[arg-type]
    return Diagnostic(code, severity, message, Span(file, line, end, column))  # type: ignore[arg-type]
