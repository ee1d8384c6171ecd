"""CLU Algorithm 2, its misprints corrected (equations.md section 6): a descent over groups of overwrite places.

Corrected: the r⁺ case of (4) adds O⁺_B (not O⁻_B); line 09 means Algorithm 1; a rejected step restores U with S.
Read so: line 01 and 02 start from the cheaper bound and complete it by Algorithm 1, which never costs more.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Literal

from snapset.analysis.dag.problem.choice import Choice, evaluate
from snapset.analysis.dag.problem.graphs import Numbering, Prepared, union
from snapset.analysis.dag.solvers.algorithm1_cuts import Completion, Tie, complete
from snapset.analysis.dag.solvers.bicliques import Biclique, BicliqueCover, augmented, cover
from snapset.analysis.dataflow.bitsets import members
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

DELTA = Fraction(0)


@frozen
class Bounds:
    """Where the search may start: (i) U = ∅ and S all places of minimal vertices, which CLU call TBR;
    (ii) S = ∅ and U = R, without what nothing overwrites; and per-statement To Be Recorded where the problem says
    what that records.
    """

    tbr: Choice
    required: Choice
    statements: Choice | None

    @property
    def by_statement(self) -> int | None:
        """What per-statement To Be Recorded costs."""
        return None if self.statements is None else self.statements.cost

    @property
    def best(self) -> Choice:
        """The cheapest; (i) only where it costs less than (ii) (lines 01, 02)."""
        given = (self.required, self.tbr, *([self.statements] if self.statements else []))
        return min(given, key=lambda choice: choice.cost)


@frozen
class Ratios:
    """(3): r⁻ = |O⁻_B| / |V_B|, r⁺ = |V_B| / |O⁺_B| or 0; weighted alike."""

    minus: Fraction
    plus: Fraction

    @property
    def largest(self) -> Fraction:
        return max(self.minus, self.plus)


@frozen
class Step:
    """One move: what was added to S or removed from it, at which ratio, the cost it led to, its fate."""

    biclique: Biclique
    ratio: Fraction
    move: Literal["add", "remove"]
    places: frozenset[str]
    cost: int
    accepted: bool


@frozen
class Descent:
    """What Algorithm 2 found and how."""

    choice: Choice
    bounds: Bounds
    cover: BicliqueCover
    steps: tuple[Step, ...]


def bounds(problem: Prepared) -> Bounds:
    """Raises InputError if what the problem says To Be Recorded restores is not enough."""
    minimal = union(g.minimal for g in problem.graphs)
    tbr = evaluate(problem, union(problem.overwrites[v] for v in minimal), frozenset())
    required = evaluate(problem, frozenset(), problem.required - problem.restored(frozenset()))
    if tbr is None or required is None:
        raise AssertionError("one of the starting bounds does not restore what is required")
    if problem.recorded is None:
        return Bounds(tbr, required, None)
    statements = evaluate(problem, *problem.recorded)
    if statements is None:
        raise InputError("what is recorded does not restore all required values: "
                         "list every operand of the partial derivatives")
    return Bounds(tbr, required, statements)


def ratios(problem: Prepared, biclique: Biclique, S: frozenset[str]) -> Ratios:
    """(3) for an augmented biclique."""
    parts = biclique.places & S, biclique.places - S
    inside, outside = (sum(map(problem.costs.of_place, places)) for places in parts)
    return _ratios(inside, outside, sum(map(problem.costs.of, biclique.vertices)))


def _ratios(inside: int, outside: int, vertices: int) -> Ratios:
    """From the weights of O⁻_B, O⁺_B and V_B."""
    return Ratios(Fraction(inside, vertices), Fraction(vertices, outside) if outside else Fraction(0))


def algorithm2(problem: Prepared, delta: Fraction = DELTA, tie: Tie = "arguments") -> Descent:
    """The heuristic. ``delta``: a biclique whose ratio is below 1 - delta ends the search.

    Bicliques of equal ratio are taken in the order of their names, so the result depends on nothing else.
    """
    known = bounds(problem)
    best = min(known.best, complete(problem, known.best.S, tie), key=lambda choice: choice.cost)
    found = cover(problem.overwrites)
    left = _Left(problem, augmented(found.bicliques, problem.overwrites), best.S)
    completion = Completion(problem, tie)
    S, cost, steps = best.S, best.cost, []
    while (top := left.pop()) is not None:
        biclique, ratio = top
        if ratio.largest < 1 - delta:
            break
        adding = ratio.plus >= ratio.minus
        moved = biclique.places - S if adding else biclique.places & S
        completion.move(S ^ moved)
        trial = completion.cost()
        accepted = trial <= cost
        steps.append(Step(biclique, ratio.largest, "add" if adding else "remove", moved, trial, accepted))
        if accepted:
            S, cost = S ^ moved, trial
            left.moved(moved, S)
    if any(step.accepted for step in steps):
        completion.move(S)
        best = completion.choice()
    return Descent(best, known, found, tuple(steps))


class _Left:
    """The bicliques not yet tried, the largest ratio first, ratios made anew where S changed (line 06)."""

    def __init__(self, problem: Prepared, bicliques: list[Biclique], S: frozenset[str]) -> None:
        self.bicliques = sorted(bicliques, key=lambda b: b.key)
        self.places = Numbering(problem.places)
        self.weights = [problem.costs.of_place(o) for o in self.places.names]
        self.even = self.weights[0] if len(set(self.weights)) == 1 else 0
        self.masks = [self.places.bits(b.places) for b in self.bicliques]
        self.all = [(self.weight(mask), sum(map(problem.costs.of, b.vertices)))
                    for mask, b in zip(self.masks, self.bicliques, strict=True)]
        bits = self.places.bits(S)
        self.ratios = [self.ratio(number, bits) for number in range(len(self.bicliques))]
        self.heap = [(-ratio.largest, number) for number, ratio in enumerate(self.ratios)]
        heapify(self.heap)
        self.tried: set[int] = set()
        self.at: dict[str, list[int]] = {}
        for number, biclique in enumerate(self.bicliques):
            for o in biclique.places:
                self.at.setdefault(o, []).append(number)

    def pop(self) -> tuple[Biclique, Ratios] | None:
        while self.heap:
            ratio, number = heappop(self.heap)
            if number not in self.tried and -ratio == self.ratios[number].largest:
                self.tried.add(number)
                return self.bicliques[number], self.ratios[number]
        return None

    def moved(self, places: frozenset[str], S: frozenset[str]) -> None:
        bits = self.places.bits(S)
        for number in sorted({number for o in places for number in self.at.get(o, ())} - self.tried):
            self.ratios[number] = self.ratio(number, bits)
            heappush(self.heap, (-self.ratios[number].largest, number))

    def ratio(self, number: int, S: int) -> Ratios:
        """As :func:`ratios`, for S as bits."""
        every, vertices = self.all[number]
        inside = self.weight(self.masks[number] & S)
        return _ratios(inside, every - inside, vertices)

    def weight(self, places: int) -> int:
        return self.even * places.bit_count() if self.even else sum(self.weights[n] for n in members(places))
