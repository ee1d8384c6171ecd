"""One head under several strategies: is the gradient the store-all adjoint's, bit for bit, and what did it cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import prod

import numpy as np
from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.costs.evaluation import predicted
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.part_places import extent, part_ids, places
from snapset.analysis.pipeline import AnalysisOptions, check_partitions, prepare
from snapset.analysis.placement.decisions_explained import resolve
from snapset.analysis.placement.proved_partition import prove
from snapset.analysis.recording.head_records import not_kept
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import EAGER, LAZY, Strategy, at_parts
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.experiment.endless_programs import check_end
from snapset.analysis.replay.experiment.gradient import Dependents, Gradient, by_plans, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import (
    Comparison,
    Difference,
    Lost,
    Necessity,
    Numbers,
    PushedBytes,
    Reference,
    StrategyRun,
    Why,
)
from snapset.analysis.replay.experiment.used_inputs import InputUsed, check_inputs, elements
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.planned_adjoint import PlanRun
from snapset.analysis.replay.machine.primal import ENDLESS, Limits, Machine
from snapset.analysis.replay.machine.primal import ROOM as ROOM
from snapset.analysis.replay.machine.stack import FAILURES, program_stopped
from snapset.analysis.replay.machine.stack_profile import HeightRecorder
from snapset.analysis.replay.machine.store_all import StoreAll
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir import Program
from snapset.frontend.rules import diagnostic

DROPPABLE = ("snp", "sbk", "tape")


@frozen
class ExperimentOptions:
    """What to do beside comparing gradients.

    ``poison``: destroy what the analysis says nobody needs any more. ``necessity``: lose each saved location in
    turn. ``profile``: record the stack's height over time. ``limit``: statements, after which a run is endless.
    ``room``: bytes that the store-all adjoint may keep. ``predict``: what the stack model says of each run.
    """

    poison: bool = True
    necessity: bool = False
    profile: bool = False
    limit: int = ENDLESS
    room: int = ROOM
    predict: bool = True


_USUAL = ExperimentOptions()


@frozen
class Standard:
    """The store-all adjoint of a head, run once: what all plans on the same inputs are compared with."""

    machine: Machine
    inputs: Inputs
    used: tuple[InputUsed, ...]
    dependents: Dependents
    gradient: Gradient
    run: StoreAll


def compare(program: Program, head: Head, strategies: Sequence[Strategy] = (LAZY,), inputs: Inputs | None = None,
            options: AnalysisOptions | None = None, wanted: ExperimentOptions = _USUAL,
            heard: Callable[[str], None] = lambda doing: None) -> Comparison:
    """Run a head's adjoint under each strategy and against store-all. ``heard`` is told what is being done.

    Raises:
        InputError: what :func:`prepare` raises, code that the machine does not execute, inputs that do not fit,
            or a program that goes wrong on them.
    """
    options = options or AnalysisOptions()
    analysis = prepare(program, head, options)
    return compared(analysis, strategies, options, wanted, standard(analysis, inputs or Inputs(), wanted, heard), heard)


def standard(analysis: Analysis, inputs: Inputs, wanted: ExperimentOptions = _USUAL,
             heard: Callable[[str], None] = lambda doing: None) -> Standard:
    """Run the store-all adjoint. Raises InputError: see :func:`compare`."""
    root = analysis.models.by_key[find_procedure(analysis.models.program, analysis.head).key]
    check_end(root)
    machine = Machine(analysis.models.program, root.procedure.key)
    machine.limits = Limits(wanted.limit, wanted.room)
    heard("replaying store-all")
    try:
        used = check_inputs(machine, inputs)
        reached: list[Dependents] = []
        expected, all_stored = store_all(analysis.head, machine, inputs, reached.append)
    except FAILURES as error:
        raise program_stopped(error, root.procedure.span) from error
    return Standard(machine, inputs, tuple(used), reached[0], expected, all_stored)


def compared(analysis: Analysis, strategies: Sequence[Strategy], options: AnalysisOptions, wanted: ExperimentOptions,
             with_: Standard, heard: Callable[[str], None] = lambda doing: None) -> Comparison:
    """Run an analysed head under each strategy, against a store-all run of the same program. Raises InputError."""
    machine, used, expected, all_stored = with_.machine, with_.used, with_.gradient, with_.run
    ids = part_ids(analysis.adjoints, analysis.order)
    trial = _Trial(analysis, machine, with_.inputs, expected, wanted, heard, ids)
    numbers = {**options.assume, **assumed(used)}
    ready = resolve(analysis.adjoints, analysis.order, [at_parts(one, ids) for one in strategies], numbers, prove)
    records = {s.name: record_program(analysis.adjoints, analysis.order, s) for s in ready.strategies}
    check_partitions(analysis.adjoints, records, ready.strategies)
    runs = trial.each(records)
    if wanted.predict:
        runs = {name: _predicted(run, analysis, records[name], numbers) for name, run in runs.items()}
        unsure = ready.optimum is not None and (ready.optimum.defaulted or trial.may_go_otherwise())
        for asked in strategies if unsure else ():
            if asked.kind == "optimal" and (least := _less_on_this_run(trial, strategies, runs, asked)) is not None:
                records[asked.name] = record_program(analysis.adjoints, analysis.order, least)
                runs[asked.name] = _predicted(replace(trial.run(asked.name, records[asked.name]), chosen=least.name),
                                              analysis, records[asked.name], numbers)
    reference = Reference(all_stored.stack.peak, all_stored.stack.traffic, all_stored.stack.pushes,
                          all_stored.steps, all_stored.steps + all_stored.derivatives_run,
                          _numbers(with_.dependents.values), _numbers(with_.dependents.weights),
                          _numbers(expected.values))
    remarks = {*doubts(with_), *_hazards(analysis)}
    for record in records.values():
        for key, its in record.items():
            remarks.update(not_kept(analysis.adjoints.by_key[key], its, analysis.adjoints.hazards))
    return Comparison(analysis.head.text, used, reference, tuple(runs.values()),
                      tuple(sorted(remarks, key=lambda d: (d.span, d.code))))


def _less_on_this_run(trial: _Trial, strategies: Sequence[Strategy], runs: Mapping[str, StrategyRun],
                      optimal: Strategy) -> Strategy | None:
    """Of lazy, and of eager if it was asked for, the one that takes less than what ``optimal`` chose: a lower peak, or
    at the same peak less traffic. None where neither does.

    optimal is the best under the cost model, which counts of every IF the dearer side, and of a loop that may be left
    early all iterations, and takes a number for what no formula tells. Where there is none of these, the model's
    figures are those of every run, and nothing takes less.
    """
    mine, found = runs[optimal.name], None
    if not mine.equal:
        return None
    least = _cost(mine)
    for other in (LAZY, EAGER):
        if other in strategies or other == LAZY:
            known = runs[other.name] if other in strategies else trial.plainly(other)
            if known.equal and _cost(known) < least:
                least, found = _cost(known), other
    return found


def _cost(run: StrategyRun) -> tuple[int, int]:
    return run.peak_bytes or 0, run.traffic_bytes or 0


def _predicted(run: StrategyRun, analysis: Analysis, records: Mapping[str, ProcedureRecord],
               numbers: Mapping[str, int]) -> StrategyRun:
    found = predicted(analysis.adjoints, analysis.order, records, numbers)
    return replace(run, predicted_peak_bytes=found.peak, predicted_traffic_bytes=found.traffic)


def assumed(used: Sequence[InputUsed]) -> dict[str, int]:
    """The inputs as numbers for names in the cost model's formulas: integers, and the sizes of arrays."""
    found: dict[str, int] = {}
    for one in used:
        if one.shape:
            found[f"size({one.name})"] = prod(one.shape)
            found |= {f"size({one.name},{k})": n for k, n in enumerate(one.shape, 1)}
        elif isinstance(one.value, int) and not isinstance(one.value, bool):
            found[one.name] = one.value
    return found


