"""Which pointers may lead to the same memory: families of pointers and targets that associations bring together.

Every pointer and target is a *slot*: a variable by its area, a component by its type and name whatever object it is
in, so that copying and passing objects needs no rule. ``p => q`` puts the slots of p and q into one family (union and
find, over all statements of the program in any order, after Steensgaard 1996); so does passing one for the other where
the dummy argument is a pointer or target. Two slots of different families never share memory; what is brought together
with memory that nobody knows (C_LOC, C_F_POINTER, a function without source) has no family and may lead to anything
of its type. A dummy argument with TARGET that gets a target may be changed by either name, and so may two that get the
same one (Fortran 2018, 15.5.2.13): it meets the targets of its family as a pointer does, though it always leads to the
same. A statement that is not understood leaves nothing known.

What calls the head is mostly not there to see: then all pointers and targets that are older than the head's run (global
ones, components, the head's own arguments) may have been brought together before, and are one family. A component is
older only where an object of its type is: ``old%h`` of the head's own ``type(state) :: old`` leads to what the run
associates it with, if no global variable and no argument of the head's holds a state. Only a program that is there
whole, main program and all, is taken at its own associations, and so if its user says so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cache, cached_property, partial
from itertools import chain
from typing import Final, TypeAlias

from snapset.analysis.external.declared_effects import from_library
from snapset.frontend import ir
from snapset.frontend.base.memo import Memo, each_once
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.interprocedural.objects_named_once import named_once, own_pointers
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import types_of, walk
from snapset.frontend.ir.statement_walk import statements, values_made

Slot: TypeAlias = "ir.Area | tuple[str, str]"
Pair: TypeAlias = "tuple[Slot | None, Slot | None]"
Associated: TypeAlias = "tuple[tuple[Pair, ...], tuple[ir.Area, ...]]"
"""Pairs of slots that a procedure brings together; the dummy arguments to which it passes targets that others hold."""

OUTSIDE: Slot = ("", "")
_NAMES: Final = Memo["ir.DerivedType", frozenset[str]](10_000)  # of components
_C_INTEROP = frozenset(("c_f_pointer", "c_loc", "c_funloc", "c_f_procpointer", "c_associated"))


class AliasClasses:
    """The families of one program. ``known`` is False where every slot may share memory with any other. ``shared``: the
    dummy arguments that may be other targets.

    ``root``: the head's procedure; None: any procedure may be called from outside. ``distinct``: what is older than
    the head's run shares memory only where this program associates it.
    """

    def __init__(self, program: ir.Program, root: str | None = None, distinct: bool = False,
                 associations: Associations | None = None) -> None:
        """``associations``: those of this program, where they are known."""
        self.program = program
        self.associations = associations if associations is not None else Associations(program)
        self.known = self.associations.known
        self._parent: dict[Slot | None, Slot | None] = {}
        self.shared: frozenset[ir.Area] = frozenset()
        pointing = self.associations.pointing
        passed = self._passed(root) if pointing else ()
        unseen = pointing and bool(self.associations.unknown_calls)
        held = frozenset(program.types) if unseen or not pointing else (
            self.associations.global_types | types_of(program.types, passed))
        if pointing and not distinct and not self.associations.whole:
            self._from_outside((*self.associations.globals, *passed), held)
        if pointing or (self.known and _has_target_dummies(program)):
            for one, other in self.associations.pairs:
                self._unite(one, other)
            self.shared = self.associations.shared
        once = self.associations.named_once(held) if pointing else frozenset()
        found = {component_slot(program.types, key, c.name) for key in once for c in program.types[key].components}
        self._apart = found.difference(*self.associations.pairs) if found else found
        self._solitary = frozenset(own_pointers(program) if pointing else ()).difference(*self.associations.pairs)

    def _passed(self, root: str | None) -> tuple[ir.Variable, ...]:
        """The dummy arguments that may be, or lead to, what is older than the head's run."""
        program, handed_out = self.program, self.associations.handed_out
        return tuple(one for procedure in program.procedures.values()
                     if root is None or procedure.key == root or procedure.key in handed_out
                     for one in procedure.variables.values() if one.area.kind == "formal")

    def _from_outside(self, older: tuple[ir.Variable, ...], held: frozenset[str]) -> None:
        """``held``: the types of older objects; a procedure without source may have kept any."""
        types = self.program.types
        found = (component_slot(types, key, one.name) for key in held for one in types[key].components)
        for slot in dict.fromkeys(chain((one.area for one in older), found)):
            self._unite(slot, OUTSIDE)

    def layout(self) -> str:
        """All that is known, as a text: the same for two programs only where everything is."""
        families, own = sorted(f"{slot} {self._root(slot)}" for slot in list(self._parent)), self.associations.own
        return repr((self.known, families, sorted(self._apart), sorted(self._solitary), own and sorted(map(str, own))))

    def of(self, slot: Slot) -> Slot | None:
        """The family of a slot; None: it may share memory with any other."""
        return self._root(slot) if self.known else None

    def in_object(self, slot: Slot, area: ir.Area) -> Hashable:
        """The family of a component of the objects that a variable holds: that of the variable's alone where no two
        objects share what is theirs, and nothing is associated with the component but by ALLOCATE."""
        return (slot, area) if slot in self._apart else self.of(slot)

    def leads_alone(self, slot: Slot, area: ir.Area) -> bool:
        """Is what a pointer, in a variable or as one, leads to only ever what ALLOCATE makes, with one name each?"""
        return slot in self._apart or (slot == area and area in self._solitary)

    def alone(self, area: ir.Area) -> bool:
        """Does no statement of the program bring a procedure's own variable together with a pointer, or with memory
        that nobody knows? Then TARGET makes nothing of it: it has one name."""
        return self.known and (own := self.associations.own) is not None and area not in own

    # ------------------------------------------------------------ union and find

    def _root(self, slot: Slot | None) -> Slot | None:
        path = []
        while slot in self._parent:
            path.append(slot)
            slot = self._parent[slot]
        for one in path[:-1]:
            self._parent[one] = slot
        return slot

    def _unite(self, one: Slot | None, other: Slot | None) -> None:
        """None, memory that nobody knows, becomes the root of what is united with it."""
        first, second = self._root(one), self._root(other)
        if first != second:
            if first is None:
                first, second = second, first
            self._parent[first] = second


