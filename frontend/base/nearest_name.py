"""What somebody may have meant by a name that nothing has."""

from __future__ import annotations

from collections.abc import Iterable

_NEAR = 0.6


def nearest(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'nsteps'?`` to go behind a message, or nothing where no known name is near."""
    from difflib import get_close_matches  # only where something is wrong

    found = get_close_matches(name, sorted(set(known)), 1, _NEAR)
    return f"; did you mean '{found[0]}'?" if found else ""
