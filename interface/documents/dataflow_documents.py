"""``snapset.dataflow/1``: a data-flow problem as an analysis solved it, node by node."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import Names, Struct, said

SetsDocument = Annotated[dict[str, Names], said('The sets by name; "" where there is only one.')]


class NodeSetsDocument(Struct, frozen=True, kw_only=True):
    """One evaluation of the program, in its own order."""

    file: str
    line: int
    kind: Annotated[str, said('"" for a plain statement; enter, leave, test, init, step or part.')]
    at_entry: SetsDocument
    at_exit: SetsDocument


class SolvedProblemDocument(Struct, frozen=True, kw_only=True):
    """The problem as it was solved for one adjoint code, or for one marked part of it, from one border."""

    code: str
    part: Annotated[list[int] | None, said("First and last line of a marked part; null for a whole procedure.")]
    boundary: SetsDocument
    nodes: list[NodeSetsDocument]


class DataFlowDocument(Struct, frozen=True, kw_only=True):
    """One data-flow problem: what it is, and what was found."""

    schema: Literal["snapset.dataflow/1"] = "snapset.dataflow/1"
    problem: str
    direction: Literal["forward", "backward"]
    join: str
    safe: Literal["over-approximation", "under-approximation"]
    summary: str
    equation: str
    module: str
    solved: list[SolvedProblemDocument]
