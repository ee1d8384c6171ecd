"""The strategy ``optimal``: of all partitions of all parts, the least peak of the whole head, then the least
traffic, then the smallest snapshots, under the model of :mod:`snapset.analysis.costs.stack_model`.

Every location in an Opt set of a part is one decision, its plus or its minus side. Sides decided at one part
are seen by what follows and by inner parts through Req alone: use and out of [C];D are the same for every
solution of DH (7), so adjoint liveness, and with it what runs, never depends on a decision. What is pushed
does, so decisions are judged together, by the whole head:

* Up to ``FEW`` decisions: all combinations, so the answer is exact.
* More, all at one part: what each location adds to the two sides of the max is read off the model, and the exact
  two-sided allocation of :mod:`snapset.analysis.placement.two_sided_allocation` decides.
* More, at several parts: an integer program of all decisions (:mod:`snapset.analysis.placement.proved_partition`) finds
  the best and proves that it is, or how far from it the best found may be.
* Where costs do not separate (calls in split mode, values computed again): up to ``EXHAUSTIVE`` all combinations;
  beyond, from the best of lazy, eager and "whatever is smaller, snapshot or tape", single effects are measured
  (``MEASURED`` at most, and for ``WORK`` steps at most: of a large head those of the largest locations only) and
  allocated alike, until nothing improves. That may miss the optimum.

Never worse than lazy or eager: both are among what is compared. What lowers neither peak nor traffic nor snapshots is
taken as lazy takes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias
from weakref import WeakKeyDictionary

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.costs.tape_pushes import Pushes, tag
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, members
from snapset.analysis.equations import Partition, eager_partition
from snapset.analysis.placement.partition_decisions import (
    DEFAULT,
    Decision,
    Point,
    chosen,
    different,
    tagged_shares,
    with_default,
)
from snapset.analysis.placement.two_sided_allocation import Objective, Option, allocate
from snapset.analysis.recording.program_recording import Known, record_program
from snapset.analysis.recording.strategies import EAGER, LAZY, Place, Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.symbolic.atoms import Counter, Sym
from snapset.analysis.symbolic.numeric_value import Evaluation
from snapset.analysis.symbolic.polynomials import ZERO, Quantity, add
from snapset.analysis.symbolic.substitution import substitute
from snapset.frontend.base.frozen_records import frozen

FEW = 3
EXHAUSTIVE = 10
ROUNDS = 8
MEASURED = 2048
WORK = 1_500_000

Records: TypeAlias = Mapping[str, ProcedureRecord]


@frozen
class ProvedBound:
    """``peak``: no combination has less. ``proved``: none is better than the best that was measured."""

    peak: int
    proved: bool


Prover: TypeAlias = Callable[["PartitionSearch", Sequence[Decision]], ProvedBound | None]


@frozen(kw_only=True)
class OptimalPartition:
    """The best partition that the strategy optimal found, and what it was compared with.

    ``exact``: none is better. ``least_peak``: none has a smaller peak; None where that is not known. ``defaulted``:
    names whose number was not given: they count ``default``. ``decisions``: all there are; ``points``: what was
    compared.
    """

    strategy: Strategy
    best: Point
    decisions: tuple[Decision, ...]
    exact: bool
    least_peak: int | None
    defaulted: tuple[str, ...]
    points: tuple[Point, ...]
    default: int = DEFAULT


class PartitionSearch:
    """Measures combinations of decisions. ``assume`` gives numbers to names; others count ``DEFAULT``. ``plain``: as if
    nothing was computed again."""

    def __init__(self, adjoints: Adjoints, order: tuple[str, ...], assume: Mapping[str, int],
                 plain: bool = False) -> None:
        self.adjoints, self.order, self.plain = adjoints, order, plain
        self.defaulted: set[str] = set()
        self.given = with_default(assume, self.defaulted)
        self.structures = HeadStructure(adjoints, order, self.given, through_calls=True)
        self.points: dict[frozenset[Decision], Point] = {}
        self.known: Known = {}
        self._snapshots: WeakKeyDictionary[Pushes, int] = WeakKeyDictionary()
        self._best: tuple[Objective, CostModel] | None = None
        self.nodes = sum(len(adjoints.by_key[key].model.flow.nodes) for key in order)
        self._sizes = CostModel(self.structures, self.recorded(LAZY))
        self._numbers, self._in_first = Evaluation(self.given, {}), Evaluation(self.given, defaultdict(int))

    def measure(self, plus: frozenset[Decision]) -> Point:
        if plus not in self.points:
            self.points[plus] = self._measured(plus)
        return self.points[plus]

    def _measured(self, plus: frozenset[Decision]) -> Point:
        cost_model = self.cost_model(plus)
        cost = cost_model.head()
        left, inside = self.number(cost.left), self.number(cost.inside)
        figures = Objective(max(left, inside), self.number(cost.traffic),
                            sum(self.snapshots(cost_model.pushes_of(key)) for key in self.order))
        if self._best is None or figures < self._best[0]:
            self._best = figures, cost_model
        return Point(plus=plus, figures=figures, left=left, inside=inside)

    def recorded(self, strategy: Strategy, keeping: bool = False) -> Records:
        return record_program(self.adjoints, self.order, strategy, known=self.known, plain=self.plain,
                              keeping=keeping)

    def cost_model(self, plus: frozenset[Decision], alone: bool = False) -> CostModel:
        """The costs of a combination; only what is otherwise than in the best so far is worked out."""
        records = self.recorded(chosen(plus))
        return CostModel(self.structures, records, followed=True,
                         before=None if alone or self._best is None else self._best[1])

    def recorded_otherwise(self, one: frozenset[Decision], other: frozenset[Decision]) -> dict[str, int]:
        """By code the locations that two combinations record differently."""
        first, second = (self.recorded(chosen(plus)) for plus in (one, other))
        return {key: different(first[key], second[key]) for key in self.order}

    @property
    def work(self) -> int:
        """Steps of evaluation so far, and the nodes of the flow graphs once for each point measured."""
        return self._numbers.steps + self._in_first.steps + len(self.points) * self.nodes

    def size(self, decision: Decision) -> int:
        """The bytes of a decision's location."""
        key, *_ = decision.place
        return self.first_number(self._sizes.pushes_of(key).size(decision.location))

    def snapshots(self, pushes: Pushes) -> int:
        """The bytes of a code's snapshots, each of the first time."""
        if pushes not in self._snapshots:
            self._snapshots[pushes] = sum(self.number(_first(pushes.snapshot(solved, node).both))
                                          for level in pushes.record.levels for node, solved in level.solved.items())
        return self._snapshots[pushes]

    def first_number(self, snapshot: Quantity) -> int:
        """The bytes of a snapshot in the first iteration of the loops around it."""
        return self.number(_first(snapshot))

    def number(self, formula: Quantity, first: bool = False) -> int:
        found = (self._in_first if first else self._numbers).number(formula)
        assert found is not None
        return found

    def best(self) -> Point:
        """The cheapest point measured; of equal ones that with the fewest plus sides."""
        least = min(p.rank for p in self.points.values())
        return min((p for p in self.points.values() if p.rank == least), key=lambda p: sorted(p.plus))

    def with_parts(self, plus: frozenset[Decision]) -> tuple[Point, dict[Place, tuple[int, int]]]:
        """A point with peak and traffic of every part, [C];D in its own procedure."""
        cost_model = self.cost_model(plus)
        wholes = {place: cost_model.part(*place).whole for place in self.places()}
        return self.measure(plus), {p: (self.number(c.peak), self.number(c.traffic)) for p, c in wholes.items()}

    def described(self, plus: frozenset[Decision]) -> tuple[str, ...]:
        """What these decisions do otherwise than lazy: ``a in Sbk``."""
        spaces = {key: self.adjoints.by_key[key].model.space for key in self.order}
        return tuple(dict.fromkeys(f"{spaces[d.place[0]].infos[d.location].name} in {'Sbk' if d.in_sbk else 'Snp'}"
                                   for d in sorted(plus)))

    # ------------------------------------------------------------ decisions

    def decisions(self) -> tuple[Decision, ...]:
        """Every location that is in an Opt set under some partition."""
        found: set[Decision] = set()
        for a, b in product((EMPTY, EVERYTHING), repeat=2):
            all_plus = Strategy("", "chosen", chosen={p: Partition.of((a, a, b)) for p in self.places()})
            for place, _, options in self.options(self.recorded(all_plus)):
                found.update(Decision(place, True, i) for i in members(options[0]))
                found.update(Decision(place, False, i) for i in members(options[1]))
        return tuple(sorted(found))

    def places(self) -> Iterator[Place]:
        for key in self.order:
            for level in self.adjoints.by_key[key].levels:
                for node in level.parts:
                    yield key, level.graph.index, node

    def options(self, records: Records) -> Iterator[tuple[Place, Partition, tuple[int, int]]]:
        """Of every part its eager partition, Opt1 ∪ Opt2, and Opt3."""
        for key, record in records.items():
            for index, level in enumerate(record.levels):
                for node, solved in level.solved.items():
                    o, held = solved.options, (1 << len(self.adjoints.by_key[key].model.space)) - 1
                    yield (key, index, node), eager_partition(solved.sets), ((o.opt1 | o.opt2) & held, o.opt3 & held)

    def eager(self, decisions: Sequence[Decision]) -> frozenset[Decision]:
        """DH (8) as decisions."""
        found: set[Decision] = set()
        records = self.recorded(EAGER)
        for place, partition, _ in self.options(records):
            found.update(d for d in decisions if d.place == place
                         and (d.in_sbk or partition.plus3 >> d.location & 1))
        return frozenset(found)

    def keeping(self, decisions: Sequence[Decision]) -> frozenset[Decision]:
        """What lazy keeps in Sbk where values are computed again."""
        records = self.recorded(LAZY, keeping=True)
        return frozenset(d for d in decisions for key, index, node in (d.place,) if d.in_sbk and (
            records[key].levels[index].solved[node].choice.sbk >> d.location & 1))

    def shares(self, best: Point, decisions: Sequence[Decision]) -> dict[Decision, Option] | None:
        """What turning each decision would change, from two runs: all pushes bear the name of their location.

        None where that is not the whole truth: decisions at several parts, two on one location, figures that
        are no sums, one location's tape that depends on another's side (calls in split mode, values computed again).
        """
        if self.adjoints.inseparable(self.order, self.plain) is not None:
            return None
        if len({d.place for d in decisions}) != 1 or len({d.location for d in decisions}) < len(decisions):
            return None
        sides = [self.tagged(plus) for plus in (best.plus, best.plus ^ set(decisions))]
        found: dict[Decision, Option] = {}
        for decision in decisions:
            mark = tag(decision.place[0], decision.location)
            changes = [0 if a is None or b is None else b.get(mark, 0) - a.get(mark, 0)
                       for a, b in zip(*sides, strict=True)]
            found[decision] = Option(*changes)
        return None if any(one is None for side in sides for one in side) else found

    def tagged(self, plus: frozenset[Decision]) -> list[dict[Sym, int] | None]:
        """Whose is what of: left, inside, traffic, snapshots."""
        records = self.recorded(chosen(plus))
        cost_model = CostModel(self.structures, records, tagged=True)
        cost = cost_model.head()
        snapshots = add(*(_first(cost_model.pushes_of(key).snapshot(solved, node).both) for key in self.order
                          for level in records[key].levels for node, solved in level.solved.items()))
        return [tagged_shares(one) for one in (cost.left, cost.inside, cost.traffic, snapshots)]

    def thrifty(self, decisions: Sequence[Decision]) -> frozenset[Decision]:
        """On the plus side what is smaller than what lazy tapes of it."""
        cost_model = CostModel(self.structures, self.recorded(LAZY))
        by_place: dict[Place, list[Decision]] = {}
        for decision in decisions:
            by_place.setdefault(decision.place, []).append(decision)
        found: set[Decision] = set()
        for (key, index, node), here in by_place.items():
            pushes, inner = cost_model.pushes_of(key), self.adjoints.by_key[key].levels[index].graph.parts.get(node)
            behind = pushes.taping.behind(node, index)
            inside = None if inner is None else pushes.taping.inside(inner)
            for decision in here:
                stretch = inside if decision.in_sbk else behind
                taped = 0 if stretch is None else sum(
                    self.number(pushes.all_executions(n, decision.location, stretch.level), first=True)
                    for n, bits in pushes.record.levels[stretch.level].taped.items()
                    if n in stretch.nodes and bits >> decision.location & 1)
                if taped > self.number(pushes.size(decision.location)):
                    found.add(decision)
        return frozenset(found)


