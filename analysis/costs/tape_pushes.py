"""What each node of a level pushes on the adjoint's stack in the forward sweep, values and control.

One execution's bytes. The replay machine (:mod:`snapset.analysis.replay.machine.planned_adjoint`) pushes exactly these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.costs.trip_counts import CountScope
from snapset.analysis.dataflow.bitsets import Exact, exactly, members, union
from snapset.analysis.memory.locations import DESCRIPTORS
from snapset.analysis.memory.references import Piece
from snapset.analysis.recording.tape_sites import Stretch, Taping
from snapset.analysis.recording.to_be_recorded import PartRecord, ProcedureRecord
from snapset.analysis.results import ControlEntry, TapeEntry
from snapset.analysis.sections.snapshot_sections import repeated
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.extrema import clamp, quotient
from snapset.analysis.symbolic.loop_sums import total
from snapset.analysis.symbolic.polynomials import ONE, ZERO, Quantity, add, number, of, product
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.cfg.graph import Loop
from snapset.frontend.ir.expression_queries import rank_of

CountedBytes = Callable[[int, Quantity], Quantity | None]


@frozen
class Snapshot:
    """Bytes of Sbk, of what is in Snp alone, and of both."""

    sbk: Quantity
    snp: Quantity

    @property
    def both(self) -> Quantity:
        return self.sbk + self.snp


def tag(key: str, index: int) -> Sym:
    """The name that marks a location's bytes."""
    return Sym(f"@{key}:{index}", what="tag")


