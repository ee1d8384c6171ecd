"""Procedures whose statements are read from the cache when they are asked for, and what is known of them before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements


@dataclass(frozen=True, slots=True)
class Brief:
    """What others ask of a procedure's statements.

    ``callees``: the procedures with source that its calls may run, each once, in order of first mention. ``outside``:
    its calls of procedures without source. ``opaque``: something in it was not understood. ``checkpoints``: every call
    is one. ``indirect``: some call is not by name.
    """

    callees: tuple[str, ...]
    outside: tuple[ir.Call, ...]
    opaque: bool
    checkpoints: bool
    indirect: bool


@dataclass(frozen=True, slots=True)
class SourceHashes:
    """Hashes: of all that a procedure's statements were made from, and of what is declared outside of procedures.
    ``changed``: the statements are others now."""

    digest: bytes
    shared: bytes
    brief: Brief
    changed: bool = False


def brief_of(procedure: ir.Procedure) -> Brief:
    """What is asked of a procedure's statements; kept where the procedure came through the cache."""
    source = source_of(procedure)
    return look_at(procedure.body, procedure.opaque) if source is None else source.brief


def look_at(body: ir.Block, why_opaque: str | None) -> Brief:
    """One walk through the statements."""
    callees: dict[str, None] = {}
    outside: list[ir.Call] = []
    opaque, checkpoints, indirect = why_opaque is not None, True, False
    for stmt in statements(body):
        if isinstance(stmt, ir.Call):
            callees.update(dict.fromkeys(stmt.targets))
            if not stmt.targets and not stmt.intrinsic:
                outside.append(stmt)
            indirect = indirect or stmt.via != "name"
            checkpoints = checkpoints and stmt.checkpoint
        elif isinstance(stmt, ir.Opaque):
            opaque = True
    return Brief(tuple(callees), tuple(outside), opaque, checkpoints, indirect)


class KeptProcedure(ir.Procedure):
    """A procedure that knows where it came from. Its ``body`` may still be in the cache."""

    __slots__ = ("_load", "source")

    source: SourceHashes
    _load: Callable[[], ir.Block]

    def __getattr__(self, name: str) -> Any:
        if name != "body":
            raise AttributeError(name)
        body = object.__getattribute__(self, "_load")()
        object.__setattr__(self, "body", body)
        return body

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ir.Procedure):
            return NotImplemented
        return all(getattr(self, one.name) == getattr(other, one.name) for one in fields(ir.Procedure))

    __hash__ = ir.Procedure.__hash__


def kept(procedure: ir.Procedure, source: SourceHashes, load: Callable[[], ir.Block] | None = None) -> KeptProcedure:
    """``procedure`` with its source; ``load``: gives its body, which is not there yet."""
    made = object.__new__(KeptProcedure)
    for one in fields(ir.Procedure):
        if one.name != "body" or load is None:
            object.__setattr__(made, one.name, getattr(procedure, one.name))
    object.__setattr__(made, "source", source)
    if load is not None:
        object.__setattr__(made, "_load", load)
    return made


def changed(procedure: ir.Procedure, body: ir.Block,
            variables: Mapping[str, ir.Variable] | None = None) -> ir.Procedure:
    """``procedure`` with another body, and a source that says so."""
    made = replace(procedure, body=body, variables=procedure.variables if variables is None else variables)
    source = source_of(procedure)
    return made if source is None else kept(made, replace(source, brief=look_at(body, procedure.opaque), changed=True))


def source_of(procedure: ir.Procedure) -> SourceHashes | None:
    """Where a procedure came from; None where it was made or changed since."""
    return getattr(procedure, "source", None) if isinstance(procedure, KeptProcedure) else None
