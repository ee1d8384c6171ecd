"""FINAL procedures: where one runs that somebody notices.

    type(fin) :: f        ends with the run of its procedure
    deallocate (p)        ends what p leads to; f = g, and passing f to INTENT(OUT), what f was

A FINAL procedure that calls nothing and changes nothing but the object that ends need not run: with f the argument,
`deallocate (f%work)` and `f%n = 0` are noticed by nobody, for f is read no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.ir.statement_walk import statements

NUMBERS = ("integer", "real", "logical", "complex", "character")
Types = Mapping[str, ir.DerivedType]


def ending_variables(procedure: ir.Procedure, program: ir.Program) -> Iterator[tuple[ir.Variable, str]]:
    """The variables that end with a run of the procedure, or with its beginning (INTENT(OUT)), by a FINAL procedure
    that somebody notices; of which type that is."""
    for variable in procedure.variables.values():
        own = variable.area.owner == procedure.key and not variable.pointer
        ends = variable.area.kind == "local" and procedure.kind != "program"
        if own and (ends or variable.intent == "out" or variable.name == procedure.result):
            key = _noticed(variable, program)
            if key is not None:
                yield variable, key


def ended_by(stmt: ir.Stmt | None, procedure: ir.Procedure, program: ir.Program) -> str | None:
    """The type of which a statement gives up an object, where somebody notices its FINAL procedure. What ALLOCATE has
    just made for a value is no such object."""
    for ref in _given_up(stmt):
        variable = None if ref.type.kind in NUMBERS else _declared(ref, procedure, program.types)
        key = None if variable is None else _noticed(variable, program)
        if key is not None:
            return key
    return None


def final_procedures(program: ir.Program) -> Iterator[str]:
    """Those of all types."""
    for type_ in program.types.values():
        yield from type_.finals


def _given_up(stmt: ir.Stmt | None) -> Iterator[ir.Ref]:
    if isinstance(stmt, ir.Assign) and not stmt.initial:
        yield stmt.target
    elif isinstance(stmt, ir.Deallocate):
        yield from stmt.objects
    elif isinstance(stmt, ir.Call) and stmt.intrinsic and stmt.name == "move_alloc":
        for at, argument in enumerate(stmt.args[:2]):
            if (argument.keyword or ("from", "to")[at]) == "to" and isinstance(argument.value, ir.Ref):
                yield argument.value


def _noticed(variable: ir.Variable, program: ir.Program) -> str | None:
    """A type whose FINAL procedure runs when a variable ends, and is noticed."""
    return next((key for key in _finals(variable, program.types)
                 if any(_is_noticed(one, program) for one in program.types[key].finals)), None)


def _finals(variable: ir.Variable, types: Types) -> Iterator[str]:
    """The types whose FINAL procedures run when a variable ends: its own type, those that it extends, and of the
    components that end with it; of CLASS also those that extend it, of CLASS(*) all."""
    seen, work = set[tuple[str | None, bool]](), [(variable.type.derived, variable.polymorphic)]
    for key, of_class in work:
        if key is None and of_class:
            work += [(one, False) for one in types]
        if key is None or key not in types or (key, of_class) in seen:
            continue
        seen.add((key, of_class))
        if types[key].finals and (key, not of_class) not in seen:
            yield key
        work.append((types[key].extends, False))
        work += [(one.type.derived, one.polymorphic) for one in types[key].components if not one.pointer]
        work += [(one, True) for one, type_ in types.items() if of_class and type_.extends == key]


def _is_noticed(key: str, program: ir.Program) -> bool:
    """Does a FINAL procedure do anything but change the object that ends?"""
    procedure = program.procedures.get(key)
    if procedure is None or procedure.opaque is not None:
        return True
    local = (one for one in procedure.variables.values() if one.area.owner == key and one.area.kind == "local")
    return any(any(_finals(one, program.types)) for one in local) or any(
        not _is_of_the_object(stmt, procedure, program.types) for stmt in statements(procedure.body))


def _is_of_the_object(stmt: ir.Stmt, procedure: ir.Procedure, types: Types) -> bool:
    """Does a statement of a FINAL procedure change nothing but its argument, and its own variables?"""
    match stmt:
        case ir.Assign(target=target):
            changed: tuple[ir.Ref, ...] = (target,)
        case ir.Deallocate(objects=objects, stat=None):
            changed = objects
        case ir.Nullify(objects=objects):
            changed = objects
        case ir.PointerAssign(target=target):
            changed = (target,)
        case ir.Do(var=var):
            changed = (var,)
        case ir.If() | ir.Select() | ir.Return() | ir.Continue():
            return True
        case _:
            return False
    return all(_is_own(ref, isinstance(stmt, ir.Assign | ir.Do), procedure, types) for ref in changed)


def _is_own(ref: ir.Ref, value: bool, procedure: ir.Procedure, types: Types) -> bool:
    """Is it a part of the argument, or the procedure's own, and no pointer on the way? ``value``: what the last part
    holds is changed, not what it is associated with. What ends by it must have no FINAL procedure."""
    way, last = _way(ref, procedure, types), _declared(ref, procedure, types)
    if last is None or len(way) < len(ref.parts) or any(_finals(last, types)):
        return False
    area = way[0].area
    own = area.owner == procedure.key and area.kind in ("local", "formal")
    return own and not any(one.pointer for one in (way if value else way[:-1]))


def _way(ref: ir.Ref, procedure: ir.Procedure, types: Types) -> list[ir.Variable]:
    """The variable and the components that a reference leads through, as far as the declared types have them."""
    variable, found = procedure.variables.get(ref.name), list[ir.Variable]()
    for following in (*ref.parts[1:], None):
        if variable is None:
            break
        found.append(variable)
        type_ = types.get(variable.type.derived or "")
        inner = () if type_ is None or following is None else type_.components
        variable = next((one for one in inner if following is not None and one.name == following.name), None)
    return found


def _declared(ref: ir.Ref, procedure: ir.Procedure, types: Types) -> ir.Variable | None:
    """What a reference leads to, as it is declared; a component that only an extension has, as one of CLASS."""
    way = _way(ref, procedure, types)
    if not way:
        return None
    of_class = way[-1].polymorphic or len(way) < len(ref.parts)
    return replace(way[-1], type=ref.type, polymorphic=of_class and not ref.exact)
