"""One head on several ranks at once: does each way of second runs end, is its gradient right, what does it log?

First all ranks run the store-all adjoint: where that is stuck the program itself is at fault. Then the adjoint under
the first strategy with everything logged, which is right for any part and shows every run of each; from its events
come the communication graph and the verdicts, and from these what is sent again.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.messages.checkpointed_ranks import RerunPlan
from snapset.analysis.messages.communication_trace import placed
from snapset.analysis.messages.communicators import Communicators
from snapset.analysis.messages.exchange import Exchange, ExchangeError, Sends
from snapset.analysis.messages.least_plan import least_messages
from snapset.analysis.messages.log_prediction import predicted_log
from snapset.analysis.messages.message_log import NestedLog
from snapset.analysis.messages.part_verdicts import InstanceVerdict, PartVerdicts, RerunVerdict, resent_messages
from snapset.analysis.messages.strands import BlockedRank, RunEnd, run_strands, stuck_at
from snapset.analysis.part_places import part_ids
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.placement.decisions_explained import resolve
from snapset.analysis.placement.proved_partition import prove
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY, Strategy, at_parts
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, assumed, doubtful
from snapset.analysis.replay.experiment.endless_programs import check_end
from snapset.analysis.replay.experiment.gradient import Gradient, by_plans, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.used_inputs import check_inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Limits, Machine
from snapset.analysis.replay.machine.stack import FAILURES, program_stopped, stopped
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.ranks.mpi_machine import MpiMachine
from snapset.analysis.replay.ranks.rank_events import Choice, EventPlace, PartKey, PortSummary, SecondRuns, TakenChoice
from snapset.analysis.replay.ranks.rank_port import RankPort
from snapset.analysis.replay.ranks.rank_threads import RankThread
from snapset.analysis.replay.ranks.ranked_traces import RankedTraces, ranked_traces
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir import Program
from snapset.frontend.rules import diagnostic

PlanName: TypeAlias = Literal["store-all", "log", "resend", "least", "popular"]
PLANS: Final[tuple[PlanName, ...]] = ("log", "resend", "popular")


@frozen
class RankOptions:
    """How many ``ranks``, which ``plans``, how sends behave, and how nested parts log. ``real``: this process is one
    of them, under mpiexec; who waits for longer than ``limit`` seconds is stuck. ``taken``: what wildcards, tests and
    probes take, as an earlier run had it."""

    ranks: int
    plans: tuple[PlanName, ...] = PLANS
    sends: Sends = "synchronous"
    nested: NestedLog = "again"
    seed: int = 1
    real: bool = False
    limit: float = 5.0
    taken: tuple[TakenChoice, ...] = ()


@frozen
class StuckRank:
    """Where a rank stands in a deadlock: place, sweep, what it does, and whom it waits for."""

    rank: int
    where: str
    sweep: Literal["first", "again", "adjoint"]
    text: str
    waits_for: tuple[int, ...]
    in_cycle: bool


@frozen
class RankedRun:
    """One plan on all ranks. ``equal``: every rank's gradient is the store-all one, bit for bit (None: it did not get
    there). ``peak_bytes``, ``log_bytes``: of the rank with most, at most at once; ``predicted_log_bytes``: as computed
    from the trace. ``sent_again_bytes``: of all ranks. ``never_received``, ``never_completed``: left over.
    ``gradient_digest``: of the bits of all ranks' gradients."""

    plan: PlanName
    equal: bool | None
    peak_bytes: int
    log_bytes: int
    predicted_log_bytes: int | None
    sent_again_bytes: int
    stuck: tuple[StuckRank, ...] = ()
    never_received: int = 0
    never_completed: int = 0
    error: str | None = None
    gradient_digest: str = ""

    @property
    def ends(self) -> bool:
        """Does every rank come to its end?"""
        return not self.stuck and self.error is None

    @property
    def right(self) -> bool:
        """Does it end, with nothing left over, and the gradient of store-all?"""
        return self.ends and not self.never_received and not self.never_completed and self.equal is not False


@frozen
class RankedPart:
    """A part's verdict on this run: that of the worst of its ``instances``. ``proved``: what is proved of it for as
    many ranks, where that was asked; ``contradicts``: the run shows a worse one."""

    id: str
    verdict: RerunVerdict
    instances: int
    logged: int
    resent: int
    crossing: tuple[str, ...]
    arrows_back: tuple[str, ...]
    proved: str = ""
    contradicts: bool = False


