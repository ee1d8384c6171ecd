"""``snapset.init/1``: a first project file, and what was found for it."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import Names, Struct, said


class FoundHeadDocument(Struct, frozen=True, kw_only=True):
    """A head that a makefile or script gives Tapenade."""

    head: str
    file: str
    line: int


class InitDocument(Struct, frozen=True, kw_only=True):
    """The project file, and what it was made from."""

    schema: Literal["snapset.init/1"] = "snapset.init/1"
    file: str
    written: Annotated[bool, said("False with --print.")]
    text: Annotated[str, said("What stands in the file.")]
    sources: Annotated[Names, said("Patterns of the Fortran files.")]
    heads: list[FoundHeadDocument]
    include_paths: Names
    macros: Annotated[Names, said("As a build defines them, where a source asks for them.")]
    preprocess: bool
    generated: Annotated[Names, said("Files left out because a tool made them.")]
    copies: Annotated[Names, said("Files left out because they are copies of others.")]
    complete: Annotated[bool, said("False where there were too many files to look at all.")]
