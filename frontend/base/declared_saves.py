"""What the source says is saved before a statement."""

from __future__ import annotations

from typing import Literal

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen


@frozen
class SaveList:
    """What the source says is saved before a statement: ``!$SNAPSET SAVES(a, u(2:n-1))``, ``CADJ STORE a = tape``.

    ``items``: names with their subscripts, as written, lower case without blanks. ``before``: the next statement; None
    where there is none. ``starts``: so many CHECKPOINT-STARTs stand between both.
    """

    form: Literal["SAVES", "STORE"]
    items: tuple[str, ...]
    span: Span
    before: Span | None
    starts: int
