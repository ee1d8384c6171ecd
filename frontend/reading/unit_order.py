"""The order in which units are built: modules before their users, parents before submodules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Unit
from snapset.frontend.reading.unreadable_units import Failures

_USE = pattern_of(r"use\b\s*(?:,\s*(intrinsic|non_intrinsic)\s*)?(?:::)?\s*([a-z]\w*)\s*(?:,|$)")
_SUBMODULE = pattern_of(r"submodule\s*\(\s*(\w+)\s*(?::\s*(\w+)\s*)?\)")


@frozen
class UnitOrder:
    """Program units in the order they are built in.

    ``externals``: external procedures with source, name to key. ``implemented``: all keys there will be.
    """

    modules: tuple[Unit, ...]
    others: tuple[Unit, ...]
    externals: Mapping[str, str]
    implemented: frozenset[str]

    def owner(self, unit: Unit) -> str:
        """A module's name; a submodule's is ``module:name``."""
        return owner(unit)

    def parent(self, unit: Unit) -> str:
        """The owner of the module or submodule a submodule extends."""
        return parent(unit)


def owner(unit: Unit) -> str:
    if unit.kind != "submodule":
        return unit.name
    return f"{_ancestry(unit)[0]}:{unit.name}"


def parent(unit: Unit) -> str:
    ancestor, nearer = _ancestry(unit)
    return f"{ancestor}:{nearer}" if nearer else ancestor


def _ancestry(unit: Unit) -> tuple[str, str | None]:
    found = _SUBMODULE.match(unit.header.text) if unit.header is not None else None
    if found is None:
        raise InputError(f"submodule `{unit.name}` does not name its module", place(unit))
    return found[1], found[2]


def place(unit: Unit) -> Span:
    return (unit.header or unit.end).span


def in_order(units: Sequence[Unit], failures: Failures) -> UnitOrder:
    """Raises InputError for two units of one name, and modules that use each other in a circle, unless ``failures``
    takes the error."""
    modules: dict[str, Unit] = {}
    others: list[Unit] = []
    seen: dict[str, Unit] = {}
    for unit in units:
        name = owner(unit)
        if unit.kind != "block data":
            with failures.of(unit):
                _only(seen.get(name), unit)
                seen[name] = unit
        if unit.kind in ("module", "submodule"):
            modules[name] = unit
        else:
            others.append(unit)
        with failures.of(unit):
            _unique_inside(unit)
    externals = {unit.name: unit.name for unit in others if unit.kind in ("subroutine", "function")}
    return UnitOrder(_sorted(modules, failures), tuple(others), externals, frozenset(_keys(units)))


def _only(first: Unit | None, unit: Unit) -> None:
    if first is not None:
        at = place(first)
        raise InputError(
            f"{unit.kind} `{unit.name}` is defined twice, first at {at.file}:{at.line}; remove one", place(unit)
        )


def _unique_inside(unit: Unit) -> None:
    pending = [unit]
    while pending:
        one = pending.pop()
        seen: dict[str, Unit] = {}
        for inner in one.contains:
            if inner.name in seen:
                at = place(seen[inner.name])
                raise InputError(f"`{inner.name}` is defined twice in `{one.name}`, first at {at.file}:{at.line}; "
                                 "remove one", place(inner))
            seen[inner.name] = inner
        pending.extend(one.contains)


def _keys(units: Sequence[Unit]) -> Iterator[str]:
    """Keys of separate module procedures, wherever their bodies are, and of all contained procedures."""
    for unit in units:
        if unit.kind in ("module", "submodule"):
            ancestor = owner(unit).partition(":")[0]
            for inner in unit.contains:
                yield f"{ancestor}::{inner.name}"
        elif unit.kind in ("subroutine", "function"):
            yield unit.name


def _sorted(modules: Mapping[str, Unit], failures: Failures) -> tuple[Unit, ...]:
    """Modules after those they need, without recursion."""
    done: dict[str, None] = {}
    for root in modules:
        stack: list[tuple[str, Iterator[str]]] = []
        if root not in done:
            stack.append((root, iter(used_modules(modules[root]))))
        while stack:
            name, needs = stack[-1]
            following = next((n for n in needs if n in modules and n not in done), None)
            if following is None:
                done[name] = None
                stack.pop()
            elif any(name == following for name, _ in stack):
                through = ", ".join(n for n, _ in stack)
                with failures.of(modules[following]):
                    raise InputError(f"module `{following}` uses itself, through {through}; remove one USE",
                                     place(modules[following]))
            else:
                stack.append((following, iter(used_modules(modules[following]))))
    return tuple(modules[name] for name in done)


def used_modules(unit: Unit) -> tuple[str, ...]:
    """The modules a unit and its procedures use, and a submodule's parent."""
    found: dict[str, None] = {}
    if unit.kind == "submodule":
        found[parent(unit)] = None
    pending = [unit]
    while pending:
        one = pending.pop()
        for item in one.items:
            if isinstance(item, Line) and item.text.startswith("use"):
                use = _USE.match(item.text)
                if use is not None and use[1] != "intrinsic":
                    found[use[2]] = None
        pending.extend(one.contains)
    return tuple(found)
