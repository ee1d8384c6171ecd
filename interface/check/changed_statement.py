"""The statement to show for a change: the first one that reads or writes a location, before, in or after a part.

For people only: names are compared as they stand in the source, nothing is computed from this.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Literal, TypeAlias

from snapset.analysis.results import Part
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.ir import IO, Assign, Call, Do, Procedure, Program, Ref, Stmt

Relation: TypeAlias = Literal["read before", "read in C", "written in C", "written in D"]


def statement(program: Program, part: Part, location: str, relation: Relation) -> Span | None:
    """None where no statement names the location: a callee's, or one through a pointer."""
    procedure = _procedure(program, part.procedure)
    if procedure is None:
        return None
    name = location.rpartition("::")[2].partition("%")[0]
    every = sorted(_statements(procedure.body), key=lambda one: one.span)
    inside = [one for one in every if part.first_line <= one.span.line <= part.last_line]
    before = [one for one in every if one.span.line < part.first_line]
    after = [one for one in every if one.span.line > part.last_line]
    # In a loop, what stands before the part also runs after it.
    candidates = {"read before": before, "read in C": inside, "written in C": inside, "written in D": after + before}
    written = relation in ("written in C", "written in D")
    for one in candidates[relation]:
        if name in (_written(one) if written else _read(one)):
            return one.span
    return None


def _procedure(program: Program, name: str) -> Procedure | None:
    found = program.procedures.get(name)
    return found or next((one for one in program.procedures.values() if one.name == name), None)


def _statements(tree: Any) -> Iterator[Stmt]:
    if isinstance(tree, Stmt):
        yield tree
    for inner in _inner(tree):
        yield from _statements(inner)


def _inner(tree: Any) -> Iterator[Any]:
    """What a node holds, one level down."""
    if isinstance(tree, tuple):
        yield from tree
    elif is_dataclass(tree) and not isinstance(tree, type | Span):
        yield from (getattr(tree, one.name) for one in fields(tree))


def _written(one: Stmt) -> set[str]:
    match one:
        case Assign(target=target):
            return {target.name}
        case Do(var=var):
            return {var.name}
        case Call(args=args, result=result):
            return {arg.value.name for arg in args if isinstance(arg.value, Ref)} | ({result.name} if result else set())
        case IO(writes=writes):
            return _names(writes)
        case _:
            return set()


def _read(one: Stmt) -> set[str]:
    """Names in the statement's own expressions: not in the statements inside it, not what it assigns whole."""
    if isinstance(one, Assign):
        return _names((one.value, tuple(part.subscripts for part in one.target.parts)))
    return _names(tuple(_inner(one)))


def _names(tree: Any) -> set[str]:
    if isinstance(tree, Stmt):
        return set()
    found = {tree.name} if isinstance(tree, Ref) else set()
    return found.union(*(_names(inner) for inner in _inner(tree)))
