"""Assignments that may change what is allocated: ``a = [a, x]`` gives an allocatable array the shape of its new value.

A value without a rank, and one made elementwise of ``a`` itself, leave the shape as it is; ``a(:) = b`` does always.
An object of derived type takes the shapes of its allocatable components from its value.
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.dataflow.bitsets import EMPTY, May, members, set_of, singleton
from snapset.analysis.memory.references import References
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.intrinsics import record


@frozen
class Reshaped:
    """The locations an assignment may give another shape, or another type: ``whole``: certainly all of each; ``part``:
    perhaps of one element of an array. ``below``: those of components, which it may also make, or give up. ``made``:
    scalars, which it allocates if they are not."""

    whole: May = EMPTY
    part: May = EMPTY
    below: May = EMPTY
    made: May = EMPTY

    @property
    def all(self) -> May:
        return self.whole | self.part | self.below | self.made

    @property
    def itself(self) -> May:
        """Those of the target's own allocation, not of what is in it."""
        return self.whole | self.part | self.made


NOTHING = Reshaped()


def reshaped(stmt: ir.Assign, refs: References) -> Reshaped:
    """What an assignment may give another shape."""
    target = stmt.target
    depth, bare = len(target.parts) - 1, target.parts[-1].subscripts is None and target.substring is None
    declared = refs.variables.get(target.name)
    if not depth and declared is not None and declared.automatic:
        bare = False  # it has the shape that its BLOCK gave it
    touch = refs.touch(target)
    itself: May = EMPTY
    below: May = EMPTY
    for index in members(touch.bits & refs.space.allocatable & ~refs.space.descriptors):
        info = refs.space.infos[index]
        if any(one > depth for one in info.allocated):
            below |= singleton(index)
        elif bare and depth in info.allocated and not stmt.initial:
            itself |= singleton(index)
    itself_in, below_in = _in_links(stmt, refs, touch.bits) if touch.bits & refs.space.links else (EMPTY, EMPTY)
    itself, below = itself | (itself_in if bare and not stmt.initial else EMPTY), below | below_in
    found = None if declared is None else refs.storage.component(declared, [part.name for part in target.parts[1:]])
    if not target.rank and (found is None or found.polymorphic):  # perhaps of another type than it was
        return Reshaped(itself, EMPTY, below) if touch.whole else Reshaped(EMPTY, itself, below)
    if not target.rank:
        return Reshaped(below=below, made=itself)
    if itself and keeps_shape(stmt):
        itself = EMPTY
    return Reshaped(whole=itself, below=below) if touch.whole else Reshaped(part=itself, below=below)


def _in_links(stmt: ir.Assign, refs: References, bits: May) -> tuple[May, May]:
    """Of what recursive types lead to, which is one location each, those that an allocatable target is in, and those of
    an object that has allocatable components: ``q%next%w = [x]``, ``q%next = h``."""
    target, storage = stmt.target, refs.storage
    links = set_of(one for one in members(bits & refs.space.links) if refs.space.infos[one].type.derived is not None)
    variable = refs.variables.get(target.name) if links else None
    found = None if variable is None else storage.component(variable, [part.name for part in target.parts[1:]])
    if found is None:
        return EMPTY, EMPTY
    return links if found.allocatable else EMPTY, links if storage.owns_allocations(found.type.derived) else EMPTY


def keeps_shape(stmt: ir.Assign) -> bool:
    """Has the value no shape, or that of the target for certain?"""
    return rank_of(stmt.value) == 0 or any(one == stmt.target for one in alike(stmt.value))


def alike(value: ir.Expr) -> Iterator[ir.Expr]:
    """The operands of an expression that have its shape."""
    match value:
        case ir.Unary():
            yield from alike(value.operand)
        case ir.Binary():
            yield from alike(value.left)
            yield from alike(value.right)
        case ir.Intrinsic() if record(value).shape == "first":
            yield from alike(value.args[0].value)
        case ir.Intrinsic() if record(value).shape == "elemental":
            for argument in value.args:
                yield from alike(argument.value)
        case _:
            if rank_of(value):
                yield value
