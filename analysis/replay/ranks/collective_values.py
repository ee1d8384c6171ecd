"""Collectives as functions of what all ranks give: the results, and the adjoints.

Utke et al., Toward Adjoinable MPI: allreduce(sum) ↔ allreduce, bcast ↔ reduce, gather ↔ scatter; of a maximum or
minimum the place is recorded, as the first rank that has it. What a rank gives may be cut into a block for each rank
(scatter, alltoall, reduce_scatter), of sizes of its own::

    MPI_ALLTOALLV on 2 ranks    rank 0 gives [a | b c], rank 1 [d e | f]
                                rank 0 takes [a d e],   rank 1 [b c f]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Array, NotExecutedError
from snapset.frontend.base.frozen_records import frozen

OPERATIONS: Final = {1476395009: "max", 1476395010: "min", 1476395011: "sum", 1476395012: "prod", 1476395013: "land",
                     1476395015: "lor"}
_ROOTED_GIVERS: Final = frozenset(("mpi_bcast", "mpi_scatter", "mpi_scatterv"))
_ROOTED_TAKERS: Final = frozenset(("mpi_reduce", "mpi_gather", "mpi_gatherv"))
_SCATTERS: Final = frozenset(("mpi_scatter", "mpi_scatterv"))
_GATHERS: Final = frozenset(("mpi_gather", "mpi_gatherv", "mpi_allgather", "mpi_allgatherv"))
_EXCHANGES: Final = frozenset(("mpi_alltoall", "mpi_alltoallv"))
_BLOCK_REDUCTIONS: Final = frozenset(("mpi_reduce_scatter", "mpi_reduce_scatter_block"))
_PREFIXES: Final = {"mpi_scan": 0, "mpi_exscan": 1}
"""How many ranks before its own end a prefix's reduction."""
Cuts: TypeAlias = tuple[int, ...]


@frozen
class CollectiveCall:
    """One rank's call: ``me`` its place among the members, ``root`` that of the root (-1: none). ``in_place``: a root
    that scatters keeps its block where it is."""

    name: str
    me: int
    size: int
    root: int = -1
    operation: str = ""
    in_place: bool = False

    @property
    def gives(self) -> bool:
        """Does this rank give values?"""
        return self.name != "mpi_barrier" and (self.name not in _ROOTED_GIVERS or self.me == self.root)

    @property
    def takes(self) -> bool:
        """Does it receive any?"""
        if self.name in _ROOTED_TAKERS:
            return self.me == self.root
        if self.name in _SCATTERS and self.me == self.root:
            return not self.in_place
        return not (self.name == "mpi_bcast" and self.me == self.root) and self.name != "mpi_barrier" and not (
            self.name == "mpi_exscan" and self.me == 0)

    def result(self, given: Sequence[Array], cuts: Sequence[Cuts]) -> Array:
        """What this rank receives of what each member gave, in order. ``cuts``: the blocks' sizes, where it is cut."""
        if self.name == "mpi_bcast":
            return given[self.root]
        if self.name in _SCATTERS:
            return _block(given[self.root], cuts[self.root], self.me)
        if self.name in _GATHERS:
            return np.concatenate(given)
        if self.name in _EXCHANGES:
            return np.concatenate([_block(one, cut, self.me) for one, cut in zip(given, cuts, strict=True)])
        if self.name in _BLOCK_REDUCTIONS:
            return _block(_reduced(given, self.operation), cuts[self.me], self.me)
        return _reduced(given[:self.prefix], self.operation)

    @property
    def prefix(self) -> int:
        """How many of the first ranks a reduction is made of."""
        return self.me + 1 - _PREFIXES[self.name] if self.name in _PREFIXES else self.size

    def adjoint(self, given: Sequence[Array], cuts: Sequence[Cuts], bars: Sequence[Array | None]) -> Array:
        """The adjoint of what this rank gave, from those of what each member received (None: nothing)."""
        me = self.me
        if self.name in _SCATTERS:
            return np.concatenate([np.zeros(size) if bar is None else bar
                                   for bar, size in zip(bars, cuts[me], strict=True)])
        if self.name in _GATHERS:
            return _block(_total(bars, sum(one.size for one in given)), [one.size for one in given], me)
        if self.name in _EXCHANGES:
            return np.concatenate([
                np.zeros(cuts[me][to]) if bar is None else _block(bar, [cut[to] for cut in cuts], me)
                for to, bar in enumerate(bars)])
        if self.name in _BLOCK_REDUCTIONS:
            every = [np.zeros(size) if bar is None else bar for bar, size in zip(bars, cuts[me], strict=True)]
            weighted: Array = np.concatenate(every) * _weight(given, me, self.operation)
            return weighted
        if self.name in _PREFIXES:
            if self.operation != "sum":
                raise NotExecutedError("the adjoint of a scan other than a sum")
            return _total(bars[me + _PREFIXES[self.name]:], given[me].size)
        total = _total(bars, given[me].size)
        return total if self.name == "mpi_bcast" else total * _weight(given, me, self.operation)


def _block(values: Array, cuts: Sequence[int], number: int) -> Array:
    start = sum(cuts[:number])
    return values[start:start + cuts[number]]


def _total(bars: Sequence[Array | None], size: int) -> Array:
    found: Array = np.sum([one for one in bars if one is not None] or [np.zeros(size)], axis=0)
    return found


def _reduced(given: Sequence[Array], operation: str) -> Array:
    total = given[0].copy()
    for one in given[1:]:
        match operation:
            case "sum":
                total = total + one
            case "prod":
                total = total * one
            case "max":
                total = np.where(one > total, one, total)
            case "min":
                total = np.where(one < total, one, total)
            case "land":
                total = ((total != 0) & (one != 0)).astype(total.dtype)
            case "lor":
                total = ((total != 0) | (one != 0)).astype(total.dtype)
            case _:
                raise NotExecutedError("a reduction by an operation that is not executed here")
    return total


def _weight(given: Sequence[Array], me: int, operation: str) -> Array:
    """The derivative of the reduction with respect to what one rank gave."""
    if operation == "sum":
        return np.ones_like(given[me])
    if operation == "prod":
        found: Array = np.prod([one for rank, one in enumerate(given) if rank != me], axis=0) * np.ones_like(given[me])
        return found
    best = np.argmax(given, axis=0) if operation == "max" else np.argmin(given, axis=0)
    return np.asarray((best == me).astype(given[me].dtype))
