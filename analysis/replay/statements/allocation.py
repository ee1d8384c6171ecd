"""ALLOCATE, DEALLOCATE and MOVE_ALLOC: what gives variables memory, as lines of generated code, and what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from snapset.analysis.replay.codegen import object_types, pointer_assignments
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.codegen.partial_derivatives import SMOOTH, Moves
from snapset.analysis.replay.codegen.reached_memory import ReachedMemory
from snapset.analysis.replay.memory import frames
from snapset.analysis.replay.memory.runtime_support import Slot
from snapset.analysis.replay.memory.variable_slots import LeafPlace, refuse
from snapset.frontend import ir

IS_ALLOCATED, IS_NOT_ALLOCATED = 5014, 1  # what gfortran gives STAT=; the standard says no more than "not zero"
Piece = tuple[ir.Ref, bool]  # what changes, and whether it is its association or allocation


def leaf(ref: ir.Ref, place: ReachedMemory) -> ir.Ref:
    """The reference to one leaf of what ``ref`` leads to."""
    rest = place.leaf.path[len(place.rest):]
    more = sum(place.leaf.ranks[len(place.parts):])
    return replace(ref, parts=ref.parts + tuple(ir.PartRef(name) for name in rest), type=place.leaf.type,
                   rank=ref.rank + more, exact=ref.exact and not rest)


def is_bare(target: ir.Ref) -> bool:
    """May an assignment to it allocate it anew? Not to ``a(:)`` or ``a(:)%v``, nor to a substring."""
    sections = (one for part in target.parts for one in part.subscripts or () if isinstance(one, ir.Range))
    return target.parts[-1].subscripts is None and target.substring is None and next(sections, None) is None


def whole_value(value: ir.Expr, values: ExpressionCode) -> ReachedMemory | None:
    """The memory of the variable or component, an element's too (``h(2)%q``), that a value is the whole of."""
    if not isinstance(value, ir.Ref) or not is_bare(value) \
            or values.layout.variable(value.name, values.span).value is not None:
        return None
    place = values.slot(value)
    return place if values.index(value, place) == "()" else None


def is_move(stmt: ir.Stmt | None) -> bool:
    """``call move_alloc(from, to)``"""
    return isinstance(stmt, ir.Call) and stmt.intrinsic and stmt.name == "move_alloc"


# ---------------------------------------------------------------- what runs


def allocate(stmt: ir.Allocate, values: ExpressionCode) -> Iterator[str]:
    """The statements of an ALLOCATE; with STAT= it ends at the first object that is allocated already."""
    yield from _begins(stmt.stat)
    for ref in stmt.objects:
        bounds = ", ".join(_bound(sub, values) for sub in ref.parts[-1].subscripts or ())
        bare = pointer_assignments.bare(ref)
        if stmt.like is not None or stmt.type is not None:
            yield f"kind = {_kind(stmt, values)}"
        if values.pointer(bare) is not None:
            yield _unless(stmt.stat) + pointer_assignments.allocated(
                ref, bounds, values, partial(_having, stmt, values, 0))
            continue
        own = [place for place in values.below(bare) if place.leaf.depth == len(place.rest) + 1]
        if stmt.stat is not None and own:
            yield f"failed = failed or {own[0].code}.is_there()"
        for place in own:  # others are components that are allocatable themselves
            if place.leaf.is_tag:
                yield f"{_unless(stmt.stat)}become({place.code}, kind)"
                continue
            only = _having(stmt, values, len(place.rest), place.leaf)
            inner = (pointer_assignments.bound(dim, values) for dim in
                     place.leaf.dims[sum(place.leaf.ranks[:place.leaf.depth]):])
            kind = f"'{place.leaf.dtype}'"
            if stmt.length is not None:
                kind = f"f'S{{max(0, {values.value(stmt.length)})}}'"
            yield _unless(stmt.stat, only) + (
                f"allocate({place.code}, {kind}, [{', '.join(filter(None, (bounds, *inner)))}])")
    yield from _ends(stmt.stat, values, IS_ALLOCATED)


def _kind(stmt: ir.Allocate, values: ExpressionCode) -> str:
    """Code of the number of the type that new objects have."""
    if stmt.like is not None:
        return object_types.kind(stmt.like, values)
    key = stmt.type.derived if stmt.type is not None else None
    if key not in values.layout.types:
        raise refuse("ALLOCATE with a type that it cannot lay out", stmt.span)
    return str(values.layout.number(key or ""))


def _having(stmt: ir.Allocate, values: ExpressionCode, depth: int, leaf: LeafPlace) -> str:
    """Code of whether a new object, so deep in the path, has a leaf; '' where it does in any case."""
    types = leaf.of_types(depth)
    if types is None or (stmt.like is None and stmt.type is None):
        return ""
    return f"kind in {tuple(sorted(map(values.layout.number, types)))!r}"


