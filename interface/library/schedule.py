"""The library's :func:`schedule`: what restarts a time loop, what its adjoint needs of each step, and the best schedule
for the bytes there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.analysis import Choices, Region, analysis_options, load, parse_heads, parse_loop

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.loops.checkpoint_room import Room
    from snapset.analysis.loops.loop_analysis import LoopAnalysis
    from snapset.analysis.loops.loop_results import LoopSets
    from snapset.analysis.loops.scheduled_loop import DivideOffer, ScheduledLoop
    from snapset.analysis.loops.step_numbers import StepNumbers
    from snapset.analysis.loops.step_weights import StepWeights
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.analysis.schedules.online_schedules import OnlineOffer
    from snapset.analysis.symbolic.atoms import Sym
    from snapset.frontend.ir import Program


def schedule(
    paths: Iterable[str],
    head: str,
    loop: str | None = None,
    choices: Choices | None = None,
    *,
    memory: int | str | None = None,
    disk: str | None = None,
    step_time: float = 1.0,
    period: int = 1,
    read: ReadOptions | None = None,
    regions: Iterable[Region] = (),
    inputs: Inputs | None = None,
) -> tuple[ScheduledLoop, ...]:
    """A time loop, in each adjoint code that runs it (one, unless ``choices.context``).

    ``loop``: ``FILE:LINE``; None: what stands behind ``!$AD BINOMIAL-CKP``. ``memory``: for checkpoints, ``80KB``;
    ``disk``: ``200GB@1.5GB/s``; ``step_time``: seconds. ``period``: iterations that make a step. ``choices.assume``
    gives numbers to sizes. ``inputs`` (:func:`snapset.library.replay.parse_inputs`): run the program on these, to count
    what no formula tells.
    Raises InputError for what :func:`snapset.report` refuses, for no loop, for one that a jump leaves, and where no
    schedule fits.
    """
    from snapset.analysis.loops.checkpoint_room import parse_room

    collections("schedule", paths=paths, regions=regions)
    files = tuple(paths)
    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted; call snapset.schedule for each")
    if period < 1:
        raise InputError(f"period is {period}; give the number of iterations that make a step, 1 or more")
    choices = choices or Choices()
    program = load(files, read, regions=regions, heads=[head], effects=choices.effects)
    given = () if loop is None else (parse_loop(loop, files),)
    room = None if memory is None else parse_room(str(memory), disk, step_time)
    return schedule_head(program, heads[0], choices, given, period, room, inputs)


def schedule_head(program: Program, head: Head, choices: Choices, loops: Sequence[tuple[str, int]], period: int = 1,
                  room: Room | None = None, inputs: Inputs | None = None,
                  heard: Callable[[str], None] = lambda doing: None) -> tuple[ScheduledLoop, ...]:
    """As :func:`schedule`, for a program that was read; ``heard`` is told what is being done."""
    from snapset.analysis.costs.evaluation import valued
    from snapset.analysis.loops.loop_analysis import analyse_loop, loop_sets
    from snapset.analysis.loops.scheduled_loop import ScheduledLoop
    from snapset.analysis.loops.step_numbers import StepNumbers
    from snapset.frontend.interprocedural.marked_loops import mark_loop, wanted_loops

    found = []
    for file, line in wanted_loops(program, loops):
        heard(f"analysing the loop of {file}:{line}")
        marked, place = mark_loop(program, file, line)
        for one in analyse_loop(marked, head, place, analysis_options(choices)):
            numbers = StepNumbers(valued(choices.assume))
            if inputs is not None:
                heard(f"counting the steps of {file}:{line}")
                numbers = _counted(one, inputs, choices.assume)
            sets = loop_sets(one, period, numbers)
            if room is None:
                found.append(ScheduledLoop(sets))
                continue
            found.append(_table(one, sets, numbers, room))
            if inputs is not None and not found[-1].schedules and not found[-1].unknown:
                heard(f"measuring the steps of {file}:{line}")
                found[-1] = _offered(sets, numbers, room, _measured(one, inputs, period), True)
            if inputs is not None and found[-1].schedules:
                heard(f"dividing the run of {head.text}")
                found[-1] = replace(found[-1], divide=_divided(one, inputs, found[-1]))
    return tuple(found)


def _counted(found: LoopAnalysis, inputs: Inputs, assume: Mapping[str, int]) -> StepNumbers:
    from snapset.analysis.replay.timeloop.counted_steps import count_steps

    return count_steps(found, inputs, dict(assume))


def _measured(found: LoopAnalysis, inputs: Inputs, period: int) -> StepWeights:
    from snapset.analysis.replay.timeloop.counted_steps import measure_steps

    return measure_steps(found, inputs, period)


def _divided(found: LoopAnalysis, inputs: Inputs, table: ScheduledLoop) -> DivideOffer:
    """In the memory that the schedules have, with the working storage of a step."""
    from snapset.analysis.replay.divide.divide_offer import divide_offer
    from snapset.analysis.replay.timeloop.counted_steps import counted_machine

    assert table.room is not None
    working = 0 if table.room.with_step else max((one.measured.working for one in table.schedules[1:]), default=0)
    return divide_offer(found.analysis.prepared(), counted_machine(found), inputs, table.room.memory + working)


def _table(found: LoopAnalysis, sets: LoopSets, numbers: StepNumbers, room: Room) -> ScheduledLoop:
    """All schedules, where every size has a number."""
    from snapset.analysis.loops.scheduled_loop import ScheduledLoop
    from snapset.analysis.loops.step_numbers import known_value
    from snapset.analysis.symbolic.atoms import Sym

    given = numbers.given
    formulas = (sets.most_steps, sets.restart_bytes, sets.dependency_bytes, sets.step_peak)
    names = {name for formula in formulas for name in formula.names if isinstance(name, Sym)}
    unknown = tuple(sorted({one.name for one in names if given(one) is None and one.name not in numbers.trips}))
    steps = known_value(sets.most_steps, given)
    if numbers.steps is not None:
        steps, unknown = -(-numbers.steps//sets.period), ()
    weighed = None if steps is None else found.weighing(sets.period, numbers.steps is None).known(steps, numbers)
    if weighed is None or unknown:
        return ScheduledLoop(sets, (), unknown, room=room, online=_online(sets, given, room))
    return _offered(sets, numbers, room, weighed)


def _offered(sets: LoopSets, numbers: StepNumbers, room: Room, weighed: StepWeights,
             by_run: bool = False) -> ScheduledLoop:
    """The schedules for steps of these bytes. ``by_run``: which a run found, and not the formulas."""
    from snapset.analysis.loops.scheduled_loop import ScheduledLoop
    from snapset.analysis.loops.step_numbers import known_value
    from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError
    from snapset.analysis.schedules.schedule_table import offers

    storages = room.storages(max(weighed.peaks, default=0))
    try:
        table = offers(weighed.sizes, storages, sets.steps is None, weighed.peaks)
    except InfeasibleBudgetError as error:
        raise InputError(f"{error.message}; give that with --memory", Span(sets.file, sets.line, sets.line)) from error
    every = [known_value(one.bytes, numbers.given) if one.bytes is not None else None for one in sets.untrimmed]
    known = [one for one in every if one is not None]
    return ScheduledLoop(sets, table, (), max(weighed.sizes.restart, default=0),
                         sum(known) if len(known) == len(every) else None, room, measured=by_run)


def _online(sets: LoopSets, given: Callable[[Sym], int | None], room: Room) -> OnlineOffer | None:
    """What holds however many steps there are, where the loop does not tell and the bytes of restart data are known."""
    from snapset.analysis.loops.step_numbers import known_value
    from snapset.analysis.schedules.online_schedules import OnlineOffer

    each, working = known_value(sets.restart_bytes, given), known_value(sets.step_peak, given)
    if sets.steps is not None or not each or (room.with_step and working is None):
        return None
    checkpoints = room.storages(working or 0).memory // each
    if not checkpoints:
        raise InputError(f"--memory: {room.memory} bytes are too few for restart data, {each} bytes; a loop of unknown "
                         "length needs one at least", Span(sets.file, sets.line, sets.line))
    return OnlineOffer.of(checkpoints)
