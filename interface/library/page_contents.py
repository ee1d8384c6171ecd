"""What the page of a report is made of: results, the evidence behind them, the source, a run where one is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from snapset.analysis.results import HeadResult
from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from snapset.analysis.evidence.part_explanation import Explanation
    from snapset.analysis.replay.experiment.measurements import Comparison


@frozen
class HeadMaterial:
    """One head. ``why``: by part and location, under the first strategy; ``run``: on the inputs that were given."""

    result: HeadResult
    why: Mapping[tuple[str, str], Explanation]
    run: Comparison | None = None


@frozen
class PageMaterial:
    """All heads, and the lines of the files that were given."""

    heads: tuple[HeadMaterial, ...]
    source: Mapping[str, tuple[str, ...]]
