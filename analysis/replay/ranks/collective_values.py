"""Collectives as functions of what all ranks give: the results, and the adjoints.

Utke et al., Toward Adjoinable MPI: allreduce(sum) ↔ allreduce, bcast ↔ reduce, gather ↔ scatter; of a maximum or
minimum the place is recorded, as the first rank that has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError

OPERATIONS: Final = {1476395009: "max", 1476395010: "min", 1476395011: "sum", 1476395012: "prod", 1476395013: "land",
                     1476395015: "lor"}
GIVEN_BY_ALL: Final = frozenset(("mpi_allreduce", "mpi_reduce", "mpi_allgather", "mpi_gather", "mpi_alltoall",
                                 "mpi_scan"))


@dataclass(frozen=True, slots=True)
class CollectiveCall:
    """One rank's call: ``me`` its place among the members, ``root`` that of the root (-1: none)."""

    name: str
    me: int
    size: int
    root: int = -1
    operation: str = ""

    @property
    def gives(self) -> bool:
        """Does this rank give values?"""
        return self.name in GIVEN_BY_ALL or (self.name in ("mpi_bcast", "mpi_scatter") and self.me == self.root)

    @property
    def takes(self) -> bool:
        """Does it receive any?"""
        if self.name in ("mpi_reduce", "mpi_gather"):
            return self.me == self.root
        return not (self.name == "mpi_bcast" and self.me == self.root) and self.name != "mpi_barrier"

    def result(self, given: list[Array]) -> Array:
        """What this rank receives of what each member gave, in order."""
        if self.name == "mpi_bcast":
            return given[self.root]
        if self.name == "mpi_scatter":
            return _block(given[self.root], self.me, self.size)
        if self.name in ("mpi_gather", "mpi_allgather"):
            return np.concatenate(given)
        if self.name == "mpi_alltoall":
            return np.concatenate([_block(one, self.me, self.size) for one in given])
        return _reduced(given[:self.me + 1] if self.name == "mpi_scan" else given, self.operation)

    def adjoint(self, given: list[Array], bars: list[Array | None]) -> Array:
        """The adjoint of what this rank gave, from those of what each member received (None: nothing)."""
        me = self.me
        if self.name == "mpi_bcast" or self.name in ("mpi_allreduce", "mpi_reduce", "mpi_scan"):
            first = me if self.name == "mpi_scan" else 0
            later = [bar for bar in bars[first:] if bar is not None]
            if self.name == "mpi_scan" and self.operation != "sum":
                raise ReplayError("the adjoint of a scan other than a sum")
            total: Array = np.sum(later, axis=0) if later else np.zeros_like(given[me])
            return total if self.name == "mpi_bcast" else total * _weight(given, me, self.operation)
        if self.name == "mpi_scatter":
            return np.concatenate([bar for bar in bars if bar is not None])
        if self.name == "mpi_alltoall":
            return np.concatenate([_block(bar, me, self.size) for bar in bars if bar is not None])
        found: Array = np.sum([_block(bar, me, self.size) for bar in bars if bar is not None], axis=0)
        return found


def _block(values: Array, number: int, blocks: int) -> Array:
    size = values.size // blocks
    return values[number * size:(number + 1) * size]


def _reduced(given: list[Array], operation: str) -> Array:
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
                raise ReplayError("a reduction by an operation that is not executed here")
    return total


def _weight(given: list[Array], me: int, operation: str) -> Array:
    """The derivative of the reduction with respect to what one rank gave."""
    if operation == "sum":
        return np.ones_like(given[me])
    if operation == "prod":
        found: Array = np.prod([one for rank, one in enumerate(given) if rank != me], axis=0) * np.ones_like(given[me])
        return found
    best = np.argmax(given, axis=0) if operation == "max" else np.argmin(given, axis=0)
    return np.asarray((best == me).astype(given[me].dtype))
