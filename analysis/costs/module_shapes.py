"""Which shapes of modules' arrays are known: where every ALLOCATE of the program gives the same one.

    subroutine init(k);  n = k;  allocate (h(n))

makes ``h`` n elements long wherever a head runs that leaves ``n`` alone, although it never runs ``init``. What has to
be shown is that ``h``, whenever the head is entered, is not allocated or has the extents that ``n`` says *now*:

- Nothing but ALLOCATEs with the same extents gives ``h`` a shape: no MOVE_ALLOC, no allocatable dummy argument, no
  assignment of an array of another shape, no procedure that nobody knows.
- No procedure that the head may run writes ``n``.
- After each write of ``n`` elsewhere, nothing is returned from, and no procedure called that may run the head, before
  ``h`` is allocated anew (the ALLOCATE stops the run where ``h`` is allocated still; one with STAT= does not count);
  or the write comes before all ALLOCATEs of ``h``: no path of the program leads from one of these to it, through
  returns and calls. A procedure that the program does not call may be called at any time.

By induction over the run: ``h`` begins unallocated; an ALLOCATE gives it what ``n`` says; a write of ``n`` of the
first kind is made good before the head can see it, and at one of the second kind ``h`` is not allocated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from snapset.analysis.costs.module_allocations import (
    Extents,
    ModuleAllocations,
    Object,
    module_allocations,
    object_of,
)
from snapset.analysis.incremental.query_engine import QueryOwner, derived, query
from snapset.analysis.memory.locations import Location, Space
from snapset.analysis.memory.named_globals import named_areas
from snapset.analysis.memory.references import References
from snapset.analysis.memory.storage_units import Storage
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.statement_effects import effect
from snapset.analysis.symbolic.atoms import Sym
from snapset.frontend import ir
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.interprocedural.call_graph import callees
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.persistence.statement_hashes import statements_hash


class ModuleShapes(QueryOwner):
    """The shapes of modules' arrays, for one head."""

    def __init__(self, models: Models) -> None:
        super().__init__(models.engine)
        self.models = models
        self.program = models.program.everything

    @query("value")
    def known(self) -> tuple[tuple[Object, Extents], ...]:
        """The extents of each object of which they are known."""
        keys = self.keys()  # asked first, so that it is remembered that there may be more one day
        root, running = self.models.root, self.models.running()
        if self.program is None or root not in keys or root is None or running is None:
            return ()
        return tuple(sorted(_Proof(self, self.program, root, running).found().items(), key=lambda one: one[0]))

    @derived
    def extents(self) -> Mapping[Object, Extents]:
        """The same by object."""
        return dict(self.known())

    @query("live")
    def keys(self) -> tuple[str, ...]:
        """The procedures of the whole program, those that the head does not reach among them."""
        return () if self.program is None else tuple(self.program.procedures)

    @query("live")
    def text(self, key: str) -> bytes | None:
        """A hash of a procedure's statements."""
        return None if key not in self.keys() else statements_hash(self._procedure(key))

    @query("live")
    def callees(self, key: str) -> tuple[str, ...]:
        """What a procedure calls."""
        return callees(self._procedure(key))

    @query("value")
    def areas(self, key: str) -> tuple[ir.Area, ...]:
        """The areas of modules that it names."""
        self.text(key)
        return named_areas(self._procedure(key))

    @query("value")
    def allocations(self, key: str) -> ModuleAllocations:
        """What it does to modules' allocations."""
        for one in (key, *self.callees(key)):
            self.text(one)
        assert self.program is not None
        return module_allocations(self._procedure(key), self.program, lambda call: not self.models.unknown(call))

    def _procedure(self, key: str) -> ir.Procedure:
        assert self.program is not None
        return self.program.procedures[key]


