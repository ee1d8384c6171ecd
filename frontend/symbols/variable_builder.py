"""One unit's declared names to variables: types, shapes, constants, areas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.default_kinds import STANDARD, DefaultKinds
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.text_scan import split_top
from snapset.frontend.declarations import implicit_typing as implicit
from snapset.frontend.declarations.initial_values import procedure_of, start_of, target_of
from snapset.frontend.declarations.table import Entity, Table, TypeSpec
from snapset.frontend.ir.constant_folding import integer, value_of
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.real_folding import folded_real, is_too_large
from snapset.frontend.parsing import expression_parser, syntax_tree
from snapset.frontend.rules import diagnostic
from snapset.frontend.symbols.constructor_types import KINDS, storage
from snapset.frontend.symbols.known_modules import HANDLES, MPI_CONSTANTS, MPI_HANDLES, MPI_STATUS, handle
from snapset.frontend.symbols.partial_data import partial_start
from snapset.frontend.symbols.specification_expressions import Names, constant_or_simple
from snapset.frontend.symbols.use_association import VisibleNames


@dataclass(slots=True)
class Shared:
    """What all units of a program share. ``sizes``: bytes of derived types by key. ``kinds``: of default types.

    ``procedures``: external procedures with source (name to key). ``bodies``: interfaces of separate module
    procedures by key. ``implemented``: keys of the procedures with source. ``exported``: what modules let see.
    """

    types: dict[str, ir.DerivedType] = field(default_factory=dict)
    sizes: dict[str, int | None] = field(default_factory=dict)
    externals: dict[str, str] = field(default_factory=dict)
    implemented: frozenset[str] = frozenset()
    bodies: dict[str, Table] = field(default_factory=dict)
    exported: dict[str, VisibleNames] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    reported: set[str] = field(default_factory=set)
    kinds: DefaultKinds = STANDARD


@dataclass(slots=True)
class Building:
    """A unit whose names are being looked up. ``owner`` is its key, ``in_module`` says that it is a module.

    ``visible`` holds what it sees from outside, own names hidden; own variables are made when first asked for.
    """

    table: Table
    owner: str
    in_module: bool
    visible: VisibleNames
    shared: Shared
    not_variables: frozenset[str] = frozenset()
    implicit: Mapping[str, ir.Type] = field(default_factory=dict)
    made: dict[str, ir.Variable | None] = field(default_factory=dict)
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        self.names = Names(self.variable, self.shared.types, self.shared.kinds, self._constructed)

    def _constructed(self, name: str) -> str | None:
        """The type of whose constructor this is the name; a function of that name comes first."""
        visible = self.visible
        return None if name in visible.generics or name in visible.procedures else visible.types.get(name)

    def set_implicit(self, host: Mapping[str, ir.Type]) -> None:
        self.implicit = implicit.rules(self.table, host, self.type_of, self.shared.kinds)

    # ------------------------------------------------------------ expressions

    def evaluate(self, text: str, span: Span) -> ir.Expr:
        """A specification expression. Raises InputError where it cannot be read."""
        return self._meaning(text, span, expression_parser.expression)

    def _meaning(self, text: str, span: Span, read: Callable[[str], syntax_tree.Raw]) -> ir.Expr:
        try:
            return constant_or_simple(read(text), self.names)
        except expression_parser.WallError as error:
            raise InputError(f"cannot read `{text}` in this declaration: {error}; correct it", span) from None

    @deep
    def variable(self, name: str) -> ir.Variable | None:
        """What ``name`` is here, if it is a variable."""
        if name in self.made:
            return self.made[name]
        entity = self.table.entities.get(name)
        if entity is None or name in self.not_variables:
            return self.visible.variables.get(name) if entity is None else None
        self.made[name] = None
        self.made[name] = self._make(entity)
        return self.made[name]

    # ------------------------------------------------------------ types

    def type_of(self, spec: TypeSpec, length: str | None = None, span: Span | None = None) -> ir.Type:
        """The type a specification stands for; bytes None where its kind or length is no known constant."""
        span = span or self.table.span
        if spec.base == "any":
            return ir.UNKNOWN
        if spec.base == "derived":
            return self._derived(spec.name or "", span)
        if spec.base == "character":
            return ir.Type("character", self._length(spec, length, span))
        size: int | None = spec.star
        if spec.star is None:
            size = self.shared.kinds.bytes_of(spec.base)
            if length is not None and length.isdecimal():  # real x*8
                size = int(length)
            elif spec.kind is not None:
                kind = value_of(self.evaluate(spec.kind, span))
                size = None if kind is None else storage(kind) * (2 if spec.base == "complex" else 1)
        return ir.Type(KINDS[spec.base], size)

    def _length(self, spec: TypeSpec, length: str | None, span: Span) -> int | None:
        text = length or spec.length or "1"
        if text in ("*", ":"):
            return None
        count = int(text) if text.isdecimal() else value_of(self.evaluate(text, span))
        kind = 1 if spec.kind is None else value_of(self.evaluate(spec.kind, span))
        return None if count is None or kind is None else max(0, count) * kind

    def _run_time_length(self, entity: Entity, type_: ir.Type) -> ir.Expr | None:
        """The length of characters where it is no constant."""
        header = self.table.header
        spec = entity.type or (header.type if entity.name == header.result else None)
        text = entity.length or (spec.length if spec is not None else None)
        if type_.kind != "character" or type_.bytes is not None or text in (None, "*", ":"):
            return None
        return self.evaluate(text or "1", entity.span)

    def _derived(self, name: str, span: Span) -> ir.Type:
        key = self.visible.types.get(name)
        if key is None and name in MPI_HANDLES:
            return ir.Type("integer", 4)
        if key is None and name == MPI_STATUS:
            return ir.Type("integer", 4, MPI_STATUS)
        if key is None and name in HANDLES:
            return handle(name)
        if key is None:
            silent = self.visible.unknown or name.startswith(("c_", "ieee_")) or name == "?"
            if not silent and f"{self.owner}%{name}" not in self.shared.reported:
                self.shared.reported.add(f"{self.owner}%{name}")
                self.shared.diagnostics.append(diagnostic(
                    "SN210", f"type `{name}` is not defined here: its components are not known; "
                    "give the file that defines it", span))
            return ir.Type("derived")
        return ir.Type("derived", self.shared.sizes.get(key), key)

    # ------------------------------------------------------------ variables

    def _make(self, entity: Entity) -> ir.Variable | None:
        flags = entity.flags
        type_ = self._type(entity)
        if type_ is None:
            return None
        pointee = "pointee" in flags
        type_, shape = self.laid_out(type_, entity)
        variable = ir.Variable(
            entity.name, ir.UNKNOWN if pointee else type_, self._area(entity, shape), entity.span, shape,
            intent=entity.intent, optional="optional" in flags, pointer="pointer" in flags or pointee,
            target="target" in flags, allocatable="allocatable" in flags, initialised="init" in flags,
            polymorphic=entity.type is not None and entity.type.polymorphic, by_value="value" in flags,
            length=self._run_time_length(entity, type_),
        )  # fmt: skip
        if "parameter" in flags and entity.init is not None:
            return self._constant(variable, entity.init)
        if type_.kind == "procedure":
            return replace(variable, start=procedure_of(entity, self.visible.procedures))
        if variable.pointer:
            return replace(variable, start=target_of(entity))
        if "init" in flags:
            return replace(variable, start=self._start(entity, type_))
        return variable

    def _start(self, entity: Entity, type_: ir.Type) -> ir.Expr | None:
        """The start value, as far as it is understood."""
        def value(text: str) -> ir.Expr:
            return self.evaluate(text, entity.span)

        def shape_of(name: str) -> ir.Shape | None:
            declared = self.table.entities.get(name)
            return None if declared is None else self.shape(declared)

        found = start_of(entity, type_, value)
        if found is not None or not entity.data:
            return found
        return partial_start(entity.name, entity.data, type_, shape_of,
                             lambda node: constant_or_simple(node, self.names), value)

    def _type(self, entity: Entity) -> ir.Type | None:
        if "procedure" in entity.flags:
            return ir.Type("procedure", 8) if "pointer" in entity.flags else None
        if entity.type is not None:
            return self.type_of(entity.type, entity.length, entity.span)
        header = self.table.header
        if entity.name == header.result and header.type is not None:
            return self.type_of(header.type, entity.length, entity.span)
        return self.implicit.get(entity.name[0], ir.UNKNOWN)

    def _constant(self, variable: ir.Variable, text: str) -> ir.Variable:
        """A PARAMETER with its value; an array that takes its bounds from it gets them."""
        value = _converted(self.evaluate(text, variable.span), variable.type)
        shape, type_ = variable.shape, variable.type
        if (shape.kind == "assumed-size" and shape.rank == 1 and isinstance(value, ir.ArrayConstructor)
                and not any(isinstance(one, ir.ImpliedDo) or rank_of(one) for one in value.items)):
            lower = value_of(shape.dims[0].lower or integer(1))
            if lower is not None:
                shape = ir.Shape("explicit", (ir.Dim(shape.dims[0].lower, integer(lower + len(value.items) - 1)),))
        if (type_.kind == "character" and type_.bytes is None
                and isinstance(value, (ir.Literal_, ir.Ref, ir.ArrayConstructor))):
            type_ = value.type
        if type_.kind == "real" and shape.kind == "scalar":
            value = folded_real(value, type_)
        elif is_too_large(value):
            value = ir.OpaqueExpr("a constant", (), type_)
        return replace(variable, value=value, shape=shape, type=type_, initialised=False)

    def _area(self, entity: Entity, shape: ir.Shape) -> ir.Area:
        name = entity.name
        if self.in_module:
            return ir.Area("module", self.owner, name)
        header = self.table.header
        if name in header.formals:
            return ir.Area("formal", self.owner, name)
        flags = entity.flags
        if name != header.result and "parameter" not in flags and (
            "save" in flags or "init" in flags or (self.table.save_all and not automatic(shape))
        ):
            return ir.Area("saved", self.owner, name)
        return ir.Area("local", self.owner, name)

    def shape(self, entity: Entity) -> ir.Shape:
        """The bounds an entity is declared with."""
        if entity.dims is None:
            return ir.SCALAR
        parts = split_top(entity.dims)
        if not parts or parts == ("..",):
            return ir.Shape("assumed-shape", (ir.Dim(None, None),), any_rank=bool(parts))
        dims = tuple(self._dim(part, entity.span) for part in parts)
        if parts[-1].endswith("*"):
            return ir.Shape("assumed-size", dims)
        if any(dim.upper is None for dim in dims):
            deferred = not entity.flags.isdisjoint(("pointer", "allocatable"))
            return ir.Shape("deferred" if deferred else "assumed-shape", dims)
        return ir.Shape("explicit", dims)

    def laid_out(self, type_: ir.Type, entity: Entity) -> tuple[ir.Type, ir.Shape]:
        """The type and shape of a variable or component. A status, or an array of them, is integers; one whose bounds
        are not declared an object of an unknown type."""
        shape = self.shape(entity)
        if type_.derived != MPI_STATUS:
            return type_, shape
        if shape.kind not in ("scalar", "explicit", "assumed-size"):
            return ir.Type("derived"), shape
        size = ir.Dim(None, integer(MPI_CONSTANTS["mpi_status_size"]))
        kind = "explicit" if shape.kind == "scalar" else shape.kind
        return type_, replace(shape, kind=kind, dims=(size, *shape.dims))

    def _dim(self, text: str, span: Span) -> ir.Dim:
        if text in (":", "*"):
            return ir.Dim(None, None)
        if text.isdecimal():
            return ir.Dim(None, integer(int(text)))
        if text.endswith("*") and text[:-1].rstrip().endswith(":"):
            text = text[:-1].rstrip()
        try:
            args = expression_parser.arguments(text)
        except expression_parser.WallError as error:
            raise InputError(f"cannot read the bounds `{text}`: {error}; correct them", span) from None
        if not args:
            raise InputError("a bound is missing between two commas; give it", span)
        value = args[0].value
        if not isinstance(value, syntax_tree.Triplet):
            return ir.Dim(None, constant_or_simple(value, self.names))
        lower = None if value.lower is None else constant_or_simple(value.lower, self.names)
        return ir.Dim(lower, None if value.upper is None else constant_or_simple(value.upper, self.names))


def automatic(shape: ir.Shape) -> bool:
    """Whether an array's size depends on the call; such an array cannot be saved."""
    ends = [end for dim in shape.dims for end in (dim.lower, dim.upper) if end is not None]
    return any(value_of(end) is None for end in ends)


def _converted(value: ir.Expr, type_: ir.Type) -> ir.Expr:
    """A constant in the type of its PARAMETER."""
    if not isinstance(value, ir.Literal_) or value.type == type_ or isinstance(value.value, (bool, str)):
        return value
    if type_.kind == "real" and isinstance(value.value, int):
        return ir.Literal_(float(value.value), type_)
    if type_.kind == "integer" and isinstance(value.value, (int, float)) and isfinite(value.value):
        return ir.Literal_(int(value.value), type_)
    return value
