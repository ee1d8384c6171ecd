"""The box of a part as others see it: where its rows are, and what is in it."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.results import Part
from snapset.frontend.base.frozen_records import frozen
from snapset.render.layout.markup import Html


@frozen
class PartBox:
    """``id``: its anchor; ``rows``: those of its variables; ``kept``: the variables that the first strategy saves."""

    part: Part
    id: str
    rows: Mapping[str, str]
    kept: frozenset[str]
    markup: Html
