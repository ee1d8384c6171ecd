"""Logical statements and program units: what the reading stage hands to the rest of the frontend."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.default_kinds import STANDARD, DefaultKinds
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen


@frozen(quick=True)
class Line:
    """One logical statement: free form, continuation lines joined, comments gone, lower case outside strings.

    ``text`` has neither its label nor its construct name; ``construct`` is that name (``outer:``). ``cut`` is
    the place of text beyond column 72 that was left out although it may belong to the statement.
    """

    text: str
    span: Span
    label: int | None = None
    construct: str | None = None
    cut: Span | None = None


@frozen
class Pragma:
    """A directive. ``kind`` is what follows ``!$AD``, lower case (``checkpoint-start``); of others it begins with
    ``omp``, ``snapset`` or ``taf`` and is their whole line."""

    kind: str
    span: Span


Item: TypeAlias = Line | Pragma

UnitKind = Literal["program", "subroutine", "function", "module", "submodule", "block data", "unread"]


@frozen
class UnitProblem:
    """Why a unit cannot be used: an error where a head needs the unit, else only a remark.

    Example: ``include 'grid.h'`` stands in a subroutine, and there is no such file. A unit of kind ``unread`` is a
    whole file that could not be cut into units; ``names`` are those that it seems to define. ``readable``: of this
    procedure it is known what others need to know of it, so that only a head that runs it needs it.
    """

    found: Diagnostic
    names: frozenset[str] = frozenset()
    readable: bool = False


@frozen
class ItemHashes:
    """What the statements and pragmas ``items`` say, by hashes, places as seen from ``home``; ``masked``: without the
    values of real constants that cannot matter (:func:`snapset.frontend.persistence.fingerprint.item_hashes`)."""

    items: tuple[Item, ...]
    home: Span
    exact: bytes
    masked: bytes


@frozen
class Unit:
    """A program unit or a contained procedure.

    ``header`` is None for a main program without PROGRAM. ``items`` are its own statements and pragmas
    between header and END, without those of ``contains``; ``end`` is its END statement. ``problem``: why it cannot
    be used. ``hashes``: of statements, where they are known; of these they are only if they hold the same tuple.
    """

    kind: UnitKind
    name: str
    header: Line | None
    items: tuple[Item, ...]
    end: Line
    contains: tuple[Unit, ...] = ()
    problem: UnitProblem | None = None
    hashes: ItemHashes | None = field(default=None, compare=False, repr=False)


@frozen
class ReadOptions:
    """How to read files: include directories, macros (``NAME`` or ``NAME=VALUE``), forced form, preprocessing.

    ``form`` None: by file extension. ``preprocess`` None: by extension (``.F``, ``.F90``, ...). ``kinds``: of what is
    declared without one.
    """

    include_dirs: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    form: Literal["free", "fixed"] | None = None
    preprocess: bool | None = None

    def __post_init__(self) -> None:
        collections("ReadOptions", include_dirs=self.include_dirs, macros=self.macros)
    kinds: DefaultKinds = STANDARD