NO_EFFECT = Option(0, 0, 0, 0)


def optimise(search: PartitionSearch, prove: Prover | None = None, exhaustive: int = EXHAUSTIVE,
             every: bool = False) -> OptimalPartition:
    """The best combination of decisions for one head. Up to ``exhaustive`` of them all combinations are compared where
    nothing else is exact, or ``every`` one is asked for. ``prove``: the integer program."""
    decisions = search.decisions()
    for plus in (frozenset[Decision](), search.keeping(decisions), search.eager(decisions), search.thrifty(decisions)):
        search.measure(plus)
    least = _searched(search, prove, decisions, exhaustive, every)
    best = search.best()
    return OptimalPartition(strategy=chosen(best.plus), best=best, decisions=decisions, exact=least[0],
                            least_peak=least[1], defaulted=tuple(sorted(search.defaulted)),
                            points=tuple(search.points.values()))


def _searched(search: PartitionSearch, prove: Prover | None, decisions: Sequence[Decision], exhaustive: int,
              every: bool) -> tuple[bool, int | None]:
    """Measure what may be the best. Is it exact, and which peak has no combination less than?"""
    compared = len(decisions) <= exhaustive
    if not compared or not (every or len(decisions) <= FEW):
        if len({d.place for d in decisions}) == 1 and search.shares(search.best(), decisions) is not None:
            _improve(search, decisions)
            if search.shares(search.best(), decisions) is not None:
                return True, search.best().figures.peak
        elif prove is not None:
            bound = prove(search, decisions)
            if bound is not None and (bound.proved or not compared):
                if not bound.proved:
                    _improve(search, decisions)
                return bound.proved, bound.peak
    if compared:
        for sides in product((False, True), repeat=len(decisions)):
            search.measure(frozenset(d for d, yes in zip(decisions, sides, strict=True) if yes))
        return True, search.best().figures.peak
    _improve(search, decisions)
    return False, None


