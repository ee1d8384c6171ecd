"""What a part receives and sends, in bytes, and what its second run does: the term ``log`` of the stack model.

A part that is self-contained does all again. Of one that is right-tight the messages wholly inside are sent again and
the other receives are logged; of any other all receives are logged (mpi-adjoint-checkpointing.txt, sections 3 and 4)::

    log(C) = sum of the bytes that C receives and its second run reads        left of C until its adjoint

A receive is counted where its buffer is named (recv, irecv), a branch as taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from snapset.analysis.costs.trip_counts import CountScope
from snapset.analysis.messages.mpi_calls import MpiCall, known_call
from snapset.analysis.results import MessageCall, PartMessages
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.fortran_text import bare
from snapset.analysis.symbolic.loop_sums import total
from snapset.analysis.symbolic.polynomials import ZERO, Quantity, add, of
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Loop

if TYPE_CHECKING:
    from snapset.analysis.costs.stack_model import HeadStructure
    from snapset.analysis.messages.static_verdicts import StaticVerdict

RANKS: Final = of(Sym("ranks", what="ranks"))
_FROM_ALL: Final = frozenset(("mpi_gather", "mpi_allgather", "mpi_alltoall", "mpi_igather", "mpi_iallgather",
                              "mpi_ialltoall"))
_PEER: Final = {"dest": "to", "source": "from", "root": "root"}


def part_messages(structures: HeadStructure, key: str, level: int, node: int) -> PartMessages | None:
    """What a part of a code says; None where nothing."""
    adjoints = structures.adjoints
    adjoint, hazards = adjoints.by_key[key], adjoints.messages
    flow = adjoint.model.flow
    inner = adjoint.levels[level].graph.parts.get(node)
    stmt = flow.nodes[node].stmt if inner is None else flow.levels[inner].marked
    nodes = (node,) if inner is None else sorted(flow.levels[inner].nodes)
    calls = tuple(_calls(structures, key, nodes, frozenset(flow.nodes[node].loops), frozenset((key,))))
    proved = None if stmt is None else hazards.verdict(adjoint.model.procedure.key, stmt)
    if not calls or (proved is not None and proved.verdict == "silent"):
        return None
    calls = (*calls, *_started_before(structures, key, nodes, calls, proved))
    calls = tuple(dict.fromkeys(planned(one, proved) for one in calls))
    log = add(ZERO, *(one.bytes for one in calls if one.logged and one.bytes is not None))
    again = add(ZERO, *(one.bytes for one in calls if one.resent and one.bytes is not None))
    outside = set(flow.nodes[flow.levels[level].enter].loops)
    loops = [flow.loops[i] for i in flow.nodes[node].loops if i not in outside]
    return PartMessages("unknown" if proved is None else proved.verdict, () if proved is None else proved.sizes,
                        hazards.no_proof() if proved is None else proved.reasons, calls, log,
                        times(log, loops, structures.scope(key)), again, () if proved is None else proved.assumed)


def _calls(structures: HeadStructure, key: str, nodes: Iterable[int], outside: frozenset[int],
           above: frozenset[str]) -> Iterator[MessageCall]:
    """The calls of MPI among nodes, and in what these call, in this code's names."""
    model, scope = structures.adjoints.by_key[key].model, structures.scope(key)
    for node in nodes:
        at = model.flow.nodes[node]
        if at.kind != "call" or not isinstance(at.stmt, ir.Call):
            continue
        loops = [model.flow.loops[i] for i in at.loops if i not in outside]
        call = known_call(at.stmt)
        if call is None:
            yield from _called(structures, key, node, at.stmt, loops, above)
        elif call.communicates:
            one = _call(call, at.stmt, node, scope)
            yield one if one.bytes is None else replace(one, bytes=times(one.bytes, loops, scope))


def _started_before(structures: HeadStructure, key: str, nodes: Iterable[int], calls: tuple[MessageCall, ...],
                    proved: StaticVerdict | None) -> Iterator[MessageCall]:
    """The receives that are started outside and completed inside: sized where they are started, if that is in the same
    procedure; where nothing is proved, any that is outside may be."""
    model, scope = structures.adjoints.by_key[key].model, structures.scope(key)
    ends = next((one for one in calls if one.bytes is None and one.text.startswith(("wait", "test"))), None)
    if ends is None or (proved is not None and not proved.before):
        return
    within = set(nodes)
    for at in model.flow.nodes:
        call = known_call(at.stmt)
        if call is None or not isinstance(at.stmt, ir.Call) or at.index in within or at.kind != "call":
            continue
        place = f"{at.stmt.span.file}:{at.stmt.span.line}"
        if call.name == "mpi_irecv" and (proved is None or place in proved.before):
            yield _call(call, at.stmt, at.index, scope)
    inside = {f"{one.file}:{one.line}" for one in calls}
    elsewhere = {place for procedure, place in structures.adjoints.messages.receives_started()
                 if procedure != model.procedure.key and place not in inside}
    if elsewhere & (elsewhere if proved is None else proved.before):
        name = Sym(f"received({model.procedure.name}:{ends.line})", what="bytes")
        yield MessageCall(ends.file, ends.line, "recv started elsewhere", of(name))


