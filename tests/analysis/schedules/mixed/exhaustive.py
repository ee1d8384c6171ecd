"""The least forward cost of any schedule, by search through all states a run can be in (Dijkstra).

A state: where the forward is (or nowhere), where the adjoint is, the steps whose restart data and whose dependencies
are held, and whether the working storage holds the step before the adjoint. Moves: run a step, plainly or recording
into the working storage or as a checkpoint; store restart data; load; forget; reverse. Nothing of the programme's
structure is used: data may be stored, kept and forgotten in any order.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

State = tuple[int, int, frozenset[int], frozenset[int], bool]
NOWHERE = -1


def least_cost(r: Sequence[int], d: Sequence[int], f: Sequence[int], budget: int) -> int | None:
    """None: impossible."""
    n = len(f)
    start: State = (0, n, frozenset(), frozenset(), False)
    best = {start: 0}
    queue: list[tuple[int, int, State]] = [(0, 0, start)]
    ticket = 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state[1] == 0:
            return cost
        if cost > best[state]:
            continue
        for more, after in moves(state, r, d, f, budget, n):
            if cost + more < best.get(after, 1 << 60):
                best[after] = cost + more
                ticket += 1
                heapq.heappush(queue, (cost + more, ticket, after))
    return None


def moves(state: State, r: Sequence[int], d: Sequence[int], f: Sequence[int], budget: int,
          n: int) -> Iterator[tuple[int, State]]:
    at, adjoint, restarts, kept, ready = state
    free = budget - sum(r[i] for i in restarts) - sum(d[i] for i in kept)
    for i in restarts:
        yield 0, (i, adjoint, restarts, kept, ready)
        yield 0, (at, adjoint, restarts - {i}, kept, ready)
    for i in kept:
        yield 0, (at, adjoint, restarts, kept - {i}, ready)
    if ready:
        yield 0, (NOWHERE, adjoint - 1, restarts, kept, False)
    elif adjoint - 1 in kept and (adjoint < n or at == n):
        yield 0, (NOWHERE, adjoint, restarts, kept, True)
        yield 0, (NOWHERE, adjoint, restarts, kept - {adjoint - 1}, True)
    if NOWHERE < at < adjoint:
        yield f[at], (at + 1, adjoint, restarts, kept, ready)
        if at == adjoint - 1:
            yield f[at], (at + 1, adjoint, restarts, kept, True)
        if d[at] <= free and at not in kept:
            yield f[at], (at + 1, adjoint, restarts, kept | {at}, ready)
        if r[at] <= free and at not in restarts:
            yield 0, (at, adjoint, restarts | {at}, kept, ready)
