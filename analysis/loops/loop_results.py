"""What an analysis of a time loop returns: names and formulas, nothing left to compute."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen


@frozen
class HeldLocation:
    """A location in a set. ``shown``: with the elements that count, ``u(2:n-1)``. ``bytes``: None where not known."""

    name: str
    shown: str
    bytes: Quantity | None


@frozen
class LoopSets:
    """A time loop's sets.

    ``steps``: how many there are, as a formula; None where only the run tells. ``period``: iterations of the loop that
    make a step. ``restart``: what restarts any span; ``spans``: the names R_0, R_1 ... add to one another; ``shorter``:
    what suffices for spans of 1, 2 ... iterations, the last of them recorded, where that is less (R_0, R_1 ...);
    ``first_steps``: what restarts step 0, 1 ... where their number decides what they read. ``untrimmed``: what AD tools
    restore that do not know what feeds no derivative. ``dependencies``: what a step leaves for its adjoint, by
    location; ``control``: bytes of branches and trip counts recorded. ``parameters``: what nothing in the loop
    overwrites, read by a span; ``adjoint_parameters``: by the derivatives. ``restart_bytes``, ``dependency_bytes``: of
    one step; ``step_peak``: the highest point of the working storage while one step is reversed. ``varies``: these
    depend on the step. ``reasons``: by location why it is in one set and not in the other.
    """

    head: str
    file: str
    line: int
    procedure: str
    steps: Quantity | None
    most_steps: Quantity
    period: int
    restart: tuple[HeldLocation, ...]
    spans: tuple[tuple[str, ...], ...]
    shorter: tuple[tuple[HeldLocation, ...], ...]
    first_steps: tuple[tuple[str, ...], ...]
    untrimmed: tuple[HeldLocation, ...]
    dependencies: tuple[HeldLocation, ...]
    control: Quantity
    parameters: tuple[str, ...]
    adjoint_parameters: tuple[str, ...]
    restart_bytes: Quantity
    dependency_bytes: Quantity
    step_peak: Quantity
    varies: bool
    reasons: Mapping[str, str]
    diagnostics: tuple[Diagnostic, ...]