@frozen
class RankedComparison:
    """One head on several ranks. ``traces``: None where the program itself is stuck. ``diagnostics``: SN401 where the
    store-all gradient proves little. ``taken``: what wildcards, tests and probes took in the store-all run."""

    head: str
    ranks: int
    sends: str
    strategy: str
    parts: tuple[RankedPart, ...]
    runs: tuple[RankedRun, ...]
    traces: RankedTraces | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    taken: tuple[TakenChoice, ...] = ()

    @property
    def right(self) -> bool:
        """Is every plan, and nothing proved that the run refutes?"""
        return all(one.right for one in self.runs) and not any(one.contradicts for one in self.parts)


@dataclass(slots=True)
class _Outcome:
    end: RunEnd
    ports: list[PortSummary]
    left_over: int
    gradients: list[Gradient | None]
    peaks: list[int]


def compare_ranks(program: Program, head: Head, strategies: Sequence[Strategy], inputs: Inputs, wanted: RankOptions,
                  options: AnalysisOptions | None = None, experiment: ExperimentOptions | None = None,
                  heard: Callable[[str], None] = lambda doing: None) -> RankedComparison:
    """Run a head's adjoint on simulated ranks, under every plan.

    Raises InputError for what :func:`prepare` and the machine refuse, and for a program that goes wrong by itself.
    """
    trial = _RankedTrial(program, head, (*strategies, LAZY)[0], inputs, wanted, options or AnalysisOptions(),
                         experiment or ExperimentOptions())
    heard(f"replaying store-all on {wanted.ranks} ranks")
    expected = trial.run(None)
    whole = trial.judged("store-all", expected, None)
    text = trial.analysis.head.text
    sends = wanted.sends if isinstance(wanted.sends, str) else f"seed {wanted.sends}"
    if not whole.right:
        return RankedComparison(text, wanted.ranks, sends, trial.strategy.name, (), (whole,))
    trial.settled = expected.ports
    heard("replaying log, to see what the ranks do to each other")
    first = trial.run(SecondRuns(nested=wanted.nested))
    traces = ranked_traces(first.ports, trial.ids)
    verdicts = PartVerdicts(placed(traces.ranks)).all()
    runs = [whole]
    for plan in wanted.plans:
        heard(f"replaying {plan}")
        resent = least_messages(verdicts, traces.ranks, wanted.nested) if plan == "least" else \
            resent_messages(verdicts, "resend" if plan == "resend" else "log")
        found = trial.run(SecondRuns(plan == "popular", resent, {}, wanted.nested), traces.names)
        predicted = None
        if plan != "popular":
            rerun = RerunPlan(resent=resent, nested=wanted.nested)
            predicted = max(predicted_log(one, rerun)[0] for one in traces.ranks)
        runs.append(trial.judged(plan, found, expected, predicted))
    parts = ranked_parts(verdicts, traces, trial.ids)
    span = trial.root.procedure.span
    said = (*doubtful([one for one in expected.gradients if one is not None], span), *_touched(expected.ports, span))
    return RankedComparison(text, wanted.ranks, sends, trial.strategy.name, parts, tuple(runs), traces, said,
                            _taken(expected.ports))


