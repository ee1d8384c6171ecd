"""The IR's values: types, variables and expressions. Use them through :mod:`snapset.frontend.ir`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NamedTuple, TypeAlias

from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen

# ---------------------------------------------------------------- types and variables

Kind = Literal["real", "complex", "integer", "logical", "character", "derived", "procedure", "association",
               "allocation", "unknown"]


@frozen(quick=True)
class Type:
    """The type of one element: its kind, storage size in bytes (None: not known), derived type's key."""

    kind: Kind
    bytes: int | None = None
    derived: str | None = None

    @property
    def differentiable(self) -> bool:
        """Real and complex values carry derivatives; what is unknown might."""
        return self.kind in ("real", "complex", "unknown")


def default_type(kinds: DefaultKinds, kind: Kind) -> Type:
    """The type of a kind that a program names without a kind parameter: ``real :: x``."""
    return Type(kind, kinds.bytes_of(kind))


UNKNOWN = Type("unknown")
ASSOCIATED = Type("association", 8)  # what a pointer is associated with: an address


def allocation(rank: int, polymorphic: bool) -> Type:
    """What ALLOCATE gives an allocatable besides memory: whether there is any (a byte), of each dimension two bounds
    (default integers), of an object of CLASS its type."""
    return Type("allocation", 1 + 8*rank + 4*polymorphic)


INTEGER = Type("integer", 4)
LOGICAL = Type("logical", 4)
REAL = Type("real", 4)
DOUBLE = Type("real", 8)


@frozen(quick=True)
class Dim:
    """One dimension's bounds. ``upper`` None: taken from the actual argument or the allocation."""

    lower: Expr | None
    upper: Expr | None


ShapeKind = Literal["scalar", "explicit", "assumed-shape", "deferred", "assumed-size"]


@frozen(quick=True)
class Shape:
    """Bounds as declared. ``assumed-size`` has an unknown last upper bound (``*``). ``any_rank``: assumed rank,
    ``(..)``; the dimensions say nothing then."""

    kind: ShapeKind = "scalar"
    dims: tuple[Dim, ...] = ()
    any_rank: bool = False

    @property
    def rank(self) -> int:
        return len(self.dims)


SCALAR = Shape()

AreaKind = Literal["local", "saved", "formal", "module", "common", "temporary"]


class Area(NamedTuple):
    """A piece of memory that no other area overlaps (but for pointers, targets and argument association).

    ``local``: gone at return (owner: procedure key). ``saved``: SAVEd local (owner: procedure key).
    ``formal``: a dummy argument (owner: procedure key). ``module``: owner is the module's name.
    ``common``: owner is the block's name ('' for blank COMMON) and ``name`` too.
    ``temporary``: the result of a function reference inside an expression.
    Variables that share storage by EQUIVALENCE share one area, named after its first variable.
    """

    kind: AreaKind
    owner: str
    name: str


UNKNOWN_OWNER = "?"
"""Of what modules without source hold. Two of them may mean one variable by a name, so it is the same for all."""
MISSING_MODULE = "missing_module"
"""How that is shown: in ``missing_module::dt``."""


@frozen
class Variable:
    """A named object as one scoping unit sees it.

    ``offset`` is its place in ``area`` in bytes (0 unless COMMON or EQUIVALENCE).
    ``value`` is the constant of a PARAMETER (as an expression, folded where possible).
    ``start`` is what an ``initialised`` variable holds when the program starts, where that is known; a
    scalar may stand for all elements of an array; for a pointer, text or a procedure. ``polymorphic``: CLASS; it
    may hold what extends its type, too. ``by_value``: the dummy argument is a copy of the actual one.
    ``automatic``: an array of a BLOCK, which is allocated with its bounds each time the block is entered.
    ``length``: of characters whose length is no constant, ``character(n)``; ``(*)`` and ``(:)`` have none.
    """

    name: str
    type: Type
    area: Area
    span: Span
    shape: Shape = SCALAR
    offset: int = 0
    intent: Literal["in", "out", "inout"] | None = None
    optional: bool = False
    pointer: bool = False
    target: bool = False
    allocatable: bool = False
    value: Expr | None = None
    initialised: bool = False
    start: Expr | None = None
    polymorphic: bool = False
    by_value: bool = False
    automatic: bool = False
    length: Expr | None = None


