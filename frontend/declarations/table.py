"""What the declarations of one program unit say, before any name or kind is looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import Item, Line, Unit


@frozen
class TypeSpec:
    """A type as declared, such as ``real(kind)``: ``base`` is an intrinsic type, ``derived`` (with ``name``) or ``any``
    (``class(*)``).

    ``kind`` and ``length`` are texts; ``star`` is the byte count of the old form ``real*8``. ``polymorphic``: CLASS.
    """

    base: str
    kind: str | None = None
    length: str | None = None
    star: int | None = None
    name: str | None = None
    polymorphic: bool = False


@dataclass(frozen=True, slots=True)
class DataList:
    """``names / values /`` of a DATA statement, as texts; repeats (``2*0.5``) as they are written."""

    names: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(slots=True)
class Entity:
    """One declared name. ``dims`` is the text between its parentheses; ``flags`` its attributes.

    ``data`` are the lists of DATA that set it, or elements of it, and are no initialiser of the whole by themselves.
    ``interface`` is what ``procedure(...)`` names ('' where it names nothing or a type).
    """

    name: str
    span: Span
    type: TypeSpec | None = None
    dims: str | None = None
    length: str | None = None
    flags: set[str] = field(default_factory=set)
    intent: Literal["in", "out", "inout"] | None = None
    init: str | None = None
    interface: str | None = None
    data: list[DataList] = field(default_factory=list)


@frozen
class Binding:
    """A type-bound procedure: ``procedure :: name => target``.

    ``passing``: None first argument, '' NOPASS, else the argument's name.
    """

    name: str
    target: str | None
    passing: str | None = None


@dataclass(slots=True)
class TypeDef:
    """A derived type definition."""

    name: str
    span: Span
    extends: str | None = None
    components: list[Entity] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    generics: dict[str, tuple[str, ...]] = field(default_factory=dict)
    finals: list[str] = field(default_factory=list)
    abstract: bool = False


@dataclass(slots=True)
class Interface:
    """An interface block. ``generic`` is None for plain and abstract ones."""

    generic: str | None
    abstract: bool
    span: Span
    procedures: list[str] = field(default_factory=list)
    bodies: list[Table] = field(default_factory=list)


@frozen
class Use:
    """A USE statement: ``use module, only: local => remote``. ``only`` None: everything, but for ``renames``."""

    module: str
    span: Span
    only: tuple[tuple[str, str], ...] | None = None
    renames: tuple[tuple[str, str], ...] = ()


@frozen
class Header:
    """The header of a procedure: dummy arguments in order (``*`` for an alternate return) and prefixes."""

    kind: str
    name: str
    formals: tuple[str, ...] = ()
    result: str | None = None
    type: TypeSpec | None = None
    prefixes: frozenset[str] = frozenset()


@dataclass(slots=True)
class Table:
    """The declarations of one unit in source order.

    ``implicit``: rules (type, first letter, last letter); ``implicit_none`` forbids the rest.
    ``functions``: assignments that may be statement functions, with their places among the unit's items;
    ``start``: the place of the first executable one; ``pragmas_and_formats``: those before it, ENTRY too.
    ``access``: PUBLIC and PRIVATE by name. ``imports``: None where there is no IMPORT.
    """

    header: Header
    unit: Unit | None
    span: Span
    entities: dict[str, Entity] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    implicit: list[tuple[TypeSpec, str, str]] = field(default_factory=list)
    implicit_none: bool = False
    commons: list[tuple[str, str, Span]] = field(default_factory=list)
    equivalences: list[tuple[str, Span]] = field(default_factory=list)
    save_all: bool = False
    types: dict[str, TypeDef] = field(default_factory=dict)
    interfaces: list[Interface] = field(default_factory=list)
    private: bool = False
    access: dict[str, str] = field(default_factory=dict)
    namelists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    intrinsics: set[str] = field(default_factory=set)
    externals: set[str] = field(default_factory=set)
    data: list[Line] = field(default_factory=list)
    functions: list[tuple[Line, int]] = field(default_factory=list)
    pragmas_and_formats: list[tuple[int, Item]] = field(default_factory=list)
    start: int = 0
    opaque: str | None = None
    enumerator: str | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def entity(self, name: str, span: Span) -> Entity:
        """The entity of that name, made if it is new."""
        found = self.entities.get(name)
        if found is None:
            found = self.entities[name] = Entity(name, span)
        return found
