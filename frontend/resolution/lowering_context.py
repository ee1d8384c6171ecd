"""What the lowering of one procedure carries along: its names, its new variables, what it has to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import STANDARD, DefaultKinds
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import Pragma
from snapset.frontend.ir.intrinsic_table import FIRST
from snapset.frontend.rules import diagnostic
from snapset.frontend.symbols.symbol_table import Scope, Scopes, implicit_type
from snapset.frontend.symbols.use_association import may_define, unknown_variable

_INLINING = 500  # statement functions inlined in one statement; more is not understood
_NESTED = 50  # and of these, inside each other


class NotUnderstoodError(Exception):
    """A valid statement outside what the lowering knows; it becomes an :class:`ir.Opaque`."""


@frozen
class ProgramContext:
    """What all procedures share. ``children``: derived types that directly extend one.

    ``namelists``: groups by scoping unit. ``entries``: keys of ENTRY points by name. ``kinds``: of default types.
    ``entry_results``: the procedure an ENTRY point is in and what its result is called there.
    """

    scopes: Scopes
    children: Mapping[str, tuple[str, ...]]
    namelists: Mapping[str, Mapping[str, tuple[str, ...]]]
    entries: Mapping[str, tuple[str, ...]]
    kinds: DefaultKinds = STANDARD
    entry_results: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)


@dataclass(slots=True)
class Context:
    """The state of one procedure's lowering.

    ``names`` are names that stand for something else here: ASSOCIATE names, BLOCK's own variables, indices of
    FORALL and DO CONCURRENT, dummy arguments of the statement function being inlined. ``before`` collects
    what must run before the current statement, ``after`` what runs after it. ``labels`` are those a jump may
    lead to, ``assigned`` those of ASSIGN statements. ``inherited``: undeclared names of the host, which it shares.
    ``independent``: the place of the II-LOOP that stands before this statement; ``binomial``: the BINOMIAL-CKP.
    ``masked``: how many WHERE constructs are open.
    """

    world: ProgramContext
    scope: Scope
    span: Span
    variables: dict[str, ir.Variable]
    intrinsics: frozenset[str] = frozenset()
    inherited: Mapping[str, ir.Variable] = field(default_factory=dict)
    save_all: bool = False
    names: dict[str, ir.Expr] = field(default_factory=dict)
    before: list[ir.Stmt] = field(default_factory=list)
    after: list[ir.Stmt] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    labels: frozenset[int] = frozenset()
    assigned: tuple[int, ...] = ()
    checkpoint: bool = True
    independent: Span | None = None
    binomial: Pragma | None = None
    inlining: tuple[str, ...] = ()
    inlined: int = 0
    masked: int = 0

    def may_be_function(self, name: str) -> bool:
        """Whether ``name(...)`` may run a procedure with source or an external one."""
        variable = self.variables.get(name)
        return name not in FIRST and name not in self.names and (variable is None or not variable.shape.rank)

    def constant(self, name: str) -> ir.Expr | None:
        """The value of a constant that a kind is called by, a BLOCK's own before the procedure's."""
        if name in self.names:
            return self.names[name]
        variable = self.variables.get(name)
        return None if variable is None else variable.value

    def note(self, code: str, message: str, span: Span | None = None) -> None:
        self.diagnostics.append(diagnostic(code, message, span or self.span))

    def count_inlining(self) -> None:
        """Raises NotUnderstoodError when statement functions grow out of hand."""
        self.inlined += 1
        if self.inlined > _INLINING or len(self.inlining) > _NESTED:
            raise NotUnderstoodError("statement functions nested too deep")

    def fresh(self, base: str, type_: ir.Type, rank: int = 0, kind: ir.AreaKind = "local") -> ir.Ref:
        """A new variable named after ``base`` and the line, as a reference to it."""
        name = stem = f"{base}@{self.span.line}"
        count = 1
        while name in self.variables:
            count += 1
            name = f"{stem}.{count}"
        shape = ir.Shape("deferred", (ir.Dim(None, None),) * rank) if rank else ir.SCALAR
        area = ir.Area(kind, self.scope.key, name)
        self.variables[name] = ir.Variable(name, type_, area, self.span, shape)
        return ir.Ref((ir.PartRef(name),), type_, rank)

    def variable(self, name: str) -> ir.Variable:
        """The variable ``name``, declared here by its first use if it was not (IMPLICIT)."""
        found = self.variables.get(name) or self.inherited.get(name)
        if found is None:
            found = self._undeclared(name)
        self.variables[name] = found
        return found

    def _undeclared(self, name: str) -> ir.Variable:
        if any(may_define(module, name) for module in self.scope.unknown_modules):
            return unknown_variable(name, name, self.span)
        type_ = implicit_type(self.scope, name)
        if type_ is None:
            self.note("SN204", f"`{name}` is not declared; taken to be a local variable of unknown type")
            type_ = ir.UNKNOWN
        kind: ir.AreaKind = "saved" if self.save_all else "local"
        return ir.Variable(name, type_, ir.Area(kind, self.scope.key, name), self.span)
