"""What the short report shows. Imports nothing, since a run that has its page needs no more than this."""

from __future__ import annotations

from snapset.frontend.base.frozen_records import frozen


@frozen
class BriefLook:
    """``top``: how many parts and locations the summary names. ``only_summary``: nothing else. ``by_bytes``: the
    dearest parts first, else in the order of the program."""

    top: int = 10
    only_summary: bool = False
    by_bytes: bool = False
