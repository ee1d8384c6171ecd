"""Procedures with arguments of any rank, `a(..)`, or any type, `class(*)`: one for each kind of call.

`call scale(u)` with a vector and `call scale(t)` with a number run the same text, in which SELECT RANK and SELECT TYPE
choose. What they choose the call decides, so each kind of call has a procedure of its own, in which the argument has
its rank and its type, and nothing is left to choose:

    subroutine scale(a)                     scale<a: real(8), rank 1>      a(:)
      real(8), intent(inout) :: a(..)         a = 2*a
      select rank (a)
      rank (0);  a = 2*a                    scale<a: real(8), rank 0>      a
      rank (1);  a = 2*a                      a = 2*a

A call that is passed what is of any rank or type itself, and is in no such procedure, keeps the text as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of, changed
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.rewriting import moved, retargeted, rewritten
from snapset.frontend.ir.statement_walk import with_ids

MOST = 200
"""Kinds of calls of one procedure; behind them the text stays as it is."""


@frozen
class Meaning:
    """What an argument of any rank or type is at a call."""

    type: ir.Type
    rank: int
    polymorphic: bool

    @property
    def text(self) -> str:
        size = "" if self.type.bytes is None else f"({self.type.bytes})"
        kind = f"{'class' if self.polymorphic else 'type'}({self.type.derived})"
        return f"{kind if self.type.derived else self.type.kind + size}, rank {self.rank}"


Meanings: TypeAlias = tuple[tuple[str, Meaning], ...]  # by the names of the dummy arguments


def is_open(variable: ir.Variable) -> bool:
    """Is a dummy argument of any rank or any type?"""
    return variable.area.kind == "formal" and (variable.shape.any_rank or (
        variable.polymorphic and variable.type.kind == "unknown"))


def specialised(program: ir.Program) -> ir.Program:
    """The program with a procedure for each kind of call of those whose arguments may be of any rank or type."""
    opened = {key: names for key, one in program.procedures.items() if one.opaque is None and (names := tuple(
        name for name in one.formals if name in one.variables and is_open(one.variables[name])))}
    return Specialisation(program, opened).done() if opened else program


class Specialisation:
    """One program's. ``opened``: the procedures in question, with the names of those arguments."""

    def __init__(self, program: ir.Program, opened: Mapping[str, tuple[str, ...]]) -> None:
        self.program = program
        self.opened = opened
        self.procedures = dict(program.procedures)
        self.made: dict[tuple[str, Meanings], str] = {}
        self.internal: dict[str, list[ir.Procedure]] = {}
        for one in program.procedures.values():
            if one.host is not None:
                self.internal.setdefault(one.host, []).append(one)

    def done(self) -> ir.Program:
        pending = [key for key, one in self.procedures.items() if key not in self.opened
                   and not self.opened.keys().isdisjoint(body_facts_of(one).callees)]
        for key in pending:  # grows: what is made may call others of these, or itself with other arguments
            pending += self.calling(key)
        return replace(self.program, procedures=MappingProxyType(self.procedures))

    def calling(self, key: str) -> list[str]:
        """Let a procedure call what is made for its calls; the procedures made."""
        procedure, new = self.procedures[key], list[str]()

        def change(node: Any) -> Any:
            if not isinstance(node, ir.Call) or self.opened.keys().isdisjoint(node.targets):
                return node
            keys = {target: self.target(procedure, node, target, new) for target in node.targets
                    if target in self.opened}
            return retargeted((node,), keys)[0]

        body = rewritten(procedure.body, change)
        if body is not procedure.body:
            self.procedures[key] = changed(procedure, body)
        return new

    def target(self, caller: ir.Procedure, call: ir.Call, key: str, new: list[str]) -> str:
        """The procedure that a call runs in place of ``key``."""
        meanings = self.meanings(caller, call, self.program.procedures[key])
        if meanings is None or len(self.made) >= MOST:
            return key
        if (key, meanings) not in self.made:
            own = f"{key}<{'; '.join(f'{name}: {one.text}' for name, one in meanings)}>"
            self.made[key, meanings] = own
            for one in self.copies(key, own, dict(meanings)):
                self.procedures[one.key] = one
                new.append(one.key)
        return self.made[key, meanings]

    def meanings(self, caller: ir.Procedure, call: ir.Call, callee: ir.Procedure) -> Meanings | None:
        """What the arguments are; None where that is not known."""
        try:
            passed = dict(zip(callee.formals, bind(call, callee), strict=True))
        except BindError:
            return None
        found: list[tuple[str, Meaning]] = []
        for name in self.opened[callee.key]:
            formal, actual = callee.variables[name], passed[name]
            if actual is None:  # nothing asks for the type or the rank of what is absent
                found.append((name, Meaning(ir.DOUBLE, 0, False)))
                continue
            declared = caller.variables.get(actual.name) if isinstance(actual, ir.Ref) else None
            type_ = type_of(actual) if formal.type.kind == "unknown" else formal.type
            if type_.kind == "unknown" or (declared is not None and (declared.shape.any_rank or (
                    declared.shape.kind == "assumed-size" and rank_of(actual) == declared.shape.rank))):
                return None
            rank = rank_of(actual) if formal.shape.any_rank else formal.shape.rank
            found.append((name, Meaning(type_, rank, self.is_class(caller, actual, formal))))
        return tuple(found)

    def is_class(self, caller: ir.Procedure, actual: ir.Expr, formal: ir.Variable) -> bool:
        """May an actual argument be of a type that extends its own?"""
        if formal.type.kind != "unknown":
            return formal.polymorphic
        if not isinstance(actual, ir.Ref) or actual.exact or actual.type.kind != "derived":
            return False
        found = caller.variables.get(actual.name)
        for part in actual.parts[1:]:
            type_ = self.program.types.get((found and found.type.derived) or "")
            found = next((one for one in type_.components if one.name == part.name), None) if type_ else None
        return found is None or found.polymorphic

    # ------------------------------------------------------------ the procedures

    def copies(self, key: str, own: str, meanings: Mapping[str, Meaning]) -> Iterator[ir.Procedure]:
        """A procedure for one kind of call, and those inside of it."""
        procedure, inside = self.program.procedures[key], self.internal.get(key, [])
        keys = {one.key: f"{own}::{one.name}" for one in inside}
        for one in (procedure, *inside):
            here = own if one.key == key else keys[one.key]
            known = {name: meaning for name, meaning in meanings.items()
                     if name in one.variables and one.variables[name].area.owner == key}
            variables = moved(moved(one.variables, key, own), one.key, here)
            variables = MappingProxyType({**variables, **{
                name: _as(variables[name], meaning) for name, meaning in known.items()}})
            body = with_ids(retargeted(KnownArguments(known, self.program.types).block(one.body), keys))
            yield replace(one, key=here, host=own if one.key != key else one.host, variables=variables, body=body)


