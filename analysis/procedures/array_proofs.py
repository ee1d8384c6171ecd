"""What was proved about the arrays of a procedure: array kills, and arrays that are iteration-private."""

from __future__ import annotations

from dataclasses import dataclass

from snapset.frontend.cfg.graph import Loop


@dataclass(frozen=True, slots=True)
class ArrayKill:
    """Several statements together write every element of an array: ``f(1) = 0; do i = 2, n; f(i) = ...``.

    ``index``: the array's location. Before node ``opens`` none of these statements has run, behind node ``closes`` all
    have. ``writers``: their nodes.
    """

    index: int
    opens: int
    closes: int
    writers: frozenset[int]


@dataclass(frozen=True, slots=True)
class IterationPrivate:
    """No two iterations of a loop touch the same element of an array: w in ``do i = 1, n; w(:, i) = ...``.

    ``index``: the array's location. ``killers``: the nodes that write all the elements that one iteration touches.
    """

    index: int
    loop: Loop
    killers: frozenset[int]


@dataclass(frozen=True, slots=True)
class ArrayProofs:
    """All proofs about the arrays of one procedure. ``first_bit``: the first bit that no location of the procedure has;
    :class:`snapset.analysis.procedures.array_lives.ArrayLives` numbers its extra bits from there."""

    array_kills: tuple[ArrayKill, ...]
    iteration_private: tuple[IterationPrivate, ...]
    first_bit: int