@frozen
class DerivedType:
    """A derived type. ``key`` is ``scope::name``. Components are in order, the parent's first; the name in
    their area is the one that the source gives them, which several types of a family may give to different components.

    ``bindings`` maps a type-bound procedure's name to its procedure key; ``generic`` maps a
    type-bound generic's name to binding names. ``passing``: for bindings and procedure pointer components whose
    object is not the first argument, the argument's name, '' for NOPASS. ``results``: of procedure pointer components
    that point to functions, the type and the rank of these, and the function with source that is their interface.
    ``abstract``: no object is of this type itself. ``finals``: its own FINAL procedures, by their keys.
    """

    key: str
    components: tuple[Variable, ...]
    extends: str | None = None
    bindings: Mapping[str, str] = field(default_factory=dict)
    generic: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passing: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, tuple[Type, int, str | None]] = field(default_factory=dict)
    abstract: bool = False
    finals: tuple[str, ...] = ()


@frozen
class Signature:
    """What an interface body says of a procedure: its dummy arguments in order, with their intents; PURE or not;
    the rank of its result."""

    formals: tuple[tuple[str, Literal["in", "out", "inout"] | None], ...]
    pure: bool = False
    rank: int = 0


# ---------------------------------------------------------------- expressions


@frozen
class Literal_:  # noqa: N801 - typing has a Literal
    """A constant. ``value`` is None where only the type is known (BOZ, Hollerith)."""

    value: int | float | complex | bool | str | None
    type: Type


@frozen
class Range:
    """A subscript triplet ``lower:upper:step``; None where the source leaves it out."""

    lower: Expr | None = None
    upper: Expr | None = None
    step: Expr | None = None


Subscript: TypeAlias = "Expr | Range"


@frozen(quick=True)
class PartRef:
    """One link of a reference: ``name`` or ``name(subscripts)``. None: no parentheses."""

    name: str
    subscripts: tuple[Subscript, ...] | None = None


@frozen
class Ref:
    """A data reference ``a(i)%b(j)``: ``parts[0].name`` is a variable of the procedure.

    ``type`` is the leaf's element type. ``rank`` is the rank of the value (0 for an element).
    ``substring`` is the character range, if any. ``exact``: of a CLASS object, but of no type that extends ``type``:
    the parent of an object, or what TYPE IS has found.
    """

    parts: tuple[PartRef, ...]
    type: Type
    rank: int = 0
    substring: Range | None = None
    exact: bool = False

    @property
    def name(self) -> str:
        return self.parts[0].name


@frozen
class Unary:
    """``op operand``: ``op`` is one of ``-``, ``+``, ``.not.`` or a defined operator ``.x.``"""

    op: str
    operand: Expr
    type: Type


@frozen
class Binary:
    """``left op right``.

    ``op``: ``+ - * / ** // == /= < <= > >= .and. .or. .eqv. .neqv.`` or a defined operator.
    """

    op: str
    left: Expr
    right: Expr
    type: Type


@frozen(quick=True)
class Argument:
    """An actual argument; ``keyword`` where the source gives one."""

    value: Expr
    keyword: str | None = None


@frozen
class Intrinsic:
    """A reference to an intrinsic function."""

    name: str
    args: tuple[Argument, ...]
    type: Type
    rank: int = 0


@frozen
class ArrayConstructor:
    """An array constructor: ``(/ ... /)`` or ``[...]``."""

    items: tuple[Expr, ...]
    type: Type


@frozen
class ImpliedDo:
    """``(items, var = start, stop, step)`` in a constructor or an input/output list."""

    items: tuple[Expr, ...]
    var: str
    start: Expr
    stop: Expr
    step: Expr | None


@frozen
class Structure:
    """A derived-type constructor."""

    args: tuple[Argument, ...]
    type: Type


@frozen
class ProcedureRef:
    """The name of a procedure as an actual argument or the target of ``=>``. ``key`` None: no source."""

    name: str
    key: str | None
    type: Type = Type("procedure")


@frozen
class OpaqueExpr:
    """An expression that was not understood: reads ``reads`` (variable names), differentiably or not."""

    text: str
    reads: tuple[str, ...]
    type: Type = UNKNOWN


Expr: TypeAlias = (
    Literal_ | Ref | Unary | Binary | Intrinsic | ArrayConstructor | ImpliedDo | Structure | ProcedureRef | OpaqueExpr
)
