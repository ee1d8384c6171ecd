"""Loops whose iterations own their elements of an array: no iteration touches another one's.

``do i = 1, n; t(i) = x(i)*2; y(i) = t(i)**2; end do``: what iteration i writes to t, only iteration i
reads. Then a write needs to be taped, or run at all, only for what its own iteration (or the code
behind the loop) still needs, and a write of the single element kills it. A call is an access of what it is passed:
``call column(t(:, i), q(1, i))`` is one of ``t(:, i)`` and of ``q(:, i)``
(:mod:`snapset.analysis.procedures.passed_elements`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from snapset.analysis.dataflow.bitsets import members, union
from snapset.analysis.memory.affine_forms import affine, of_fixed_extents
from snapset.analysis.memory.array_sections import Form, rank
from snapset.analysis.memory.element_accesses import ElementAccess, given_subscripts, references
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.array_lives import IterationPrivate
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.cfg.graph import FlowGraph, Loop, Node

CallAccesses = Callable[[int], Iterable[ElementAccess]]
Element = tuple[Quantity | None, ...]  # one subscript per dimension; None: a section, or not understood


def find_iteration_private(flow: FlowGraph, effects: tuple[Effect, ...], refs: References,
                           calls: CallAccesses) -> tuple[IterationPrivate, ...]:
    """All (array, loop) pairs in which iterations own their elements, inner loops after outer ones. ``calls``: what
    a call (node) accesses."""
    found: list[IterationPrivate] = []
    known: dict[int, tuple[ElementAccess, ...]] = {}

    def of_node(number: int) -> Iterable[ElementAccess]:
        if number not in known:  # the loops around ask one after the other
            known[number] = tuple(_of_node(flow.nodes[number], effects[number], refs, calls))
        return known[number]

    for loop in flow.loops:
        if _is_regular(loop):
            found += _private_in(flow, loop, effects, refs, of_node)
    return tuple(found)


def _is_regular(loop: Loop) -> bool:
    """A counted loop entered at its init and left by its test or to its end."""
    return loop.structured and all(target in (loop.test, loop.end) for _, target in loop.leaving)


def _private_in(flow: FlowGraph, loop: Loop, effects: tuple[Effect, ...], refs: References,
                of_node: CallAccesses) -> Iterator[IterationPrivate]:
    written = union(effects[n].changed for n in loop.body if n != loop.step)
    var = effects[loop.step].kill
    if written & var:
        return
    steady = partial(affine, usable=lambda ref: not refs.values(ref) & written,
                     measured=of_fixed_extents(refs.variables))
    accesses, killers = _accesses(flow, loop, of_node, steady)
    moving = loop.stmt.var.name if isinstance(loop.stmt, ir.Do) else ""
    for index, seen in accesses.items():
        elements = [s for s in seen if s is not None]
        if None not in seen and _disjoint(elements, moving):
            same = frozenset(dim for dim, sub in enumerate(elements[0])
                             if sub is not None and all(other[dim] == sub for other in elements))
            whole = (node for node, full in killers.get(index, {}).items() if len(full | same) == len(elements[0]))
            yield IterationPrivate(index, loop, frozenset(whole))


def _accesses(flow: FlowGraph, loop: Loop, of_node: CallAccesses,
              form: Form) -> tuple[dict[int, set[Element | None]], dict[int, dict[int, frozenset[int]]]]:
    """By array, the elements its references in the loop select (None: not plain to see), and the nodes
    that write elements of it, with the dimensions in which they write all."""
    accesses: dict[int, set[Element | None]] = {}
    killers: dict[int, dict[int, frozenset[int]]] = {}
    for number in sorted(loop.body):
        node = flow.nodes[number]
        for one in of_node(number):
            element = None if one.given is None else tuple(
                None if isinstance(s, ir.Range) else form(s) for s in one.given)
            accesses.setdefault(one.index, set()).add(element)
            if one.full is not None and not node.masks:
                killers.setdefault(one.index, {})[number] = one.full
    return accesses, killers


def _of_node(node: Node, e: Effect, refs: References, calls: CallAccesses) -> Iterable[ElementAccess]:
    if node.kind == "call":
        return calls(node.index)
    if node.kind == "test" or isinstance(node.stmt, ir.Assign | ir.Where | ir.Do):
        return _plain(node, refs)
    return _unclear(e)


def _unclear(e: Effect) -> Iterator[ElementAccess]:
    return (ElementAccess(index, None) for index in members(e.use | e.out))


def _plain(node: Node, refs: References) -> Iterator[ElementAccess]:
    """What the references of a statement select."""
    for ref, written in references(node, refs):
        touch = refs.touch(ref)
        for index in members(touch.bits):
            info = refs.space.infos[index]
            if rank(info):
                given = None if info.other_names else given_subscripts(ref, info)
                alone = written and given is not None and (touch.bits == 1 << index or info.band is not None)
                full = refs.full_dimensions(ref.name, given, info.band) if alone and given is not None else None
                yield ElementAccess(index, given, full)


def _disjoint(seen: list[Element], var: str) -> bool:
    """Is there a dimension in which all references have the same subscript, and it moves with the DO variable?"""
    for dim, subscript in enumerate(seen[0]):
        if subscript is not None and subscript.factor(var) and all(other[dim] == subscript for other in seen):
            return True
    return False