class Associations:
    """What the statements of a program bring together, whichever head it has: pairs of slots (None: memory that nobody
    knows), each once, in the order of the program."""

    def __init__(self, program: ir.Program, within: Callable[[str], Associated] | None = None) -> None:
        """``within``: tells what :func:`associated` finds in a procedure, and may know it from an earlier run."""
        self.program = program
        # may statements associate pointers in ways nobody sees?
        self.known = not any(body_facts_of(procedure).opaque for procedure in program.procedures.values())
        self._within = within if within is not None else partial(associated, program)
        self.named_once = cache(partial(named_once, program))  # many heads ask the same
        self.pointing = self.known and has_pointers(program)

    @cached_property
    def unknown_calls(self) -> tuple[ir.Call, ...]:
        """Calls of procedures that may use the program's modules."""
        return tuple(call for procedure in self.program.procedures.values() for call in body_facts_of(procedure).outside
                     if from_library(call.name) is None)

    @cached_property
    def handed_out(self) -> frozenset[str]:
        """The procedures that are passed to procedures without source, which may call them."""
        return frozenset(argument.value.key for call in self.unknown_calls for argument in call.args
                         if isinstance(argument.value, ir.ProcedureRef) and argument.value.key is not None)

    @cached_property
    def whole(self) -> bool:
        """Is all there that can run: a main program, and the source of all that is called?"""
        return (any(procedure.kind == "program" for procedure in self.program.procedures.values())
                and not self.unknown_calls and all(one.code != "SN201" for one in self.program.diagnostics))

    @cached_property
    def globals(self) -> tuple[ir.Variable, ...]:
        """The variables that are older than any head's run: one for each area and type."""
        program = self.program
        every = chain(program.module_variables.values(), *program.commons.values(),
                      *(one.variables.values() for one in program.procedures.values()))
        older = (one for one in each_once(every) if one.area.kind not in ("local", "temporary", "formal"))
        return tuple({(one.area, one.type, one.polymorphic): one for one in older}.values())

    @cached_property
    def global_types(self) -> frozenset[str]:
        """The types of all objects that these are, hold or lead to."""
        return types_of(self.program.types, self.globals)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """``p => q`` gives (p, q)."""
        found: dict[Pair, None] = {}
        for type_ in self.program.types.values():
            for one in type_.components:
                if one.pointer and isinstance(one.start, ir.OpaqueExpr):
                    found[component_slot(self.program.types, type_.key, one.name), None] = None
        for pairs, _ in self._each:
            found.update(dict.fromkeys(pairs))
        return tuple(found)

    @cached_property
    def own(self) -> frozenset[ir.Area] | None:
        """The procedures' own variables that are brought together with anything, if there are targets among them; None:
        a pointer has a target from its declaration on, perhaps one of these."""
        every = [v for p in self.program.procedures.values() for v in p.variables.values()]
        if not any(one.target and one.area.kind == "local" for one in every):
            return frozenset()
        parts = (one for type_ in self.program.types.values() for one in type_.components)
        if any(v.pointer and isinstance(v.start, ir.OpaqueExpr) for v in chain(every, parts)):
            return None
        return frozenset(one for pair in self.pairs for one in pair if isinstance(one, ir.Area) and one.kind == "local")

    @cached_property
    def shared(self) -> frozenset[ir.Area]:
        """The dummy arguments with TARGET that get targets, and may be changed by either name."""
        return frozenset(area for _, areas in self._each for area in areas)

    @cached_property
    def _each(self) -> tuple[Associated, ...]:
        return tuple(map(self._within, self.program.procedures))


