"""The best solution of DH (7) for one part, exactly: a two-sided allocation (equations.md section 4).

    peak = max(D side, C side)
    D side: what lies on the stack at the turn of D: Sbk, Snp, and what D tapes for Req_D
    C side: what lies there at the turn of C-bar: Sbk, and what C-bar tapes for Req_C

Each location adds to the sides, to the traffic and to the snapshot independently of all others, so each is
a short list of :class:`Option`. Dominance leaves one option for nearly all; among the rest the least peak,
then the least traffic, then the smallest snapshot are found by dynamic programming over Pareto-minimal
sums. A sum is dropped only when another is nowhere larger, or when a Lagrangian bound (the constraint on one
side priced at p/q) proves that no completion beats a solution in hand. So the answer is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snapset.frontend.base.frozen_records import frozen


@frozen
class Option:
    """What one choice for one location adds, in bytes: to the D side, the C side, traffic, snapshot."""

    d: int
    c: int
    traffic: int
    snapshot: int = 0


@frozen(order=True)
class Objective:
    """What is minimised, in this order."""

    peak: int
    traffic: int
    snapshot: int


Item = Sequence[Option]
State = tuple[int, int, int, int]
Reached = dict[State, tuple[State | None, int]]


def figures(base: Option, chosen: Iterable[Option]) -> Objective:
    """The figures of a choice; ``base`` is what no choice changes."""
    every = [base, *chosen]
    return Objective(max(sum(o.d for o in every), sum(o.c for o in every)), sum(o.traffic for o in every),
                     sum(o.snapshot for o in every))


def allocate(base: Option, items: Sequence[Item]) -> tuple[int, ...]:
    """The index of the best option of each item."""
    return cheapest_within(base, items, None)


def least_peak(base: Option, items: Sequence[Item]) -> int:
    """The least peak there is."""
    return _Reduced(base, items).least_peak()


def cheapest_within(base: Option, items: Sequence[Item], peak: int | None) -> tuple[int, ...]:
    """The index of the option of each item for the least traffic, then snapshot, with at most this peak.

    ``peak`` None: the least there is. Raises ValueError for a peak below that.
    """
    reduced = _Reduced(base, items)
    least = reduced.least_peak()
    if peak is not None and peak < least:
        raise ValueError(f"the least peak is {least}")
    return reduced.cheapest(least if peak is None else peak)


class _Reduced:
    """The items with more than one option after dominance; the others are in ``start``."""

    def __init__(self, base: Option, items: Sequence[Item]) -> None:
        useful = [_undominated(item) for item in items]
        order = sorted(range(len(items)), key=lambda i: -max(abs(o.c) + abs(o.d) for _, o in useful[i]))
        self.useful = useful
        self.free = [i for i in order if len(useful[i]) > 1]
        self.chosen = {i: useful[i][0][0] for i in order if len(useful[i]) == 1}
        self.start = _added(_state(base), *(useful[i][0][1] for i in self.chosen))
        self.options = [[o for _, o in useful[i]] for i in self.free]

    def least_peak(self) -> int:
        return _least_peak(self.start, self.options)

    def cheapest(self, peak: int) -> tuple[int, ...]:
        picked = _cheapest(self.start, self.options, peak)
        chosen = self.chosen | {i: self.useful[i][at][0] for i, at in zip(self.free, picked, strict=True)}
        return tuple(chosen[i] for i in range(len(self.useful)))


def _undominated(item: Item) -> list[tuple[int, Option]]:
    """The options no other one makes superfluous, with their indices; of equal ones the first."""
    kept: list[tuple[int, Option]] = []
    for at, one in enumerate(item):
        if any(_dominates(other, one) for _, other in kept):
            continue
        kept = [(i, other) for i, other in kept if not _dominates(one, other)]
        kept.append((at, one))
    return kept


def _dominates(a: Option, b: Option) -> bool:
    return a.d <= b.d and a.c <= b.c and (a.traffic, a.snapshot) <= (b.traffic, b.snapshot)


def _state(one: Option) -> State:
    return one.d, one.c, one.traffic, one.snapshot


def _added(state: State, *options: Option) -> State:
    d, c, t, s = state
    for one in options:
        d, c, t, s = d + one.d, c + one.c, t + one.traffic, s + one.snapshot
    return d, c, t, s


def _least_peak(start: State, items: Sequence[Item]) -> int:
    """min of max(D side, C side) over all choices."""
    rest_d = _suffix(min(o.d for o in item) for item in items)
    rest_c = _suffix(min(o.c for o in item) for item in items)
    bound = min(max(_added(start, *(min(item, key=key) for item in items))[:2]) for key in _KEYS)
    sums = {start[0]: start[1]}
    for at, item in enumerate(items):
        reached: dict[int, int] = {}
        for d, c in sums.items():
            for one in item:
                new_d, new_c = d + one.d, c + one.c
                if max(new_d + rest_d[at + 1], new_c + rest_c[at + 1]) <= bound:
                    reached[new_d] = min(new_c, reached.get(new_d, new_c))
        sums, best = {}, None
        for d in sorted(reached):
            if best is None or reached[d] < best:
                sums[d] = best = reached[d]
    return min((max(d, c) for d, c in sums.items()), default=bound)


_KEYS = (lambda o: (o.c, o.d), lambda o: (o.d, o.c), lambda o: (max(o.d, o.c), o.d + o.c))


def _suffix(values: Iterable[int]) -> list[int]:
    """sums[i] = values[i] + values[i+1] + ..."""
    sums = [0]
    for value in reversed(list(values)):
        sums.append(sums[-1] + value)
    return sums[::-1]


def _cheapest(start: State, items: Sequence[Item], peak: int) -> list[int]:
    """The least (traffic, snapshot) with both sides at most ``peak``."""
    limits = peak, peak
    least = [_suffix(min(getattr(o, side) for o in item) for item in items) for side in ("d", "c")]
    bounds = [_Price.best(start, items, side, peak) for side in (0, 1)]
    layers: list[Reached] = [{start: (None, -1)}]
    worst = _greedy(start, items, limits, least)
    for at, item in enumerate(items):
        reached: Reached = {}
        for state in layers[-1]:
            for index, one in enumerate(item):
                new = _added(state, one)
                if any(new[side] + least[side][at + 1] > peak for side in (0, 1)):
                    continue
                if worst is not None and any(price.beaten(new, at + 1, worst) for price in bounds):
                    continue
                reached.setdefault(new, (state, index))
        layers.append({state: reached[state] for state in _minimal(reached)})
    last: State | None = min(layers[-1], key=lambda s: (s[2], s[3]))
    picked: list[int] = []
    for layer in reversed(layers[1:]):
        assert last is not None
        last, index = layer[last]
        picked.append(index)
    return picked[::-1]


def _minimal(states: Iterable[State]) -> list[State]:
    """The states no other one is nowhere above."""
    kept: list[State] = []
    for one in sorted(states, key=lambda s: (s[2], s[3], s[1], s[0])):
        if not any(other[0] <= one[0] and other[1] <= one[1] for other in reversed(kept)):
            kept.append(one)
    return kept


def _greedy(start: State, items: Sequence[Item], limits: tuple[int, int], least: list[list[int]]) -> int | None:
    """The traffic of some solution within the limits; None where the first attempt finds none."""
    state = start
    for at, item in enumerate(items):
        fitting = [new for one in item if all((new := _added(state, one))[side] + least[side][at + 1] <= limits[side]
                                              for side in (0, 1))]
        if not fitting:
            return None
        state = min(fitting, key=lambda s: (s[2], s[3]))
    return state[2]


@frozen
class _Price:
    """A Lagrangian bound: traffic + (p/q)*(side - limit) is never above the traffic of what keeps the limit."""

    p: int
    q: int
    side: int
    limit: int
    rest: list[int]

    def bound(self, state: State, at: int) -> int:
        """q times the least traffic any completion from item ``at`` on may have."""
        return self.q * state[2] + self.p * (state[self.side] - self.limit) + self.rest[at]

    def beaten(self, state: State, at: int, traffic: int) -> bool:
        return self.bound(state, at) > self.q * traffic

    @staticmethod
    def best(start: State, items: Sequence[Item], side: int, limit: int) -> _Price:
        """The price, among the exchange rates the items offer, with the highest bound at the beginning."""
        rates = {(0, 1)}
        for item in items:
            for a in item:
                for b in item:
                    gain, cost = _side(a, side) - _side(b, side), b.traffic - a.traffic
                    if gain > 0 and cost > 0:
                        rates.add((cost, gain))
        ordered = sorted(rates, key=lambda r: r[0] / r[1])
        low, high = 0, len(ordered) - 1  # the bound is concave in the price
        while high - low > 2:
            third = (high - low) // 3
            left, right = low + third, high - third
            one, other = (_Price.at(ordered[i], items, side, limit) for i in (left, right))
            if one.bound(start, 0) * other.q < other.bound(start, 0) * one.q:
                low = left
            else:
                high = right
        found = [_Price.at(ordered[i], items, side, limit) for i in range(low, high + 1)]
        return max(found, key=lambda price: price.bound(start, 0) / price.q)

    @staticmethod
    def at(rate: tuple[int, int], items: Sequence[Item], side: int, limit: int) -> _Price:
        p, q = rate
        least = (min(q * o.traffic + p * _side(o, side) for o in item) for item in items)
        return _Price(p, q, side, limit, _suffix(least))


def _side(one: Option, side: int) -> int:
    return one.c if side else one.d