class Pushes:
    """The pushes of one procedure under one strategy.

    ``tagged``: every location's bytes are multiplied by a name of its own, :func:`tag`, so that a cost tells how
    much of it is whose.
    """

    def __init__(self, adjoint: ProcedureAdjoint, record: ProcedureRecord, scope: CountScope,
                 tagged: bool = False) -> None:
        self.tagged = tagged
        self.adjoint = adjoint
        self.model = adjoint.model
        self.record = record
        self.scope = scope
        self.taping = Taping(adjoint, record)
        self._sizes: dict[int, Quantity] = {}
        self._entries: dict[tuple[int, int, int], Quantity] = {}

    def control(self, index: int) -> dict[int, Quantity]:
        """Control by node: a loop's once where it is entered, any other test's at the test."""
        found: dict[int, Quantity] = {}
        for node in self.taping.recorded_tests[index]:
            recorded = self.taping.recorded_at(node)
            if recorded is None:
                continue
            found[self.taping.recorded_where(node)] = number(recorded[1])
        return found

    def values(self, index: int, node: int) -> Quantity:
        """The values one execution of a node tapes, its WHERE mask where that is stored, and the sides it records."""
        return self.values_of(index, node, self.record.levels[index].taped.get(node, 0))

    def values_of(self, index: int, node: int, taped: int) -> Quantity:
        """The same, if these were the locations that it tapes."""
        level = self.adjoint.levels[index]
        mask = self.mask(node) if node in self.adjoint.masks and (
            node in level.running or node in self.adjoint.active.derivative) else ZERO
        if node in self.adjoint.sides:
            mask = mask + self.sides(node)
        if not taped or node not in level.running:
            return mask
        stmt = self.model.flow.nodes[node].stmt
        match stmt:
            case ir.Call():
                return self.locations(taped)
            case ir.Assign():
                plain = stmt.target.type.kind == "derived" or self.behind_links(stmt.target)
                own = ZERO if plain else self.descriptors((stmt.target,), taped)
                return add(mask, own, *(self.piece(piece, taped, node) for piece in self.pieces(stmt)))
            case ir.Do():
                return self.marked(number(stmt.var.type.bytes or 4), next(members(taped)))
            case ir.Allocate():  # the memory was not there before
                return self.descriptors(stmt.objects, taped)
            case ir.PointerAssign():
                return self.descriptors((stmt.target,), taped)
            case ir.Nullify():
                return self.descriptors(stmt.objects, taped)
            case ir.Deallocate():
                data = (self.locations(self.model.refs.touch(ref).bits & taped) for ref in stmt.objects)
                return add(self.descriptors(stmt.objects, taped), *data)
            case ir.IO() if all(isinstance(one, ir.Ref) for one in stmt.writes):  # READ a(1), a(2): each by itself
                touched = (self.model.refs.touch(one).bits for one in stmt.writes if isinstance(one, ir.Ref))
                return add(*(self.locations(bits & taped) for bits in touched))
            case _:
                return self.locations(taped)

    def descriptors(self, objects: Iterable[ir.Ref], taped: int) -> Quantity:
        """Of every pointer that is associated anew, if it is taped under any of its names, one address, of every
        allocatable one allocation."""
        found = [ZERO]
        for ref in objects:
            bare = replace(ref, parts=(*ref.parts[:-1], ir.PartRef(ref.parts[-1].name)))
            bits = self.model.space.with_aliases(self.model.refs.descriptor(bare).bits) & taped
            named = next((i for i in members(bits) if self.model.space.locations[i].is_descriptor
                          or self.model.space.infos[i].type.kind == "procedure"), None)
            if named is not None:
                size = self.model.space.infos[named].type.bytes or ir.ASSOCIATED.bytes
                found.append(self.marked(number(size or 0), named))
        return add(*found)

    # ------------------------------------------------------------ entry by entry, for reports

    def tape(self, stretch: Stretch, counted: CountedBytes | None = None) -> Iterator[TapeEntry]:
        """What a stretch tapes, statement by statement; all executions counted, branches as taken.

        ``counted``: gives, for a node and the bytes of one execution, those of a counted run.
        """
        taped = self.record.levels[stretch.level].taped
        for node in stretch.nodes & taped.keys():
            span = self.model.place(node)
            for index in members(taped[node]):
                yield TapeEntry(span.file, span.line, self.model.space.infos[index].name, stretch.part,
                                self.all_executions(node, index, stretch.level),
                                None if counted is None else counted(node, self.one_location(node, index)))

    def controls(self, stretch: Stretch, counted: CountedBytes | None = None) -> Iterator[ControlEntry]:
        """What a stretch records of control."""
        for node in stretch.nodes & self.taping.recorded_tests[stretch.level]:
            found = self.taping.recorded_at(node)
            if found is not None:
                what, size, once = found
                loops = self.taping.loops_around(node, stretch.level)
                span = self.model.flow.nodes[node].span
                yield ControlEntry(span.file, span.line, what, stretch.part,
                                   self.times(number(size), loops[:-1] if once else loops),
                                   None if counted is None else counted(self.taping.recorded_where(node), number(size)))
            elif node in self.adjoint.branches:
                span = self.model.flow.nodes[node].span
                yield ControlEntry(span.file, span.line, "evaluated again", stretch.part, ZERO,
                                   None if counted is None else ZERO)

        for node in stretch.nodes & self.adjoint.sides.keys():
            span, sides = self.model.flow.nodes[node].span, self.sides(node)
            yield ControlEntry(span.file, span.line, "side", stretch.part,
                               self.times(sides, self.taping.loops_around(node, stretch.level)),
                               None if counted is None else counted(node, sides))

    def all_executions(self, node: int, index: int, level: int) -> Quantity:
        key = node, index, level
        if key not in self._entries:
            once = self.one_location(node, index)
            self._entries[key] = self.times(once, self.taping.loops_around(node, level))
        return self._entries[key]

    def one_location(self, node: int, index: int) -> Quantity:
        """What one execution of a node tapes of one location."""
        stmt = self.model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign):
            for target in self.pieces(stmt):
                bits = self.model.refs.touch(target).bits
                if bits >> index & 1:
                    selected = self.elements(target, node)
                    whole = bits != 1 << index and all(p.subscripts is None for p in target.parts)
                    if selected is None or target.type.bytes is None or whole:
                        break
                    return selected.scaled(target.type.bytes)
        return self.size(index)

    def times(self, amount: Quantity, loops: Iterable[Loop]) -> Quantity:
        """Once for every iteration of the loops, outermost first."""
        for loop in reversed(list(loops)):
            trips = self.scope.trips(loop)
            amount = total(trips.counter, trips.count, amount)
        return amount

    # ------------------------------------------------------------ snapshots

    def snapshot(self, solved: PartRecord, node: int) -> Snapshot:
        choice = solved.choice
        whole = ~union(1 << i for i in solved.pieces)
        below, above = (self.locations(bits & whole) + self.in_pieces(bits, solved, node)
                        for bits in (choice.sbk, exactly(choice.snp & ~choice.sbk)))
        return Snapshot(below, above)

    def in_pieces(self, bits: Exact, solved: PartRecord, node: int) -> Quantity:
        """The bytes of the pieces that are saved of some locations."""
        once = bits & ~repeated(self.model.space, solved.pieces, bits)
        return add(ZERO, *(self.of_piece(piece, i, node) for i, piece in solved.pieces.items() if once >> i & 1))

    def of_piece(self, piece: Piece, index: int, node: int) -> Quantity:
        """The bytes of a piece where the node runs."""
        return add(ZERO, *(self.selected(ref, index, node) for ref in piece))

    def selected(self, ref: ir.Ref, index: int, node: int) -> Quantity:
        """The bytes of the elements that a reference selects where the node runs."""
        found = self.elements(ref, node)
        if found is None or ref.type.bytes is None:
            less, share = self.columns_before(ref, node), self.share(ref, node)
            if share is not None:
                return self.marked(share, index)
            return self.size(index) if less is None else self.marked(clamp(self.plain_size(index) - less), index)
        return self.marked(clamp(found).scaled(ref.type.bytes), index)

    def columns_before(self, ref: ir.Ref, node: int) -> Quantity | None:
        """The bytes that ``a(:, j:)`` leaves out, where only the last extent of ``a`` is not declared; None for what
        is selected otherwise."""
        subscripts, dims = ref.parts[-1].subscripts, self.model.refs.variables[ref.name].shape.dims
        if len(ref.parts) > 1 or not subscripts or len(subscripts) != len(dims) or ref.type.bytes is None:
            return None
        extents, last, dim = [self.scope.extent(one) for one in dims[:-1]], subscripts[-1], dims[-1]
        known = [one for one in extents if one is not None]
        if (any(one != ir.Range() for one in subscripts[:-1]) or len(known) < len(extents) or dim.upper is not None
                or not isinstance(last, ir.Range) or last != ir.Range(last.lower) or last.lower is None):
            return None
        first = self.scope.at(last.lower, node)
        begins = number(1) if dim.lower is None else self.scope.at(dim.lower, node)
        return None if first is None or begins is None else product((*known, first - begins)).scaled(ref.type.bytes)

    def locations(self, bits: int) -> Quantity:
        """The bytes of whole locations."""
        return add(ZERO, *(self.size(i) for i in members(bits) if i < len(self.model.space)))

    def size(self, index: int) -> Quantity:
        """The bytes of one location."""
        if index not in self._sizes:
            self._sizes[index] = self.marked(self.plain_size(index), index)
        return self._sizes[index]

    def plain_size(self, index: int) -> Quantity:
        space = self.model.space
        return self.scope.location(space.locations[index], space.infos[index])

    def marked(self, amount: Quantity, index: int) -> Quantity:
        return amount * of(tag(self.adjoint.key, index)) if self.tagged else amount

    # ------------------------------------------------------------ assignments

    def pieces(self, stmt: ir.Assign) -> Iterator[ir.Ref]:
        """The target, a derived-type one leaf by leaf."""
        if stmt.target.type.kind != "derived":
            yield stmt.target
            return
        path = tuple(p.name for p in stmt.target.parts[1:])
        if self.behind_links(stmt.target):
            yield stmt.target
        for leaf in self.model.refs.leaves(stmt.target.name):
            if leaf.location.path[:len(path)] == path:
                rest = tuple(ir.PartRef(name) for name in leaf.location.path[len(path):])
                yield replace(stmt.target, parts=stmt.target.parts + rest, type=leaf.info.type)

    def piece(self, target: ir.Ref, taped: int, node: int) -> Quantity:
        """The bytes one assignment to ``target`` overwrites, where it is taped at all: under any of its names."""
        refs, space = self.model.refs, self.model.space
        described = target.parts[-1].name in DESCRIPTORS
        bits = refs.descriptor(replace(target, parts=target.parts[:-1])).bits if described else refs.touch(target).bits
        named = (space.with_aliases(bits) if bits & space.other_names else bits) & taped
        if not named:
            return ZERO
        selected = None if described and target.rank else self.elements(target, node)
        if selected is None or target.type.bytes is None:
            share = None if described else self.share(target, node)
            return self.locations(bits) if share is None else self.marked(share, next(members(named)))
        return self.marked(selected.scaled(target.type.bytes), next(members(named)))

    def elements(self, target: ir.Ref, node: int) -> Quantity | None:
        """How many elements a reference selects; None where that is not plain to see."""
        if not target.rank and target.substring is None and self.behind_links(target):
            return ONE
        leaf = self.model.refs.leaf(target.name, tuple(part.name for part in target.parts[1:]))
        if leaf is None or target.substring is not None:
            return None
        cut = leaf.location.segment is not None  # by another layout of its COMMON block: the shape is the variable's
        if (cut and len(target.parts) > 1) or (not cut and not leaf.info.shapes):
            return None
        declared = self.model.refs.variables[target.name].shape
        lengths: list[Quantity] = []
        for depth, part in enumerate(target.parts):
            shape = (declared if declared.dims else None) if cut else leaf.info.shape_at(depth)
            if shape is None:
                if part.subscripts is not None:
                    return None
                continue
            every = [self.scope.extent(dim) for dim in shape.dims]
            if None in every:
                path = tuple(one.name for one in target.parts[1:depth + 1])
                every = list(self.scope.allocated((leaf.location.area, path)) or every)
            if part.subscripts is None:
                found = every
            elif len(part.subscripts) != len(shape.dims) or len(every) != len(shape.dims):
                return None
            else:
                found = [whole if sub == ir.Range() else self.subscript(sub, dim, node)
                         for sub, dim, whole in zip(part.subscripts, shape.dims, every, strict=True)]
            known = [x for x in found if x is not None]
            if len(known) < len(found):
                return None
            lengths += known
        return product(lengths)

    def behind_links(self, ref: ir.Ref) -> bool:
        """Is it some of what links of a recursive type lead to, ``p%next%next%v`` of ``p%next``?"""
        path = tuple(part.name for part in ref.parts[1:])
        return any(leaf.info.type.kind == "unknown" and leaf.info.type.derived is not None
                   and leaf.location.path == path[:len(leaf.location.path)] != path
                   for leaf in self.model.refs.leaves(ref.name))

    def share(self, ref: ir.Ref, node: int) -> Quantity | None:
        """The bytes of ``cells(k)%air`` where air's size is not known: of ``cells``, as ``size(cells%air)`` counts
        them, one in so many as there are cells. None for what selects otherwise."""
        if ref.type.bytes is None or not any(part.subscripts for part in ref.parts[:-1]) or ref.substring is not None:
            return None
        leaf = self.model.refs.leaf(ref.name, tuple(part.name for part in ref.parts[1:]))
        if leaf is None or leaf.location.segment is not None:
            return None
        some, every = ONE, ONE
        for depth, part in enumerate(ref.parts):
            shape = leaf.info.shape_at(depth)
            if shape is None or part.subscripts is None or all(sub == ir.Range() for sub in part.subscripts):
                continue
            if len(part.subscripts) != len(shape.dims):
                return None
            for sub, dim in zip(part.subscripts, shape.dims, strict=True):
                extent, length = self.scope.extent(dim), self.subscript(sub, dim, node)
                if extent is None or length is None:
                    return None
                some, every = some * clamp(length), every * extent
        elements = quotient(self.scope.elements(leaf.location, leaf.info) * some, every)
        return None if elements is None else elements.scaled(ref.type.bytes)

    def runs(self, stmt: ir.Call, node: int) -> Quantity:
        """How often an elemental procedure runs at a call with arrays; ``trips(procedure:line)`` where it is not known.
        """
        arrays = [ref for arg in stmt.args for ref in _operands(arg.value) if ref.rank]
        for ref in arrays:
            found = self.elements(ref, node)
            if found is not None:
                return clamp(found)
        sizes = (self.scope.at(ir.Intrinsic("size", (ir.Argument(ref),), ir.INTEGER), node) for ref in arrays)
        return next((one for one in sizes if one is not None), None) or self.scope.unknown_trips(stmt.span.line)

    def subscript(self, sub: ir.Subscript, dim: ir.Dim, node: int) -> Quantity | None:
        if isinstance(sub, ir.Range):
            return self.scope.range(sub, dim, node)
        if not rank_of(sub):
            return number(1)
        if isinstance(sub, ir.ArrayConstructor):
            plain = all(not rank_of(item) and not isinstance(item, ir.ImpliedDo) for item in sub.items)
            return number(len(sub.items)) if plain else None
        of = sub if isinstance(sub, ir.Intrinsic) else next((one for one in _operands(sub) if one.rank), None)
        found = self.elements(of, node) if isinstance(of, ir.Ref) else None
        if found is not None or of is None:
            return found
        return self.scope.at(ir.Intrinsic("size", (ir.Argument(of),), ir.INTEGER), node)

    def sides(self, node: int) -> Quantity:
        """One byte for each side that a statement records."""
        found = self.adjoint.sides[node]
        arrays = self.mask(node).scaled(found.arrays) if found.arrays else ZERO
        return arrays + number(found.scalars)

    def mask(self, node: int) -> Quantity:
        """One byte for each element of an assignment's target."""
        stmt = self.model.flow.nodes[node].stmt
        assert isinstance(stmt, ir.Assign)
        found = self.elements(stmt.target, node)
        return clamp(found) if found is not None else self.scope.entry(
            ir.Intrinsic("size", (ir.Argument(stmt.target),), ir.INTEGER))


def _operands(expr: ir.Expr) -> Iterator[ir.Ref]:
    """The references that an expression is computed from element by element."""
    match expr:
        case ir.Ref():
            yield expr
        case ir.Unary():
            yield from _operands(expr.operand)
        case ir.Binary():
            yield from _operands(expr.left)
            yield from _operands(expr.right)
