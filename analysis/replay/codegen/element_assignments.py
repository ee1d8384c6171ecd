"""Assignments to elements with allocatable components, each component as a whole: ``q(1:n) = p``, ``q = [q, p]``.

Element by element, leaf by leaf, is how one element is assigned. Where several are selected, or a component is of the
type that it is in, the elements of an :class:`~snapset.analysis.replay.memory.associations.OwnerCell` are copied with
all that is below them (:mod:`snapset.analysis.replay.memory.element_copies`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from snapset.analysis.replay.codegen.derived_values import NOTHING, component_of
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.codegen.partial_derivatives import Partials
from snapset.analysis.replay.codegen.reached_memory import ReachedMemory, is_array
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import rank_of


@frozen
class ElementAssignment:
    """One allocatable component of the elements that an assignment gives values. ``path``: from the target to it."""

    place: ReachedMemory
    target: ir.Ref
    path: tuple[str, ...]

    def of(self, value: ir.Ref) -> ir.Ref:
        """The same component of another object."""
        return replace(value, parts=(*value.parts, *map(ir.PartRef, self.path)), type=self.target.type)

    def index(self, values: ExpressionCode) -> str:
        subs = values.subscripts(self.place)
        return f"ix({self.place.code}, {', '.join(subs)})" if subs else "()"


def is_whole(place: ReachedMemory, values: ExpressionCode) -> bool:
    """Is a component of a target copied with all that is below it?"""
    if place.leaf.owned is None:
        return False
    names = place.leaf.path[len(place.rest):]
    several = is_array(replace(place, parts=(*place.parts, *map(ir.PartRef, names))))
    return several or any(leaf.owned is not None for leaf in values.layout.pointed(place.leaf, values.span))


def element_assignments(stmt: ir.Assign, values: ExpressionCode) -> tuple[ElementAssignment, ...]:
    """Those that an assignment of derived type consists of."""
    if stmt.target.type.kind != "derived":
        return ()
    found = []
    for place in values.below(stmt.target):
        if is_whole(place, values):
            assert place.leaf.owned is not None
            path = place.leaf.path[len(place.rest):]
            target = replace(stmt.target, parts=(*stmt.target.parts, *map(ir.PartRef, path)),
                             type=place.leaf.owned.type)
            found.append(ElementAssignment(place, target, path))
    return tuple(found)


def leaves(stmt: ir.Assign, values: ExpressionCode) -> Iterator[ReachedMemory]:
    """The leaves of the target that are assigned one by one."""
    for place in values.below(stmt.target):
        if not is_whole(place, values):
            yield from values.opened(place)


def assigned(stmt: ir.Assign, values: ExpressionCode) -> tuple[list[str], list[str], list[str], list[str]]:
    """The statements that copy elements, those that store them, code of what these change, and of its allocations."""
    found = element_assignments(stmt, values)
    both = [stored(one, stmt, f"e{n}", values) for n, one in enumerate(found)]
    return ([copy for copy, _ in both], [store for _, store in both], [f"({one.place.code}, None)" for one in found],
            [f"({allocation_of(one)})" for one in found])


def allocation_of(one: ElementAssignment) -> str:
    """Code of the allocations that it changes."""
    owned = one.place.leaf.owned
    assert owned is not None
    size = ir.allocation(owned.shape.rank, owned.polymorphic).bytes
    return f"allocation_cells({size}, {one.place.code}), None"


def stored(one: ElementAssignment, stmt: ir.Assign, name: str, values: ExpressionCode) -> tuple[str, str]:
    """The statements that copy the elements, as ``name``, and that store them."""
    index = one.index(values)
    bare = stmt.target.parts[-1].subscripts is None
    return (f"{name} = {_copies(one, stmt.value, values)}",
            f"store_elements({one.place.code}, {index}, {name}, {one.place.leaf.allocatable and bare})")


def _copies(one: ElementAssignment, value: ir.Expr, values: ExpressionCode) -> str:
    match value:
        case ir.Unary(op="+"):
            return _copies(one, value.operand, values)
        case ir.Ref():
            source = _source(one, value, values)
            return f"elements({source})" if source else "None"
        case ir.ArrayConstructor() if not any(isinstance(item, ir.ImpliedDo) for item in value.items):
            return f"joined_elements({', '.join(_copies(one, item, values) for item in value.items)})"
        case ir.Intrinsic(name="null"):
            return "None"
        case ir.Structure():
            part = component_of(value, one.path[0], one.target.type, values.layout.types, values.span)
            if len(one.path) > 1:
                return _copies(replace(one, path=one.path[1:]), part, values)
            if part == NOTHING:
                return "element(None)"
            if one.target.type.kind != "derived":
                return f"element({values.value(part)})"
            if isinstance(part, ir.Ref):
                return f"elements({_behind(part, values)})"
    raise refuse("this value of a type with allocatable components", values.span)


def _source(one: ElementAssignment, value: ir.Ref, values: ExpressionCode) -> str:
    """Code of the memory of a value's component, and of the index that selects the elements; '' where the value is of a
    type without it."""
    inside = [place for place in values.below(value)
              if place.leaf.path[len(place.rest):][:len(one.path)] == one.path]
    within = (place for owner in values.below(value) if not inside and owner.leaf.owned is not None
              for place in values.opened(owner) if place.leaf.path[len(place.rest):] == one.path)
    if (found := next(within, None)) is not None:  # `g = h(2)`: g's `more%q` is in what h(2) owns
        return f"{found.code}, ()"
    if len(inside) == 1 and inside[0].leaf.owned is not None:
        subs = values.subscripts(inside[0])
        return f"{inside[0].code}, {f'ix({inside[0].code}, ' + ', '.join(subs) + ')' if subs else '()'}"
    return _alone(inside, len(one.path), values) if inside or not one.place.leaf.having else ""


def _behind(value: ir.Ref, values: ExpressionCode) -> str:
    """Code of the memory of what a constructor gives a component."""
    return _alone(list(values.below(value)), 0, values, value.rank)


def _alone(inside: list[ReachedMemory], depth: int, values: ExpressionCode, rank: int = 0) -> str:
    """Of a component that is no element's; ``rank``: of a section of it."""
    if not inside or any(place.leaf.is_pointer for place in inside):
        raise refuse("this value of a type with allocatable components", values.span)
    found = []
    for place in inside:
        subs = values.subscripts(place)
        code = f"view({place.code}, ix({place.code}, {', '.join(subs)}), {rank}, False)" if subs else place.code
        found.append(f"{values.text(place.leaf.path[len(place.rest) + depth:])}: {code}")
    return f"alone({{{', '.join(found)}}}), ()"


