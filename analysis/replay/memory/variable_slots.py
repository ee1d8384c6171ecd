"""Where each variable of a procedure lives: its leaves, their slots, their element types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from snapset.analysis.replay.memory.dynamic_types import TAG, extending, number_of
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.memo import Memo
from snapset.frontend.ir.expression_queries import meaning
from snapset.frontend.ir.statement_walk import statements

DTYPES = {("real", 8): "f8", ("real", 4): "f4", ("integer", 1): "i1", ("integer", 2): "i2", ("integer", 4): "i4",
           ("integer", 8): "i8", ("logical", 1): "i1", ("logical", 2): "i2", ("logical", 4): "i4",
           ("logical", 8): "i8", ("complex", 8): "c8", ("complex", 16): "c16"}  # fmt: skip


POINTER = "=>"  # in the place of an element type: what a data pointer is associated with
OWNER = "%%"  # an allocatable component of an array's elements, or of its own type: each has its own memory, or none


class RefusedError(InputError):
    """The program holds what the machine does not execute: ``what``, names in backquotes."""

    def __init__(self, what: str, span: Span) -> None:
        self.what = what
        super().__init__(f"replay does not execute {what}; take it out of the program to replay it", span)


def refuse(what: str, span: Span) -> RefusedError:
    """The error for what the machine does not execute. Every such error is one of these: the report names them too
    (:mod:`snapset.analysis.replay.statements.refused_constructs`)."""
    return RefusedError(what, span)


def dtype_of(type_: ir.Type) -> str | None:
    """NumPy's name of an element type, None where the machine has none."""
    if type_.kind == "character":
        return f"S{type_.bytes}" if type_.bytes else None
    return DTYPES.get((type_.kind, type_.bytes or 0))


def has_length(variable: ir.Variable, component: bool) -> bool:
    """Is a CHARACTER of no constant length as long as something says while the program runs: what is passed, its
    allocation, the procedure's entry, the function that makes it?"""
    if variable.type.kind != "character" or variable.pointer:
        return False
    told = variable.length is not None or variable.area.kind in ("formal", "temporary")
    return variable.allocatable or (told and not component)


@frozen(quick=True)
class LeafPlace:
    """One leaf of a variable. ``dims`` are those of the variable and of the components on the way.

    ``ranks``: how many of them belong to the variable and to each component. ``allocatable``: what ALLOCATE gives
    memory; ``depth``: with how many parts of a reference (0: with none, it is not allocatable).
    ``default``: what a type gives the first ``given`` components of the path to begin with; ``initialised``: it gives
    something.
    ``pointee``: of a data pointer, what it points to as a variable of its own; the leaf is what it is associated with.
    ``owned``: of an allocatable component of an array's elements, an element's as a variable of its own; also of one
    whose type it is in itself.
    ``having``: for each CLASS object on the way of which not all types have the leaf, how deep in the path it is, and
    the types that do.
    """

    path: tuple[str, ...]
    type: ir.Type
    dims: tuple[ir.Dim, ...]
    ranks: tuple[int, ...]
    allocatable: bool
    initialised: bool = False
    default: ir.Expr | None = None
    pointee: ir.Variable | None = None
    owned: ir.Variable | None = None
    depth: int = 0
    having: tuple[tuple[int, frozenset[str]], ...] = ()
    given: int = 0

    @property
    def is_pointer(self) -> bool:
        """Is it what a data pointer or procedure pointer is associated with?"""
        return self.dtype in (POINTER, "O")

    @property
    def is_tag(self) -> bool:
        """Is it the dynamic type of a CLASS object?"""
        return self.path[-1:] == (TAG,)

    @property
    def has_values(self) -> bool:
        """Does it hold what a program computes with: no association, and no type?"""
        return not self.is_pointer and not self.is_tag and self.owned is None

    @property
    def behind(self) -> ir.Variable | None:
        """What a reference goes on in that does not end here: a target, an element's allocatable component."""
        return self.pointee or self.owned

    def of_types(self, depth: int) -> frozenset[str] | None:
        """Of a CLASS object so deep in the path, the types that have the leaf; None: all."""
        return next((types for at, types in self.having if at == depth), None)

    def is_in(self, depth: int, key: str | None) -> bool:
        """Has an object of this type, so deep in the path, the leaf?"""
        types = self.of_types(depth)
        return types is None or key in types

    @property
    def dtype(self) -> str:
        if self.behind is not None:
            return POINTER if self.owned is None else OWNER
        if self.type.kind == "procedure":
            return "O"
        found = "S" if self.type.kind == "character" and self.type.bytes is None else dtype_of(self.type)
        assert found is not None
        return found