def _as(variable: ir.Variable, meaning: Meaning) -> ir.Variable:
    """A dummy argument of this type and rank."""
    shape = variable.shape
    if shape.any_rank:
        kind: ir.ShapeKind = "deferred" if variable.pointer or variable.allocatable else "assumed-shape"
        shape = ir.Shape(kind, (ir.Dim(None, None),)*meaning.rank) if meaning.rank else ir.SCALAR
    return replace(variable, type=meaning.type, polymorphic=meaning.polymorphic, shape=shape)


def _same(guard: ir.Type, type_: ir.Type) -> bool:
    """Is TYPE IS true of an object of this type? Its length says nothing of a text's, nor does a type's size."""
    if guard.kind == "derived" or guard.kind == type_.kind == "character":
        return guard.derived == type_.derived
    return guard == type_


@frozen
class KnownArguments:
    """What is left of statements when it is known what arguments are."""

    meanings: Mapping[str, Meaning]
    types: Mapping[str, ir.DerivedType]

    def block(self, body: ir.Block) -> ir.Block:
        return rewritten(body, self._change) if self.meanings else body

    def _change(self, node: Any) -> Any:
        if isinstance(node, ir.Ref) and len(node.parts) == 1 and node.name in self.meanings:
            meaning = self.meanings[node.name]
            rank = meaning.rank if node.parts[0].subscripts is None else node.rank
            return replace(node, type=self._seen_as(node.type, meaning), rank=rank)
        if isinstance(node, ir.Intrinsic) and node.name == "rank" and isinstance(node.args[0].value, ir.Ref) \
                and node.args[0].value.name in self.meanings:
            return ir.Literal_(rank_of(node.args[0].value), node.type)
        if isinstance(node, ir.Select) and isinstance(node.selector, ir.Ref) and len(node.selector.parts) == 1 \
                and node.selector.name in self.meanings:
            return self._chosen(node, self.meanings[node.selector.name])
        return node

    def _seen_as(self, type_: ir.Type, meaning: Meaning) -> ir.Type:
        """The type of an object where a guard says that it is of ``type_``: that, where it says more than is known."""
        if meaning.polymorphic and type_.derived and meaning.type.derived in self._ancestors(type_.derived):
            return type_
        return meaning.type

    def _chosen(self, stmt: ir.Select, meaning: Meaning) -> ir.Stmt:
        if all(case.guard is None and not case.values for case in stmt.cases):  # SELECT RANK
            found = next((case for case in stmt.cases if case.rank == str(meaning.rank)), None)
        elif not any(case.values for case in stmt.cases):
            if any(case.guard is not None and case.guard.bytes is None and case.guard.kind == meaning.type.kind
                   and meaning.type.kind not in ("derived", "character") for case in stmt.cases):
                return stmt  # of a kind whose size is not known
            if meaning.polymorphic:
                kept = tuple(case for case in stmt.cases if case.guard is None or case.guard.kind == "derived")
                return replace(stmt, cases=tuple(self._known(case, meaning) for case in kept))
            found = self._guarded(stmt, meaning.type)
        else:
            return stmt
        found = found or next((case for case in stmt.cases if case.values is None), None)
        return ir.ScopeBlock(span=stmt.span, label=stmt.label, body=() if found is None else found.body, name=stmt.name,
                             end=stmt.end)

    def _known(self, case: ir.Case, meaning: Meaning) -> ir.Case:
        """CLASS IS of what all objects of a type are is as good as CLASS IS of that type."""
        if case.guard is None or case.exact or case.guard.derived not in self._ancestors(meaning.type.derived):
            return case
        return replace(case, guard=meaning.type)

    def _guarded(self, stmt: ir.Select, type_: ir.Type) -> ir.Case | None:
        """The case of an object of just this type: TYPE IS before CLASS IS, and the nearest of these."""
        for case in stmt.cases:
            if case.exact and case.guard is not None and _same(case.guard, type_):
                return case
        for key in self._ancestors(type_.derived):
            for case in stmt.cases:
                if not case.exact and case.guard is not None and case.guard.derived == key:
                    return case
        return None

    def _ancestors(self, key: str | None) -> Iterator[str | None]:
        """A type and what it extends, nearest first."""
        while key is not None:
            yield key
            key = self.types[key].extends if key in self.types else None
