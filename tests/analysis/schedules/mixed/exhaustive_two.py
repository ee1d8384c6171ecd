"""The least time of any schedule with memory and a disk, by search through all states a run can be in (Dijkstra).

As :mod:`tests.analysis.schedules.mixed.exhaustive`, each thing held being in memory or on disk, or both; reading and
writing on disk take time. A thing is a letter and a step: ``("r", 0)`` restart data, ``("d", 0)`` dependencies.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

Things = frozenset[tuple[str, int]]
State = tuple[int, int, Things, Things, bool]
NOWHERE = -1


def least_time(n: int, size: dict[str, int], memory: int, disk: int, write: int, read: int, step: int) -> int | None:
    """``size``: bytes of "r" and "d"; ``write``, ``read``: time of a byte. None: impossible."""
    start: State = (0, n, frozenset(), frozenset(), False)
    best = {start: 0}
    queue: list[tuple[int, int, State]] = [(0, 0, start)]
    ticket = 0
    while queue:
        time, _, state = heapq.heappop(queue)
        if state[1] == 0:
            return time
        if time > best[state]:
            continue
        for more, after in moves(state, n, size, memory, disk, write, read, step):
            if time + more < best.get(after, 1 << 60):
                best[after] = time + more
                ticket += 1
                heapq.heappush(queue, (time + more, ticket, after))
    return None


def moves(state: State, n: int, size: dict[str, int], memory: int, disk: int, write: int, read: int,
          step: int) -> Iterator[tuple[int, State]]:
    at, adjoint, fast, slow, ready = state
    for where, held in enumerate((fast, slow)):
        for thing in held:
            kind, i = thing
            without = (fast - {thing}, slow) if where == 0 else (fast, slow - {thing})
            yield 0, (at, adjoint, *without, ready)
            cost = read * size[kind] if where else 0
            if kind == "r":
                yield cost, (i, adjoint, fast, slow, ready)
            elif i == adjoint - 1 and not ready and (adjoint < n or at == n):
                yield cost, (NOWHERE, adjoint, fast, slow, True)
    if ready:
        yield 0, (NOWHERE, adjoint - 1, fast, slow, False)
    if NOWHERE < at < adjoint:
        yield step, (at + 1, adjoint, fast, slow, ready)
        if at == adjoint - 1:
            yield step, (at + 1, adjoint, fast, slow, True)
        for kind, took, to in (("d", step, at + 1), ("r", 0, at)):
            thing = (kind, at)
            if thing not in fast and sum(size[k] for k, _ in fast) + size[kind] <= memory:
                yield took, (to, adjoint, fast | {thing}, slow, ready)
            if thing not in slow and sum(size[k] for k, _ in slow) + size[kind] <= disk:
                yield took + write * size[kind], (to, adjoint, fast, slow | {thing}, ready)
