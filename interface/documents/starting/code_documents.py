"""``snapset.codes/1``: what diagnostics mean."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import Names, Struct, said


class CodeExampleDocument(Struct, frozen=True, kw_only=True):
    """A program, and the command that is run on it."""

    command: Annotated[Names, said("Word by word, behind snapset.")]
    files: Annotated[dict[str, str], said("By name, what stands in them.")]


class CodeDocument(Struct, frozen=True, kw_only=True):
    """A diagnostic, with a program that gets it and one that is cured."""

    code: str
    severities: Names
    summary: str
    why: str
    remedy: str
    example: CodeExampleDocument
    cured: CodeExampleDocument


class CodesDocument(Struct, frozen=True, kw_only=True):
    """All codes that were asked for, in that order."""

    schema: Literal["snapset.codes/1"] = "snapset.codes/1"
    codes: list[CodeDocument]
