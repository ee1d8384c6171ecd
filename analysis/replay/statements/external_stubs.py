"""What reaches a program from outside, replaced by something repeatable: input/output, random numbers, clocks.

Output goes nowhere, files open and close without there being any. Random numbers and clocks start anew with every
run of the head, but not with the second run of a part: what it draws again is something else, as in reality.
READ is refused, but of internal files: nobody knows what it would give.
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.replay.codegen.expression_code import ExpressionCode, cast
from snapset.analysis.replay.memory.random_and_clock import SEEDS, TICKS_A_SECOND
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.analysis.replay.statements import internal_files
from snapset.frontend import ir

SILENT = frozenset(("write", "print", "open", "close", "rewind", "backspace", "endfile", "flush"))
# Intrinsic subroutines and their arguments in order, all received but PUT.
_ARGUMENTS = {"random_number": ("harvest",), "random_seed": ("size", "put", "get"), "cpu_time": ("time",),
              "system_clock": ("count", "count_rate", "count_max")}  # fmt: skip


# ---------------------------------------------------------------- intrinsic subroutines


def is_outside(stmt: ir.Stmt | None) -> bool:
    """A call of an intrinsic subroutine that runs as a statement here."""
    return isinstance(stmt, ir.Call) and stmt.intrinsic and stmt.name in _ARGUMENTS


def _bound(stmt: ir.Call) -> dict[str, ir.Expr]:
    return {arg.keyword or _ARGUMENTS[stmt.name][place]: arg.value for place, arg in enumerate(stmt.args)}


def received(stmt: ir.Stmt) -> tuple[ir.Ref, ...]:
    """The references that such a call or an input/output statement gives values, in order."""
    if isinstance(stmt, ir.IO) and stmt.internal:
        return internal_files.received(stmt)
    if isinstance(stmt, ir.IO):
        return tuple(ref for ref in stmt.writes if isinstance(ref, ir.Ref) and ref.type.kind != "character")
    if isinstance(stmt, ir.Call):
        return tuple(value for name, value in _bound(stmt).items() if name != "put" and isinstance(value, ir.Ref))
    return ()


def call_lines(stmt: ir.Call, values: ExpressionCode) -> Iterator[str]:
    """The statements of a call of an intrinsic subroutine."""
    yield "world = f.memory.world"
    bound = _bound(stmt)
    if stmt.name == "random_seed" and "get" not in bound and "size" not in bound:
        yield f"world.reseed({values.value(bound['put']) if 'put' in bound else '()'})"
    for name, target in bound.items():
        if name == "put":
            continue
        if not isinstance(target, ir.Ref):
            raise refuse(f"the argument {name} of {stmt.name}", stmt.span)
        place = values.slot(target)
        to = f"{place.code}.values[{values.index(target, place)}]"
        yield f"{to} = {_given(name, to, target.type)}"


def _given(name: str, to: str, type_: ir.Type) -> str:
    """Code of what an argument receives."""
    return {"harvest": f"world.random({to})", "size": str(SEEDS), "get": f"world.seed()[:np.size({to})]",
            "time": f"world.tick() / {TICKS_A_SECOND}", "count": "world.tick()", "count_rate": str(TICKS_A_SECOND),
            "count_max": cast(str(2**31 - 1), type_)}[name]  # fmt: skip


# ---------------------------------------------------------------- input and output


def io_lines(stmt: ir.IO, values: ExpressionCode) -> Iterator[str]:
    """The statements of an input/output statement: status 0, and what its implied DOs leave in their variables.

    Raises:
        InputError: READ, INQUIRE, and what receives anything else.
    """
    if stmt.internal:
        yield from internal_files.lines(stmt, values)
        return
    if stmt.action not in SILENT:
        raise refuse(stmt.action.upper(), stmt.span)
    ends = {item.var: item for item in stmt.reads if isinstance(item, ir.ImpliedDo)}
    inner = {found.var for item in ends.values() for found in item.items if isinstance(found, ir.ImpliedDo)}
    for ref in received(stmt):
        place = values.slot(ref)
        if ref.type.kind != "integer" or ref.rank or ref.name in inner:
            raise refuse(f"{stmt.action.upper()} that gives `{ref.name}` a value", stmt.span)
        value = internal_files.after(ends[ref.name], values) if ref.name in ends else "0"
        yield f"{place.code}.values[{values.index(ref, place)}] = {value}"


# ---------------------------------------------------------------- both


def spots(stmt: ir.Stmt, values: ExpressionCode) -> str:
    """Code of what such a statement writes."""
    if isinstance(stmt, ir.IO) and stmt.internal:
        return f"return [{', '.join(internal_files.spots(stmt, values))}]"
    found = []
    for ref in received(stmt):
        place = values.slot(ref)
        found.append(f"({place.code}, {values.index(ref, place)})")
    return f"return [{', '.join(found)}]"


def adjoint_lines(stmt: ir.Stmt, values: ExpressionCode) -> list[str]:
    """What comes from outside depends on nothing: its adjoint is taken and dropped. Takes (slots, frame, mask)."""
    if isinstance(stmt, ir.IO) and stmt.internal:
        return internal_files.adjoint_lines(stmt, values)
    found = []
    for ref in received(stmt):
        if ref.type.kind in ("real", "complex"):
            place = values.slot(ref)
            found.append(f"take({place.code}, {values.index(ref, place)}, mask)")
    return found