def leaves_of(variable: ir.Variable, types: Mapping[str, ir.DerivedType], span: Span) -> tuple[LeafPlace, ...]:
    """All leaves of a variable that the machine can hold; a pointer is one, whatever it leads to.

    Of a CLASS object the first one is its type, then come those of all types that extend its own. All plain scalars of
    a derived type have the same leaves, which are laid out once for a program.

    Raises:
        InputError: characters whose length is not known, types that hold themselves, extensions one of which calls a
            procedure pointer what another one calls its data.
    """
    if variable.type.kind != "derived" or variable.shape.dims or variable.pointer or variable.allocatable \
            or variable.polymorphic:
        return tuple(_leaves(variable, types, span, (), (), (), ()))
    known, key = _OF_TYPES.get(types, lambda _: {}), variable.type.derived
    found = known.get(key)
    if found is None:
        found = known[key] = tuple(_leaves(variable, types, span, (), (), (), ()))
    return found


_OF_TYPES: Final[Memo[Mapping[str, ir.DerivedType], dict[str | None, tuple[LeafPlace, ...]]]] = Memo(most=8)


def _leaves(variable: ir.Variable, types: Mapping[str, ir.DerivedType], span: Span, path: tuple[str, ...],
            dims: tuple[ir.Dim, ...], ranks: tuple[int, ...], inside: tuple[str, ...],
            depth: int = 0, above: tuple[ir.Expr, int] | None = None) -> Iterator[LeafPlace]:
    given = (variable.start, len(path)) if path and above is None and variable.start is not None else above
    is_own = variable.allocatable and not any(dims) and (not path or variable.type.derived not in inside)
    depth = len(path) + 1 if is_own else depth
    if variable.pointer and variable.type.kind != "procedure":
        pointee = replace(variable, pointer=False, target=True, start=None)
        yield LeafPlace(path, ir.ASSOCIATED, dims, (*ranks, 0), depth > 0, pointee=pointee, depth=depth)
        return
    if variable.type.kind == "procedure":
        yield LeafPlace(path, variable.type, dims, (*ranks, 0), depth > 0, depth=depth)
        return
    if variable.allocatable and not is_own:
        yield LeafPlace(path, ir.ASSOCIATED, dims, (*ranks, 0), depth > 0, owned=variable, depth=depth)
        return
    dims, ranks = (*dims, *variable.shape.dims), (*ranks, variable.shape.rank)
    key = variable.type.derived
    if variable.type.kind == "derived":
        declared = types.get(key or "")
        if declared is None or key is None or key in inside:
            raise refuse(f"`{variable.name}` of a type it cannot lay out", span)
        if not variable.polymorphic:
            for component in declared.components:
                yield from _leaves(component, types, span, (*path, component.name), dims, ranks, (*inside, key), depth,
                                   given)
            return
        yield LeafPlace((*path, TAG), ir.INTEGER, (), (0,)*(len(ranks) + 1), depth > 0, depth=depth)
        family = extending(key, types)
        for component, having in _family(variable, family, types, span):
            for leaf in _leaves(component, types, span, (*path, component.name), dims, ranks, (*inside, key), depth):
                yield leaf if len(having) == len(family) else replace(
                    leaf, having=((len(path), having), *leaf.having))
    elif dtype_of(variable.type) is None and not has_length(variable, bool(path)):
        what = ", which is CLASS(*)" if variable.polymorphic else f" of type {variable.type.kind}"
        raise refuse(f"`{variable.name}`{what}", span)
    else:
        default, at = given or (None, 0)
        yield LeafPlace(path, variable.type, dims, ranks, depth > 0, bool(path) and (variable.initialised or at > 0),
                        default, depth=depth, given=at)


def _family(variable: ir.Variable, family: tuple[str, ...], types: Mapping[str, ir.DerivedType],
            span: Span) -> Iterator[tuple[ir.Variable, frozenset[str]]]:
    """The components of all types that a CLASS object may be of, each with the types that have it."""
    found: dict[str, tuple[ir.Variable, set[str]]] = {}
    for key in family:
        for component in types[key].components:
            known, having = found.setdefault(component.name, (component, set()))
            having.add(key)
            if meaning(known) != meaning(component):
                raise refuse(f"`{variable.name}`, whose extensions have a procedure `{component.name}` and other data",
                             span)
    yield from ((component, frozenset(having)) for component, having in found.values())