class _Proof:
    """The proof for the head ``root``, which may run ``running``."""

    def __init__(self, answers: ModuleShapes, program: ir.Program, root: str, running: Iterable[str]) -> None:
        self.answers = answers
        self.program = program
        self.root = root
        self.running = frozenset(running)
        self._flows: dict[str, FlowGraph] = {}
        self._written: dict[str, tuple[tuple[Location, ...], ...]] = {}

    def found(self) -> Mapping[Object, Extents]:
        """The extents of each object of which they are known."""
        every = {key: self.answers.allocations(key) for key in self.program.procedures}
        if any(one.hidden for one in every.values()):
            return {}
        shapes = self._same(every.values())
        again = True
        while again:  # an array as long as one whose length turns out not to be known is not known either
            lost = {at for one in every.values() for at, same in one.copied
                    if at in shapes and all(shapes.get(other) != shapes[at] for other in same)}
            again = bool(lost)
            shapes = {at: extents for at, extents in shapes.items() if at not in lost}
        return {at: extents for at, extents in shapes.items() if self._steady(at, extents)}

    def _same(self, every: Iterable[ModuleAllocations]) -> dict[Object, Extents]:
        """The objects that all their ALLOCATEs give the same extents, and that nothing else shapes."""
        given: dict[Object, set[Extents | None]] = {}
        otherwise: set[Object] = set()
        components: set[str] = set()
        types: set[str] = set()
        for one in every:
            for at, extents in one.made:
                given.setdefault(at, set()).add(extents)
            otherwise.update(one.otherwise)
            components.update(one.components)
            types.update(map(self._family, one.types))
        found: dict[Object, Extents] = {}
        for (area, path), said in given.items():
            only = next(iter(said)) if len(said) == 1 else None
            whole = any((area, path[:depth]) in otherwise for depth in range(len(path) + 1))
            if only is not None and not whole and not components.intersection(path) and not self._in(area, path, types):
                found[area, path] = only
        return found

    def _in(self, area: ir.Area, path: tuple[str, ...], types: set[str]) -> bool:
        """Is an object on the way to a component of one of these types?"""
        variable = self.program.module_variables.get((area.owner, area.name))
        for name in path:
            if variable is None or self._family(variable.type.derived or "") in types:
                return True
            type_ = self.program.types.get(variable.type.derived or "")
            variable = None if type_ is None else next((one for one in type_.components if one.name == name), None)
        return False

    def _family(self, type_: str) -> str:
        """The type that all it extends begin with."""
        known = self.program.types
        while type_ in known and known[type_].extends is not None:
            type_ = known[type_].extends or ""
        return type_

    # ------------------------------------------------------------ the integers of the bounds

    def _steady(self, at: Object, extents: Extents) -> bool:
        """Has the object these extents whenever the head is entered, and in all of its run?"""
        names = {(name.area, name.path) for one in extents for name in one.names
                 if isinstance(name, Sym) and name.area is not None}
        return all(self._is_kept(at, name) for name in sorted(names))

    def _is_kept(self, at: Object, name: Object) -> bool:
        variable = self.program.module_variables.get((name[0].owner, name[0].name))
        if variable is None or variable.target or variable.pointer or variable.offset:
            return False
        writing = [key for key in self.program.procedures
                   if name[0] in self.answers.areas(key) and self._writes(key, name)]
        if self.running.intersection(writing):
            return False
        left = [key for key in writing if not all(self._made_good(key, node, at) for node in self._writes(key, name))]
        return not left or not self._after(at, frozenset(left), name)

    def _writes(self, key: str, name: Object) -> list[int]:
        """The nodes that may write a name."""
        area, path = name
        return [node for node, written in enumerate(self._locations(key))
                if any(one.area == area and _overlap(one.path, path) for one in written)]

    def _locations(self, key: str) -> tuple[tuple[Location, ...], ...]:
        """What each node of a procedure writes, and what its calls are given to write, but for what callees write by
        themselves."""
        if key not in self._written:
            procedure, flow, space = self.program.procedures[key], self.flow(key), Space()
            refs = References(procedure, self._storage, space)
            found = []
            for node in flow.nodes:
                called = node.stmt if node.kind == "call" else None
                bits = _passed(called, self.program, refs) if isinstance(called, ir.Call) else effect(node, refs).out
                found.append(tuple(space.locations[index] for index in range(len(space)) if bits >> index & 1))
            self._written[key] = tuple(found)
        return self._written[key]

    @cached_property
    def _storage(self) -> Storage:
        return Storage(self.program)

    def flow(self, key: str) -> FlowGraph:
        if key not in self._flows:
            self.answers.text(key)
            self._flows[key] = build_flow(self.program.procedures[key])
        return self._flows[key]

    # ------------------------------------------------------------ paths

    def _made_good(self, key: str, start: int, at: Object) -> bool:
        """Does every path from a node allocate the object before the procedure returns, and before anything is called
        that may run the head? From a call, what it calls must not run it either."""
        flow = self.flow(key)
        if self._may_run_head(flow, start):
            return False
        work, seen = list(flow.succs[start]), {start}
        while work:
            node = work.pop()
            if node in seen:
                continue
            seen.add(node)
            if node == flow.exit or self._may_run_head(flow, node):
                return False
            if not self._allocates(key, node, at):
                work += flow.succs[node]
        return True

    def _may_run_head(self, flow: FlowGraph, node: int) -> bool:
        stmt = flow.nodes[node].stmt
        return isinstance(stmt, ir.Call) and not self._above.isdisjoint(stmt.targets)

    def _allocates(self, key: str, node: int, at: Object) -> bool:
        """Certainly, or the run ends there."""
        stmt = self.flow(key).nodes[node].stmt
        if isinstance(stmt, ir.Allocate) and stmt.stat is None:
            procedure = self.program.procedures[key]
            return any(object_of(procedure, ref, self.program.types) == at for ref in stmt.objects)
        return False

    @cached_property
    def _callers(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {key: set() for key in self.program.procedures}
        for key in self.program.procedures:
            for callee in self.answers.callees(key):
                found[callee].add(key)
        return {key: frozenset(one) for key, one in found.items()}

    def _leading_to(self, keys: Iterable[str]) -> frozenset[str]:
        """Procedures, and all that may call them."""
        found, work = set(keys), list(keys)
        while work:
            new = self._callers[work.pop()] - found
            found |= new
            work += new
        return frozenset(found)

    @cached_property
    def _above(self) -> frozenset[str]:
        return self._leading_to([self.root])

    def _after(self, at: Object, writing: frozenset[str], name: Object) -> bool:
        """May a procedure of these write the name after some ALLOCATE of the object?"""
        leading = self._leading_to(writing)
        work = [(key, target) for key, node in self._making(at) for target in self.flow(key).succs[node]]
        seen: set[tuple[str, int]] = set()
        while work:
            key, node = place = work.pop()
            if place in seen:
                continue
            seen.add(place)
            flow = self.flow(key)
            stmt = flow.nodes[node].stmt
            if key in writing and node in self._writes(key, name):
                return True
            if isinstance(stmt, ir.Call) and not leading.isdisjoint(stmt.targets):
                return True
            work += [(key, target) for target in flow.succs[node]]
            if node == flow.exit and self.program.procedures[key].kind != "program":
                if not self._callers[key]:
                    return True
                work += [(one, target) for one in self._callers[key] for target in self._behind_calls(one, key)]
        return False

    def _making(self, at: Object) -> list[tuple[str, int]]:
        """The ALLOCATEs of an object."""
        return [(key, node.index) for key in self.program.procedures
                if any(one == at for one, _ in self.answers.allocations(key).made) for node in self.flow(key).nodes
                if isinstance(node.stmt, ir.Allocate)]

    def _behind_calls(self, caller: str, callee: str) -> list[int]:
        flow = self.flow(caller)
        return [target for node in flow.nodes if isinstance(node.stmt, ir.Call) and callee in node.stmt.targets
                for target in flow.succs[node.index]]


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return one[:len(other)] == other or other[:len(one)] == one


def _passed(call: ir.Call, program: ir.Program, refs: References) -> int:
    """What a call is given to write: its result, and what is passed to dummy arguments that are not INTENT(IN)."""
    given = [one.value for one in call.args]
    found = [] if call.result is None else [call.result]
    for key in call.targets:
        callee = program.procedures[key]
        try:
            bound = zip(callee.formals, bind(call, callee), strict=True)
        except BindError:
            break
        found += [actual for formal, actual in bound if isinstance(actual, ir.Ref)
                  and ((declared := callee.variables.get(formal)) is None or declared.intent != "in")]
    else:
        given = [] if call.targets else given
    bits = 0
    for ref in (*found, *(one for one in given if isinstance(one, ir.Ref))):
        bits |= refs.touch(ref).bits
    return bits
