"""Expressions as parsed, before names are known: what :mod:`snapset.frontend.parsing.expression_parser` returns.

``x(1)``, ``fun(y)`` and ``c(1:3)`` look alike here; :mod:`snapset.frontend.resolution.expression_resolution` tells
them apart.
All names are lower case.
"""

from __future__ import annotations

from typing import TypeAlias

from snapset.frontend.base.frozen_records import frozen


@frozen
class Number:
    """A literal. ``value`` None for BOZ and Hollerith. ``kind`` is the kind parameter's text (``8``, ``wp``).

    ``double`` marks a ``d`` exponent. A character literal has a str value, a complex one a pair of Raw.
    """

    value: int | float | bool | str | None
    kind: str | None = None
    double: bool = False


@frozen
class Complex:
    real: Raw
    imag: Raw


@frozen
class Triplet:
    """``lower:upper:step`` in an argument list."""

    lower: Raw | None
    upper: Raw | None
    step: Raw | None


@frozen(quick=True)
class Arg:
    value: Raw | Triplet
    keyword: str | None = None


@frozen(quick=True)
class NameLink:
    """``name`` or ``name(args)``; a second list ``name(args)(more)`` (a substring) is in ``more``."""

    name: str
    args: tuple[Arg, ...] | None = None
    more: tuple[Arg, ...] | None = None


@frozen
class Name:
    """``a(i)%b(j)``: a variable, function, intrinsic or structure constructor."""

    links: tuple[NameLink, ...]


@frozen
class TextPiece:
    """``'abc'(i:j)``: a substring of a constant."""

    text: Number
    ends: Triplet


@frozen
class UnaryOp:
    op: str
    operand: Raw


@frozen
class BinaryOp:
    """``op`` as in :class:`snapset.frontend.ir.Binary` (``.eq.`` already ``==``)."""

    op: str
    left: Raw
    right: Raw


@frozen
class Constructor:
    """``(/ items /)`` or ``[type :: items]``; ``type_text`` is the type specification, if any."""

    items: tuple[Raw, ...]
    type_text: str | None = None


@frozen
class Implied:
    """``(items, var = start, stop, step)``"""

    items: tuple[Raw, ...]
    var: str
    start: Raw
    stop: Raw
    step: Raw | None


Raw: TypeAlias = Number | TextPiece | Complex | Name | UnaryOp | BinaryOp | Constructor | Implied
