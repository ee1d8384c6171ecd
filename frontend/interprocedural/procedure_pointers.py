"""Calls through dummy procedures and procedure pointers: which procedures they may run.

One fixpoint over the whole program: a dummy procedure may be whatever any call passes for it, a procedure pointer
whatever any statement lets a pointer of its name or component be. Pointers that are copied to each other, or passed
for each other, are one. What comes from outside (an external procedure without source, a caller that is not here)
makes the answer unknown: no targets.

In the run of one head (:func:`in_run_of`) a pointer that nothing sets and nobody else can have set is not associated,
and an optional dummy procedure that no call gives is not present: a call through it does nothing to other pointers,
and `if (associated(me%report)) call me%report(x)` does nothing at all. Without a test the call is one of which nothing
is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from snapset.frontend import ir
from snapset.frontend.interprocedural.foreign_objects import ForeignObjects, is_older
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import type_of, walk
from snapset.frontend.ir.statement_walk import statements, with_blocks

Slot: TypeAlias = "tuple[str, str] | ir.Area"  # a dummy (procedure key, name), a component ("%", name), a variable
OUTSIDE = ""  # the key of a procedure that nobody knows
ANY_COMPONENT: Slot = ("%", "*")


def in_run_of(program: ir.Program, head: str) -> ir.Program:
    """The program as a run of one head has it: the head is called from outside, and nothing else is."""
    procedure, every = program.procedures[head], program.procedures.values()
    if any(name not in procedure.variables for name in procedure.formals) or any(
            not stmt.targets for one in every for stmt in _indirect(one)):
        foreign = ForeignObjects(program)
        foreign.start(head)
        return with_targets(program, (head,), foreign)
    return program


def with_targets(program: ir.Program, roots: Iterable[str] = (), foreign: ForeignObjects | None = None) -> ir.Program:
    """The program with the targets of its indirect calls. ``roots``: procedures that are called from outside.
    ``foreign``: what others made, where nothing but the roots is called from outside."""
    found = {key: _indirect(procedure) for key, procedure in program.procedures.items()}
    if not any(found.values()):
        return program
    flow = _Flow(program, frozenset(roots), foreign)
    flow.settle()
    changed = dict(program.procedures)
    for key, calls in found.items():
        if calls:
            procedure = program.procedures[key]
            targets = {stmt.id: None if flow.never_runs(procedure, stmt) else flow.targets(procedure, stmt)
                       for stmt in calls}
            if any(targets[stmt.id] != stmt.targets for stmt in calls):
                changed[key] = rewritten(procedure, _rewritten(procedure.body, targets))
    return replace(program, procedures=MappingProxyType(changed))


def _indirect(procedure: ir.Procedure) -> tuple[ir.Call, ...]:
    if not body_facts_of(procedure).indirect:
        return ()
    return tuple(stmt for stmt in statements(procedure.body) if isinstance(stmt, ir.Call) and stmt.via != "name")


def _rewritten(block: ir.Block, targets: Mapping[int, tuple[str, ...] | None], tested: bool = False) -> ir.Block:
    """With these targets of its calls; None: what is called is nothing. Where that is ``tested`` no run gets there."""
    def one(stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.Call) and stmt.id in targets:
            found = targets[stmt.id]
            if found is None and tested:
                return ir.Stop(span=stmt.span, label=stmt.label, id=stmt.id, never=True)
            return replace(stmt, targets=found or ())
        inside = tested or (isinstance(stmt, ir.If) and any(
            isinstance(part, ir.Intrinsic) and part.name in ("associated", "present") for part in walk(stmt.cond)))
        return with_blocks(stmt, lambda inner: _rewritten(inner, targets, inside))

    return tuple(one(stmt) for stmt in block)


@dataclass(slots=True)
class _Flow:
    """Which procedures may be in which pointers.

    ``holds``: the procedures a slot may be. ``same``: slots that are one with another, by union and find.
    ``final``: a call that nothing has reached yet is one of which nothing is known, so it may do anything. Not before:
    `call me%f(me)` would let every component be anything, `f` too, only because it is looked at before `me%f => g`.
    """

    program: ir.Program
    roots: frozenset[str]
    foreign: ForeignObjects | None = None
    holds: dict[Slot, set[str]] = field(default_factory=dict)
    same: dict[Slot, Slot] = field(default_factory=dict)
    into: dict[Slot, set[Slot]] = field(default_factory=dict)
    grown: bool = True
    final: bool = False

    def settle(self) -> None:
        """Let procedures flow into slots until nothing changes, also by the calls that nothing has reached."""
        self._initial()
        self._flow()
        self.final = self.grown = True
        self._flow()

    def _flow(self) -> None:
        while self.grown:
            self.grown = False
            for procedure in self.program.procedures.values():
                for stmt in statements(procedure.body):
                    self._statement(procedure, stmt)
            for source, targets in list(self.into.items()):
                for target in targets:
                    for key in tuple(self.holds.get(self.root(source), ())):
                        self.add(target, key)

    # ------------------------------------------------------------ slots

    def root(self, slot: Slot) -> Slot:
        while slot in self.same:
            slot = self.same[slot]
        return slot

    def add(self, slot: Slot, key: str) -> None:
        held = self.holds.setdefault(self.root(slot), set())
        if key not in held:
            held.add(key)
            self.grown = True

    def unite(self, one: Slot, other: Slot) -> None:
        first, second = self.root(one), self.root(other)
        if first != second:
            self.same[second] = first
            self.holds.setdefault(first, set()).update(self.holds.pop(second, set()))
            self.grown = True

    def slot(self, procedure: ir.Procedure, name: str) -> Slot:
        """The slot of a dummy procedure or of a pointer variable."""
        variable = procedure.variables.get(name)
        if variable is not None and variable.type.kind == "procedure":
            return variable.area
        holder: ir.Procedure | None = procedure
        while holder is not None and name not in holder.formals:
            holder = self.program.procedures.get(holder.host or "")
        return (procedure.key if holder is None else holder.key), name

    def give(self, procedure: ir.Procedure, slot: Slot, value: ir.Expr) -> None:
        """Let ``slot`` be what ``value`` is."""
        match value:
            case ir.ProcedureRef() if value.key is not None:
                self.add(slot, value.key)
            case ir.ProcedureRef():
                source = self.slot(procedure, value.name)
                if self._is_dummy(source):
                    if slot not in self.into.setdefault(source, set()):
                        self.into[source].add(slot)
                        self.grown = True
                else:
                    self.add(slot, OUTSIDE)
            case ir.Ref() if value.type.kind == "procedure":
                self.unite(slot, self._of_ref(procedure, value))
            case ir.Intrinsic() if value.name == "null":
                pass
            case _:
                self.add(slot, OUTSIDE)

    def _is_dummy(self, slot: Slot) -> bool:
        if isinstance(slot, ir.Area):
            return False
        owner = self.program.procedures.get(slot[0])
        return owner is not None and slot[1] in owner.formals

    def _of_ref(self, procedure: ir.Procedure, ref: ir.Ref) -> Slot:
        return ("%", ref.parts[-1].name) if len(ref.parts) > 1 else self.slot(procedure, ref.name)

    # ------------------------------------------------------------ where procedures come from

    def _initial(self) -> None:
        for procedure in self.program.procedures.values():
            if procedure.key in self.roots:
                for name in procedure.formals:
                    self.add((procedure.key, name), OUTSIDE)
                    if name in procedure.variables:
                        self.add(procedure.variables[name].area, OUTSIDE)
            for variable in procedure.variables.values():
                self._starts(procedure, variable, variable.area)
        for type_ in self.program.types.values():
            for component in type_.components:
                if isinstance(component.start, ir.ProcedureRef):
                    self.add(("%", component.name), component.start.key or OUTSIDE)

    def _starts(self, procedure: ir.Procedure, variable: ir.Variable, slot: Slot) -> None:
        if variable.type.kind == "procedure" and isinstance(variable.start, ir.ProcedureRef):
            self.add(slot, variable.start.key or OUTSIDE)

    def _statement(self, procedure: ir.Procedure, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.PointerAssign() if stmt.target.type.kind == "procedure":
                self.give(procedure, self._of_ref(procedure, stmt.target), stmt.value)
            case ir.Call():
                self._call(procedure, stmt)
            case ir.Opaque():
                self._anything(procedure)
            case _:
                pass
        for value in _values(stmt):
            for made in _constructed(value):
                self.give(procedure, ANY_COMPONENT, made)

    def _anything(self, procedure: ir.Procedure) -> None:
        """A statement that is not understood may let every pointer be anything."""
        self.add(ANY_COMPONENT, OUTSIDE)
        for variable in procedure.variables.values():
            if variable.type.kind == "procedure":
                self.add(variable.area, OUTSIDE)

    def _call(self, procedure: ir.Procedure, stmt: ir.Call) -> None:
        targets = stmt.targets if stmt.via == "name" else self.targets(procedure, stmt)
        if not targets and (stmt.via == "name" or self.final or OUTSIDE in self._held(procedure, stmt)) \
                and not self.never_runs(procedure, stmt):
            self._escapes(procedure, stmt)
        for key in targets:
            target = self.program.procedures[key]
            try:
                actuals = bind(stmt, target)
            except BindError:
                self._escapes(procedure, stmt)
                continue
            for name, actual in zip(target.formals, actuals, strict=True):
                if actual is not None and (name not in target.variables or _is_procedure(target.variables[name])):
                    self.give(procedure, self.slot(target, name), actual)

    def _escapes(self, procedure: ir.Procedure, stmt: ir.Call) -> None:
        """What an unknown procedure is passed, it may call with anything, and let be anything."""
        if self.foreign is not None:  # it may make objects, and what is given C_F_POINTER may lead to such
            types = [type_of(one) for one in (stmt.result, *(argument.value for argument in stmt.args)) if one]
            self._are_foreign([one for one in types if one.kind == "derived"])
        if stmt.intrinsic:
            return
        for argument in stmt.args:
            value = argument.value
            if isinstance(value, ir.ProcedureRef):
                for key in (value.key,) if value.key is not None else ():
                    called = self.program.procedures[key]
                    for name in called.formals:
                        self.add((key, name), OUTSIDE)
                    self._are_foreign([called.variables[name].type for name in called.formals
                                       if name in called.variables])
            elif isinstance(value, ir.Ref):
                if value.type.kind == "procedure":
                    self.add(self._of_ref(procedure, value), OUTSIDE)
                elif value.type.kind == "derived" and self._has_procedures(value.type.derived):
                    self.add(ANY_COMPONENT, OUTSIDE)

    def _are_foreign(self, types: Iterable[ir.Type]) -> None:
        for one in types:
            if self.foreign is not None and self.foreign.add(one):
                self.grown = True

    def _has_procedures(self, key: str | None) -> bool:
        """May objects of a type hold procedure pointers? Those of an unknown one may."""
        seen, work = set[str](), [key]
        for one in work:
            type_ = self.program.types.get(one or "")
            if type_ is None:
                return True
            if any(component.type.kind == "procedure" for component in type_.components):
                return True
            seen.add(one or "")
            inner = (c.type.derived for c in type_.components if c.type.kind == "derived")
            work += [key for key in inner if key not in seen]
        return False

    # ------------------------------------------------------------ the answer

    def targets(self, procedure: ir.Procedure, stmt: ir.Call) -> tuple[str, ...]:
        """What an indirect call may run; () where that is not known."""
        held = self._held(procedure, stmt)
        if OUTSIDE in held:
            return ()
        return tuple(sorted(key for key in held if self._fits(stmt, key)))

    def never_runs(self, procedure: ir.Procedure, stmt: ir.Call) -> bool:
        """Is what an indirect call names certainly nothing, in a run of the head?"""
        if self.foreign is None or stmt.via == "name" or self._held(procedure, stmt):
            return False
        named = {self.root(slot) for slot in self._slots(procedure, stmt)}
        return not any(self._from_outside(slot) for slot in (*named, *self.same) if self.root(slot) in named)

    def _from_outside(self, slot: Slot) -> bool:
        """May somebody who is not here have set a pointer that nothing here sets? What the roots are passed is set."""
        assert self.foreign is not None
        if isinstance(slot, ir.Area):
            return is_older(slot)
        return slot[0] == "%" and slot != ANY_COMPONENT and self.foreign.hold(slot[1])

    def _slots(self, procedure: ir.Procedure, stmt: ir.Call) -> tuple[Slot, ...]:
        """What an indirect call names."""
        own = stmt.via == "dummy" or stmt.name in procedure.variables
        slots: tuple[Slot, ...] = (self.slot(procedure, stmt.name),) if own else ()
        return (*slots, ("%", stmt.name), ANY_COMPONENT) if stmt.via == "pointer" else slots

    def _held(self, procedure: ir.Procedure, stmt: ir.Call) -> set[str]:
        """The procedures that what an indirect call names may be, whether they fit it or not."""
        slots = self._slots(procedure, stmt)
        return set[str]().union(*(self.holds.get(self.root(slot), ()) for slot in slots))

    def _fits(self, stmt: ir.Call, key: str) -> bool:
        target = self.program.procedures[key]
        try:
            bind(stmt, target)
        except BindError:
            return False
        return (stmt.result is not None) == (target.kind == "function")


def _values(stmt: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The expressions of a statement in which a structure constructor may stand."""
    match stmt:
        case ir.Assign():
            return (stmt.value,)
        case ir.Call():
            return tuple(argument.value for argument in stmt.args)
        case ir.Allocate() if stmt.source is not None:
            return (stmt.source,)
        case _:
            return ()


def _is_procedure(variable: ir.Variable) -> bool:
    return variable.type.kind == "procedure"


def _constructed(value: ir.Expr) -> Iterator[ir.Expr]:
    """The procedures among the arguments of structure constructors in an expression."""
    match value:
        case ir.Structure():
            for argument in value.args:
                if isinstance(argument.value, ir.ProcedureRef) or (
                        isinstance(argument.value, ir.Ref) and argument.value.type.kind == "procedure"):
                    yield argument.value
                else:
                    yield from _constructed(argument.value)
        case ir.ArrayConstructor() | ir.ImpliedDo():
            for item in value.items:
                yield from _constructed(item)
        case _:
            pass
