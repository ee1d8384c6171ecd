"""One diagnostic as a record: what it says, why, what cures it, and a program before and after the cure.

The documentation page, ``snapset explain SN105`` and the test that runs every example are made from these records.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent
from types import MappingProxyType

from snapset.frontend.base.diagnostics import Diagnostic, Severity, Span
from snapset.frontend.base.frozen_records import frozen

FILE = "example.f90"
HEAD = "p(x)>(y)"


@frozen
class Example:
    """Files (name to text), and the words behind ``snapset`` that are run in their directory."""

    files: Mapping[str, str]
    command: tuple[str, ...]


@frozen
class Rule:
    """One diagnostic. ``severities``: the usual one first. ``summary``: what is found; ``remedy``: what to do, in a
    few words; ``why``: why it matters, in sentences. ``example`` is given the code, ``cured`` is not."""

    code: str
    severities: tuple[Severity, ...]
    summary: str
    why: str
    remedy: str
    example: Example
    cured: Example

    def at(self, message: str, span: Span, severity: Severity | None = None) -> Diagnostic:
        """This diagnostic at a place; the usual severity unless another one of the record's is given.

        Raises:
            ValueError: the record has no such severity.
        """
        chosen = severity or self.severities[0]
        if chosen not in self.severities:
            raise ValueError(f"{self.code} is never a {chosen}")
        return Diagnostic(self.code, chosen, message, span)


def source(text: str, *options: str, command: str = "report", name: str = FILE, head: str = HEAD,
           **others: str) -> Example:
    """An example of one file and of ``others`` (``grids=...`` is the file grids.f90), with the options of its
    command."""
    first = text.strip("\n") + "\n" if name.endswith(".f") else _lines(text)  # columns count in fixed form
    files = {name: first} | {f"{stem}.f90": _lines(other) for stem, other in others.items()}
    return Example(MappingProxyType(files), (command, *files, "--head", head, *options))


def marked(part: str, before: str = "", behind: str = "", declared: str = "") -> Example:
    """A procedure with one marked part."""
    body = [*_indented(declared), *_indented(before), "  !$AD CHECKPOINT-START", *_indented(part),
            "  !$AD CHECKPOINT-END", *_indented(behind)]
    start = ["subroutine p(x, y)", "  real(8), intent(in) :: x", "  real(8), intent(out) :: y"]
    return source("\n".join([*start, *body, "  y = y*y", "end subroutine"]))


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _lines(text: str) -> str:
    return dedent(text).strip("\n") + "\n"
