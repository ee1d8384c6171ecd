"""The least forward cost of any schedule, by search through all states a run can be in (Dijkstra).

A state: where the forward is (or nowhere), where the adjoint is, the steps whose restart data and whose dependencies
are held, and whether the working storage holds the step before the adjoint. Moves: run a step, plainly or recording
into the working storage or as a checkpoint; store restart data; load; forget; reverse. Nothing of the programme's
structure is used: data may be stored, kept and forgotten in any order.

Where restart data takes less for short spans, what is held serves up to a state, and so does the forward that was
loaded from it; it may be cut down to serve less far at any time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

Restart = tuple[int, int]  # of a step, and up to which state it serves
State = tuple[int, int, int, frozenset[Restart], frozenset[int], bool]
NOWHERE = -1


def least_cost(r: Sequence[int], d: Sequence[int], f: Sequence[int], budget: int,
               by_span: Sequence[int] = ()) -> int | None:
    """None: impossible. ``by_span``: bytes of restart data for spans of 1, 2 ... steps; ``r`` for all longer ones."""
    n = len(f)
    start: State = (0, n, n, frozenset(), frozenset(), False)
    best = {start: 0}
    queue: list[tuple[int, int, State]] = [(0, 0, start)]
    ticket = 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state[2] == 0:
            return cost
        if cost > best[state]:
            continue
        for more, after in moves(state, r, d, f, budget, n, by_span[:-1]):
            if cost + more < best.get(after, 1 << 60):
                best[after] = cost + more
                ticket += 1
                heapq.heappush(queue, (cost + more, ticket, after))
    return None


def moves(state: State, r: Sequence[int], d: Sequence[int], f: Sequence[int], budget: int, n: int,
          short: Sequence[int]) -> Iterator[tuple[int, State]]:
    at, good, adjoint, restarts, kept, ready = state

    def size(one: Restart) -> int:
        return short[one[1] - one[0] - 1] if one[1] - one[0] <= len(short) else r[one[0]]

    free = budget - sum(map(size, restarts)) - sum(d[i] for i in kept)
    for one in restarts:
        yield 0, (*one, adjoint, restarts, kept, ready)
        yield 0, (at, good, adjoint, restarts - {one}, kept, ready)
        for less in range(one[0] + 1, min(one[0] + len(short) + 1, one[1])):
            yield 0, (at, good, adjoint, restarts - {one} | {(one[0], less)}, kept, ready)
    for i in kept:
        yield 0, (at, good, adjoint, restarts, kept - {i}, ready)
    if ready:
        yield 0, (NOWHERE, NOWHERE, adjoint - 1, restarts, kept, False)
    elif adjoint - 1 in kept and (adjoint < n or at == n):
        yield 0, (NOWHERE, NOWHERE, adjoint, restarts, kept, True)
        yield 0, (NOWHERE, NOWHERE, adjoint, restarts, kept - {adjoint - 1}, True)
    if NOWHERE < at < min(adjoint, good):
        yield f[at], (at + 1, good, adjoint, restarts, kept, ready)
        if at == adjoint - 1:
            yield f[at], (at + 1, good, adjoint, restarts, kept, True)
        if d[at] <= free and at not in kept:
            yield f[at], (at + 1, good, adjoint, restarts, kept | {at}, ready)
        if at not in {i for i, _ in restarts}:
            for one in {(at, good), *((at, less) for less in range(at + 1, min(at + len(short) + 1, good)))}:
                if size(one) <= free:
                    yield 0, (at, good, adjoint, restarts | {one}, kept, ready)