class _RankedTrial:
    """One head, ready to run on ranks."""

    def __init__(self, program: Program, head: Head, strategy: Strategy, inputs: Inputs, wanted: RankOptions,
                 options: AnalysisOptions, experiment: ExperimentOptions) -> None:
        self.wanted, self.inputs, self.experiment = wanted, inputs, experiment
        self.analysis = prepare(program, head, options)
        root = self.analysis.models.by_key[find_procedure(self.analysis.models.program, self.analysis.head).key]
        check_end(root)
        self.root = root
        self.machine = Machine(self.analysis.models.program, root.procedure.key, ranked=True)
        try:
            used = check_inputs(self.machine, inputs)
        except FAILURES as error:
            raise InputError(str(stopped(error, root.procedure.span)), root.procedure.span) from error
        numbers = {**options.assume, **assumed(tuple(used))}
        ids = part_ids(self.analysis.adjoints, self.analysis.order)
        ready = resolve(self.analysis.adjoints, self.analysis.order, (at_parts(strategy, ids),), numbers, prove)
        self.strategy = ready.strategies[0]
        records = record_program(self.analysis.adjoints, self.analysis.order, self.strategy)
        self.plans = make_plans(self.machine, self.analysis, records)
        self.settled: Sequence[PortSummary] = ()
        self.ids: Mapping[str, str] = {f"{code}@{node}": text for (code, node), text in ids.items()}

    def run(self, second: SecondRuns | None, names: Sequence[Mapping[PartKey, str]] | None = None) -> _Outcome:
        """All ranks, under one plan; ``second`` None: store-all."""
        if self.wanted.real:
            return self.run_really(second, names)
        size = self.wanted.ranks
        exchange, communicators = Exchange(self.wanted.sends, self.wanted.seed), Communicators(size)
        gradients: list[Gradient | None] = [None] * size
        peaks = [0] * size
        ports: list[RankPort] = []
        threads: list[RankThread] = []

        def work(rank: int) -> Callable[[], None]:
            def run() -> None:
                gradients[rank], peaks[rank] = self.work(second, MpiMachine(ports[rank]))
            return run

        for rank in range(size):
            thread = RankThread(work(rank))
            threads.append(thread)
            own = second or SecondRuns()
            own = replace(own, names=dict(names[rank])) if names is not None else own
            ports.append(RankPort(rank, size, exchange, communicators, own, thread.wait))
            ports[-1].choices.update(self.chosen(rank, own))
            if not self.settled:
                ports[-1].take(one for one in self.wanted.taken if one.rank == rank)
        try:
            end = run_strands(threads, exchange, (*FAILURES, ExchangeError))
        finally:
            for thread in threads:
                thread.abandon()
        return _Outcome(end, [port.summary() for port in ports], len(exchange.left_over()), gradients, peaks)

    def run_really(self, second: SecondRuns | None, names: Sequence[Mapping[PartKey, str]] | None = None) -> _Outcome:
        """This process is one rank of several under ``mpiexec``; all of them learn what came of it."""
        from snapset.analysis.replay.ranks.real_exchange import RealExchange, StuckRankError, here

        world, rank, size = here()
        exchange = RealExchange(world, self.wanted.sends, self.wanted.limit)
        own = second or SecondRuns()
        own = replace(own, names=dict(names[rank])) if names is not None else own
        port = RankPort(rank, size, exchange, Communicators(size), own, exchange.wait)
        port.choices.update(self.chosen(rank, own))
        if not self.settled:
            port.take(one for one in self.wanted.taken if one.rank == rank)
        gradient, peak, stuck, failed = None, 0, None, None
        try:
            gradient, peak = self.work(second, MpiMachine(port))
        except StuckRankError as error:
            stuck = BlockedRank(rank, error.place, tuple(sorted(error.waits_for)))
        except (*FAILURES, ExchangeError) as error:
            failed = rank, ReplayError(_told(error, port.where))
        left = exchange.settle()
        every = world.allgather((gradient, peak, stuck, failed, port.summary(), left))
        blocked = [one[2] for one in every if one[2] is not None]
        wrong = next((one[3] for one in every if one[3] is not None), None)
        end = RunEnd(failed=wrong) if wrong is not None else stuck_at(blocked) if blocked else RunEnd()
        return _Outcome(end, [one[4] for one in every], sum(one[5] for one in every), [one[0] for one in every],
                        [one[1] for one in every])

    def chosen(self, rank: int, second: SecondRuns) -> Mapping[int, Choice]:
        """What the wildcards and the tests of the store-all run heard, which is heard again: else there is nothing to
        compare (a loop that computes while it tests computes as often as it must wait). In the popular way wildcards
        and probes are free, which may take what a second run sends."""
        if not self.settled:
            return {}
        found, first = self.settled[rank].choices, self.settled[rank].first
        if not second.popular:
            return found
        return {at: one for at, one in found.items()
                if isinstance(one, tuple) and (first[at].kind != "poll" or first[at].peer < 0)}

    def work(self, second: SecondRuns | None, ranked: MpiMachine) -> tuple[Gradient, int]:
        """One rank's run: its gradient, and its stack's highest point."""
        machine, inputs = self.of_rank(ranked.port.rank)
        head = self.analysis.head
        if second is None:
            found, stored = store_all(head, machine, inputs, ranked=ranked)
            return found, stored.stack.peak
        found, planned = by_plans(head, machine, self.plans, inputs, self.experiment.poison, ranked=ranked)
        return found, planned.stack.peak

    def of_rank(self, rank: int) -> tuple[Machine, Inputs]:
        """The machine shares its code with those of the other ranks, random inputs have a seed of each rank's own."""
        machine = copy.copy(self.machine)
        machine.limits = Limits(self.experiment.limit, self.experiment.room)
        machine.run_by_nodes = {}
        return machine, replace(self.inputs, seed=self.inputs.seed + rank)

    def judged(self, plan: PlanName, found: _Outcome, expected: _Outcome | None,
               predicted: int | None = None) -> RankedRun:
        """What came of a run. Raises InputError where the program goes wrong without any second run."""
        end, error = found.end, None
        if end.failed is not None:
            rank, problem = end.failed
            error = f"rank {rank}, {problem if self.wanted.real else _told(problem, found.ports[rank].where)}"
            if expected is None:
                wrong = problem if isinstance(problem, ReplayError) else ReplayError(str(problem))
                raise program_stopped(wrong, self.root.procedure.span, f"rank {rank}: ") from problem
        equal = None
        if end.ends and expected is not None:
            pairs = zip(found.gradients, expected.gradients, strict=True)
            equal = all(one is not None and other is not None and one.same(other) for one, other in pairs)
        never = sum(one.never_completed for one in found.ports)
        left = found.left_over
        ended = end.ends
        return RankedRun(plan, equal, max(found.peaks), max(port.log_peak for port in found.ports), predicted,
                         sum(port.sent_again for port in found.ports), _stuck(end), left if ended else 0,
                         never if ended else 0, error, _digest(found.gradients) if ended else "")