def deallocate(stmt: ir.Deallocate, values: ExpressionCode) -> Iterator[str]:
    """The statements of a DEALLOCATE; with STAT= it ends at the first object that is not allocated."""
    yield from _begins(stmt.stat)
    for ref in stmt.objects:
        pointer = values.pointer(ref)
        if pointer is not None:
            if stmt.stat is not None:
                yield f"failed = failed or held({pointer_assignments.at(pointer, ref, values)}) is None"
            yield from (_unless(stmt.stat) + line for line in pointer_assignments.released(ref, values))
            continue
        places = values.below(ref)
        own = [place for place in places if place.leaf.depth == len(place.rest) + 1]
        if stmt.stat is not None and own:
            yield f"failed = failed or not {own[0].code}.is_there()"
        for place in places:
            certain = not stmt.automatic and place in own and not place.leaf.having
            yield f"{_unless(stmt.stat)}deallocate({place.code}, {certain})"
    yield from _ends(stmt.stat, values, IS_NOT_ALLOCATED)


def move(stmt: ir.Call, values: ExpressionCode) -> Iterator[str]:
    for source, target in _moved(stmt, values):
        yield f"move({target.code}, {source.code}, {len(source.leaf.path) - len(source.rest)})"
    given, taking = _from_and_to(stmt)
    if object_types.tag(given, values) is None and object_types.tag(taking, values) is not None:  # from TYPE to CLASS
        yield f"retyped({object_types.tag(taking, values)}, {object_types.kind(given, values)})"
        known = {target.code for _, target in _moved(stmt, values)}
        yield from (f"deallocate({one.code}, False)" for one in values.below(taking)
                    if one.code not in known and not one.leaf.is_tag)


def move_adjoint(stmt: ir.Call, values: ExpressionCode, may: Moves) -> list[str]:
    """From the adjoint of what the second argument is now to that of what the first one was."""
    pairs = [(source, target) for source, target in _moved(stmt, values) if source.leaf.type.kind in SMOOTH]
    given = stmt.args[0].value
    assert isinstance(given, ir.Ref)
    found = [f"t{n} = take({target.code}, (), None)" for n, (_, target) in enumerate(pairs)]
    found.append("yield")
    found += [f"if anything(t{n}): acc({source.code}, (), t{n})" for n, (source, _) in enumerate(pairs)
              if may(leaf(given, source))]
    return found


def _moved(stmt: ir.Call, values: ExpressionCode) -> list[tuple[ReachedMemory, ReachedMemory]]:
    """The leaves of the two arguments that both have."""
    source, target = _from_and_to(stmt)
    leaves = {one.leaf.path[len(one.rest):]: one for one in values.below(source)}
    found = ((leaves.get(one.leaf.path[len(one.rest):]), one) for one in values.below(target))
    return [(source, target) for source, target in found if source is not None]


def _from_and_to(stmt: ir.Call) -> tuple[ir.Ref, ir.Ref]:
    named = {arg.keyword or ("from", "to")[at]: arg.value for at, arg in enumerate(stmt.args[:2])}
    source, target = named["from"], named["to"]
    assert isinstance(source, ir.Ref)
    assert isinstance(target, ir.Ref)
    return source, target


def _bound(sub: ir.Subscript, values: ExpressionCode) -> str:
    if isinstance(sub, ir.Range):
        assert sub.upper is not None
        low = "1" if sub.lower is None else f"int({values.value(sub.lower)})"
        return f"({low}, int({values.value(sub.upper)}))"
    return f"(1, int({values.value(sub)}))"


def _begins(stat: ir.Ref | None) -> Iterator[str]:
    if stat is not None:
        yield "failed = False"


def _unless(stat: ir.Ref | None, only: str = "") -> str:
    """The condition under which an object's turn comes."""
    found = " and ".join(filter(None, ("not failed" if stat is not None else "", only)))
    return f"if {found}: " if found else ""


def _ends(stat: ir.Ref | None, values: ExpressionCode, number: int) -> Iterator[str]:
    """STAT= gets 0, or the ``number`` of the failure."""
    if stat is not None:
        place = values.slot(stat)
        yield f"{place.code}.values[{values.index(stat, place)}] = {number} if failed else 0"


# ---------------------------------------------------------------- what it changes


def pieces(stmt: ir.Stmt | None, values: ExpressionCode) -> list[Piece]:
    """What a statement changes: memory and allocations, associations (of pointers whose memory goes first that memory),
    STAT."""
    return [(ref, descriptor) for ref, descriptor, _ in _pieces(stmt, values)]


