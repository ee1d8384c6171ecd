"""Statements and expressions with something in them replaced, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.diagnostics import Span

T = TypeVar("T")
_LEAVES = (Span, ir.Type, ir.Signature, ir.Transfer)
Change = Callable[[Any], Any]


@deep
def rewritten(node: T, change: Change) -> T:
    """``node``, a statement, an expression or a tuple of such, with ``change`` applied to all that is in it, what is
    inside of something before it: of `y = a(i) + 1` first to `i`, then to `a(i)` and to `1`, at last to the statement.
    What stays the same is the same object."""
    found: Any = node
    if isinstance(node, tuple):
        inner = [rewritten(one, change) for one in node]
        if any(new is not old for new, old in zip(inner, node, strict=True)):
            found = tuple(inner)
        return found  # type: ignore[no-any-return]
    if not is_dataclass(node) or isinstance(node, _LEAVES):
        return node
    new = {name: rewritten(old, change) for name in _names(node.__class__) if (old := getattr(node, name)) is not None}
    if any(value is not getattr(node, name) for name, value in new.items()):
        found = replace(found, **new)
    return change(found)  # type: ignore[no-any-return]


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a class that may hold statements or expressions."""
    return tuple(one.name for one in fields(kind) if one.name not in ("span", "end", "name", "type", "id", "label"))


def retargeted(body: ir.Block, keys: Mapping[str, str]) -> ir.Block:
    """``body`` with calls of other procedures: ``keys`` leads from a procedure to the one in its place."""

    def change(node: Any) -> Any:
        if isinstance(node, ir.Call):
            dispatch = node.dispatch and replace(
                node.dispatch, ways=tuple((kind, keys.get(key, key)) for kind, key in node.dispatch.ways))
            return replace(node, targets=tuple(keys.get(key, key) for key in node.targets), dispatch=dispatch)
        if isinstance(node, ir.ProcedureRef) and node.key is not None:
            return replace(node, key=keys.get(node.key, node.key))
        return node

    return rewritten(body, change)


def moved(variables: Mapping[str, ir.Variable], owner: str, key: str) -> Mapping[str, ir.Variable]:
    """The variables of a copy, ``key``, of the procedure ``owner``: its own ones, but for those that are SAVEd."""
    return MappingProxyType({
        name: replace(one, area=one.area._replace(owner=key))
        if one.area.owner == owner and one.area.kind in ("local", "formal", "temporary") else one
        for name, one in variables.items()})
