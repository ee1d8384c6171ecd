"""Expressions as parsed, before names are known: what :mod:`snapset.frontend.parsing.expression_parser` returns.

``x(1)``, ``fun(y)`` and ``c(1:3)`` look alike here; :mod:`snapset.frontend.resolution.expression_resolution` tells
them apart.
All names are lower case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A literal. ``value`` None for BOZ and Hollerith. ``kind`` is the kind parameter's text (``8``, ``wp``).

    ``double`` marks a ``d`` exponent. A character literal has a str value, a complex one a pair of Raw.
    """

    value: int | float | bool | str | None
    kind: str | None = None
    double: bool = False


@dataclass(frozen=True, slots=True)
class Complex:
    real: Raw
    imag: Raw


@dataclass(frozen=True, slots=True)
class Triplet:
    """``lower:upper:step`` in an argument list."""

    lower: Raw | None
    upper: Raw | None
    step: Raw | None


@dataclass(frozen=True, slots=True)
class Arg:
    value: Raw | Triplet
    keyword: str | None = None


@dataclass(frozen=True, slots=True)
class NameLink:
    """``name`` or ``name(args)``; a second list ``name(args)(more)`` (a substring) is in ``more``."""

    name: str
    args: tuple[Arg, ...] | None = None
    more: tuple[Arg, ...] | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """``a(i)%b(j)``: a variable, function, intrinsic or structure constructor."""

    links: tuple[NameLink, ...]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """``'abc'(i:j)``: a substring of a constant."""

    text: Number
    ends: Triplet


@dataclass(frozen=True, slots=True)
class UnaryOp:
    op: str
    operand: Raw


@dataclass(frozen=True, slots=True)
class BinaryOp:
    """``op`` as in :class:`snapset.frontend.ir.Binary` (``.eq.`` already ``==``)."""

    op: str
    left: Raw
    right: Raw


@dataclass(frozen=True, slots=True)
class Constructor:
    """``(/ items /)`` or ``[type :: items]``; ``type_text`` is the type specification, if any."""

    items: tuple[Raw, ...]
    type_text: str | None = None


@dataclass(frozen=True, slots=True)
class Implied:
    """``(items, var = start, stop, step)``"""

    items: tuple[Raw, ...]
    var: str
    start: Raw
    stop: Raw
    step: Raw | None


Raw: TypeAlias = Number | TextPiece | Complex | Name | UnaryOp | BinaryOp | Constructor | Implied
