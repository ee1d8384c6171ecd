"""The intermediate representation: what a Fortran program means to the analyses.

Everything is a frozen dataclass; names are lower case. Expressions carry the leaf type of
each reference, so no analysis needs the symbol table to know what is differentiable.
The statement tree is structured where the source is; GOTO and labels are kept as they are and
become edges in :mod:`snapset.frontend.flow`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from snapset.frontend.diagnostics import Diagnostic, Span

# ---------------------------------------------------------------- types and variables

Kind = Literal["real", "complex", "integer", "logical", "character", "derived", "procedure", "unknown"]


@dataclass(frozen=True, slots=True)
class Type:
    """The type of one element: its kind, storage size in bytes (None: not known), derived type's key."""

    kind: Kind
    bytes: int | None = None
    derived: str | None = None

    @property
    def differentiable(self) -> bool:
        """Real and complex values carry derivatives; what is unknown might."""
        return self.kind in ("real", "complex", "unknown")


UNKNOWN = Type("unknown")
INTEGER = Type("integer", 4)
LOGICAL = Type("logical", 4)
REAL = Type("real", 4)
DOUBLE = Type("real", 8)


@dataclass(frozen=True, slots=True)
class Dim:
    """One dimension's bounds. ``upper`` None: taken from the actual argument or the allocation."""

    lower: Expr | None
    upper: Expr | None


ShapeKind = Literal["scalar", "explicit", "assumed-shape", "deferred", "assumed-size"]


@dataclass(frozen=True, slots=True)
class Shape:
    """Bounds as declared. ``assumed-size`` has an unknown last upper bound (``*``)."""

    kind: ShapeKind = "scalar"
    dims: tuple[Dim, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.dims)


SCALAR = Shape()

AreaKind = Literal["local", "saved", "formal", "module", "common", "temporary"]


@dataclass(frozen=True, slots=True, order=True)
class Area:
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


@dataclass(frozen=True, slots=True)
class Variable:
    """A named object as one scoping unit sees it.

    ``offset`` is its place in ``area`` in bytes (0 unless COMMON or EQUIVALENCE).
    ``value`` is the constant of a PARAMETER (as an expression, folded where possible).
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


@dataclass(frozen=True, slots=True)
class DerivedType:
    """``key`` is ``scope::name``. Components are in order, the parent's first; their area is unused.

    ``bindings`` maps a type-bound procedure's name to its procedure key; ``generic`` maps a
    type-bound generic's name to binding names. ``passing``: for bindings whose object is not the first
    argument, the argument's name, '' for NOPASS.
    """

    key: str
    components: tuple[Variable, ...]
    extends: str | None = None
    bindings: Mapping[str, str] = field(default_factory=dict)
    generic: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passing: Mapping[str, str] = field(default_factory=dict)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Literal_:
    """A constant. ``value`` is None where only the type is known (BOZ, Hollerith)."""

    value: int | float | complex | bool | str | None
    type: Type


@dataclass(frozen=True, slots=True)
class Range:
    """A subscript triplet ``lower:upper:step``; None where the source leaves it out."""

    lower: Expr | None = None
    upper: Expr | None = None
    step: Expr | None = None


Subscript: TypeAlias = "Expr | Range"


@dataclass(frozen=True, slots=True)
class Part:
    """One link of a reference: ``name`` or ``name(subscripts)``. None: no parentheses."""

    name: str
    subscripts: tuple[Subscript, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """A data reference ``a(i)%b(j)``: ``parts[0].name`` is a variable of the procedure.

    ``type`` is the leaf's element type. ``rank`` is the rank of the value (0 for an element).
    ``substring`` is the character range, if any.
    """

    parts: tuple[Part, ...]
    type: Type
    rank: int = 0
    substring: Range | None = None

    @property
    def name(self) -> str:
        return self.parts[0].name


@dataclass(frozen=True, slots=True)
class Unary:
    """``op`` is one of ``-``, ``+``, ``.not.`` or a defined operator ``.x.``"""

    op: str
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """``op``: ``+ - * / ** // == /= < <= > >= .and. .or. .eqv. .neqv.`` or a defined operator."""

    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Argument:
    """An actual argument; ``keyword`` where the source gives one."""

    value: Expr
    keyword: str | None = None


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A reference to an intrinsic function."""

    name: str
    args: tuple[Argument, ...]
    type: Type
    rank: int = 0


@dataclass(frozen=True, slots=True)
class ArrayConstructor:
    """``(/ ... /)``"""

    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ImpliedDo:
    """``(items, var = start, stop, step)`` in a constructor or an input/output list."""

    items: tuple[Expr, ...]
    var: str
    start: Expr
    stop: Expr
    step: Expr | None


@dataclass(frozen=True, slots=True)
class Structure:
    """A derived-type constructor."""

    args: tuple[Argument, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ProcedureRef:
    """The name of a procedure as an actual argument or the target of ``=>``. ``key`` None: no source."""

    name: str
    key: str | None
    type: Type = Type("procedure")


@dataclass(frozen=True, slots=True)
class OpaqueExpr:
    """An expression that was not understood: reads ``reads`` (variable names), differentiably or not."""

    text: str
    reads: tuple[str, ...]
    type: Type = UNKNOWN


Expr: TypeAlias = (
    Literal_ | Ref | Unary | Binary | Intrinsic | ArrayConstructor | ImpliedDo | Structure | ProcedureRef | OpaqueExpr
)

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Stmt:
    """What every statement has: its place, and its label if a jump may lead here."""

    span: Span
    label: int | None = None


Block: TypeAlias = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Stmt):
    target: Ref
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerAssign(Stmt):
    """``target => value``"""

    target: Ref
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Stmt):
    """CALL, or a function reference taken out of an expression (then ``result`` receives the value).

    ``targets``: keys of the procedures it may run; () where none has source. ``name`` is what the
    source calls. ``args`` are in source order; use :func:`snapset.frontend.program.bind`.
    ``passed``: the object of a type-bound call, already among ``args``. ``checkpoint`` is False after
    ``!$AD NOCHECKPOINT``. ``alternates``: labels of alternate returns, in order.
    ``intrinsic``: an intrinsic subroutine.
    """

    name: str
    targets: tuple[str, ...]
    args: tuple[Argument, ...]
    result: Ref | None = None
    checkpoint: bool = True
    alternates: tuple[int, ...] = ()
    intrinsic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Stmt):
    """ELSE IF is an If in ``orelse`` (after the calls its condition needs). ``end``: its END IF."""

    cond: Expr
    then: Block
    orelse: Block = ()
    name: str | None = None
    end: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArithmeticIf(Stmt):
    cond: Expr
    negative: int
    zero: int
    positive: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One CASE; ``values`` is None for CASE DEFAULT. For SELECT TYPE, values are empty."""

    span: Span
    values: tuple[Subscript, ...] | None
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class Select(Stmt):
    selector: Expr
    cases: tuple[Case, ...]
    name: str | None = None
    exhaustive: bool = False
    end: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Do(Stmt):
    """``do var = start, stop, step``. ``concurrent``: iterations in any order (also FORALL: ``forall``).

    Nested loops stand for several indices; a mask is an If inside.
    """

    var: Ref
    start: Expr
    stop: Expr
    step: Expr | None
    body: Block
    end: Span
    name: str | None = None
    kind: Literal["do", "concurrent", "forall"] = "do"