def _numbers(values: Mapping[str, Array]) -> Mapping[str, Numbers]:
    return {name: Numbers(one.shape, elements(one)) for name, one in values.items()}


def differences(expected: Gradient, found: Gradient) -> tuple[Difference, ...]:
    """The independents whose adjoints are not equal bit for bit; the first element of each, in Fortran's order."""
    result = []
    for name, right in expected.values.items():
        other = found.values[name]
        bits = f"u{right.itemsize}"
        wrong = np.flatnonzero(right.ravel(order="F").view(bits) != other.ravel(order="F").view(bits))
        if wrong.size:
            at = np.unravel_index(int(wrong[0]), right.shape, order="F")
            lower = expected.lower.get(name, (1,) * right.ndim)
            element = tuple(int(i) + low for i, low in zip(at, lower, strict=True))
            result.append(Difference(name, element, float(right[at]), float(other[at]), int(wrong.size)))
    return tuple(result)


class _Trial:
    """One head, ready to run under any strategy."""

    def __init__(self, analysis: Analysis, machine: Machine, inputs: Inputs, expected: Gradient,
                 wanted: ExperimentOptions, heard: Callable[[str], None], ids: Mapping[tuple[str, int], str]) -> None:
        self.analysis = analysis
        self.machine = machine
        self.inputs = inputs
        self.expected = expected
        self.wanted = wanted
        self.heard = heard
        self.ids = ids

    def may_go_otherwise(self) -> bool:
        """Does anything but the bounds of DO loops decide what runs?"""
        flows = (self.analysis.adjoints.by_key[key].model.flow for key in self.analysis.order)
        return any(node.kind == "test" for flow in flows for node in flow.nodes)

    def plainly(self, strategy: Strategy) -> StrategyRun:
        """One strategy's figures alone."""
        plain = replace(self.wanted, necessity=False, profile=False)
        trial = _Trial(self.analysis, self.machine, self.inputs, self.expected, plain, self.heard, self.ids)
        return trial.run(strategy.name, record_program(self.analysis.adjoints, self.analysis.order, strategy))

    def each(self, records: Mapping[str, Mapping[str, ProcedureRecord]]) -> dict[str, StrategyRun]:
        """By strategy. What records the same as another one runs as that one did."""
        runs: dict[str, StrategyRun] = {}
        for name, record in records.items():
            same = next((other for other in runs if records[other] == record), None)
            runs[name] = self.run(name, record) if same is None else replace(runs[same], name=name)
        return runs

    def run(self, strategy: str, records: Mapping[str, ProcedureRecord]) -> StrategyRun:
        self.heard(f"replaying {strategy}")
        plans = make_plans(self.machine, self.analysis, records)
        heights = HeightRecorder() if self.wanted.profile else None
        try:
            found, run = by_plans(self.analysis.head, self.machine, plans, self.inputs, self.wanted.poison, heights)
        except ReplayError as error:
            where = f"{error.span.file}:{error.span.line}: " if error.span else ""
            return StrategyRun(strategy, False, error=f"{where}{error}")
        different = differences(self.expected, found)
        stack = run.stack
        spent = self.spent(plans, run)
        return StrategyRun(
            strategy, not different, different,
            peak_bytes=stack.peak,
            traffic_bytes=stack.traffic,
            pushes=stack.pushes,
            control_bytes=sum(one.bytes for one in spent if one.kind == "control"),
            recomputed_steps=run.recomputed,
            adjoint_steps=stack.steps,
            spent=spent,
            necessity=self.necessity(strategy, plans, run) if self.wanted.necessity and not different else None,
            profile=heights.profile(stack.steps) if heights is not None else None,
            parts={mark: self.ids[mark] for mark in (heights.parts() if heights is not None else ())})

    def spent(self, plans: Plans, run: PlanRun) -> tuple[PushedBytes, ...]:
        """What took bytes, by part and line; statements of one line that save the same together."""
        found: dict[PushedBytes, PushedBytes] = {}
        for number in range(len(plans.rows)):
            if run.stack.bytes[number]:
                one = self.one(plans, number, run.stack.bytes[number], run.stack.pushed[number])
                key = one.without_figures()
                found[key] = one.plus(found[key]) if key in found else one
        return tuple(sorted(found.values(), key=lambda s: (s.file, s.line, s.kind, s.location)))

    def one(self, plans: Plans, number: int, count: int, pushes: int) -> PushedBytes:
        row = plans.rows[number]
        adjoint = self.analysis.adjoints.by_key[row.procedure]
        flow = adjoint.model.flow
        if row.kind in ("snp", "sbk"):
            node = row.node
            span, _ = extent(adjoint, node, adjoint.levels[row.level].graph.parts.get(node))
        else:
            node = flow.levels[row.level].enter if row.level else -1
            span = adjoint.model.place(row.node)
        return PushedBytes(self.ids.get((row.procedure, node)), adjoint.model.procedure.name, row.kind, span.file,
                           span.line, row.location, count, pushes)

    # ------------------------------------------------------------ necessity

    def necessity(self, strategy: str, plans: Plans, run: PlanRun) -> Necessity:
        """Lose each location that was saved, alone: does the gradient change?

        Nothing is destroyed on purpose then, so a loss shows only where something else really stands in the
        location's place. What is superfluous is run again with poison, which tells why.
        """
        saved = [n for n, row in enumerate(plans.rows) if row.kind in DROPPABLE and run.stack.bytes[n]]
        lost = []
        with limited(self.machine, 4 * (run.statements + run.recomputed) + 1000):
            for done, number in enumerate(saved):
                self.heard(f"replaying {strategy} without each of {len(saved)} saved locations, {done} done")
                one = self.one(plans, number, run.stack.bytes[number], run.stack.pushed[number])
                lost.append(Lost(number, one, self.superfluous(plans.without(number))))
        return Necessity(tuple(lost))

    def superfluous(self, fewer: Plans) -> Why | None:
        """Why the gradient is the same under plans that save less; None where it is not."""
        if self.changes(fewer, poison=False):
            return None
        return "unchanged" if self.changes(fewer, poison=True) else "unused"

    def changes(self, plans: Plans, poison: bool) -> bool:
        try:
            found, _ = by_plans(self.analysis.head, self.machine, plans, self.inputs, poison)
        except ReplayError:
            return True
        return not found.same(self.expected)


