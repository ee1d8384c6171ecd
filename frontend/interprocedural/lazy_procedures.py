"""Procedures whose statements are read from the cache when they are asked for, and what is known of them before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.memo import Memo
from snapset.frontend.ir.statement_walk import statements


@frozen
class BodyFacts:
    """What callers, the call graph and the options ask about a procedure's statements, without reading them.

    ``callees``: the procedures with source that its calls may run, each once, in order of first mention. ``outside``:
    its calls of procedures without source. ``opaque``: something in it was not understood. ``checkpoints``: every call
    is one. ``indirect``: some call is not by name. ``stops``: it holds a STOP.
    """

    callees: tuple[str, ...]
    outside: tuple[ir.Call, ...]
    opaque: bool
    checkpoints: bool
    indirect: bool
    stops: bool


@frozen
class SourceHashes:
    """Where a procedure's statements came from, as hashes, so that they can be read from the cache again.

    ``digest``: of all that the statements were made from. ``shared``: of what is declared outside of procedures.
    ``changed``: the statements were replaced since."""

    digest: bytes
    shared: bytes
    body_facts: BodyFacts
    changed: bool = False


def body_facts_of(procedure: ir.Procedure) -> BodyFacts:
    """The facts about a procedure's body: those stored with it in the cache, else found by reading its statements."""
    source = source_of(procedure)
    return _FACTS.get(procedure, _scanned) if source is None else source.body_facts


def _scanned(procedure: ir.Procedure) -> BodyFacts:
    return scan_body(procedure.body, procedure.opaque)


_FACTS: Memo[ir.Procedure, BodyFacts] = Memo(1 << 14)


def scan_body(body: ir.Block, why_opaque: str | None) -> BodyFacts:
    """Collect the facts about a body in one walk through its statements."""
    callees: dict[str, None] = {}
    outside: list[ir.Call] = []
    opaque, checkpoints, indirect, stops = why_opaque is not None, True, False, False
    for stmt in statements(body):
        if isinstance(stmt, ir.Call):
            callees.update(dict.fromkeys(stmt.targets))
            if not stmt.targets and not stmt.intrinsic:
                outside.append(stmt)
            indirect = indirect or stmt.via != "name"
            checkpoints = checkpoints and stmt.checkpoint
        elif isinstance(stmt, ir.Opaque):
            opaque = True
        elif isinstance(stmt, ir.Stop):
            stops = True
    return BodyFacts(tuple(callees), tuple(outside), opaque, checkpoints, indirect, stops)


class CachedProcedure(ir.Procedure):
    """A procedure with the hashes of its source. Its ``body`` is read from the cache when it is first asked for."""

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


def remember_source(procedure: ir.Procedure, source: SourceHashes,
                    load: Callable[[], ir.Block] | None = None) -> CachedProcedure:
    """Give ``procedure`` the hashes of its source. ``load`` reads its body; None: the body is there already."""
    made = object.__new__(CachedProcedure)
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
    if source is None:
        return made
    return remember_source(made, replace(source, body_facts=scan_body(body, procedure.opaque), changed=True))


def source_of(procedure: ir.Procedure) -> SourceHashes | None:
    """Where a procedure came from; None where it was made or changed since."""
    return getattr(procedure, "source", None) if isinstance(procedure, CachedProcedure) else None
