"""From a head to numbers: the gradient of its dependents with respect to its independents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

import numpy as np
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.experiment.head_arguments import smooth
from snapset.analysis.replay.experiment.inputs import Inputs, start
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.planned_adjoint import PlanRun
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES, stopped
from snapset.analysis.replay.machine.stack_profile import HeightRecorder
from snapset.analysis.replay.machine.store_all import StoreAll
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.analysis.replay.ranks.mpi_machine import MpiMachine
from snapset.frontend.base.frozen_records import frozen

IMAGINARY = 0.5  # what the imaginary part of a dependent counts, for each unit of its real part


@frozen
class Gradient:
    """Adjoints of the independents by name, bit for bit comparable. ``lower``: their lower bounds."""

    values: Mapping[str, Array]
    lower: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def same(self, other: Gradient) -> bool:
        """Equal bit for bit?"""
        return self.values.keys() == other.values.keys() and all(
            a.dtype == other.values[n].dtype and a.tobytes() == other.values[n].tobytes()
            for n, a in self.values.items())


@frozen
class Dependents:
    """Their values when the program has run, and what their adjoints begin with."""

    values: Mapping[str, Array]
    weights: Mapping[str, Array]


def names_of(head: Head, machine: Machine, which: str) -> tuple[str, ...]:
    """The head's independents or dependents; where it names none, all real arguments."""
    named = head.independents if which == "independents" else head.dependents
    procedure = machine.program.procedures[machine.root]
    if named is not None:
        return named
    result = (procedure.result,) if procedure.result and which == "dependents" else ()
    return (*procedure.formals, *result)


def seed(head: Head, machine: Machine, frame: Frame) -> None:
    """Give the dependents' adjoints their start values: 1, and 1 to 2 for the elements of arrays; half of that for
    imaginary parts."""
    for name in names_of(head, machine, "dependents"):
        for _, slot in smooth(name, machine, frame):
            b = slot.b
            if b is not None:
                b[...] = weights(b) * (1.0 if b.dtype.kind == "f" else 1.0 + IMAGINARY * 1j)


def objective(head: Head, machine: Machine, frame: Frame) -> float:
    """The weighted sum of the dependents that :func:`seed` differentiates."""
    total = 0.0
    for name in names_of(head, machine, "dependents"):
        for _, slot in smooth(name, machine, frame):
            a = slot.values
            total += float(np.sum(weights(a) * (np.real(a) + IMAGINARY * np.imag(a))))
    return total


def weights(a: Array) -> Array:
    """What the elements of a dependent count."""
    found: Array = 1.0 + np.arange(a.size).reshape(a.shape, order="F") / max(1, a.size)
    return found


def dependents_of(head: Head, machine: Machine, frame: Frame) -> Dependents:
    """Read the dependents and their adjoints, which :func:`seed` set."""
    values: dict[str, Array] = {}
    start: dict[str, Array] = {}
    for name in names_of(head, machine, "dependents"):
        for full, slot in smooth(name, machine, frame):
            if slot.a is not None and slot.b is not None:
                values.update(_real_parts(full, slot.a))
                start.update(_real_parts(full, slot.b))
    return Dependents(values, start)


def gradient_of(head: Head, machine: Machine, frame: Frame) -> Gradient:
    """Read the independents' adjoints; those of a complex one by its real and by its imaginary part."""
    found: dict[str, Array] = {}
    lower: dict[str, tuple[int, ...]] = {}
    for name in names_of(head, machine, "independents"):
        for full, slot in smooth(name, machine, frame, entered=True):
            if slot.b is not None:
                parts = _real_parts(full, slot.b)
                found.update(parts)
                lower.update(dict.fromkeys(parts, slot.lo))
    return Gradient(found, lower)


def _real_parts(name: str, array: Array) -> dict[str, Array]:
    """A copy, of a complex array its real and its imaginary part."""
    parts = {name: array} if array.dtype.kind == "f" else {f"{name}%re": array.real, f"{name}%im": array.imag}
    return {part: one.copy(order="C") for part, one in parts.items()}


def entered(machine: Machine, inputs: Inputs) -> Frame:
    """The head's procedure entered. Raises ReplayError, with its place, where its own bounds go wrong."""
    try:
        return start(machine, inputs)
    except FAILURES as error:
        raise stopped(error, machine.program.procedures[machine.root].span) from error


def store_all(head: Head, machine: Machine, inputs: Inputs,
              heard: Callable[[Dependents], None] = lambda found: None,
              ranked: MpiMachine | None = None) -> tuple[Gradient, StoreAll]:
    """The reference gradient; ``heard`` is told the dependents' values at the turn. ``ranked``: which rank it is."""
    with np.errstate(all="ignore"):
        frame = entered(machine, inputs)
        frame.memory.ranked = ranked
        run = StoreAll(machine)
        run.forward(frame)
        seed(head, machine, frame)
        heard(dependents_of(head, machine, frame))
        run.backward()
    return gradient_of(head, machine, frame), run


def primal(head: Head, machine: Machine, inputs: Inputs, moved: Mapping[str, Array] | None = None,
           ranked: MpiMachine | None = None) -> float:
    """The objective, with ``moved`` added to the independents' start values. ``ranked``: which rank it is."""
    with np.errstate(all="ignore"):
        frame = entered(machine, inputs)
        frame.memory.ranked = ranked
        for name, change in (moved or {}).items():
            for own, slot in smooth(name.removesuffix("%re").removesuffix("%im"), machine, frame, entered=True):
                if name in (own, f"{own}%re", f"{own}%im"):
                    slot.values[...] += change * (1j if name == f"{own}%im" else 1)
        machine.run(frame)
    return objective(head, machine, frame)


def planned(head: Head, machine: Machine, analysis: Analysis, records: Mapping[str, ProcedureRecord],
            inputs: Inputs, poison: bool = True) -> tuple[Gradient, PlanRun]:
    """The gradient under a plan (``records``: from
    :func:`snapset.analysis.recording.program_recording.record_program`)."""
    return by_plans(head, machine, make_plans(machine, analysis, records), inputs, poison)


def by_plans(head: Head, machine: Machine, plans: Plans, inputs: Inputs, poison: bool = True,
             heights: HeightRecorder | None = None, ranked: MpiMachine | None = None) -> tuple[Gradient, PlanRun]:
    """The gradient under plans that are made already. ``ranked``: which rank it is."""
    with np.errstate(all="ignore"):
        frame = entered(machine, inputs)
        frame.memory.ranked = ranked
        run = PlanRun(machine, plans, poison, heights)
        run.adjoint(frame, plans.procedures[machine.root], 0, lambda: seed(head, machine, frame))
    return gradient_of(head, machine, frame), run