class _LeafPaths:
    """The leaves of a variable, as offsets in their order, by path: those ``at`` its end, and those ``below`` it."""

    def __init__(self, leaves: tuple[LeafPlace, ...]) -> None:
        self.at: dict[tuple[str, ...], list[int]] = {}
        self.below: dict[tuple[str, ...], list[int]] = {}
        for offset, leaf in enumerate(leaves):
            self.at.setdefault(leaf.path, []).append(offset)
            for length in range(len(leaf.path) + 1):
                self.below.setdefault(leaf.path[:length], []).append(offset)

    def along(self, path: tuple[str, ...]) -> list[int]:
        """Of those that a reference comes by: on its path of components, and below its end."""
        above = [offset for length in range(len(path)) for offset in self.at.get(path[:length], ())]
        return sorted((*above, *self.below.get(path, ())))


_PATHS: Final[Memo[tuple[LeafPlace, ...], _LeafPaths]] = Memo(most=1 << 12)


@frozen(quick=True)
class SlotPlace:
    """A numbered slot of a procedure's frame."""

    number: int
    variable: ir.Variable
    leaf: LeafPlace


class Layout:
    """Numbers the leaves of the variables a procedure's code names, as they are asked for."""

    def __init__(self, procedure: ir.Procedure, types: Mapping[str, ir.DerivedType]) -> None:
        self.procedure = procedure
        self.types = types
        self.slots: list[SlotPlace] = []
        self._by_name: dict[str, tuple[SlotPlace, ...]] = {}
        self._leaves: dict[str, tuple[LeafPlace, ...]] = {}
        self._numbers: dict[str, int] = {}

    def variable(self, name: str, span: Span) -> ir.Variable:
        found = self.procedure.variables.get(name)
        if found is None:
            raise refuse(f"`{name}`, which has no declaration", span)
        return found

    def places(self, name: str, span: Span) -> tuple[SlotPlace, ...]:
        """The slots of a whole variable."""
        found = self._by_name.get(name)
        if found is None:
            variable = self.variable(name, span)
            first = len(self.slots)
            leaves = leaves_of(variable, self.types, span)
            found = tuple(SlotPlace(first + k, variable, leaf) for k, leaf in enumerate(leaves))
            self.slots.extend(found)
            self._by_name[name], self._leaves[name] = found, leaves
        return found

    def along(self, name: str, path: tuple[str, ...], span: Span) -> list[SlotPlace]:
        """Of these, in order, the ones that a reference comes by: on its path of components, and below its end."""
        places = self.places(name, span)
        return [places[offset] for offset in _PATHS.get(self._leaves[name], _LeafPaths).along(path)]

    def number(self, key: str) -> int:
        """The number of a type while the program runs."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = number_of(key, self.types)
        return found

    def pointed(self, leaf: LeafPlace, span: Span) -> tuple[LeafPlace, ...]:
        """The leaves of what a pointer leads to, or of an element's allocatable component."""
        assert leaf.behind is not None
        return leaves_of(leaf.behind, self.types, span)


@frozen
class PassedVariables:
    """Which memory may be a dummy argument's and have another name where the argument has its own. ``areas``: of the
    variables that a callee may know by their names: ``call inner(w(0))``, inner being an internal procedure.
    ``together``: may two dummy arguments have some memory in common?"""

    areas: frozenset[ir.Area]
    together: bool


NOTHING_PASSED = PassedVariables(frozenset(), False)


def passed_variables(procedures: Iterable[ir.Procedure]) -> PassedVariables:
    """Those that a program's ``procedures`` pass."""
    areas, seen = set[ir.Area](), tuple(procedures)
    hosts = {procedure.host for procedure in seen}
    together = pointers = False
    for procedure in seen:
        pointers = pointers or any(variable.pointer for variable in procedure.variables.values())
        for stmt in statements(procedure.body):
            if isinstance(stmt, ir.Call):
                names = [argument.value.name for argument in stmt.args if isinstance(argument.value, ir.Ref)]
                roots = [procedure.variables[name].area for name in names if name in procedure.variables]
                together = together or len(set(roots)) < len(roots)
                areas |= {area for area in roots if area.owner in hosts
                          or area.kind not in ("local", "temporary", "formal")}
    if pointers:  # any of them may be passed, and lead to a target that has a name
        areas |= {variable.area for procedure in seen for variable in procedure.variables.values() if variable.target}
    return PassedVariables(frozenset(areas), together or bool(areas))
