"""The code of statements and inquiries about pointers: ``=>``, NULLIFY, ALLOCATE, DEALLOCATE, ASSOCIATED.

A pointer is memory that holds an association (:mod:`snapset.analysis.replay.memory.associations`); these statements
write it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from snapset.analysis.replay.codegen import object_types
from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.variable_slots import LeafPlace, refuse
from snapset.frontend import ir

if TYPE_CHECKING:
    from snapset.analysis.replay.codegen.expression_code import ExpressionCode
    from snapset.analysis.replay.codegen.reached_memory import ReachedMemory


def bare(ref: ir.Ref) -> ir.Ref:
    """A reference without its last subscripts, which are bounds."""
    return ir.Ref((*ref.parts[:-1], ir.PartRef(ref.parts[-1].name)), ref.type, ref.rank)


def changed(stmt: ir.Stmt | None) -> tuple[ir.Ref, ...]:
    """The pointers that ``=>`` or NULLIFY associates anew."""
    if isinstance(stmt, ir.PointerAssign):
        return (stmt.target,)
    return stmt.objects if isinstance(stmt, ir.Nullify) else ()


def cell(ref: ir.Ref, values: ExpressionCode) -> ReachedMemory:
    """The memory of a pointer. Raises InputError where the reference is none."""
    found = values.pointer(ref)
    if found is None:
        raise refuse(f"`{'%'.join(part.name for part in ref.parts)}` as a pointer", values.span)
    return found


def at(place: ReachedMemory, ref: ir.Ref, values: ExpressionCode) -> str:
    """Code of a pointer's slot and index."""
    return f"{place.code}, {values.index(ref, place)}"


def associating(stmt: ir.PointerAssign | ir.Nullify, values: ExpressionCode) -> Iterator[str]:
    """The statements of ``p => a`` and NULLIFY."""
    for ref in changed(stmt):
        place = cell(ref, values)
        value = "None" if isinstance(stmt, ir.Nullify) else pointed(stmt.value, values)
        if isinstance(stmt, ir.PointerAssign) and stmt.bounds and place.leaf.pointee is not None:
            value = f"bounded({value}, {rank(stmt.value)}, {given(stmt, values)})"
        yield f"{place.code}.values[{values.index(ref, place)}] = {value}"


def rank(value: ir.Expr) -> int:
    return value.rank if isinstance(value, ir.Ref) else 0


def given(stmt: ir.PointerAssign, values: ExpressionCode) -> str:
    """Code of the lower and upper bounds that the pointer is given."""
    lower, upper = [], []
    for one in stmt.bounds:
        if not isinstance(one, ir.Range) or one.lower is None:
            raise refuse("a pointer assignment with such bounds", stmt.span)
        lower.append(f"int({values.value(one.lower)})")
        if one.upper is not None:
            upper.append(f"int({values.value(one.upper)})")
    return f"({''.join(x + ', ' for x in lower)}), ({''.join(x + ', ' for x in upper)})"


def pointed(value: ir.Expr, values: ExpressionCode) -> str:
    """Code of what a pointer holds that is associated with ``value``.

    Raises:
        InputError: a function or procedure the machine has no pointer to.
    """
    match value:
        case ir.Intrinsic(name="null"):
            return "None"
        case ir.ProcedureRef():
            return procedure(value, values)
        case ir.Ref():
            place = values.pointer(value)
            if place is not None and value.parts[-1].subscripts is None:
                return f"held({at(place, value, values)})"
            return aimed(value, values)
        case _:
            raise refuse("a pointer to what is no variable", values.span)


def aimed(ref: ir.Ref, values: ExpressionCode) -> str:
    """Code of an association with a variable or a part of one."""
    if ref.substring is not None:
        raise refuse("a pointer to a substring", values.span)
    whole = ref.parts[-1].subscripts is None
    leaves = []
    for place in values.below(ref):
        path = place.leaf.path[len(place.rest):]
        if ref.rank == 0 and place.leaf.owned is not None:
            leaves += [f"{values.text(inner.leaf.path[len(inner.rest):])}: {inner.code}"
                       for inner in values.opened(place)]
        elif path != (TAG,):
            leaves.append(f"{values.text(path)}: {viewed(place, ref, values, whole)}")
    if ref.type.kind == "derived" and ref.type.derived in values.layout.types:
        leaves.append(f"{values.text((TAG,))}: {object_types.tag_for(ref, values)}")
    return f"target({{{', '.join(leaves)}}})"


