"""What a comparison of strategies returns: frozen figures, all counted while running."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias

from snapset.analysis.replay.experiment.used_inputs import InputUsed
from snapset.analysis.replay.machine.plan_tables import Kind
from snapset.analysis.replay.machine.stack_profile import Mark, Profile
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen


@frozen
class Difference:
    """The adjoint of an independent is not store-all's in ``count`` elements. ``element``: Fortran subscripts of the
    first (() for a scalar); ``store_all`` and ``found``: both values there."""

    independent: str
    element: tuple[int, ...]
    store_all: float
    found: float
    count: int


@frozen
class PushedBytes:
    """Bytes and pushes of one location saved at one place.

    ``kind``: ``snp``, ``sbk`` (saved before the part ``part``), or what the adjoint of ``part`` (None: of the
    procedure outside any marked part) tapes at the line: ``tape``, a WHERE's ``mask``, ``control``.
    """

    part: str | None
    procedure: str
    kind: Kind
    file: str
    line: int
    location: str
    bytes: int
    pushes: int

    def without_figures(self) -> PushedBytes:
        """The place alone."""
        return replace(self, bytes=0, pushes=0)

    def plus(self, other: PushedBytes) -> PushedBytes:
        """Both at one place together."""
        return replace(self, bytes=self.bytes + other.bytes, pushes=self.pushes + other.pushes)


Why: TypeAlias = Literal["unused", "unchanged"]


@frozen
class Lost:
    """One saved location lost on purpose. ``row``: its number, the same on every input.

    ``superfluous``: None where the gradient changed; ``unused``: nothing reads it afterwards, even destroying it
    changes nothing; ``unchanged``: it is read, but on this input its place still holds the right value.
    """

    row: int
    saved: PushedBytes
    superfluous: Why | None


@frozen
class Necessity:
    """``lost``: every location that was saved on this input (per part, or per statement that tapes), lost alone."""

    lost: tuple[Lost, ...]

    @property
    def saved(self) -> int:
        """How many there are."""
        return len(self.lost)

    @property
    def superfluous(self) -> tuple[Lost, ...]:
        """Those whose loss does not change this gradient."""
        return tuple(one for one in self.lost if one.superfluous is not None)

    @property
    def share(self) -> float | None:
        """The share whose loss changes the gradient; None where nothing was saved."""
        return (self.saved - len(self.superfluous)) / self.saved if self.saved else None


@frozen
class Numbers:
    """A variable's elements in array element order; ``shape`` is () for a scalar. Complex ones are two variables,
    ``z%re`` and ``z%im``."""

    shape: tuple[int, ...]
    elements: tuple[float, ...]


@frozen
class Reference:
    """The store-all adjoint. ``primal_steps``: statements, tests and calls of the program run once; ``adjoint_steps``:
    those and the statement adjoints.

    ``values``: of the dependents, when the program has run; ``weights``: what their adjoints began with, so that
    ``gradient`` is that of the sum of weights times values, by each independent."""

    peak_bytes: int
    traffic_bytes: int
    pushes: int
    primal_steps: int
    adjoint_steps: int
    values: Mapping[str, Numbers] = field(default_factory=dict)
    weights: Mapping[str, Numbers] = field(default_factory=dict)
    gradient: Mapping[str, Numbers] = field(default_factory=dict)


@frozen
class StrategyRun:
    """One strategy's adjoint. Where ``error`` says how it failed, no figure is known.

    ``peak_bytes``, ``traffic_bytes``: of the stack, ``control_bytes`` among them; ``recomputed_steps``: of first
    runs, which a second run repeats; ``adjoint_steps``: of all runs, and the statement adjoints. ``spent`` adds up to
    the totals. ``parts``: the ids of the parts that ``profile`` marks. ``predicted_peak_bytes``,
    ``predicted_traffic_bytes``: the cost model's figures for these inputs (branches: the worse side), None where a
    trip count is not known. ``chosen``: under optimal, the strategy that takes less on this run than what the model
    says is best: its sets are what ran.
    """

    name: str
    equal: bool
    differences: tuple[Difference, ...] = ()
    error: str | None = None
    peak_bytes: int | None = None
    traffic_bytes: int | None = None
    pushes: int | None = None
    control_bytes: int | None = None
    recomputed_steps: int | None = None
    adjoint_steps: int | None = None
    spent: tuple[PushedBytes, ...] = ()
    necessity: Necessity | None = None
    profile: Profile | None = None
    parts: Mapping[Mark, str] = field(default_factory=dict)
    predicted_peak_bytes: int | None = None
    predicted_traffic_bytes: int | None = None
    chosen: str | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"{self.name}: {self.error}"
        verdict = "equal" if self.equal else "another gradient"
        return f"{self.name}: {verdict}; peak {self.peak_bytes} bytes, traffic {self.traffic_bytes} bytes"


@frozen
class Comparison:
    """One head on one input. ``inputs``: what it ran with."""

    head: str
    inputs: tuple[InputUsed, ...]
    reference: Reference
    runs: tuple[StrategyRun, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def equal(self) -> bool:
        """Did every strategy give the store-all gradient?"""
        return all(run.equal for run in self.runs)

    def __str__(self) -> str:
        """``lazy: equal; peak 3960 bytes, traffic 3960 bytes``, a line for each strategy; store-all first."""
        stored = self.reference
        head = f"{self.head}\n  store-all: peak {stored.peak_bytes} bytes, traffic {stored.traffic_bytes} bytes"
        return "\n".join([head, *(f"  {run}" for run in self.runs)])
