"""Which names a scoping unit sees, and USE association."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.declarations.table import Table, Use
from snapset.frontend.ir.constant_folding import integer
from snapset.frontend.parsing.syntax_tree import Raw
from snapset.frontend.symbols.known_modules import ISO_C_BINDING, ISO_FORTRAN_ENV, MPI_CONSTANTS, constants_of_c

_PREFIXED = {
    "mpi": ("mpi_", "pmpi_"), "mpi_f08": ("mpi_", "pmpi_"), "omp_lib": ("omp_",), "openacc": ("acc_",),
    "netcdf": ("nf90_",), "netcdf_inc": ("nf_",), "pnetcdf": ("nf90mpi_", "nf90_"), "pnetcdf_inc": ("nfmpi_", "nf_"),
    "fftw3": ("fftw_",), "ieee_arithmetic": ("ieee_",), "ieee_exceptions": ("ieee_",), "ieee_features": ("ieee_",),
}  # fmt: skip
"""Libraries by the beginnings of all their names. What is no procedure among these is a named constant."""
_NAMED = {"mpi": MPI_CONSTANTS, "mpi_f08": MPI_CONSTANTS}
"""Named constants of libraries without source, which may have other names."""
_INTRINSIC = {"iso_fortran_env": ISO_FORTRAN_ENV, "iso_c_binding": ISO_C_BINDING}


@frozen
class StatementFunction:
    """``f(s) = s*s*k``. ``words``: the names in it that are no dummy arguments of its own. ``hidden``: those of them
    that mean something else where it is used, in a procedure inside of the one that defines it, and the host's
    variables that they are in f (None: no variables)."""

    params: tuple[str, ...]
    body: Raw
    words: frozenset[str] = frozenset()
    hidden: Mapping[str, ir.Variable | None] = field(default_factory=dict)

    def inside(self, host: VisibleNames, visible: VisibleNames, functions: Mapping[str, StatementFunction]
               ) -> StatementFunction:
        """As a procedure inside of the host sees it, with the statement ``functions`` of its own."""
        other = {word: host.variables.get(word) for word in sorted(self.words) if word in functions
                 or visible.variables.get(word) != host.variables.get(word)
                 or visible.procedures.get(word) != host.procedures.get(word)}
        return replace(self, hidden={**other, **self.hidden})


@dataclass(slots=True)
class VisibleNames:
    """Names and what they mean. ``unknown``: modules without source, which may define any other name.

    ``adjustable``: variables whose bounds name others, as far as contained procedures need to know; until
    :meth:`note_adjustable`, those that come from outside, with names that mean something else here.
    ``opaque``: why nothing is certain here (a Cray pointer in a module, say). ``dummies``: dummy arguments that are
    procedures, the host's too.
    """

    variables: dict[str, ir.Variable] = field(default_factory=dict)
    procedures: dict[str, str | None] = field(default_factory=dict)
    generics: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    function_types: dict[str, ir.Type] = field(default_factory=dict)
    signatures: dict[str, ir.Signature] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    opaque: str | None = None
    adjustable: tuple[str, ...] = ()
    dummies: set[str] = field(default_factory=set)
    statement_functions: dict[str, StatementFunction] = field(default_factory=dict)

    def note_adjustable(self, own: Iterable[str]) -> None:
        """Find ``adjustable``, before procedures inside are built. ``own``: the names of the unit's own variables."""
        named = (name for name in dict.fromkeys((*self.adjustable, *own)) if name in self.variables)
        self.adjustable = tuple(name for name in named if _named_bounds(self.variables[name]))

    def copy(self) -> VisibleNames:
        return VisibleNames(
            dict(self.variables), dict(self.procedures), dict(self.generics), dict(self.types),
            dict(self.function_types), dict(self.signatures), self.unknown, self.opaque, self.adjustable,
            set(self.dummies), dict(self.statement_functions),
        )  # fmt: skip

    def hide(self, name: str) -> None:
        """A declaration of ``name`` hides what it meant outside."""
        self.variables.pop(name, None)
        self.procedures.pop(name, None)
        self.generics.pop(name, None)
        self.types.pop(name, None)
        self.function_types.pop(name, None)
        self.signatures.pop(name, None)
        self.dummies.discard(name)
        self.statement_functions.pop(name, None)

    def take(self, other: VisibleNames, remote: str, local: str) -> bool:
        """Let ``local`` mean here what ``remote`` means in ``other``; whether it means anything there."""
        found = False
        variable = other.variables.get(remote)
        if variable is not None:
            self.variables[local] = variable if variable.name == local else replace(variable, name=local)
            self.adjustable += (local,) if _named_bounds(variable) else ()
            found = True
        if remote in other.procedures:
            self.procedures[local] = other.procedures[remote]
            found = True
        if remote in other.generics:
            self.generics[local] = tuple(dict.fromkeys((*self.generics.get(local, ()), *other.generics[remote])))
            found = True
        if remote in other.types:
            self.types[local] = other.types[remote]
            found = True
        if remote in other.function_types:
            self.function_types[local] = other.function_types[remote]
            found = True
        if remote in other.signatures:
            self.signatures[local] = other.signatures[remote]
            found = True
        return found

    def take_all(self, other: VisibleNames) -> None:
        """Let every name mean here what it means in ``other``."""
        self.variables.update(other.variables)
        self.adjustable += other.adjustable
        self.procedures.update(other.procedures)
        self.types.update(other.types)
        self.function_types.update(other.function_types)
        self.signatures.update(other.signatures)
        for name, keys in other.generics.items():
            self.generics[name] = tuple(dict.fromkeys((*self.generics.get(name, ()), *keys)))


