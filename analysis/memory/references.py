"""What an expression reads: all of it, what carries derivatives, what its partial derivatives need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, Must, exactly, singleton, union
from snapset.analysis.derivative_rules import carrying, derivatives
from snapset.analysis.memory.locations import DESCRIPTORS, EVERY, HIGHEST, Band, Interval, Space
from snapset.analysis.memory.loop_ranges import Ranges, loop_ranges, reached
from snapset.analysis.memory.storage_units import Leaf, Storage
from snapset.analysis.memory.subscript_intervals import constants, declared, holds, interval, meets, run_of
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.base.memo import Memo
from snapset.frontend.cfg.graph import Node
from snapset.frontend.ir.intrinsics import record

T = TypeVar("T")
Piece: TypeAlias = tuple[ir.Ref, ...]
"""Elements of a location: what these references select of it, all together."""


@frozen(quick=True)
class ReferencedLocations:
    """What a reference leads to. ``whole``: all of every location in ``bits``, certainly.

    ``subscripts``: the locations that finding it reads: its subscripts, the associations of the pointers in it, the
    allocations of what is allocatable.
    """

    bits: May
    whole: bool
    subscripts: May

    @property
    def certain(self) -> Must:
        """What writing it certainly overwrites."""
        return exactly(self.bits) if self.whole else EMPTY


class References:
    """Resolves the references of one procedure against its space (which grows on the way)."""

    def __init__(self, procedure: ir.Procedure, storage: Storage, space: Space,
                 bands: Mapping[str, tuple[Band, ...]] = MappingProxyType({})) -> None:
        """``bands``: the regions into which the procedure cuts its arrays, by name."""
        self.bands = bands
        self.ranges: Ranges = loop_ranges(procedure) if bands else {}
        self.constant = constants(procedure.variables)
        self.key = procedure.key
        self.variables = procedure.variables
        self.storage = storage
        self.space = space
        self._leaves: dict[str, tuple[Leaf, ...]] = {}
        self._numbered: dict[str, tuple[tuple[tuple[str, ...], Exact, bool], ...]] = {}
        self._paths: dict[tuple[str, tuple[str, ...]], tuple[tuple[tuple[str, ...], Exact, bool], ...]] = {}
        self._by_path: dict[str, dict[tuple[str, ...], tuple[list[int], list[int]]]] = {}
        self._touched: Memo[ir.Ref, ReferencedLocations] = Memo()
        self._values: Memo[ir.Expr, May] = Memo()
        self._derivatives: Memo[ir.Expr, tuple[tuple[ir.Expr, May, May], ...]] = Memo()
        self._flowing: Memo[ir.Expr, tuple[tuple[May, ...], May, May]] = Memo()
        self.of_nodes: Memo[Node, tuple[tuple[ir.Ref, bool], ...]] = Memo()  # kept for element_accesses

    def leaves(self, name: str) -> tuple[Leaf, ...]:
        """The locations of a variable by its name in the procedure, added to the space."""
        found = self._leaves.get(name)
        if found is None:
            variable = self.variables.get(name)
            constant = variable is None or variable.value is not None
            found = () if variable is None or constant else tuple(self.cut(name, self.storage.leaves(variable)))
            for leaf in found:
                self.space.add(leaf.location, leaf.info)
            self._leaves[name] = found
        return found

    def leaf(self, name: str, path: tuple[str, ...]) -> Leaf | None:
        """Of these the first that a component path ends at; None: it ends at several, or at none."""
        self._along(name, path)
        at = self._by_path[name].get(path, ([], []))[0]
        return next((leaf for leaf in map(self.leaves(name).__getitem__, at) if leaf.location.path == path), None)

    def cut(self, name: str, leaves: Iterable[Leaf]) -> Iterator[Leaf]:
        """The locations of a variable: of an array that is cut its bands."""
        for leaf in leaves:
            yield from leaf.cut(self.bands.get(name, ()))

    def numbered(self, name: str) -> tuple[tuple[tuple[str, ...], Exact, bool], ...]:
        """The component path, bit and indirectness of each location of a variable."""
        found = self._numbered.get(name)
        if found is None:
            found = tuple((leaf.location.path, singleton(self.space.add(leaf.location, leaf.info)), leaf.info.may_move)
                          for leaf in self.leaves(name))
            self._numbered[name] = found
        return found

    def touch(self, ref: ir.Ref) -> ReferencedLocations:
        return self._touched.get(ref, self._touch)

    def region(self, name: str, selected: Sequence[Interval | None],
               reached: Sequence[Interval | None] | None = None) -> tuple[May, bool]:
        """The bands of an array that is cut of which something may be selected, and whether all of them is.

        ``selected``: exactly, where it is known; ``reached``: at most, where more is known of that.
        """
        variable = self.variables[name]
        bounds = [declared(dim, self.constant) for dim in variable.shape.dims]
        bits, whole = May(EMPTY), True
        for band, (_, bit, _) in zip(self.bands[name], self.numbered(name), strict=True):
            if meets(band, selected if reached is None else reached):
                bits |= bit
                whole = whole and holds(band, selected, bounds)
        return bits, whole

    def full_dimensions(self, name: str, given: Sequence[ir.Subscript], band: Band | None) -> frozenset[int]:
        """The dimensions in which subscripts certainly select all of an array, or of a band of it."""
        if band is None:
            return frozenset(dim for dim, one in enumerate(given) if one == ir.Range())
        bounds = (declared(dim, self.constant) for dim in self.variables[name].shape.dims)
        places = enumerate(zip(band, given, bounds, strict=True))
        return frozenset(dim for dim, (ends, one, declared_) in places
                         if self._every_one(one) and holds((ends,), (interval(one, self.constant),), (declared_,)))

    def passed(self, ref: ir.Ref) -> ReferencedLocations:
        """What a procedure may reach that is passed a reference: an element stands for what follows it, too."""
        touch = self.touch(ref)
        if ref.rank or ref.name not in self.bands:
            return touch
        given = ref.parts[0].subscripts or ()
        selected = [run_of(reached(one, self.constant, self.ranges), None) for one in given[:1]]
        if len(self.bands[ref.name][0]) > 1 or not selected:
            selected = [None for _ in self.bands[ref.name][0]]
        return replace(touch, bits=self.region(ref.name, selected)[0], whole=False)

    def following(self, ref: ir.Ref, in_column: bool, column: bool, count: int | None) -> ReferencedLocations:
        """What follows an element of an array that is cut, itself included. ``in_column``: no more than its column has;
        ``column``: all of that. ``count``: of one dimension, so many elements."""
        given, touch = ref.parts[0].subscripts or (), self.touch(ref)
        last = interval(given[-1], self.constant)
        if len(given) == 1:
            selected_ = run_of(last, count)
            least = reached(given[0], self.constant, self.ranges)
            bits, whole = self.region(ref.name, [selected_], [run_of(least, count)])
            return replace(touch, bits=bits, whole=count is not None and whole)
        selected: list[Interval | None] = [EVERY, *(interval(one, self.constant) for one in given[1:])]
        if not in_column:
            selected = [*(EVERY for _ in given[:-1]), None if last is None else (last[0], HIGHEST)]
        bits, whole = self.region(ref.name, selected)
        return replace(touch, bits=bits, whole=column and in_column and whole)

    def _in_bands(self, ref: ir.Ref) -> tuple[May, bool]:
        """The bands that a reference touches, and whether it is all of them."""
        given, rank = ref.parts[0].subscripts, len(self.bands[ref.name][0])
        if given is None or len(given) != rank:
            return self.region(ref.name, [EVERY if given is None else None for _ in range(rank)])
        bits, whole = self.region(ref.name, [interval(one, self.constant) for one in given], self.reached(given))
        return bits, whole and all(map(self._every_one, given))

    def reached(self, given: Iterable[ir.Subscript]) -> list[Interval | None]:
        """What subscripts may select, at most."""
        return [reached(one, self.constant, self.ranges) for one in given]

    def _every_one(self, one: ir.Subscript) -> bool:
        """Does a range select all between the ends that are known? An end that is not known may be anywhere."""
        if not isinstance(one, ir.Range):
            return True
        ends = all(end is None or self.constant(end) is not None for end in (one.lower, one.upper))
        return ends and (one.step is None or self.constant(one.step) in (1, -1))

    def _touch(self, ref: ir.Ref) -> ReferencedLocations:
        path = tuple(part.name for part in ref.parts[1:])
        bits: May = EMPTY
        subscripts: May = EMPTY
        whole = ref.substring is None
        own = self._own(ref)
        if ref.name in self.bands:
            bits, inside = self._in_bands(ref)
            subscripts = _join(self.bounds, ref.parts)
            if ref.substring is not None:
                subscripts |= self._subscript(ref.substring)
            return ReferencedLocations(bits, whole and inside, subscripts)
        for place, bit, indirect in self._along(ref.name, path):
            short = min(len(place), len(path))
            if own is not None and len(place) > len(path) and place[len(path)] not in own | DESCRIPTORS:
                continue
            if place and place[-1] in DESCRIPTORS and place[:-1] == path[:len(place) - 1]:
                subscripts |= bit
            elif place[:short] == path[:short]:
                bits |= bit
                whole = whole and len(place) >= len(path) and not indirect
                if len(place) < len(path) and self.storage.leads_on(self.variables[ref.name], path, len(place)):
                    subscripts |= bit
        for part in ref.parts:
            subscripts |= self.bounds(part)
            whole = whole and all(subscript == ir.Range() for subscript in part.subscripts or ())
        if ref.substring is not None:
            subscripts |= self._subscript(ref.substring)
        return ReferencedLocations(bits, whole, subscripts)

    def _along(self, name: str, path: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], Exact, bool], ...]:
        """The locations of a variable that a component path leads by or to: associations on the way, what is below."""
        found = self._paths.get((name, path))
        if found is None:
            every = self.numbered(name)
            if name not in self._by_path:
                tree: dict[tuple[str, ...], tuple[list[int], list[int]]] = {}
                for at, (place, _, _) in enumerate(every):
                    own = place[:-1] if place and place[-1] in DESCRIPTORS else place  # met at its owner
                    tree.setdefault(own, ([], []))[0].append(at)
                    for length in range(len(place) + 1):
                        tree.setdefault(place[:length], ([], []))[1].append(at)
                self._by_path[name] = tree
            tree, none = self._by_path[name], ((), ())
            above = (at for length in range(len(path) + 1) for at in tree.get(path[:length], none)[0])
            found = self._paths[name, path] = tuple(every[at] for at in sorted({*above, *tree.get(path, none)[1]}))
        return found

    def _own(self, ref: ir.Ref) -> frozenset[str] | None:
        """The components of what is of exactly one type: of ``x%parent`` not those that only ``x`` has. None: all."""
        type_ = self.storage.types.get(ref.type.derived or "") if ref.exact else None
        return None if type_ is None else frozenset(component.name for component in type_.components)

    def descriptor(self, ref: ir.Ref) -> ReferencedLocations:
        """What the pointer ``ref`` is associated with, or the allocation of an allocatable. A procedure pointer is that
        itself; an association in overlaid storage has no location of its own, and counts as what it leads to."""
        path = tuple(part.name for part in ref.parts[1:])
        above = _join(self.bounds, ref.parts)
        for place, bit, indirect in self._along(ref.name, path):
            if place[:-1] == path and place and place[-1] in DESCRIPTORS:
                whole = not indirect and all(part.subscripts is None for part in ref.parts)
                return ReferencedLocations(bit, whole, above)
            if place and place[-1] in DESCRIPTORS and place[:-1] == path[:len(place) - 1]:
                above |= bit
        return self.touch(ref)

    def bounds(self, part: ir.PartRef) -> May:
        """What the subscripts of one part of a reference read."""
        return _join(self._subscript, part.subscripts or ())

    def _subscript(self, subscript: ir.Subscript) -> May:
        if isinstance(subscript, ir.Range):
            return self.all_values(x for x in (subscript.lower, subscript.upper, subscript.step) if x is not None)
        return self.values(subscript)

    def subscripts(self, ref: ir.Ref) -> May:
        return self.touch(ref).subscripts

    def all_subscripts(self, piece: Piece) -> May:
        """What has to be read to find a piece."""
        return _join(self.subscripts, piece)

    def all_values(self, exprs: Iterable[ir.Expr]) -> May:
        return _join(self.values, exprs)

    def values(self, expr: ir.Expr) -> May:
        """Every location whose value the expression may read."""
        if isinstance(expr, ir.Ref):
            touch = self.touch(expr)
            return touch.bits | touch.subscripts
        return EMPTY if isinstance(expr, ir.Literal_) else self._values.get(expr, self._read)

    @deep
    def _read(self, expr: ir.Expr) -> May:
        match expr:
            case ir.Intrinsic() if record(expr).inquiry:
                refs = [a.value for a in expr.args if isinstance(a.value, ir.Ref) and not self.is_result(a.value)]
                others = [a.value for a in expr.args if not isinstance(a.value, ir.Ref) or self.is_result(a.value)]
                return _join(self.subscripts, refs) | self.all_values(others)
            case ir.ImpliedDo():
                bounds = [expr.start, expr.stop] + ([expr.step] if expr.step else [])
                return self.all_values((*expr.items, *bounds)) & ~exactly(self._variable(expr.var))
            case ir.OpaqueExpr():
                return _join(self._variable, expr.reads)
            case _:
                return self.all_values(operands(expr))

    def is_result(self, ref: ir.Ref) -> bool:
        """A function's result: it has not even a shape where the call does not run."""
        variable = self.variables.get(ref.name)
        return variable is not None and variable.area.kind == "temporary"

    def _variable(self, name: str) -> May:
        return _join(lambda numbered: numbered[1], self.numbered(name))

    def flows(self, expr: ir.Expr, varied: May = EVERYTHING) -> May:
        """The locations the value depends on differentiably, of references that touch ``varied``.

        An element of overlaid storage touches all its segments, so one that varies takes the others with it.
        """
        if isinstance(expr, ir.Ref):
            bits = self.touch(expr).bits if _smooth(expr.type) else EMPTY
            return bits if varied == -1 or self.space.with_aliases(bits) & varied else EMPTY
        references, total, every = self._flowing.get(expr, self._all_flows)
        if varied == -1:
            return every
        for bits in references:
            if self.space.with_aliases(bits) & varied:
                total |= bits
        return total

    def _all_flows(self, expr: ir.Expr) -> tuple[tuple[May, ...], May, May]:
        """The locations of each reference, those of what is opaque, and all of them."""
        found: list[May] = []
        opaque = self._flows(expr, found)
        return tuple(dict.fromkeys(found)), opaque, opaque | union(found)

    def _flows(self, expr: ir.Expr, references: list[May]) -> May:
        """The locations of each reference the value depends on into ``references``; those of what is opaque."""
        if isinstance(expr, ir.Ref):
            if _smooth(expr.type):
                references.append(self.touch(expr).bits)
            return EMPTY
        return EMPTY if isinstance(expr, ir.Literal_) else self._flows_inside(expr, references)

    @deep
    def _flows_inside(self, expr: ir.Expr, references: list[May]) -> May:
        match expr:
            case ir.Intrinsic() | ir.Binary() | ir.Unary():
                args = operands(expr)
                return _join(lambda n: self._flows(args[n], references), carrying(expr))
            case ir.OpaqueExpr():
                return self.values(expr)
            case _:
                return _join(lambda e: self._flows(e, references), operands(expr))

    def partials(self, expr: ir.Expr, active: May, sided: bool = False) -> May:
        """The locations that the non-constant partial derivatives with respect to ``active`` read,
        and the subscripts of the active references: use(I') of an assignment of ``expr``.

        ``sided``: which side each MAX, MIN, ABS ... takes is recorded, so that nothing is read to tell it.
        """
        if not self.flows(expr) & active:
            return EMPTY
        return self.subscripts(expr) if isinstance(expr, ir.Ref) else self._partials_inside(expr, active, sided)

    @deep
    def _partials_inside(self, expr: ir.Expr, active: May, sided: bool) -> May:
        match expr:
            case ir.Binary() | ir.Intrinsic() | ir.Unary():
                return self._through(expr, active, sided)
            case ir.ImpliedDo():
                bounds = [expr.start, expr.stop] + ([expr.step] if expr.step else [])
                inner = _join(lambda item: self.partials(item, active, sided), expr.items)
                return (inner | self.all_values(bounds)) & ~exactly(self._variable(expr.var))
            case ir.OpaqueExpr():
                return self.values(expr)
            case _:
                return _join(lambda e: self.partials(e, active, sided), operands(expr))

    def _through(self, expr: ir.Expr, active: May, sided: bool) -> May:
        """What the derivatives by the active operands read, and what is read further down."""
        total: May = EMPTY
        for operand, full, less in self._derivatives.get(expr, self._read_by_derivatives):
            if self.flows(operand) & active:
                total |= self.partials(operand, active, sided) | (less if sided else full)
        return total

    def _read_by_derivatives(self, expr: ir.Expr) -> tuple[tuple[ir.Expr, May, May], ...]:
        """By operand: what the derivative by it reads, and what it reads where sides are recorded."""
        assert isinstance(expr, ir.Unary | ir.Binary | ir.Intrinsic)
        found = ((one, self.all_values(one.reads)) for one in derivatives(expr))
        return tuple((one.operand, bits, EMPTY if one.sided else bits) for one, bits in found)


def operands(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The direct sub-expressions (not subscripts)."""
    match expr:
        case ir.Unary():
            return (expr.operand,)
        case ir.Binary():
            return (expr.left, expr.right)
        case ir.Intrinsic() | ir.Structure():
            return tuple(a.value for a in expr.args)
        case ir.ArrayConstructor():
            return expr.items
        case ir.ImpliedDo():
            return expr.items
        case _:
            return ()


def _smooth(type_: ir.Type) -> bool:
    return type_.differentiable or type_.kind == "derived"


def _join(function: Callable[[T], May], items: Iterable[T]) -> May:
    total: May = EMPTY
    for item in items:
        total |= function(item)
    return total