def viewed(place: ReachedMemory, ref: ir.Ref, values: ExpressionCode, whole: bool) -> str:
    """Code of a leaf of what a pointer is aimed at; the tags of components are no arrays' elements."""
    if place.leaf.is_tag:
        return place.code
    code = f"view({at(place, ref, values)}, {ref.rank}, {whole})"
    if not place.leaf.having:
        return code
    # What a CLASS component does not have now it has when it is allocated as an object of another type.
    none = "nothing()" if any(part.subscripts for part in ref.parts) else place.code
    return f"({code} if {place.code}.a is not None else {none})"


def procedure(value: ir.ProcedureRef, values: ExpressionCode) -> str:
    """Code of a procedure that is passed or pointed to."""
    if value.key is None:
        return f"f.procedure({values.text(value.name)})"
    return f"procedure(f, {values.text(value.key)})"


def allocated(ref: ir.Ref, bounds: str, values: ExpressionCode, only: Callable[[LeafPlace], str]) -> str:
    """The statement that makes new memory for a pointer. ``bounds``: code of those of the array. ``only``: of whether
    the new object has a leaf, '' where that is certain; its type's number is ``kind``."""
    place = cell(bare(ref), values)
    pointed_to = values.layout.pointed(place.leaf, values.span)
    leaves = []
    for leaf in pointed_to:
        made = "typed(kind)" if leaf.path == (TAG,) else fresh(leaf, bounds, values)
        made = f"{made} if {only(leaf)} else nothing()" if only(leaf) else made
        leaves.append(f"{values.text(leaf.path)}: {made}")
    return f"{place.code}.values[{values.index(bare(ref), place)}] = target({{{', '.join(leaves)}}})"


def fresh(leaf: LeafPlace, bounds: str, values: ExpressionCode) -> str:
    """Code of new memory for one leaf of what is allocated, with the value that its type gives it."""
    if leaf.is_tag:
        return "untyped()"
    if leaf.allocatable:
        return f"unallocated('{leaf.dtype}', {len(leaf.dims)})"
    inner = ", ".join(bound(dim, values) for dim in leaf.dims[leaf.ranks[0]:])
    return f"fresh('{leaf.dtype}', [{', '.join(filter(None, (bounds, inner)))}])"


def bound(dim: ir.Dim, values: ExpressionCode) -> str:
    low = "1" if dim.lower is None else f"int({values.value(dim.lower)})"
    assert dim.upper is not None
    return f"({low}, int({values.value(dim.upper)}))"


def component_copied(piece: ir.Assign, values: ExpressionCode) -> tuple[str, str, bool]:
    """The statement that copies a pointer component of a derived-type value, code of what it changes, and whether that
    may be given memory."""
    place = cell(piece.target, values)
    index = values.index(piece.target, place)
    value = pointed(piece.value, values)
    if isinstance(piece.value, ir.Ref) and piece.target.rank:  # of each element of an array
        source = cell(piece.value, values)
        value = f"{source.code}.values[{values.index(piece.value, source)}]"
    if not is_allocated_anew(piece.target, place, values):
        return f"{place.code}.values[{index}] = {value}", f"({place.code}, {index})", False
    line = f"store_whole({place.code}, '{place.leaf.dtype}', {value})"
    if isinstance(piece.value, ir.Ref) and all(part.subscripts is None for part in piece.value.parts):
        line = f"copy_whole({place.code}, '{place.leaf.dtype}', {cell(piece.value, values).code}, False)"
    return line, f"({place.code}, None)", True


def is_allocated_anew(target: ir.Ref, place: ReachedMemory, values: ExpressionCode) -> bool:
    """Does a pointer component belong to something allocatable that an assignment gives memory where it needs any?
    ``h%own%l`` in ``h = g``, where own is allocatable."""
    sections = any(isinstance(sub, ir.Range) for part in target.parts for sub in part.subscripts or ())
    return place.leaf.allocatable and values.index(target, place) == "()" and not sections \
        and target.parts[-1].subscripts is None


def released(ref: ir.Ref, values: ExpressionCode) -> Iterator[str]:
    """The statements that give a pointer's memory back: nothing is left of it."""
    place = cell(ref, values)
    for one in values.below(ref):
        yield f"gone({one.code})"
    yield f"{place.code}.values[{values.index(ref, place)}] = None"


def inquiry(expr: ir.Intrinsic, values: ExpressionCode) -> str:
    """Code of ASSOCIATED. Raises InputError for what is no variable."""
    one = expr.args[0].value
    if not isinstance(one, ir.Ref):
        raise refuse("this form of the intrinsic associated", values.span)
    code = f"held({at(cell(one, values), one, values)})"
    if len(expr.args) == 1:
        return f"({code} is not None)"
    return f"associated({code}, {pointed(expr.args[1].value, values)})"
