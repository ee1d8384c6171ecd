"""Types of which every object has one name in each procedure, and no object shares memory with another.

    type state
      real(8), pointer :: h(:)
    end type
    type(state) :: old, new              ! the head's own
    allocate (old%h(n), new%h(n))
    call step(old, new)                  ! in step, too, writing new%h leaves old%h alone

A pointer component may lead to what another one leads to where ``=>`` makes it, or where an object is copied, pointers
and all. Where neither is anywhere in the program, ``old%h`` and ``new%h`` are what two ALLOCATEs have made, and two
memories as long as ``old`` and ``new`` are two objects. That they are is plain where objects are variables and dummy
arguments alone: no pointer or target, nothing global, no function's result, nothing an internal procedure has of its
host, and no call that is passed one variable twice. Each of these takes it from the types concerned, and so does CLASS
or an extension: whatever is not plain is left.

So it is with a procedure's own pointer (``real(8), pointer :: w(:)``) that ALLOCATE alone associates: no statement
gives what it leads to another name, and no other procedure knows it but as a plain dummy argument, which the
standard lets nothing else change. Then it is as the memory of an allocatable: its elements are told apart, all of it
is overwritten where all its elements are, and the next ALLOCATE gives the name other memory, of which nothing is
defined yet, as that of an allocatable does behind DEALLOCATE. That older memory may be left without a name is nobody's
concern: nobody can read it, and what the pointer is associated with is another location.

The Fortran standard would forbid most of the calls left out here (15.5.2.13), but not for what pointers lead to: of
``call step(s, s)`` it allows to write ``new%h`` and to read ``old%h``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of
from snapset.frontend.ir.statement_walk import statements


def named_once(program: ir.Program, older: frozenset[str]) -> frozenset[str]:
    """Those types with pointer components. ``older``: the types of objects that may be older than the head's run."""
    types = program.types
    extended = {one.extends for one in types.values()}
    wanted = frozenset(key for key, one in types.items() if key not in older and key not in extended
                       and one.extends is None and any(c.pointer for c in one.components))
    if not wanted:
        return wanted
    held = {key: _held(types, key, wanted) for key in types}
    for key in _doubted(program, held):
        if key is None:
            return frozenset()
        wanted -= held.get(key, frozenset())
        if not wanted:
            break
    return wanted


def own_pointers(program: ir.Program) -> Iterator[ir.Area]:
    """The procedures' own pointers, which nothing is associated with before the procedure runs."""
    for procedure in program.procedures.values():
        for name, one in procedure.variables.items():
            if one.pointer and one.area.kind == "local" and one.area.owner == procedure.key and (
                    name != procedure.result and not isinstance(one.start, ir.OpaqueExpr)):
                yield one.area


def _held(types: Mapping[str, ir.DerivedType], key: str, wanted: frozenset[str]) -> frozenset[str]:
    """Which of these types an object of one type is or holds."""
    found, work = set[str](), [key]
    while work:
        one = work.pop()
        if one in types and one not in found:
            found.add(one)
            work += [c.type.derived for c in types[one].components if c.type.derived is not None]
            work += [parent] if (parent := types[one].extends) is not None else []
    return wanted & found


def _doubted(program: ir.Program, held: Mapping[str, frozenset[str]]) -> Iterator[str | None]:
    """The types of objects that have other names, too, or are copied; None: it may be any type."""
    for type_ in program.types.values():
        yield from (c.type.derived for c in type_.components if _leads_on(c))
    for procedure in program.procedures.values():
        for name, variable in procedure.variables.items():
            plain = variable.area.kind in ("formal", "local") and variable.area.owner == procedure.key
            other = not plain or variable.target or variable.by_value or name == procedure.result
            if _leads_on(variable) or (other and variable.type.derived is not None):
                yield variable.type.derived
    for procedure in program.procedures.values():
        for stmt in statements(procedure.body):
            yield from _copied(stmt, held)


def _leads_on(variable: ir.Variable) -> bool:
    """May the name stand for one object and then for another?"""
    return variable.polymorphic or (variable.pointer and variable.type.derived is not None)


def _copied(stmt: ir.Stmt, held: Mapping[str, frozenset[str]]) -> Iterator[str]:
    match stmt:
        case ir.Assign():
            yield from _types(type_of(stmt.target), type_of(stmt.value))
        case ir.PointerAssign():
            yield from _types(type_of(stmt.target))
        case ir.Allocate() if stmt.source is not None:
            yield from _types(type_of(stmt.source))
        case ir.Call():
            names = list[str]()
            results = [] if stmt.result is None else [(stmt.result, True)]
            for value, made in (*((one.value, stmt.intrinsic) for one in stmt.args), *results):
                key = type_of(value).derived
                if key is None or not held.get(key):
                    continue
                if not isinstance(value, ir.Ref) or value.name in names or made:
                    yield key
                else:
                    names.append(value.name)
        case _:
            pass


def _types(*types: ir.Type) -> Iterator[str]:
    return (one.derived for one in types if one.derived is not None)
