"""What executing a time loop under schedules returns: frozen figures, measured beside predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, fields
from typing import Literal, TypeAlias

from snapset.analysis.replay.experiment.measurements import Difference, Why
from snapset.analysis.replay.experiment.used_inputs import InputUsed
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen

LossSet: TypeAlias = Literal["restart", "dependencies"]
AsPredicted: TypeAlias = Literal["same", "less", "more"]


@frozen
class LoopFigures:
    """Of all times that the loop was entered. ``stored``: the most bytes of checkpoints at once, ``peak``: with the
    working storage; ``forward``: steps run, first run included; ``writes``, ``reads``: checkpoints, and their bytes,
    ``written``, ``read``."""

    stored: int
    peak: int
    forward: int
    writes: int
    reads: int
    written: int
    read: int

    def within(self, other: LoopFigures) -> bool:
        """Is no figure above the other's?"""
        return all(a <= b for a, b in zip(astuple(self), astuple(other), strict=True))

    def besides(self, other: LoopFigures) -> Iterator[tuple[str, int, int]]:
        """The names of figures that are not the other's, this one and the other."""
        for one in fields(self):
            here, there = getattr(self, one.name), getattr(other, one.name)
            if here != there:
                yield one.name, here, there


@frozen
class ScheduleRun:
    """The adjoint with the loop under one schedule. Where ``error`` says how it failed, nothing was measured.

    ``by_formula``: the prediction is made from the formulas of the sets; else from what a run left step by step.
    """

    name: str
    equal: bool
    differences: tuple[Difference, ...] = ()
    error: str | None = None
    measured: LoopFigures | None = None
    predicted: LoopFigures | None = None
    by_formula: bool = True

    @property
    def as_predicted(self) -> AsPredicted | None:
        """Did it take what was predicted? ``more``: of anything. None where nothing was measured."""
        if self.measured is None or self.predicted is None:
            return None
        if self.measured == self.predicted:
            return "same"
        return "less" if self.measured.within(self.predicted) else "more"


@frozen
class LostLocation:
    """A location of one of the sets that was left out: ``superfluous`` says why the gradient stayed as it is; None
    where it did not."""

    set: LossSet
    location: str
    superfluous: Why | None


@frozen
class LoopReplay:
    """A head's adjoint, its time loop under schedules. ``steps``: each time that the loop was entered. ``memory``:
    bytes for checkpoints, beside the working storage. ``restart``, ``dependencies``: the most bytes of one.
    ``lost``: None unless asked for."""

    head: str
    file: str
    line: int
    inputs: tuple[InputUsed, ...]
    steps: tuple[int, ...]
    memory: int
    restart: int
    dependencies: int
    runs: tuple[ScheduleRun, ...]
    lost: tuple[LostLocation, ...] | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def equal(self) -> bool:
        """Are all gradients the store-all adjoint's?"""
        return all(run.equal for run in self.runs)
