"""Programs that are equal to one another and share other nodes: none at all, or all that are equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar

T = TypeVar("T")


def separated(value: T) -> T:
    """An equal value in which no node stands in two places."""
    return _again(value, lambda made: made)


def shared(value: T) -> T:
    """An equal value in which equal nodes are one object."""
    known: dict[tuple[type, str], Any] = {}
    return _again(value, lambda made: known.setdefault((type(made), repr(made)), made))


def _again(value: Any, keep: Callable[[Any], Any]) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        made = type(value)(**{one.name: _again(getattr(value, one.name), keep) for one in fields(value)})
        return keep(made)
    if isinstance(value, tuple):
        made = (_again(one, keep) for one in value)
        return keep(type(value)(*made) if hasattr(value, "_fields") else tuple(made))
    if isinstance(value, Mapping):
        return MappingProxyType({key: _again(one, keep) for key, one in value.items()})
    return value


def objects(value: Any) -> list[int]:
    """The identity of every dataclass object in a value, place by place."""
    found: list[int] = []
    if is_dataclass(value) and not isinstance(value, type):
        found.append(id(value))
        for one in fields(value):
            found += objects(getattr(value, one.name))
    elif isinstance(value, tuple):
        for one in value:
            found += objects(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            found += objects(one)
    return found