def _called(structures: HeadStructure, key: str, node: int, stmt: ir.Call, loops: list[Loop],
            above: frozenset[str]) -> Iterator[MessageCall]:
    """Those of what a call runs. Of what has no adjoint, which code it is does not matter: nothing is sized there."""
    adjoints, scope = structures.adjoints, structures.scope(key)
    for target in stmt.targets:
        if target in above or not adjoints.messages.speaks(target):
            continue
        procedure = adjoints.models.program.procedures[target]
        callee = next((one for one in adjoints.planning.order()
                       if adjoints.planning.code(one).procedure == target), None)
        if callee is None:
            name = Sym(f"received({procedure.name}:{procedure.span.line})", what="bytes")
            yield MessageCall(stmt.span.file, stmt.span.line, f"call {procedure.name}", of(name))
            continue
        flow, lift = adjoints.by_key[callee].model.flow, scope.lifter(stmt, node, procedure)
        for one in _calls(structures, callee, range(len(flow.nodes)), frozenset(), above | {target}):
            yield replace(one, bytes=None if one.bytes is None else times(lift(one.bytes), loops, scope))


def times(amount: Quantity, loops: Iterable[Loop], scope: CountScope) -> Quantity:
    """Once for every iteration of the loops, outermost first."""
    for loop in reversed(list(loops)):
        trips = scope.trips(loop)
        amount = total(trips.counter, trips.count, amount)
    return amount


def planned(one: MessageCall, proved: StaticVerdict | None) -> MessageCall:
    """What the second run does with a call: all again, what is wholly inside, or nothing."""
    if one.bytes is None:
        return one
    place = f"{one.file}:{one.line}"
    inside = proved is not None and (proved.verdict == "self-contained" or (
        proved.verdict == "right-tight" and place not in proved.crossing | proved.before))
    word = one.text.partition(" ")[0]
    sends, receives = word not in _RECEIVES, word not in _SENDS
    ends_behind = proved is not None and place in proved.behind
    return replace(one, logged=receives and not inside and not ends_behind, resent=sends and inside)


_RECEIVES: Final = frozenset(("recv", "irecv", "mrecv", "imrecv"))
_SENDS: Final = frozenset(("send", "ssend", "bsend", "rsend", "isend", "issend", "ibsend", "irsend", "send_init",
                           "ssend_init", "bsend_init", "rsend_init"))


def _call(call: MpiCall, stmt: ir.Call, node: int, scope: CountScope) -> MessageCall:
    """One call: what it is, with whom, how much."""
    given = call.bind(stmt) or {}
    words = [call.name.removeprefix("mpi_")]
    buffer = next((given[name] for name in ("recvbuf", "buffer", "buf") if name in given), None)
    if buffer is not None:
        words.append(bare(buffer) or "...")
    words += [f"{word} {bare(given[name]) or '...'}" for name, word in _PEER.items() if name in given]
    return MessageCall(stmt.span.file, stmt.span.line, " ".join(words), _amount(call, given, buffer, node, scope))


def _amount(call: MpiCall, given: dict[str, ir.Expr], buffer: ir.Expr | None, node: int,
            scope: CountScope) -> Quantity | None:
    """The bytes of a call's values: elements of its buffer's type, as many as its count says."""
    if call.role.startswith("prepare"):  # nothing is sent yet
        return None
    if call.role == "activate":  # what its requests send and receive is known elsewhere
        line = scope.model.flow.nodes[node].span.line
        return scope.named(Sym(f"started({scope.model.procedure.name}:{line})", what="bytes"))
    counted = next((given[name] for name in ("recvcount", "count") if name in given), None)
    if not isinstance(buffer, ir.Ref) or (counted is None and "recvcounts" not in given):
        return None
    found = None if counted is None else scope.at(counted, node)
    if found is None:
        line = scope.model.flow.nodes[node].span.line
        return scope.named(Sym(f"received({scope.model.procedure.name}:{line})", what="bytes"))
    each = buffer.type.bytes or 1
    return found.scaled(each) * RANKS if call.name in _FROM_ALL else found.scaled(each)
