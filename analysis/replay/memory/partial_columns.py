"""Dummy arrays of which the last elements are not passed (Fortran 2018, 15.5.2.11, sequence association).

``call trsv(n - 1, a(2, 2), lda, x)`` with ``real a(lda, *)`` in the callee: from ``a(2, 2)`` on there are
``n*n - n - 1`` elements, n - 2 columns and lda - 1 elements of another one. LAPACK passes blocks of matrices so.
Old programs also declare more than they pass, ``real adc(12)`` for eleven elements, and never touch the rest.
"""

from __future__ import annotations

from math import prod
from typing import Any, SupportsIndex

import numpy as np
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError

Extents = tuple[int, ...]


class PartialColumns(np.ndarray[Any, Any]):
    """Elements in a row, of which ``extents`` make columns, the last of them not whole.

    As an array it is that row: who copies, restores or poisons all of it, touches what is there. Indices, ``shape`` and
    ``ndim`` go by the extents; an index of what is not there raises ReplayError.
    """

    extents: Extents | None

    @staticmethod
    def of(row: Array, extents: Extents) -> PartialColumns:
        found = row.view(PartialColumns)
        found.extents = extents
        return found

    def __array_finalize__(self, made_from: Any) -> None:
        """A copy has columns, too; a part of it is a row like any other."""
        extents = getattr(made_from, "extents", None)
        whole = extents is not None and self.row.shape == made_from.row.shape
        self.extents = extents if whole else None

    @property
    def row(self) -> Array:
        """All elements, as an array of rank 1."""
        return self.view(np.ndarray)

    @property  # type: ignore[misc]
    def shape(self) -> Extents:
        return self.row.shape if self.extents is None else self.extents

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def reshape(self, *shape: Any, **how: Any) -> Any:
        return self.row.reshape(*shape, **how)

    def place(self, index: Any) -> Any:
        """The place in the row of the elements an index selects: a number, an array of them, a slice for all.

        An index that ends in an Ellipsis is one of memory that may be saved or destroyed, be it more than a program
        uses: of that, what is there.

        Raises:
            ReplayError: one of the elements is not there.
        """
        if self.extents is None or not isinstance(index, tuple):
            return index
        memory = index[-1:] == (Ellipsis,)
        subs = index[:-1] if memory else index
        if not subs:
            return slice(None)
        found = np.arange(prod(self.extents)).reshape(self.extents, order="F")[subs]
        if np.any(found >= self.size):
            if not memory:
                raise ReplayError("an element behind the last one that is passed is used")
            return found[found < self.size]
        return int(found) if np.ndim(found) == 0 else found

    def __getitem__(self, index: Any) -> Any:
        place = self.place(index)
        if isinstance(place, int) and index[-1:] == (Ellipsis,):
            return self.row[place, ...]
        if not isinstance(place, np.ndarray) or not isinstance(index, tuple):
            return self.row[place]
        plain = all(isinstance(sub, slice | SupportsIndex) or sub is Ellipsis for sub in index)
        return self._section(index) if plain and place.size == self._count(index) else self.row[place]

    def _count(self, index: Any) -> int:
        """How many elements an index selects, were they all there."""
        assert self.extents is not None
        return int(np.broadcast_to(np.int8(0), self.extents)[index].size)

    def _section(self, index: Any) -> Array:
        """A section that is there, as a view."""
        assert self.extents is not None
        steps = tuple(self.itemsize*prod(self.extents[:at]) for at in range(len(self.extents)))
        columns: Array = np.lib.stride_tricks.as_strided(self.row, self.extents, steps)
        found: Array = columns[index]
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        self.row[self.place(index)] = value
