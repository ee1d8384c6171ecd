"""What several documents hold: figures, numbers, places in files, diagnostics."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

__all__ = ["DiagnosticDocument", "Figure", "Names", "Number", "PlaceDocument", "Struct", "said"]


def said(description: str) -> Meta:
    """What the schema says of a field."""
    return Meta(description=description)


Figure: TypeAlias = Annotated[
    int | str | None,
    said("An integer where it is known, else a formula in the program's own names (8*n - 16); null: not known."),
]
Number: TypeAlias = Annotated[
    int | float | bool | str | None,
    said('JSON has no NaN and no infinity: they are the strings "nan", "inf", "-inf". Of CHARACTER the text.'),
]
Names: TypeAlias = list[str]


class DiagnosticDocument(Struct, frozen=True, kw_only=True):
    """Something that is said about the program; docs/diagnostics.md explains the codes."""

    code: Annotated[str, Meta(pattern="^SN[0-9]{3}$")]
    severity: Literal["note", "warning", "error"]
    message: str
    file: str
    line: int
    column: int


class PlaceDocument(Struct, frozen=True, kw_only=True):
    """A line of a file."""

    file: str
    line: int
