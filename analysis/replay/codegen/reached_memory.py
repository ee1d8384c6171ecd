"""The memory that a reference leads to: which slot, which leaf, which parts are left to subscript it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from snapset.analysis.replay.memory.variable_slots import LeafPlace, SlotPlace, dtype_of
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import rank_of


@frozen(quick=True)
class ReachedMemory:
    """Memory a reference leads to. ``code``: of its slot, behind the pointers on the way; ``parts``: those of the
    reference from the last of these pointers on; ``place``: the slot in the frame that the reference begins with."""

    code: str
    leaf: LeafPlace
    parts: tuple[ir.PartRef, ...]
    place: SlotPlace

    @property
    def number(self) -> int:
        """The number of that slot."""
        return self.place.number

    @property
    def rest(self) -> tuple[str, ...]:
        """The components of the reference that count in the leaf's path."""
        return tuple(part.name for part in self.parts[1:])


def halves(found: tuple[ReachedMemory, ...], rest: tuple[str, ...]) -> Iterator[ReachedMemory]:
    """The memory of ``z%re`` or ``z%im``: a view of that of z."""
    for one in found:
        leaf = one.leaf
        if leaf.type.kind == "complex" and leaf.path == rest[:-1]:
            half = replace(leaf, path=rest, type=ir.Type("real", (leaf.type.bytes or 16) // 2), ranks=(*leaf.ranks, 0),
                           allocatable=False, depth=0)
            yield replace(one, code=f"half({one.code}, '{rest[-1]}')", leaf=half)


def is_array(way: ReachedMemory) -> bool:
    """Does the reference select several elements before it comes to an allocatable component of each?"""
    depth = len(way.leaf.path)
    return any((rank and part.subscripts is None) or any(isinstance(sub, ir.Range) or rank_of(sub) for sub in
                                                         part.subscripts or ())
               for part, rank in zip(way.parts[:depth], way.leaf.ranks, strict=False))


def single_bytes(ref: ir.Ref, place: ReachedMemory) -> int:
    """The bytes of the number that a reference names, ``a(i, j)``; 0 where it names anything else."""
    leaf, name = place.leaf, dtype_of(place.leaf.type)
    number = leaf.type.kind in ("real", "integer", "logical", "complex") and not leaf.is_tag and not leaf.having
    return int(name[1:]) if number and name is not None and ref.rank == 0 and leaf.owned is None else 0


def below(place: ReachedMemory, leaf: LeafPlace, code: str) -> ReachedMemory:
    """A leaf of an element's allocatable component, its path from where the reference begins."""
    outer = place.leaf
    return replace(place, code=code, leaf=replace(
        leaf, path=outer.path + leaf.path, dims=outer.dims + leaf.dims, ranks=outer.ranks[:-1] + leaf.ranks,
        depth=leaf.depth + len(outer.path),
        having=(*outer.having, *((at + len(outer.path), types) for at, types in leaf.having))))


def selected(slot: str, subs: list[str]) -> str:
    """Code of an index, where its subscripts are no numbers, or perhaps."""
    if len(subs) == 1 and subs[0].startswith(of := f"rg({slot}, 0, "):
        return f"section({slot}, {subs[0][len(of):]}"
    return f"ix({slot}, {', '.join(subs)})" if subs else "()"