def spots(stmt: ir.Stmt, values: ExpressionCode) -> str:
    """Code of what :func:`pieces` names."""
    return f"return [{', '.join(f'({code})' for _, _, code in _pieces(stmt, values))}]"


def _pieces(stmt: ir.Stmt | None, values: ExpressionCode) -> Iterator[tuple[ir.Ref, bool, str]]:
    """With the code of the slot and its index, None for an allocation."""
    refs: tuple[ir.Ref, ...]
    if isinstance(stmt, ir.Call):
        refs = tuple(arg.value for arg in stmt.args[:2] if isinstance(arg.value, ir.Ref))
    else:
        refs = stmt.objects if isinstance(stmt, ir.Allocate | ir.Deallocate) else pointer_assignments.changed(stmt)
    for ref in map(pointer_assignments.bare, refs):
        pointer = values.pointer(ref)
        if pointer is None or isinstance(stmt, ir.Deallocate):
            places, there = values.below(ref), "{}"
            if pointer is not None and isinstance(stmt, ir.Deallocate) and stmt.stat is not None:
                held = f"held({pointer_assignments.at(pointer, ref, values)})"
                there = f"*(({{}}) if {held} is not None else (nothing(), None)),"
            for place in places:
                yield leaf(ref, place), False, there.format(f"{place.code}, None")
            for one, code in allocations(ref, [(leaf(ref, place), place) for place in places]):
                yield one, True, there.format(code)
        if pointer is not None:
            yield ref, True, pointer_assignments.at(pointer, ref, values)
    if isinstance(stmt, ir.Allocate | ir.Deallocate) and stmt.stat is not None:
        place = values.slot(stmt.stat)
        yield stmt.stat, False, f"{place.code}, {values.index(stmt.stat, place)}"


def allocations(ref: ir.Ref, leaves: Iterable[tuple[ir.Ref, ReachedMemory]]) -> Iterator[tuple[ir.Ref, str]]:
    """The allocations that change where ``leaves`` are given memory, or lose it, as all that ``ref`` is or a part of
    it: references to what is allocatable, and code of the slots."""
    found: dict[tuple[str, ...], tuple[ir.Ref, list[ReachedMemory]]] = {}
    for one, place in leaves:
        count = len(one.parts) - len(place.leaf.path) + place.leaf.depth - 1
        if place.leaf.depth and count >= len(ref.parts):
            whose = replace(one, parts=one.parts[:count])
            found.setdefault(tuple(part.name for part in whose.parts), (whose, []))[1].append(place)
        if place.leaf.owned is not None:
            size = ir.allocation(place.leaf.owned.shape.rank, place.leaf.owned.polymorphic).bytes
            yield one, f"allocation_cells({size}, {place.code}), None"
    for whose, places in found.values():
        depth = places[0].leaf.depth
        tagged = any(place.leaf.is_tag and len(place.leaf.path) == depth for place in places)
        size = ir.allocation(places[0].leaf.ranks[depth - 1], tagged).bytes
        yield whose, f"allocation_cell({size}, {', '.join(place.code for place in places)}), None"


def assigned(stmt: ir.Assign, pieces: Iterable[ir.Assign], values: ExpressionCode) -> list[tuple[ir.Ref, str]]:
    """The allocations that an assignment, of the ``pieces``, may change, and code of them."""
    leaves = [(one.target, pointer_assignments.cell(one.target, values) if one.target.type.kind in (
        "association", "procedure") else values.slot(one.target)) for one in pieces]
    found = allocations(stmt.target, [(ref, place) for ref, place in leaves if place.leaf.is_tag or (
        place.leaf.allocatable and is_bare(ref) and values.index(ref, place) == "()")])
    return [(ref, code) for ref, code in found if not stmt.initial or len(ref.parts) > len(stmt.target.parts)]


def moved(slot: Slot, source: Slot, depth: int) -> None:
    """MOVE_ALLOC. An adjoint that is there already is that of the same object, which a second run makes anew. It moves
    into the array that sections of the memory have theirs in: those that pointers lead to (``p => a(2:3)``). ``depth``:
    how many components the leaf is below the argument."""
    if not source.is_there():
        slot.free()
        return
    memory, shared = source.values, source.b
    own = slot.b if slot.b is not None and slot.b.shape == memory.shape else None
    if shared is not None and shared.shape == memory.shape:
        source.b = shared.copy(order="F")
        shared[...] = 0 if own is None else own
        slot.b = shared
    elif own is None:
        slot.b = frames.fresh(memory.dtype.str, [(1, n) for n in memory.shape]).b
    source.give(slot, depth)
    slot.a, slot.lo = memory, source.lo
    source.a = None


NAMES: Final = {"allocate": frames.allocate, "deallocate": frames.deallocate, "move": moved}