def _taken(ports: Sequence[PortSummary]) -> tuple[TakenChoice, ...]:
    """What hung on chance: of receives those from anyone."""
    return tuple(TakenChoice(port.rank, at, port.first[at].where, took) for port in ports
                 for at, took in sorted(port.choices.items()) if isinstance(took, tuple) or port.first[at].wild)


def _touched(ports: Sequence[PortSummary], span: Span) -> Iterator[Diagnostic]:
    """SN605, for each buffer that was touched in flight on some rank."""
    seen = {one: port.rank for port in reversed(ports) for one in port.touched}
    for (start, end, kind), rank in sorted(seen.items()):
        what = "what is sent" if kind == "send" else "the buffer that is received into"
        file, _, line = start.rpartition(":")
        yield diagnostic("SN605", f"{what} is written between here and the completion at {end} (rank {rank}, on this "
                         "run): which value counts is chance; write it behind the completion",
                         replace(span, file=file, line=int(line), column=1))


def _digest(gradients: Sequence[Gradient | None]) -> str:
    found = hashlib.sha256()
    for one in gradients:
        for name, values in sorted(one.values.items() if one is not None else ()):
            found.update(name.encode() + values.tobytes())
    return found.hexdigest()[:16]


def _told(problem: Exception, at: str) -> str:
    span = problem.span if isinstance(problem, ReplayError) else None
    where = at if span is None or isinstance(problem, ExchangeError) else f"{span.file}:{span.line}"
    return f"{where}: {problem}"


def _stuck(end: RunEnd) -> tuple[StuckRank, ...]:
    found = []
    for one in end.blocked:
        place: EventPlace = one.place
        found.append(StuckRank(one.rank, place.where, place.sweep, place.text, one.waits_for, one.rank in end.cycle))
    return tuple(found)


WORST: Final = ("silent", "self-contained", "right-tight", "not right-tight")


def ranked_parts(verdicts: Mapping[str, InstanceVerdict], traces: RankedTraces,
           ids: Mapping[str, str]) -> tuple[RankedPart, ...]:
    """By part, the worst verdict on its instances, and what crosses its border."""
    found = []
    for part, names in traces.instances.items():
        ours = [verdicts[name] for name in names if name in verdicts]
        worst = max(ours, key=lambda one: WORST.index(one.verdict), default=None)
        if worst is None:
            continue
        arrows = dict.fromkeys(f"{one.start.event.where} (rank {one.start.rank}, behind the part) to "
                               f"{one.end.event.where} (rank {one.end.rank})" for v in ours for one in v.arrows_back)
        crossing = dict.fromkeys(traces.places[m] for v in ours for m in v.crossing)
        resent = sum(len(one.inside) if one.right_tight else 0 for one in ours)
        every = sum(len(one.inside) + len(one.crossing) for one in ours)
        found.append(RankedPart(ids.get(part, part), worst.verdict, len(ours), every - resent, resent, tuple(crossing),
                                tuple(arrows)))
    return tuple(found)
