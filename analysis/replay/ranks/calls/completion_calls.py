"""Waiting for requests, and asking whether they are done.

What any of several is depends on who is faster: the first run's choice is recorded, and repeated in all later ones.
"""

from __future__ import annotations

from snapset.analysis.replay.ranks.calls.calling_rank import (
    ANY_SOURCE,
    ANY_TAG,
    UNDEFINED,
    CallArguments,
    CallingRank,
    nth_status,
    store_all,
)
from snapset.analysis.replay.ranks.message_buffers import number, numbers, store
from snapset.analysis.replay.ranks.rank_events import Choice, RankRequest


def wait(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_WAIT."""
    request = rank.found(number(given["request"]))
    if request is None or request.started(rank.port.counter) is None:
        rank.status(given["status"], ANY_SOURCE, ANY_TAG)
        return
    rank.complete(request, given["status"])
    store(given["request"], rank.after(request))


def wait_all(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_WAITALL."""
    count = number(given["count"])
    handles = numbers(given["array_of_requests"], count)
    for k, handle in enumerate(handles):
        request = rank.found(handle)
        if request is not None:
            rank.complete(request, nth_status(given["array_of_statuses"], k))
            handles[k] = rank.after(request)
    store_all(given["array_of_requests"], handles)


def wait_any(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_WAITANY: the first that is done, in order."""
    handles, there = _pending(rank, given, "count")
    if not there:
        store(given["index"], UNDEFINED)
        return
    chosen = _chosen(rank, there)[0]
    _complete(rank, given, handles, {chosen: there[chosen]}, "status")
    store(given["index"], chosen + 1)


def wait_some(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_WAITSOME: all that are done when one is."""
    handles, there = _pending(rank, given, "incount")
    if not there:
        store(given["outcount"], UNDEFINED)
        return
    _some(rank, given, handles, {k: there[k] for k in _chosen(rank, there)})


def _pending(rank: CallingRank, given: CallArguments, count: str) -> tuple[list[int], dict[int, RankRequest]]:
    """The handles that a call names, and those of active requests by place."""
    handles = numbers(given["array_of_requests"], number(given[count]))
    found = {k: one for k, handle in enumerate(handles) if (one := rank.pending(handle)) is not None}
    return handles, found


def _chosen(rank: CallingRank, there: dict[int, RankRequest]) -> tuple[int, ...]:
    """The places of those that are done when the first is; as recorded, where a run has been here."""
    port, at = rank.port, rank.port.counter
    port.check(at)
    if at not in port.choices:
        transfers = [one.transfer for one in there.values() if one.transfer is not None]
        for transfer in transfers:
            transfer.place = port.place(transfer.place.text + ", waits for any")
        port.wait(*transfers)
        port.choices[at] = tuple(k for k, one in there.items() if one.transfer is not None and one.transfer.done)
    found = port.choices[at]
    assert isinstance(found, tuple)
    return found


def _complete(rank: CallingRank, given: CallArguments, handles: list[int], done: dict[int, RankRequest],
              status: str) -> None:
    """Complete some of several; their statuses follow each other."""
    for at, (k, one) in enumerate(done.items()):
        to = given[status]
        rank.complete(one, to if status == "status" else nth_status(to, at))
        handles[k] = rank.after(one)
    store_all(given["array_of_requests"], handles)


def _some(rank: CallingRank, given: CallArguments, handles: list[int], done: dict[int, RankRequest]) -> None:
    _complete(rank, given, handles, done, "array_of_statuses")
    store(given["outcount"], len(done))
    store_all(given["array_of_indices"], [k + 1 for k in done])


# ---------------------------------------------------------------- tests


def _ask(rank: CallingRank, there: dict[int, RankRequest]) -> tuple[int, ...]:
    """Which are done: one event. The others have their turn where none is."""
    port = rank.port

    def ask() -> Choice:
        done = tuple(k for k, one in there.items() if rank.done_now(one))
        if len(done) < len(there):
            port.wait()
        return done

    found = port.poll(ask, lambda known: None)
    assert isinstance(found, tuple)
    return found


def test(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_TEST."""
    request = rank.pending(number(given["request"]))
    if request is None:
        rank.found(number(given["request"]))
        store(given["flag"], 1)
        rank.status(given["status"], ANY_SOURCE, ANY_TAG)
        return
    done = bool(_ask(rank, {0: request}))
    store(given["flag"], int(done))
    if done:
        rank.complete(request, given["status"])
        store(given["request"], rank.after(request))


def test_all(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_TESTALL: all, or none."""
    handles, there = _pending(rank, given, "count")
    done = not there or len(_ask(rank, there)) == len(there)
    store(given["flag"], int(done))
    if done:
        for k, one in there.items():
            rank.complete(one, nth_status(given["array_of_statuses"], k))
            handles[k] = rank.after(one)
        store_all(given["array_of_requests"], handles)


def test_any(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_TESTANY."""
    handles, there = _pending(rank, given, "count")
    if not there:
        store(given["flag"], 1)
        store(given["index"], UNDEFINED)
        return
    done = _ask(rank, there)[:1]
    store(given["flag"], len(done))
    store(given["index"], done[0] + 1 if done else UNDEFINED)
    _complete(rank, given, handles, {k: there[k] for k in done}, "status")


def test_some(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_TESTSOME."""
    handles, there = _pending(rank, given, "incount")
    if not there:
        store(given["outcount"], UNDEFINED)
        return
    _some(rank, given, handles, {k: there[k] for k in _ask(rank, there)})


def status_of(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_REQUEST_GET_STATUS: asks only."""
    request = rank.pending(number(given["request"]))
    store(given["flag"], 1 if request is None else len(_ask(rank, {0: request})))