@contextmanager
def limited(machine: Machine, steps: int) -> Iterator[None]:
    """Runs that lost a trip count end soon."""
    before = machine.limits.left
    machine.limits.left = min(before, steps)
    try:
        yield
    finally:
        machine.limits.left = before


def _hazards(analysis: Analysis) -> Iterator[Diagnostic]:
    """What a second run of a part does otherwise: why a gradient may differ whatever is saved."""
    hazards = analysis.adjoints.hazards
    for key in analysis.order:
        adjoint = analysis.adjoints.by_key[key]
        for level, node in places(adjoint):
            inner = adjoint.levels[level].graph.parts.get(node)
            yield from hazards.in_call(adjoint.model, node) if inner is None else hazards.in_part(adjoint.model, inner)


def doubts(reference: Standard) -> tuple[Diagnostic, ...]:
    """A reference that proves little."""
    machine = reference.machine
    return doubtful([reference.gradient], machine.program.procedures[machine.root].span)


def doubtful(gradients: Sequence[Gradient], span: Span) -> tuple[Diagnostic, ...]:
    """SN401 for store-all gradients (of several ranks) that are no number somewhere, or zero everywhere."""
    values = [a.ravel() for one in gradients for a in one.values.values()]
    every = np.concatenate(values) if values else np.zeros(0)
    if not np.all(np.isfinite(every)):
        what = "not a number, or infinite, in places"
    elif not np.any(every):
        what = "zero everywhere"
    else:
        return ()
    return (diagnostic("SN401", f"the store-all gradient is {what} on these inputs, so that an equal one "
                       "proves little", span),)