@dataclass(frozen=True, slots=True, kw_only=True)
class While(Stmt):
    """DO WHILE, or an infinite DO (``cond`` None). ``before``: calls that evaluate the condition."""

    cond: Expr | None
    body: Block
    end: Span
    before: Block = ()
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Where(Stmt):
    """Masked assignments. ``elsewhere`` holds at most masked blocks as nested Where."""

    mask: Expr
    body: Block
    elsewhere: Block = ()
    end: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Goto(Stmt):
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedGoto(Stmt):
    """Falls through when ``selector`` is out of range."""

    labels: tuple[int, ...]
    selector: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Stmt):
    """CONTINUE, or any statement without effect that may carry a label (FORMAT has none)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle(Stmt):
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit(Stmt):
    """Leaves the innermost loop, or the named construct."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Stmt):
    alternate: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Stmt):
    """STOP or ERROR STOP."""

    code: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IO(Stmt):
    """READ, WRITE, PRINT, OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE, FLUSH.

    ``reads``: expressions evaluated. ``writes``: references (may be inside ImpliedDo) that receive values,
    IOSTAT and the like included. ``labels``: targets of END=, ERR=, EOR=.
    ``internal``: reads or writes a character variable, so no file moves.
    """

    action: str
    reads: tuple[Expr, ...]
    writes: tuple[Expr, ...]
    labels: tuple[int, ...] = ()
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocate(Stmt):
    """ALLOCATE: each object is a Ref whose last part's subscripts are the bounds."""

    objects: tuple[Ref, ...]
    stat: Ref | None = None
    source: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deallocate(Stmt):
    objects: tuple[Ref, ...]
    stat: Ref | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Nullify(Stmt):
    objects: tuple[Ref, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque(Stmt):
    """A statement that was not understood: it may read and write all the procedure can reach,
    and go to any label in ``labels``."""

    text: str
    labels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope(Stmt):
    """BLOCK or ASSOCIATE, or any construct that only EXIT name can leave early; names already resolved."""

    body: Block
    name: str | None = None
    end: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(Stmt):
    """A checkpointed part. ``span`` is that of its START pragma, ``end`` that of its END pragma."""

    body: Block
    end: Span


# ---------------------------------------------------------------- procedures and programs


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure with source.

    ``key`` is unique: ``name`` for an external one, ``module::name``, ``host-key::name``.
    ``variables`` holds every variable it can name (its own, its host's, those of used modules).
    ``opaque`` says why the body is not known, where it is not: it may then do anything it can reach.
    """

    key: str
    name: str
    kind: Literal["subroutine", "function", "program"]
    formals: tuple[str, ...]
    result: str | None
    variables: Mapping[str, Variable]
    body: Block
    span: Span
    module: str | None = None
    host: str | None = None
    opaque: str | None = None
    elemental: bool = False
    recursive: bool = False
    alternates: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """All procedures with source by key, derived types by key, and what was said on the way.

    ``module_variables``: every variable of every module by (module, name).
    ``commons``: for each COMMON block the variables of every procedure's view of it.
    """

    procedures: Mapping[str, Procedure]
    types: Mapping[str, DerivedType]
    module_variables: Mapping[tuple[str, str], Variable]
    commons: Mapping[str, tuple[Variable, ...]]
    files: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