def _named_bounds(variable: ir.Variable) -> bool:
    ends = [end for dim in variable.shape.dims for end in (dim.lower, dim.upper)]
    return any(end is not None and not isinstance(end, ir.Literal_) for end in ends)


def exports(visible: VisibleNames, table: Table) -> VisibleNames:
    """What a module lets its users see, by PUBLIC and PRIVATE: ``visible`` itself, when complete, where that is all."""
    if not table.private and "private" not in table.access.values():
        return visible

    def seen(name: str) -> bool:
        return table.access.get(name, "private" if table.private else "public") == "public"

    return VisibleNames(
        {name: value for name, value in visible.variables.items() if seen(name)},
        {name: value for name, value in visible.procedures.items() if seen(name)},
        {name: keys for name, keys in visible.generics.items() if seen(name)},
        {name: key for name, key in visible.types.items() if seen(name)},
        {name: value for name, value in visible.function_types.items() if seen(name)},
        {name: value for name, value in visible.signatures.items() if seen(name)},
        visible.unknown,
        visible.opaque,
        visible.adjustable,
    )


def associate(into: VisibleNames, module: VisibleNames, use: Use) -> None:
    """USE: the names of ``module`` into ``into``, as ONLY and renames say."""
    into.opaque = into.opaque or module.opaque
    if use.only is not None:
        for local, remote in use.only:
            if not into.take(module, remote, local) and module.unknown:
                into.variables[local] = unknown_variable(local, remote, use.span)
        return
    into.unknown = tuple(dict.fromkeys((*into.unknown, *module.unknown)))
    if not use.renames:
        into.take_all(module)
        return
    rest = module.copy()
    for _, remote in use.renames:
        rest.hide(remote)
    into.take_all(rest)
    for local, remote in use.renames:
        if not into.take(module, remote, local) and module.unknown:
            into.variables[local] = unknown_variable(local, remote, use.span)


def unknown_variable(local: str, remote: str, span: Span) -> ir.Variable:
    """What a module without source may hold under a name: anything, and perhaps a pointer to anything."""
    area = ir.Area("module", ir.UNKNOWN_OWNER, remote)
    return ir.Variable(local, ir.UNKNOWN, area, span, pointer=True, target=True)


def may_define(module: str, name: str) -> bool:
    """Whether a module without source may define ``name``: libraries known by a prefix define no other."""
    beginnings = prefixes(module)
    return not beginnings or name.startswith(beginnings)


def prefixes(module: str) -> tuple[str, ...]:
    """How all the names of a library's module begin, where that is known."""
    return _PREFIXED.get(module, ())


def is_known(module: str) -> bool:
    """Whether a module without source needs no remark: an intrinsic one."""
    return module in _INTRINSIC or module.startswith("ieee_")


def without_source(module: str, span: Span) -> VisibleNames:
    """The names of a module that is not in the program: those of intrinsic modules, none for others."""
    values: Mapping[str, int] | None = _INTRINSIC.get(module, _NAMED.get(module))
    if values is None:
        return VisibleNames(unknown=(module,))
    constants = {name: integer(value) for name, value in values.items()}
    if module == "iso_c_binding":
        constants |= constants_of_c()
    variables = {
        name: ir.Variable(name, value.type, ir.Area("module", module, name), span, value=value)
        for name, value in constants.items()
    }
    return VisibleNames(variables, unknown=(module,) if module in _NAMED else ())
