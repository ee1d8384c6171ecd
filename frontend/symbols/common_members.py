"""COMMON blocks with pointers or objects of derived types: each member is memory of its own where all views agree.

``common /state/ p, q, k`` with a pointer ``p`` has a layout in bytes that only a compiler knows, and no procedure may
see such a member as anything else. So where every view of the block has members of the same type and shape at the same
places, ``p`` is told from ``q`` and ``k`` as a module's variables are. Each view says so by an area for each member
(:func:`member_area`); :func:`joined` makes one area of those blocks of which some view differs.

Proof that two members told apart never share memory: a name in COMMON begins where the sum of the sizes before it ends,
and these sizes are equal in all views; EQUIVALENCE is the only other way to overlay, and takes its members out of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.rules import diagnostic
from snapset.frontend.symbols.symbol_table import Scopes

K = TypeVar("K")
MARK = "#"  # no name of Fortran's has it


def member_area(block: str, place: int) -> ir.Area:
    """The area of the member at this place of a block, by itself: the first, the second ..."""
    return ir.Area("common", block, f"{block}{MARK}{place}")


def whole_area(block: str) -> ir.Area:
    return ir.Area("common", block, block)


def is_member(variable: ir.Variable) -> bool:
    return variable.area.kind == "common" and variable.area.name != variable.area.owner


def not_constant(variable: ir.Variable, block: str) -> Diagnostic:
    return diagnostic("SN209", f"the size of `{variable.name}` in COMMON /{block}/ is not constant: "
                      "the whole block counts as one location", variable.span)


def joined(scopes: Scopes) -> Scopes:
    """With one area for all of a block whose views do not agree on its members."""
    together = {block for block, views in scopes.commons.items()
                if any(map(is_member, views)) and not _agree(views, scopes.types)}
    if not together:
        return scopes

    def whole(variable: ir.Variable) -> ir.Variable:
        inside = variable.area.kind == "common" and variable.area.owner in together
        return replace(variable, area=whole_area(variable.area.owner)) if inside else variable

    def all_whole(variables: Mapping[K, ir.Variable]) -> Mapping[K, ir.Variable]:
        return MappingProxyType({key: whole(one) for key, one in variables.items()})

    said = [not_constant(variable, block) for block in sorted(together) for variable in scopes.commons[block]
            if is_member(variable) and not _has_size(variable)]
    return replace(
        scopes, scopes=MappingProxyType({key: replace(one, variables=all_whole(one.variables))
                                         for key, one in scopes.scopes.items()}),
        module_variables=all_whole(scopes.module_variables), diagnostics=(*scopes.diagnostics, *said),
        commons=MappingProxyType({block: tuple(map(whole, views)) for block, views in scopes.commons.items()}))


def _agree(views: Iterable[ir.Variable], types: Mapping[str, ir.DerivedType]) -> bool:
    """Is every member told from the others in every view, and the same wherever it has a name?"""
    known: dict[ir.Area, ir.Variable] = {}
    return all(is_member(one) and (one.pointer or one.type.kind == "derived" or _has_size(one))
               and _alike(known.setdefault(one.area, one), one, types) for one in views)


def _has_size(variable: ir.Variable) -> bool:
    """Is it as long in every view that declares it alike?"""
    ends = [end for dim in variable.shape.dims for end in (dim.lower, dim.upper) if end is not None]
    constant = all(isinstance(end, ir.Literal_) for end in ends)
    return constant and not variable.pointer and variable.type.bytes is not None


def _alike(one: ir.Variable, other: ir.Variable, types: Mapping[str, ir.DerivedType]) -> bool:
    """Are they one variable? Types of one layout that are declared twice are one type where nothing leads to or from
    them: what pointers to them may share is told by the type's key."""
    mine, its = ((each.offset, each.shape, each.pointer, each.target, each.polymorphic, each.length)
                 for each in (one, other))
    if mine != its or one.type == other.type:
        return mine == its
    return not (one.pointer or one.target) and _same_type(one.type, other.type, types)


def _same_type(one: ir.Type, other: ir.Type, types: Mapping[str, ir.DerivedType]) -> bool:
    if one == other and one.derived is None:
        return True
    first, second = types.get(one.derived or ""), types.get(other.derived or "")
    if first is None or second is None:
        return False
    mine, theirs = first.components, second.components
    return len(mine) == len(theirs) and all(
        a.name == b.name and a.shape == b.shape and a.length == b.length
        and not (a.pointer or b.pointer or a.allocatable or b.allocatable) and a.type.kind != "procedure"
        and _same_type(a.type, b.type, types) for a, b in zip(mine, theirs, strict=True))
