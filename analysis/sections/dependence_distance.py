"""Arrays that code overwrites without losing what it reads: every element is written before it is read, or never.

``do i = 2, n; g(i) = g(i - 1)*x(i); end do`` reads of g's old values only g(1), which it leaves alone: what iteration
i reads, iteration i - 1 has written. For each pair of a read and a write of an array the distance between the
iterations in which both touch one element is known where their subscripts are affine, loop by loop from outside:
the first that is not zero tells which of the two comes first. May miss arrays, never names a wrong one.

Of a loop whose iterations are independent (DO CONCURRENT, or ``!$AD II-LOOP``) only what happens within one iteration
counts, whatever the subscripts: ``a(p(i)) = x(i); y(i) = a(q(i))**2`` loses nothing of a, for where q(i) is some p(j),
j is i, or iteration i has written that element again itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial

from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, members, set_of, singleton, union
from snapset.analysis.memory.affine_forms import affine, of_fixed_extents
from snapset.analysis.memory.element_accesses import given_subscripts, references
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.polynomials import ONE, Quantity
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop
from snapset.frontend.interprocedural.strongly_connected import components


@frozen
class Access:
    """A reference to an array: its subscripts (None: a section, or not understood), and the loops around it that are
    inside the code, outermost first."""

    node: int
    element: tuple[Quantity | None, ...]
    loops: tuple[Loop, ...]
    write: bool


def not_overwritten_after_read(model: ProcedureModel, nodes: Iterable[int], wanted: May) -> Must:
    """Of ``wanted`` the arrays of which the code of these nodes, run once, overwrites no element that it has read."""
    return AccessOrder(model, frozenset(nodes), wanted).found()


class AccessOrder:
    def __init__(self, model: ProcedureModel, nodes: frozenset[int], wanted: May) -> None:
        self.model = model
        self.nodes = nodes
        self.wanted = wanted
        self.measured = of_fixed_extents(model.refs.variables)
        self.accesses: dict[int, list[Access]] = {}
        self.written = union(model.effects[n].changed for n in nodes)
        self.reached: dict[tuple[int, frozenset[int]], set[int]] = {}
        self.plain: dict[int, bool] = {}
        self.ends = {loop.step: loop.end for loop in model.flow.loops if loop.step >= 0}

    def found(self) -> Must:
        candidates: Must = set_of(i for i in members(self.wanted) if self.is_own(i))
        if not candidates:
            return EMPTY
        for node in sorted(self.nodes):
            effect = self.model.effects[node]
            if candidates and (effect.use | effect.out) & candidates:
                candidates &= ~self.take(node, candidates)
        return set_of(i for i in members(candidates) if self.in_order(self.accesses.get(i, [])))

    def is_own(self, index: int) -> bool:
        """Is it an array whose elements no other name and no pointer reaches?"""
        if index >= len(self.model.space):
            return False
        info = self.model.space.infos[index]
        return bool(info.shapes) and info.bytes is None and not info.other_names

    def take(self, node: int, candidates: Must) -> May:
        """Note what a node does with the arrays; those of which that is not plain."""
        at, effect = self.model.flow.nodes[node], self.model.effects[node]
        loops = tuple(self.model.flow.loops[i] for i in at.loops if self.model.flow.loops[i].init in self.nodes)
        touched = May((effect.use | effect.out) & candidates)
        plain = at.kind in ("test", "init") or isinstance(at.stmt, ir.Assign | ir.Where)
        if not plain or any(not self.is_plain(loop) for loop in loops):
            return touched
        if self.repeats(node) or any(self.repeats(loop.init) for loop in loops):
            return touched
        form = partial(affine, usable=lambda ref: self.is_steady(ref, loops), measured=self.measured)
        seen = unclear = EMPTY
        for ref, written in references(at, self.model.refs):
            for index in members(self.model.refs.touch(ref).bits & candidates):
                given = given_subscripts(ref, self.model.space.infos[index])
                if given is None:
                    unclear |= singleton(index)
                    continue
                element = tuple(None if isinstance(s, ir.Range) else form(s) for s in given)
                self.accesses.setdefault(index, []).append(Access(node, element, loops, written))
                seen |= singleton(index)
        return unclear | (touched & ~seen)

    def is_plain(self, loop: Loop) -> bool:
        """A DO loop whose variable nothing else changes."""
        if loop.index not in self.plain:
            self.plain[loop.index] = self._is_plain(loop)
        return self.plain[loop.index]

    def _is_plain(self, loop: Loop) -> bool:
        if not isinstance(loop.stmt, ir.Do) or loop.stmt.kind == "forall" or not loop.structured:
            return False
        var = self.model.effects[loop.step].kill
        return not var & union(self.model.effects[n].out for n in loop.body if n != loop.step)

    def is_steady(self, ref: ir.Ref, loops: Sequence[Loop]) -> bool:
        """A variable of these loops, or what the code leaves as it was?"""
        name = ref.name
        return any(isinstance(loop.stmt, ir.Do) and loop.stmt.var.name == name for loop in loops) \
            or not self.model.space.with_aliases(self.model.refs.values(ref)) & self.written

    def repeats(self, node: int) -> bool:
        """May a node run again though no DO loop goes on (a jump back, DO WHILE)?"""
        return node in self.repeating

    @cached_property
    def repeating(self) -> frozenset[int]:
        """The nodes that may run again so."""
        succs = {n: [after for after in self.steps(n) if after in self.nodes] for n in self.nodes}
        return frozenset(n for some in components(succs) for n in some if len(some) > 1 or n in succs[n])

    def steps(self, node: int) -> Sequence[int]:
        """What may run next, no DO loop going on: from its last step it is left."""
        return (self.ends[node],) if node in self.ends else self.model.flow.succs[node]

    def leads(self, source: int, target: int, within: frozenset[int]) -> bool:
        """May control come from one node to another before any DO loop goes on? (From its last step it leaves it.)"""
        if (source, within) not in self.reached:
            seen: set[int] = set()
            work = [source]
            while work:
                node = work.pop()
                for after in self.steps(node):
                    if after not in seen:
                        seen.add(after)
                        if after in within:
                            work.append(after)
            self.reached[source, within] = seen
        return target in self.reached[source, within]

    # ------------------------------------------------------------ pairs

    def in_order(self, accesses: Sequence[Access]) -> bool:
        reads, writes = (self.alike(a for a in accesses if a.write == kind) for kind in (False, True))
        return bool(writes) and all(self.not_lost(read, write) for write in writes for read in reads)

    def alike(self, accesses: Iterable[Access]) -> list[list[Access]]:
        """Accesses of the same elements in the same loops, together."""
        groups: dict[object, list[Access]] = {}
        for one in accesses:
            groups.setdefault((one.element, *(loop.index for loop in one.loops)), []).append(one)
        return list(groups.values())

    def not_lost(self, reads: Sequence[Access], writes: Sequence[Access]) -> bool:
        """Does none of these writes overwrite what one of these reads has read? Both groups are :meth:`alike`."""
        read, write = reads[0], writes[0]
        if self.never_meet(read, write):
            return True
        common = [a for a, b in zip(read.loops, write.loops, strict=False) if a.index == b.index]
        for loop in common:
            if isinstance(loop.stmt, ir.Do) and loop.stmt.has_independent_iterations:
                continue
            later = self.later(read, write, loop)
            if later is None or later < 0:
                return False
            if later > 0:
                return True
        within = self.nodes if not common else common[-1].body
        return not any(a.node == b.node or self.leads(a.node, b.node, within) for a in reads for b in writes)

    def never_meet(self, read: Access, write: Access) -> bool:
        """Is there a dimension in which both have a subscript that no loop changes, and not the same?"""
        names = running(read) | running(write)
        return any(one is not None and other is not None and not (one - other).factors and (one - other).offset
                   and names.isdisjoint(name for name, _ in one.factors)
                   for one, other in zip(read.element, write.element, strict=True))

    def later(self, read: Access, write: Access, loop: Loop) -> int | None:
        """How much later the read of an element is than its write, in the direction of the loop, where all loops around
        are at the same iteration; 1 where they touch no element both. None: not known."""
        stmt = loop.stmt
        assert isinstance(stmt, ir.Do)
        step = ONE if stmt.step is None else affine(stmt.step, lambda _: False)
        if step is None or step.factors or not step.offset:
            return None
        names = running(read) | running(write)
        for one, other in zip(read.element, write.element, strict=True):
            if one is None or other is None:
                continue
            factor, apart = one.factor(stmt.var.name), one - other
            alone = {name for name, _ in one.factors} & names == {stmt.var.name}
            if alone and factor and not apart.factors:
                if apart.offset % (factor * step.offset):
                    return 1
                return -(apart.offset // factor) * (1 if step.offset > 0 else -1)
        return None


def running(access: Access) -> set[str]:
    """The variables of the loops around it."""
    return {loop.stmt.var.name for loop in access.loops if isinstance(loop.stmt, ir.Do)}
