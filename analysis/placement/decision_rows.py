"""What the rows of requirements hand to the rows of the stack: what is pushed where, and whether it is.

Is u of part 1 saved or taped? ``800 bytes, if x`` and ``80 bytes, if 1 - x``, x being the column of that decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from snapset.analysis.placement.linear_program import LinearProgram, LinearSum
from snapset.analysis.recording.strategies import Place
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.frozen_records import frozen

Pushed: TypeAlias = tuple[tuple[LinearSum, Quantity], ...]  # bytes, and whether they are pushed


class NotSeparableError(Exception):
    """The costs do not follow from each location's decisions alone; the text says why."""


@frozen
class SavedAtPart:
    """What a part's snapshot holds: Sbk, and what is in Snp alone."""

    sbk: Pushed
    snp: Pushed


@dataclass(slots=True)
class RequirementRows:
    """By code, level and node: what parts save, what other nodes tape, what is recorded of control."""

    program: LinearProgram
    columns: Mapping[tuple[Place, bool, int], LinearSum]
    decided: Mapping[Place, Sequence[int]]
    saved: dict[Place, SavedAtPart] = field(default_factory=dict)
    taped: dict[Place, Pushed] = field(default_factory=dict)
    control: dict[Place, Pushed] = field(default_factory=dict)
    entry: dict[str, dict[int, LinearSum]] = field(default_factory=dict)
    entered: dict[tuple[str, int], list[LinearSum]] = field(default_factory=dict)
