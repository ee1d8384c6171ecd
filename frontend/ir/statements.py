"""The intermediate representation: what a Fortran program means to the analyses.

Everything is a frozen dataclass; names are lower case. Expressions carry the leaf type of
each reference, so no analysis needs the symbol table to know what is differentiable.
The statement tree is structured where the source is; GOTO and labels are kept as they are and
become edges in :mod:`snapset.frontend.cfg.graph`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from snapset.frontend.base.declared_saves import SaveList
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.memo import Memo
from snapset.frontend.ir.expressions import Argument, DerivedType, Expr, Ref, Signature, Subscript, Type, Variable

# ---------------------------------------------------------------- statements


@frozen(kw_only=True)
class Stmt:
    """What every statement has: its place, and its label if a jump may lead here.

    ``id`` counts the statements of a procedure in source order, those inside a statement after it
    (:func:`snapset.frontend.ir.statement_walk.with_ids`). Two statements of a procedure are one exactly if their ids
    are equal.
    """

    span: Span
    label: int | None = None
    id: int = 0


Block: TypeAlias = tuple[Stmt, ...]


@frozen(kw_only=True)
class Assign(Stmt):
    """``target = value``. ``initial``: what ALLOCATE has just made for ``value`` (SOURCE=), of its shape and type."""

    target: Ref
    value: Expr
    initial: bool = False


@frozen(kw_only=True)
class PointerAssign(Stmt):
    """``target => value``. ``bounds``: those the source gives the pointer, ``p(0:) => ...`` or ``p(1:n) => ...``."""

    target: Ref
    value: Expr
    bounds: tuple[Subscript, ...] = ()


@frozen
class Dispatch:
    """How a type-bound call finds its procedure: ``ways`` are (dynamic type of ``object``, target), by their keys."""

    object: Ref
    ways: tuple[tuple[str, str], ...]


@frozen(kw_only=True)
class Call(Stmt):
    """CALL, or a function reference taken out of an expression (then ``result`` receives the value).

    ``targets``: keys of the procedures it may run; () where none has source. ``name`` is what the
    source calls. ``args`` are in source order; use :func:`snapset.frontend.ir.argument_binding.bind`.
    ``passed``: the object of a type-bound call, already among ``args``. ``checkpoint`` is False after
    ``!$AD NOCHECKPOINT``. ``alternates``: labels of alternate returns, in order.
    ``intrinsic``: an intrinsic subroutine. ``via``: a procedure by its name, the dummy argument ``name``, or a
    procedure pointer, which ``pointer`` names. ``signature``: what an interface says of a procedure without source.
    ``dispatch``: of a type-bound call that may run several procedures, what decides.
    """

    name: str
    targets: tuple[str, ...]
    args: tuple[Argument, ...]
    result: Ref | None = None
    checkpoint: bool = True
    alternates: tuple[int, ...] = ()
    intrinsic: bool = False
    via: Literal["name", "dummy", "pointer"] = "name"
    pointer: Ref | None = None
    signature: Signature | None = None
    dispatch: Dispatch | None = None


@frozen(kw_only=True)
class If(Stmt):
    """ELSE IF is an If in ``orelse`` (after the calls its condition needs). ``end``: its END IF."""

    cond: Expr
    then: Block
    orelse: Block = ()
    name: str | None = None
    end: Span | None = None


@frozen(kw_only=True)
class ArithmeticIf(Stmt):
    cond: Expr
    negative: int
    zero: int
    positive: int


@frozen(kw_only=True)
class Case:
    """One CASE; ``values`` is None for CASE DEFAULT. For SELECT TYPE values are empty, and ``guard`` is the type that
    is asked for: of TYPE IS (``exact``) or CLASS IS. ``rank``: of RANK (n) in a SELECT RANK, ``*`` for RANK (*)."""

    span: Span
    values: tuple[Subscript, ...] | None
    body: Block
    guard: Type | None = None
    exact: bool = False
    rank: str | None = None


@frozen(kw_only=True)
class Select(Stmt):
    selector: Expr
    cases: tuple[Case, ...]
    name: str | None = None
    exhaustive: bool = False
    end: Span | None = None


@frozen(kw_only=True)
class Do(Stmt):
    """``do var = start, stop, step``. ``concurrent``: iterations in any order (also FORALL: ``forall``).

    Nested loops stand for several indices; a mask is an If inside. ``independent``: the user vouches that no iteration
    reads what another one writes (``!$AD II-LOOP``). ``binomial``: what ``!$AD BINOMIAL-CKP`` says before the loop.
    """

    var: Ref
    start: Expr
    stop: Expr
    step: Expr | None
    body: Block
    end: Span
    name: str | None = None
    kind: Literal["do", "concurrent", "forall"] = "do"
    independent: bool = False
    binomial: str = ""

    @property
    def has_independent_iterations(self) -> bool:
        """Does an iteration read of what others write nothing but what it has written again itself before?"""
        return self.independent or self.kind == "concurrent"


@frozen(kw_only=True)
class While(Stmt):
    """DO WHILE, or an infinite DO (``cond`` None). ``before``: calls that evaluate the condition. ``binomial``: as of
    :class:`Do`."""

    cond: Expr | None
    body: Block
    end: Span
    before: Block = ()
    name: str | None = None
    binomial: str = ""


@frozen(kw_only=True)
class Where(Stmt):
    """Masked assignments. ``elsewhere`` holds at most masked blocks as nested Where."""

    mask: Expr
    body: Block
    elsewhere: Block = ()
    end: Span | None = None


@frozen(kw_only=True)
class Goto(Stmt):
    to: int


@frozen(kw_only=True)
class ComputedGoto(Stmt):
    """Falls through when ``selector`` is out of range. ``assigned``: an assigned GOTO, whose selector is one of the
    labels, not a place among them."""

    labels: tuple[int, ...]
    selector: Expr
    assigned: bool = False


@frozen(kw_only=True)
class Continue(Stmt):
    """CONTINUE, or any statement without effect that may carry a label (FORMAT has none)."""


@frozen(kw_only=True)
class Cycle(Stmt):
    name: str | None = None


@frozen(kw_only=True)
class Exit(Stmt):
    """Leaves the innermost loop, or the named construct."""

    name: str | None = None


@frozen(kw_only=True)
class Return(Stmt):
    alternate: Expr | None = None


@frozen(kw_only=True)
class Stop(Stmt):
    """STOP or ERROR STOP. ``never``: it stands for a call through a pointer that is never associated, behind a test."""

    code: Expr | None = None
    never: bool = False


@frozen
class Transfer:
    """READ or WRITE of an internal file. ``form``: the format's text, ``*``, or None where it is not known.

    ``unit``: the file's place among what a READ reads, or a WRITE writes; the items stand among the other ones from
    ``first`` on, ``count`` of them. ``status``, ``message``: the places of IOSTAT and IOMSG among what is written, -1
    for none. ``described``: the place among what is read of a format that the program computes, -1 for none.
    """

    form: str | None
    unit: int
    first: int
    count: int
    status: int
    message: int = -1
    described: int = -1


@frozen(kw_only=True)
class IO(Stmt):
    """READ, WRITE, PRINT, OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE, FLUSH.

    ``reads``: expressions evaluated. ``writes``: references (may be inside ImpliedDo) that receive values,
    IOSTAT and the like included. ``labels``: targets of END=, ERR=, EOR=.
    ``internal``: reads or writes a character variable, so no file moves. ``certain``: a READ that gives every item a
    value or ends the run: unformatted or with a format (a null value in a list-directed or namelist record leaves an
    item as it was), without IOSTAT and labels; or a WRITE that fills a whole variable. ``transfer``: of an internal
    file, what goes where.
    """

    action: str
    reads: tuple[Expr, ...]
    writes: tuple[Expr, ...]
    labels: tuple[int, ...] = ()
    internal: bool = False
    certain: bool = False
    transfer: Transfer | None = None


@frozen(kw_only=True)
class Allocate(Stmt):
    """ALLOCATE: each object is a Ref whose last part's subscripts are the bounds. ``automatic``: no statement of the
    source, but what entering a BLOCK does to its automatic arrays. ``type``: what CLASS objects are to be, where the
    statement says it; ``like``: what has the type they are to be (SOURCE=, MOLD=). ``length``: of characters that have
    none by their declaration."""

    objects: tuple[Ref, ...]
    stat: Ref | None = None
    source: Expr | None = None
    automatic: bool = False
    type: Type | None = None
    like: Expr | None = None
    length: Expr | None = None


@frozen(kw_only=True)
class Deallocate(Stmt):
    """DEALLOCATE. ``automatic``: no statement of the source, but what entering a procedure does to INTENT(OUT)
    arguments, and entering a BLOCK to its automatic arrays, if there is anything to deallocate."""

    objects: tuple[Ref, ...]
    stat: Ref | None = None
    automatic: bool = False


@frozen(kw_only=True)
class Nullify(Stmt):
    objects: tuple[Ref, ...]


@frozen(kw_only=True)
class Opaque(Stmt):
    """A statement that was not understood: it may read and write all the procedure can reach,
    and go to any label in ``labels``."""

    text: str
    labels: tuple[int, ...] = ()


@frozen(kw_only=True)
class ScopeBlock(Stmt):
    """BLOCK or ASSOCIATE, or any construct that only EXIT name can leave early; names already resolved."""

    body: Block
    name: str | None = None
    end: Span | None = None


@frozen(kw_only=True)
class Marked(Stmt):
    """A checkpointed part. ``span`` is that of its START pragma, ``end`` that of its END pragma."""

    body: Block
    end: Span


# ---------------------------------------------------------------- procedures and programs


@frozen
class Procedure:
    """A procedure with source.

    ``key`` is unique: ``name`` for an external one, ``module::name``, ``host-key::name``.
    ``variables`` holds every variable it can name (its own, its host's, those of used modules).
    ``opaque`` says why the body is not known, where it is not: it may then do anything it can reach.
    ``absent``: dummy procedures that a call may leave out, which are no variables.
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
    absent: tuple[str, ...] = ()


@frozen
class Program:
    """All procedures with source by key, derived types by key, and what was said on the way.

    ``module_variables``: every variable of every module by (module, name).
    ``commons``: for each COMMON block the variables of every procedure's view of it.
    ``declared``: what the source says is saved somewhere.
    ``rank_names``: of variables that hold something of each rank's own, by the text of all units.
    ``whole``: True where this is all that there is, the program with what no head reaches where that was asked for,
    False where it was not, or could not be read.
    """

    procedures: Mapping[str, Procedure]
    types: Mapping[str, DerivedType]
    module_variables: Mapping[tuple[str, str], Variable]
    commons: Mapping[str, tuple[Variable, ...]]
    files: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    declared: tuple[SaveList, ...] = ()
    rank_names: frozenset[str] = frozenset()
    whole: Program | bool = False

    @property
    def everything(self) -> Program | None:
        """All that there is; None where that is not known."""
        return self.whole if isinstance(self.whole, Program) else self if self.whole else None

    def internal(self, host: str) -> tuple[Procedure, ...]:
        """The internal procedures of one."""
        return _INTERNAL.get(self.procedures, _by_host).get(host, ())


def _by_host(procedures: Mapping[str, Procedure]) -> Mapping[str, tuple[Procedure, ...]]:
    found: dict[str, list[Procedure]] = {}
    for one in procedures.values():
        if one.host is not None:
            found.setdefault(one.host, []).append(one)
    return {host: tuple(inner) for host, inner in found.items()}


_INTERNAL: Memo[Mapping[str, Procedure], Mapping[str, tuple[Procedure, ...]]] = Memo(8)  # of the last programs
