"""All that is known of a time loop: its sets and their bytes, by head; the steps recorded, for the machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.analysis_options import AnalysisOptions
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, exactly, members, singleton, union
from snapset.analysis.loops.call_needs import CallNeeds
from snapset.analysis.loops.first_steps import first_steps
from snapset.analysis.loops.loop_results import LoopSets
from snapset.analysis.loops.restart_data import RestartData, StepRuns, closure, find_restart_data
from snapset.analysis.loops.step_bytes import StepBytes, step_bytes
from snapset.analysis.loops.step_dependencies import (
    RecordedStep,
    invariant_values,
    kept_by_steps,
    read_by_adjoint,
    record_step,
    taped_locations,
    with_planes,
)
from snapset.analysis.loops.step_model import loop_stretches, step_adjoint, step_model
from snapset.analysis.loops.step_numbers import StepNumbers, known_value
from snapset.analysis.loops.step_spans import iterations, step_by_step, varying
from snapset.analysis.loops.step_weights import StepWeighing
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.pipeline import HeadAnalysis
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.sections.entry_forms import EntryForms
from snapset.analysis.sections.rotating_planes import DeadPlane, RotatingPlanes
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.interprocedural.marked_loops import LoopPlace
from snapset.frontend.ir import Program


@dataclass(frozen=True)
class LoopAnalysis:
    """A time loop analysed, in one adjoint code. ``first``: a step of the first run, behind which the code after the
    loop follows; ``again``: one of a span that is run again. ``stretches``: what the loop writes of arrays.
    ``invariant``: what the adjoints of steps read as whatever step ran last has left it. ``dead``: of restart data, the
    planes of arrays that each step writes before it reads them."""

    analysis: HeadAnalysis
    loop: TimeLoop
    model: ProcedureModel
    stretches: Mapping[int, ir.Ref]
    runs: StepRuns
    restart: RestartData
    first_demand: May
    first: RecordedStep
    again: RecordedStep
    alone: May
    early: tuple[May, ...]
    invariant: Must
    planes: RotatingPlanes
    dead: Mapping[int, DeadPlane]

    @cached_property
    def recorded_again(self) -> tuple[RecordedStep, ...]:
        """The last step of a span that is run again, recorded, behind which nothing is read; the one before it, behind
        which R_0 is ... Those that have all that restarts any span are alike, and one stands for them."""
        steps = (record_step(self.analysis.adjoints, self.loop, self.model, self.stretches, demanded, self.invariant)
                 for demanded in _shorter(self.restart))
        return (*map(self.kept, steps), self.again)

    def kept(self, step: RecordedStep) -> RecordedStep:
        """A step that keeps of planes that take turns those that its adjoint reads."""
        rules = self.analysis.adjoints.rules
        return step if rules.dag or rules.recompute else with_planes(step, self.loop, self.planes, self.stretches)

    @cached_property
    def shared(self) -> bool:
        """May two locations of a set be names of the same memory? Then only a run tells how much there is of it."""
        space = self.loop.model.space
        sets = (self.restart.all, *(one.at_end for one in (self.first, *self.recorded_again)))
        return any(space.with_aliases(singleton(i)) & bits & ~singleton(i) & ~space.descriptors
                   for bits in sets for i in members(bits))

    @cached_property
    def hazards(self) -> tuple[Diagnostic, ...]:
        """What a step that is run again does otherwise, whatever restarts it."""
        adjoints, levels = self.analysis.adjoints, (self.loop.step, self.loop.whole)
        found = tuple(dict.fromkeys(one for level in levels
                                    for one in adjoints.hazards.in_part(self.loop.model, level.index)))
        if any(one.code == "SN110" for one in found):
            found = adjoints.messages.judged(self.loop.model.procedure.key, self.loop.step.marked, found)
        return tuple(sorted(found, key=lambda one: (one.span, one.code)))

    @property
    def running_again(self) -> tuple[frozenset[int], ...]:
        """The nodes of the same steps, run plainly (the last of a span never is)."""
        runs = self.restart.running
        return (*(runs[0], *runs)[:len(runs) - 1], runs[-1])

    def weighing(self, period: int = 1, at_most: bool = False) -> StepWeighing:
        """What weighs the steps, ``period`` iterations each. ``at_most``: what is one memory by several names counts
        for each, where no run tells."""
        every = [self._bytes_of(one) for one in (self.first, *self.recorded_again)]
        return StepWeighing(every, self.restart.chain, period, self.shared and not at_most)

    def bytes(self) -> StepBytes:
        """The figures of a step that is run again."""
        return self._bytes_of(self.again)

    def _bytes_of(self, step: RecordedStep) -> StepBytes:
        records = self.analysis.records.under(LAZY.name)
        return step_bytes(self.analysis.adjoints, records, self.loop, step, self.stretches, self.dead)


def analyse_loop(program: Program, head: Head, place: LoopPlace,
                 options: AnalysisOptions = AnalysisOptions()) -> tuple[LoopAnalysis, ...]:
    """The loop in each adjoint code that runs it. ``program``: with the loop marked. Raises InputError."""
    analysis = HeadAnalysis(program, head, (LAZY,), options)
    return tuple(_analysed(analysis, loop) for loop in time_loops(analysis, place))


def time_loops(analysis: HeadAnalysis, place: LoopPlace) -> tuple[TimeLoop, ...]:
    """The loop in each adjoint code that has it.

    Raises InputError where the head's adjoint does not come by, or where its steps' own calls run in split mode.
    """
    codes = [key for key in analysis.planning.order() if analysis.planning.code(key).procedure == place.procedure]
    span = Span(place.file, place.line, place.line)
    if not codes:
        raise InputError(f"the adjoint of {analysis.head().text} does not run the loop: no derivative leads through "
                         "its procedure; give another --loop or --head", span)
    found = tuple(_found(analysis.adjoints.by_key[key], key, place) for key in codes)
    for one in found:
        itself = one.adjoint.code.split
        if itself or not one.adjoint.split_calls.keys().isdisjoint(one.whole.nodes):
            what = "the procedure with the loop" if itself else "what a step calls"
            raise InputError(f"a schedule needs {what} to be called as a checkpoint: leave --split, "
                             "--no-call-checkpoints and !$AD NOCHECKPOINT out for it", span)
    return found


def _found(adjoint: ProcedureAdjoint, key: str, place: LoopPlace) -> TimeLoop:
    model = adjoint.model
    for loop in model.flow.loops:
        if (loop.stmt.span.file, loop.stmt.span.line) != (place.file, place.line):
            continue
        ids = {stmt.id for stmt in loop.stmt.body}
        step = next((one for one in model.flow.levels if one.marked is not None and one.marked.id in ids), None)
        if step is not None:
            counter = model.effects[loop.step].kill if loop.step >= 0 else EMPTY
            return TimeLoop(key, adjoint, place, loop, model.flow.levels[step.parent], step, exactly(counter))
    raise AssertionError(place)


def _analysed(analysis: HeadAnalysis, loop: TimeLoop) -> LoopAnalysis:
    adjoints = analysis.adjoints
    if loop.node not in loop.adjoint.levels[loop.around].parts:
        raise InputError("the loop is never reached", loop.span)
    stretches = loop_stretches(adjoints, loop)
    model = step_model(loop, stretches)
    runs = StepRuns(loop, model, CallNeeds(adjoints.models), adjoints.rules.first_run == "whole")
    alone = step_adjoint(adjoints, loop, model)
    restart = find_restart_data(loop, runs, alone)
    demand = closure(loop, runs, restart)
    first = record_step(adjoints, loop, model, stretches, demand)
    again = record_step(adjoints, loop, model, stretches, restart.read)
    invariant = _invariant(adjoints, loop, runs, restart, stretches, (first, again))
    if invariant:
        first = record_step(adjoints, loop, model, stretches, demand, invariant)
        again = record_step(adjoints, loop, model, stretches, restart.read, invariant)
    planes = RotatingPlanes(EntryForms(model, loop.step, loop.counter, loop.moved, restart.chain[0]))
    found = LoopAnalysis(analysis, loop, model, stretches, runs, restart, demand, first, again,
                         read_by_adjoint(loop, alone), first_steps(loop, runs, alone), invariant,
                         planes, planes.of(restart.all, stretches))
    return replace(found, first=found.kept(first), again=found.kept(again))


def _shorter(restart: RestartData) -> tuple[May, ...]:
    """What is read behind the last step of a span, the one before it ..., but for those that have R behind them."""
    return (EMPTY, *restart.reads)[:len(restart.reads) - 1]


def _invariant(adjoints: Adjoints, loop: TimeLoop, runs: StepRuns, restart: RestartData,
               stretches: Mapping[int, ir.Ref], recorded: tuple[RecordedStep, RecordedStep]) -> Must:
    """What each step gives the same values and need not be kept for its adjoint: nothing that runs until then gives it
    others, the code behind the loop neither."""
    model, facts = runs.model, loop.facts
    saved = union(one.at_end | union(taped_locations(loop, one).values()) for one in recorded)
    found = invariant_values(loop, model, runs.untrimmed(EMPTY)) & exactly(saved) & ~(facts.out_dbar | facts.changed)
    plain = (*restart.running, *(runs.first_run(one.demanded).running for one in recorded))
    while found:
        every = [record_step(adjoints, loop, model, stretches, one, found)
                 for one in (*(one.demanded for one in recorded), *_shorter(restart))]
        kept = kept_by_steps(loop, every, plain, found)
        if kept == found:
            break
        found = kept
    return found


def loop_sets(found: LoopAnalysis, period: int = 1, numbers: StepNumbers | None = None) -> LoopSets:
    """The names and figures of a loop. ``numbers``: for what is said of steps that are not alike."""
    loop, restart, figures = found.loop, found.restart, found.bytes()
    space, tape = loop.model.space, figures.dependencies_by_name()
    count = iterations(loop, figures.pushes.scope)
    left = figures.dependencies
    varies = figures.varies(left) or figures.varies(figures.sizes(restart.all))
    said = tuple(_said(figures, count, left, numbers or StepNumbers(valued({})))) if varies else ()
    steps = _grouped(count, period)
    read = restart.read & ~loop.written
    return LoopSets(
        head=found.analysis.head().text, file=loop.place.file, line=loop.place.line,
        procedure=loop.model.procedure.name, steps=steps if loop.is_counted() else None, most_steps=steps,
        period=period, restart=figures.restart_held(restart.all),
        spans=tuple(space.names(one & ~before) for before, one in
                    zip((EMPTY, *restart.chain), restart.chain, strict=False)),
        shorter=tuple(map(figures.restart_held, restart.chain[:restart.chain.index(restart.all)])),
        first_steps=_first_steps(found), untrimmed=figures.held(restart.plain), dependencies=tape[0], control=tape[1],
        parameters=space.names(read), adjoint_parameters=space.names(found.alone & ~loop.written & read),
        restart_bytes=figures.restart_sizes(restart.all), dependency_bytes=left.scaled(period),
        step_peak=figures.peak.scaled(period) if period == 1 else figures.peak + left.scaled(period - 1),
        varies=varies, reasons=dict(_reasons(found, {one.name for one in tape[0]})),
        diagnostics=(*found.hazards, *said))


def _first_steps(found: LoopAnalysis) -> tuple[tuple[str, ...], ...]:
    """Those that something else restarts than the others."""
    every = list(found.early)
    while every and every[-1] == found.restart.all:
        every.pop()
    return tuple(found.loop.model.space.names(one) for one in every)


def _grouped(count: Quantity, period: int) -> Quantity:
    from snapset.analysis.symbolic.extrema import quotient
    from snapset.analysis.symbolic.polynomials import number

    if period == 1:
        return count
    found = quotient(count + number(period - 1), number(period))
    return count if found is None else found


def _said(figures: StepBytes, count: Quantity, left: Quantity, numbers: StepNumbers) -> Iterator[Diagnostic]:
    times = known_value(count, numbers.given) if numbers.steps is None else numbers.steps
    each = None if times is None else step_by_step(left, figures, times, numbers)
    prefix = f"trips({figures.loop.model.procedure.name}:"
    yield varying(figures, left, each, {int(name.removeprefix(prefix)[:-1]): trips for name, trips in
                                        numbers.trips.items() if name in figures.unknown(left)})


def _reasons(found: LoopAnalysis, dependencies: set[str]) -> Iterator[tuple[str, str]]:
    """Why a location is in one of the sets and not in the other."""
    loop, restart, space = found.loop, found.restart, found.loop.model.space
    for index in members(restart.all):
        name = space.infos[index].name
        if name not in dependencies:
            linear = found.alone >> index & 1 == 0
            yield name, ("no derivative reads it: only the forward needs it" if linear else
                         "derivatives read it, but not as it was left")
    for name in sorted(dependencies - set(space.names(restart.all))):
        yield name, "every step writes it before it is read: it restarts nothing"
    for name in space.names(found.invariant):
        yield name, "every step computes it anew with the same values: never stored"
    for index in members(restart.plain & ~restart.all & loop.changed):
        yield space.infos[index].name, "feeds no value that a derivative or a decision reads: restored by others only"
