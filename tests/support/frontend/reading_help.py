"""Short ways to read text in the tests of the reading stage."""

from __future__ import annotations

from snapset.frontend.base.source_model import Item, Line, Pragma, ReadOptions, Unit
from snapset.frontend.reading.read import split_units, text_items


def items(text: str, path: str = "t.f90", options: ReadOptions | None = None) -> tuple[Item, ...]:
    return text_items(text, path, options or ReadOptions())


def lines(text: str, path: str = "t.f90") -> list[Line]:
    return [item for item in items(text, path) if isinstance(item, Line)]


def texts(text: str, path: str = "t.f90") -> list[str]:
    return [line.text for line in lines(text, path)]


def fixed(*statements: str) -> list[str]:
    """Fixed-form statements, each starting in column 7."""
    return texts("\n".join(f"      {statement}" for statement in statements), "t.f")


def free(*statements: str) -> list[str]:
    return texts("\n".join(statements))


def units(text: str, path: str = "t.f90") -> tuple[Unit, ...]:
    return split_units(items(text, path), path)


def shape(unit: Unit) -> object:
    """A unit's kind and name, with those of its contained ones."""
    inner = [shape(one) for one in unit.contains]
    return (unit.kind, unit.name, inner) if inner else (unit.kind, unit.name)


def body(unit: Unit) -> list[str]:
    return [item.text if isinstance(item, Line) else f"$ad {item.kind}" for item in unit.items]


def pragmas(text: str, path: str = "t.f90") -> list[tuple[str, int]]:
    return [(item.kind, item.span.line) for item in items(text, path) if isinstance(item, Pragma)]
