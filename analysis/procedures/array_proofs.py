"""What was proved of the arrays of a procedure: written whole by several statements, or own to each iteration.
"""

from __future__ import annotations

from dataclasses import dataclass

from snapset.frontend.cfg.graph import Loop


@dataclass(frozen=True, slots=True)
class ArrayKill:
    """Location ``index`` is written whole from node ``opens`` (before it) to node ``closes`` (behind it)."""

    index: int
    opens: int
    closes: int
    writers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Owned:
    """Each iteration of ``loop`` has its own elements of location ``index``.

    ``killers``: the nodes that write all that an iteration has of it (that it may touch in this loop).
    """

    index: int
    loop: Loop
    killers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Proofs:
    """What is known of the arrays of one procedure. ``first_bit``: where the extra bits begin."""

    covers: tuple[ArrayKill, ...]
    owned: tuple[Owned, ...]
    first_bit: int