def _improve(search: PartitionSearch, decisions: Sequence[Decision]) -> None:
    """All decisions at once by their single effects, until nothing improves.

    An effect is measured again when the code that its part is in has come to treat the location otherwise: what is
    required and taped of one location depends on that of no other. What saves more than lazy is tried first.
    """
    budget = MEASURED
    effects: dict[Decision, Option] = {}
    for _ in range(ROUNDS):
        best = search.best()
        shares = search.shares(best, decisions)
        if shares is None:
            wanted = sorted(d for d in decisions if d not in effects)
            for d in sorted(wanted, key=lambda d: (d not in best.plus, -search.size(d)))[:budget]:
                if search.work > WORK:
                    break
                effects[d] = _effect(best, search.measure(best.plus ^ {d}))
                budget -= 1
        else:
            effects = shares
        base = Option(best.left, best.inside, best.figures.traffic, best.figures.snapshot)
        sides = [(e, NO_EFFECT) if d in best.plus else (NO_EFFECT, e) for d, e in effects.items()]  # lazy's first
        taken = zip(effects, sides, allocate(base, sides), strict=True)
        _turn(search, best, [d for d, side, at in taken if side[at] is not NO_EFFECT])
        found = search.best()
        if found is best:
            return
        changed = search.recorded_otherwise(best.plus, found.plus)
        effects = {d: effect for d, effect in effects.items() if not changed[d.place[0]] >> d.location & 1}


def _turn(search: PartitionSearch, best: Point, decisions: Sequence[Decision]) -> Point:
    """These decisions turned, all together if that is better, else as many as halving them finds."""
    turned = search.measure(best.plus ^ set(decisions))
    if turned.rank < best.rank:
        return turned
    middle = len(decisions) // 2
    for half in (decisions[:middle], decisions[middle:]) if middle else ():
        best = _turn(search, best, half)
    return best


def _effect(best: Point, other: Point) -> Option:
    return Option(other.left - best.left, other.inside - best.inside, other.figures.traffic - best.figures.traffic,
                  other.figures.snapshot - best.figures.snapshot)


def _first(snapshot: Quantity) -> Quantity:
    """What a part saves in the first iteration of the loops around it."""
    return substitute(snapshot, lambda atom: ZERO if isinstance(atom, Counter) else None)