# ---------------------------------------------------------------- adjoints


def taken(one: ElementAssignment, values: ExpressionCode) -> str:
    """Code of the adjoints of what is assigned."""
    return f"take_elements({one.place.code}, {one.index(values)})"


def give(one: ElementAssignment, value: ir.Expr, t: str, partials: Partials) -> None:
    """The lines that give adjoints ``t`` to the value."""
    while isinstance(value, ir.Unary):
        value = value.operand
    if isinstance(value, ir.ArrayConstructor):
        partials.lines.append("at = 0")
        for item in value.items:
            partials.lines += _given(one, item, t, partials, ", at")
        return
    partials.lines += _given(one, value, t, partials, "")


def _given(one: ElementAssignment, value: ir.Expr, t: str, partials: Partials, at: str) -> Iterator[str]:
    values = partials.values
    if isinstance(value, ir.Ref):
        if not _source(one, value, values):
            return
        wanted = partials.moves(one.of(value))
        if at:
            yield f"at = give_elements({_source(one, value, values)}, {t}{at}, {wanted})"
        elif wanted:
            yield f"give_elements({_source(one, value, values)}, {t})"
        return
    if not isinstance(value, ir.Structure):
        return  # nothing
    part = component_of(value, one.path[0], one.target.type, values.layout.types, values.span)
    if len(one.path) > 1:
        yield from _given(replace(one, path=one.path[1:]), part, t, partials, at)
        return
    if isinstance(part, ir.Ref) and one.target.type.kind == "derived":
        if partials.moves(part):
            yield f"give_elements({_behind(part, values)}, {t}{at})"
    elif partials.moving(part):
        before = len(partials.lines)
        held = partials.hold(f"of_component({t}{at})")
        partials.push(part, held, rank_of(part))
        pushed = partials.lines[before:]
        del partials.lines[before:]
        yield pushed[0]
        if pushed[1:]:
            yield f"if anything({held}):"
            yield from ("    " + line for line in pushed[1:])
    if at:
        yield "at += 1"


def ahead(lines: list[str], code: str) -> str:
    """The name of a value that is computed before anything is stored, in a line of its own."""
    lines.append(f"v{len(lines)} = {code}")
    return f"v{len(lines) - 1}"
