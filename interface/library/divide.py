"""The library's :func:`divide`: any program that can be interrupted, resumed and differentiated for an interval."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from snapset.frontend.base.diagnostics import InputError

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.divide.drivers import Interruptible, Watcher
    from snapset.analysis.replay.divide.divide_experiment import DivideOptions
    from snapset.analysis.replay.divide.divide_results import DivideComparison
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.frontend.ir import Program
    from snapset.library.analysis import Choices

Z = TypeVar("Z")
Y = TypeVar("Y")


def divide(
    program: Interruptible[Z, Y],
    start: Z,
    steps: int,
    adjoint: Y,
    *,
    leaf: int | None = None,
    space: int | None = None,
    time: int | None = None,
    log: bool = False,
    mid: str = "binomial",
    driver: str = "binary",
    watcher: Watcher[Z] | None = None,
) -> Y:
    """The adjoint at the beginning of a run of ``steps`` steps, by divide and conquer over ``program``.

    ``program`` has three functions (an AD tool's own, or made with fork()):

        interrupt(capsule, steps, most)    run on for ``steps``; the capsule there, and the steps that were run: another
                                           number below ``most`` where a stop is not possible, 0 where it is nowhere
        resume(capsule)                    run to the end
        adjoint(capsule, steps, adjoint)   the adjoint at the capsule from that ``steps`` later

    ``start``: the capsule at the beginning. ``adjoint``: that of the end. ``leaf``: steps differentiated at once;
    ``space``, ``time``: capsules held at once, reruns of a step; of the three the others follow by eta(d, t) =
    C(d+t, t) leaves; ``log``: d = t. ``mid``: bisection, binomial or optimal; ``driver``: binary or treeverse.
    ``watcher`` hears of every split, leaf and capsule that is released.

    Raises InputError for options that contradict each other, or that nobody knows.
    """
    from snapset.analysis.divide.drivers import DRIVERS, Driver, binary, treeverse
    from snapset.analysis.divide.pick import HALVES, pick
    from snapset.analysis.divide.split_points import MIDS

    if mid not in MIDS or driver not in DRIVERS:
        raise InputError(f"mid is one of {', '.join(MIDS)}, driver one of {', '.join(DRIVERS)}")
    try:
        rule = pick(steps, leaf, space, time, log, mid == HALVES)
    except ValueError as error:
        raise InputError(f"{error}") from error
    drive: Driver[Y] = binary if driver == "binary" else treeverse
    return drive(program, start, steps, rule, MIDS[mid], adjoint, watcher)


def divide_head(program: Program, head: Head, wanted: DivideOptions, choices: Choices, inputs: Inputs,
                heard: Callable[[str], None] = lambda doing: None,
                shared: Callable[[float], None] = lambda done: None) -> DivideComparison:
    """A head's run divided on the machine; ``heard`` is told what is being done, ``shared`` how much of the divided
    runs is done."""
    from snapset.analysis.replay.divide import divide_experiment
    from snapset.library.analysis import analysis_options

    return divide_experiment.divide(program, head, wanted, inputs, analysis_options(choices), heard, shared)
