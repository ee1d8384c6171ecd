"""The adjoints of a rank's events: the other event, in the opposite direction (mpi-adjoint-checkpointing.txt, 1.1), on
communicators of the adjoints' own."""

from __future__ import annotations

from snapset.analysis.messages.exchange import MessageTransfer
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError
from snapset.analysis.replay.ranks.rank_events import DoneEvent
from snapset.analysis.replay.ranks.rank_port import RankPort


def adjoint_event(port: RankPort, one: DoneEvent) -> None:
    """Undo one event."""
    port.where = one.where
    if one.share is not None:
        _collective(port, one)
        return
    assert one.buffer is not None
    if not one.buffer.smooth:
        return
    space, text = ("adjoint", one.message), port.place
    match one.kind:
        case "wait-recv":
            port.adjoints[one.start] = port.exchange.send(
                port.rank, one.peer, 0, space, one.buffer.taken_adjoint(one.received),
                text(f"sends {one.buffer.adjoint_name} to {one.peer}", "adjoint"))
        case "irecv":
            port.wait(_begun(port, one))
        case "wait-send":
            port.adjoints[one.start] = port.exchange.receive(
                port.rank, one.peer, 0, space, text(f"receives {one.buffer.adjoint_name} from {one.peer}", "adjoint"))
        case _:
            transfer = _begun(port, one)
            port.wait(transfer)
            one.buffer.add_adjoint(transfer.value)


def _begun(port: RankPort, one: DoneEvent) -> MessageTransfer:
    """What the adjoint of an event's completion has begun."""
    found = port.adjoints.pop(one.start, None)
    if found is None:
        raise ReplayError("the adjoint of a request that is never completed")
    return found


def _collective(port: RankPort, one: DoneEvent) -> None:
    """All ranks give the adjoints of what they received, and take those of what they gave; a collective that does not
    block is undone by one that begins at its wait and is completed at its start."""
    share = one.share
    assert share is not None
    call, into, sent = share.call, share.into, share.sent
    smooth = (into is not None and into.smooth) or (sent is not None and sent.smooth)
    if not smooth and call.name != "mpi_barrier":
        return
    if one.kind != "icollective":
        bar: Array | None = into.taken_adjoint() if into is not None and into.smooth and call.takes else None
        port.adjoints[one.start] = port.exchange.collective(
            port.rank, one.members, ("adjoint", one.message), bar,
            port.place(f"takes part in the adjoint of {share.text}", "adjoint"))
    if one.kind == "wait-collective":
        return
    transfer = _begun(port, one)
    port.wait(transfer)
    bars = [transfer.value[rank] for rank in one.members]
    if call.gives and call.name != "mpi_barrier":
        assert sent is not None
        given = port.given[one.start]
        sent.add_adjoint(call.adjoint([values for values, _ in given], [cuts for _, cuts in given], bars))