def associated(program: ir.Program, key: str) -> Associated:
    """What the statements of one procedure bring together. It depends on these, on the dummy arguments of the
    procedures that they call, and on the types (:func:`types_seen`)."""
    found = _InProcedure(program)
    found.search(program.procedures[key])
    return tuple(found.pairs), tuple(sorted(found.shared))


def types_seen(program: ir.Program) -> str:
    """All that is asked here of a program's types, as a text."""
    return repr([(one.key, one.extends, [(c.name, c.pointer, c.polymorphic, c.target, c.type) for c in one.components])
                 for one in program.types.values()])


def component_slot(types: Mapping[str, ir.DerivedType], key: str, name: str) -> Slot:
    """The slot of a component, as the type that declares it has it."""
    type_ = types.get(key)
    while type_ is not None and type_.extends is not None:
        parent = types.get(type_.extends)
        if parent is None or name not in _NAMES.get(parent, lambda one: frozenset(c.name for c in one.components)):
            break
        type_ = parent
    return (type_.key if type_ is not None else key), name


class _InProcedure:
    """Collects what statements bring together: each pair once, in order."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.pairs: dict[Pair, None] = {}
        self.shared: set[ir.Area] = set()

    def _unite(self, one: Slot | None, other: Slot | None) -> None:
        self.pairs[one, other] = None

    def component(self, key: str, name: str) -> Slot:
        return component_slot(self.program.types, key, name)

    def search(self, procedure: ir.Procedure) -> None:
        for variable in procedure.variables.values():
            if variable.pointer and isinstance(variable.start, ir.OpaqueExpr):
                self._unite(variable.area, None)
        for stmt in statements(procedure.body):
            match stmt:
                case ir.PointerAssign() if stmt.target.type.kind != "procedure":
                    self._associate(procedure, stmt.target, stmt.value)
                case ir.Call():
                    self._call(procedure, stmt)
                case _:
                    pass
            for value in values_made(stmt):
                self._inside(procedure, value)

    def _associate(self, procedure: ir.Procedure, target: ir.Ref, value: ir.Expr) -> None:
        slot = self._slot(procedure, target)
        match value:
            case ir.Ref():
                self._unite(slot, self._slot(procedure, value))
            case ir.Intrinsic() if value.name == "null":
                pass
            case _:
                self._unite(slot, None)

    def _slot(self, procedure: ir.Procedure, ref: ir.Ref) -> Slot | None:
        """The slot a reference ends in; None where its type is not known."""
        found = self._declared(procedure, ref)
        if found is None:
            return None
        return found[1].area if not found[0] else self.component(found[0], found[1].name)

    def _declared(self, procedure: ir.Procedure, ref: ir.Ref) -> tuple[str, ir.Variable] | None:
        """The variable or component a reference ends in, a component with the type it was found in."""
        variable = procedure.variables.get(ref.name)
        found = None if variable is None else ("", variable)
        for part in ref.parts[1:]:
            if found is None:
                return None
            if found[1].type.kind == "complex":
                break  # z%im is memory of z's
            found = self._find(found[1].type.derived, part.name, found[1].polymorphic)
        return found

    def _find(self, key: str | None, name: str, extensions: bool) -> tuple[str, ir.Variable] | None:
        """A component of a type, or of one that extends it, with the type it was found in."""
        keys = [key] if key is not None else []
        for one in keys:
            type_ = self.program.types.get(one)
            for component in type_.components if type_ is not None else ():
                if component.name == name:
                    return one, component
            if extensions:
                keys += [t.key for t in self.program.types.values() if t.extends == one]
        return None

    def _call(self, procedure: ir.Procedure, stmt: ir.Call) -> None:
        if stmt.intrinsic and stmt.name == "move_alloc":  # pointers to the first are pointers to the second from now on
            moved = [self._slot(procedure, one.value) for one in stmt.args[:2] if isinstance(one.value, ir.Ref)]
            if len(moved) == 2:
                self._unite(*moved)
            return
        if stmt.intrinsic or not stmt.targets:
            self._outside(procedure, stmt)
            return
        for key in stmt.targets:
            target = self.program.procedures[key]
            try:
                actuals = bind(stmt, target)
            except BindError:
                self._outside(procedure, stmt)
                continue
            for name, actual in (*zip(target.formals, actuals, strict=True), (target.result, stmt.result)):
                formal = target.variables.get(name or "")
                if formal is not None and (formal.pointer or formal.target) and isinstance(actual, ir.Ref):
                    self._unite(formal.area, self._slot(procedure, actual))
                    if _is_free(formal) and self._may_be_held(procedure, actual):
                        self.shared.add(formal.area)

    def _outside(self, procedure: ir.Procedure, stmt: ir.Call) -> None:
        """A procedure without source may associate a pointer it is passed, and the pointers in an object, with
        anything, and anything with a target, where it has an interface that is not here. What BLAS, LAPACK and MPI are
        passed are values."""
        if stmt.result is not None:
            self._unite(self._slot(procedure, stmt.result), None)
        harmless = stmt.name not in _C_INTEROP if stmt.intrinsic else from_library(stmt.name) is not None
        if harmless:
            return
        for argument in stmt.args:
            value = argument.value
            if isinstance(value, ir.Ref):
                if stmt.intrinsic or self._may_be_held(procedure, value):
                    self._unite(self._slot(procedure, value), None)
                self._pointers_in(value.type.derived)

    def _may_be_held(self, procedure: ir.Procedure, ref: ir.Ref) -> bool:
        """Does a reference end in a pointer or a target, or in what nobody knows?"""
        found = self._declared(procedure, ref)
        return found is None or found[1].pointer or found[1].target or procedure.variables[ref.name].target

    def _pointers_in(self, key: str | None) -> None:
        """The pointers in objects of a type, and in what they hold, may lead anywhere."""
        work = [] if key is None else [key]
        for one in work:
            type_ = self.program.types.get(one)
            for component in type_.components if type_ is not None else ():
                if component.pointer:
                    self._unite(self.component(one, component.name), None)
                inner = component.type.derived
                if inner is not None and inner not in work:
                    work.append(inner)

    def _inside(self, procedure: ir.Procedure, value: ir.Expr) -> None:
        """Structure constructors, which associate pointer components, and C_LOC."""
        for one in walk(value):
            match one:
                case ir.Structure():
                    type_ = self.program.types.get(one.type.derived or "")
                    pointers = [c.name for c in type_.components if c.pointer] if type_ is not None else []
                    for argument in one.args:
                        if isinstance(argument.value, ir.Ref):
                            for name in pointers:
                                self._unite(self.component(type_.key if type_ else "", name),
                                            self._slot(procedure, argument.value))
                case ir.Intrinsic() if one.name in _C_INTEROP:
                    for argument in one.args:
                        if isinstance(argument.value, ir.Ref):
                            self._unite(self._slot(procedure, argument.value), None)
                case _:
                    pass


def has_pointers(program: ir.Program) -> bool:
    """Is there anything that could be associated?"""
    types: Mapping[str, ir.DerivedType] = program.types
    return any(c.pointer for t in types.values() for c in t.components) or any(
        v.pointer for p in program.procedures.values() for v in p.variables.values())


def _has_target_dummies(program: ir.Program) -> bool:
    """May a target be changed by the name of a dummy argument and its own?"""
    return any(formal in p.variables and _is_free(p.variables[formal])
               for p in program.procedures.values() for formal in p.formals)


def _is_free(formal: ir.Variable) -> bool:
    """May what this dummy argument gets, if it is a target, be changed by other names, too?"""
    return formal.target and not formal.pointer and formal.intent != "in" and not formal.by_value \
        and formal.shape.kind in ("scalar", "assumed-shape")
