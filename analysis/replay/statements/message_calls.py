"""Calls of MPI as statements of generated code: what is passed, by the standard's names, to the rank that runs.

``call mpi_send(u(n), 1, ...)`` becomes ``ranked(f).call(name, place, {"buf": (s[3], index), "count": 1, ...})``.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from snapset.analysis.external.declared_effects import WRITTEN, from_library
from snapset.analysis.messages.mpi_calls import MpiCall, known_call, prepared_buffers
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Index, ReplayError, Slot
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.analysis.symbolic.fortran_text import bare
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of

if TYPE_CHECKING:  # much code, which only programs that communicate need
    from snapset.analysis.replay.ranks.message_buffers import PassedMemory
    from snapset.analysis.replay.ranks.mpi_machine import MpiMachine

_BUFFERS: Final = ("buf", "sendbuf", "buffer")


def executed(stmt: ir.Stmt | None) -> MpiCall | None:
    """The call of MPI that a statement is, if the machine executes it."""
    found = known_call(stmt)
    if found is None:
        return None
    from snapset.analysis.replay.ranks.mpi_machine import is_executed

    return found if is_executed(found.name) else None


def _bound(stmt: ir.Call, call: MpiCall) -> dict[str, ir.Expr]:
    found = call.bind(stmt)
    if found is None:
        raise refuse(f"the call of `{stmt.name}`, whose arguments are not those of MPI's procedure", stmt.span)
    return found


def _is_memory(value: ir.Expr, values: ExpressionCode) -> bool:
    return isinstance(value, ir.Ref) and values.layout.variable(value.name, values.span).value is None


def received(stmt: ir.Call, procedure: ir.Procedure) -> tuple[ir.Ref, ...]:
    """The references that a call of MPI may write, argument by argument; MPI_START also the buffers of receives that
    the same procedure has prepared."""
    call = executed(stmt)
    if call is None:
        return ()
    started = (ref for _, ref in _prepared(procedure)) if call.role == "activate" else ()
    return (*(value for _, value in _written(stmt, call)), *started)


def _prepared(procedure: ir.Procedure) -> list[tuple[str, ir.Ref]]:
    """The buffers of receives that a procedure prepares, and where."""
    return [(f"{span.file}:{span.line}", buffer) for buffer, receives, span in prepared_buffers(procedure) if receives]


def _written(stmt: ir.Call, call: MpiCall) -> Iterator[tuple[str, ir.Ref]]:
    effects = from_library(call.name)
    assert effects is not None
    words = dict(zip(call.arguments, effects.accesses, strict=False))
    for name, value in _bound(stmt, call).items():
        if isinstance(value, ir.Ref) and words.get(name) in WRITTEN and not _is_constant(value):
            yield name, value


def _is_constant(ref: ir.Ref) -> bool:
    return ref.name.startswith("mpi_")


def _given(stmt: ir.Call, call: MpiCall, values: ExpressionCode) -> str:
    found = []
    for name, value in _bound(stmt, call).items():
        if isinstance(value, ir.Ref) and value.type.kind in ("derived", "unknown"):
            raise refuse(f"the argument `{value.name}` of {stmt.name}, which is no number", stmt.span)
        if isinstance(value, ir.Ref) and _is_memory(value, values):
            code = _memory(value, values)
        elif name in _BUFFERS and not isinstance(value, ir.Ref) and type_of(value).kind in ("real", "complex"):
            raise refuse(f"{stmt.name} of a value; assign it to a variable, and send that", stmt.span)
        else:
            code = values.value(value)
        found.append(f"{values.text(name)}: {code}")
    return f"{{{', '.join(found)}}}"


def _memory(value: ir.Ref, values: ExpressionCode) -> str:
    """Code of what is passed, and of how many dimensions choose the object of whose component it is an element."""
    place = values.slot(value)
    outer = None
    if len(place.parts) > 1 and value.rank == 0 and place.parts[-1].subscripts is not None:
        outer = sum(place.leaf.ranks[:len(place.parts) - 1])
    return f"passed({place.code}, {values.index(value, place)}, {outer}, {values.text(bare(value) or value.name)})"


def call_lines(stmt: ir.Call, values: ExpressionCode) -> list[str]:
    """The statements of a call."""
    call = executed(stmt)
    assert call is not None
    where = values.text(f"{stmt.span.file}:{stmt.span.line}")
    return [f"ranked(f).call({values.text(call.name)}, {where}, {_given(stmt, call, values)})"]


def spots(stmt: ir.Call, values: ExpressionCode, procedure: ir.Procedure) -> list[str]:
    """Code of what it writes."""
    call = executed(stmt)
    assert call is not None
    names = tuple(name for name, _ in _written(stmt, call))
    given = _given(stmt, call, values)
    pieces = f"written_pieces({values.text(call.name)}, {given}, {values.text(names)}, ranked(f).port)"
    if call.role == "activate":
        places = tuple(place for place, _ in _prepared(procedure))
        if len(set(places)) < len(places):
            raise refuse("two receives prepared in one line", stmt.span)
        pieces += f" + started_buffers(ranked(f), {given}, {values.text(places)})"
    return [f"return {pieces}"]


def ranked(frame: Frame) -> MpiMachine:
    """The rank that a frame belongs to. Raises ReplayError where there is none."""
    found: MpiMachine | None = frame.memory.ranked
    if found is None:
        raise ReplayError("the program communicates, and nobody said how many ranks there are: give --ranks N")
    return found


def passed(slot: Slot, index: Index, outer: int | None, name: str) -> PassedMemory:
    """An actual argument that is memory."""
    from snapset.analysis.replay.ranks.message_buffers import PassedMemory

    return PassedMemory(slot, index, outer, name)


def pieces_written(*given: Any) -> list[tuple[Slot, Index]]:
    """As :func:`snapset.analysis.replay.ranks.mpi_machine.written_pieces`."""
    from snapset.analysis.replay.ranks.mpi_machine import written_pieces

    return written_pieces(*given)


def buffers_started(*given: Any) -> list[tuple[Slot, Index]]:
    """As :func:`snapset.analysis.replay.ranks.mpi_machine.started_buffers`."""
    from snapset.analysis.replay.ranks.mpi_machine import started_buffers

    return started_buffers(*given)


NAMES: Final = MappingProxyType({"ranked": ranked, "passed": passed, "written_pieces": pieces_written,
                                 "started_buffers": buffers_started})
