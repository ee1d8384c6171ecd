"""Sizes of storage as people write them: ``80KB``, ``1.5GiB``, and a disk with its speed, ``200GB@1.5GB/s``."""

from __future__ import annotations

import re

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

UNITS = {"": 1, "b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "tb": 1000**4,
         "kib": 1024, "mib": 1024**2, "gib": 1024**3, "tib": 1024**4}
_SIZE = pattern_of(r"(\d+(?:\.\d*)?|\.\d+)\s*([kmgt]?i?b?)", re.IGNORECASE)
LONGEST = 40


@frozen
class Disk:
    """A second storage: ``capacity`` in bytes, and the bytes a second that are written to it or read from it."""

    capacity: int
    bandwidth: float

    def seconds(self, size: int) -> float:
        """How long it takes to write or read so many bytes."""
        return size / self.bandwidth


def bytes_of(text: str, what: str = "--memory") -> int:
    """``80KB`` is 80000, ``1.5KiB`` 1536. Raises InputError."""
    found = _SIZE.fullmatch(text.strip()) if len(text) <= LONGEST else None
    unit = UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise InputError(f"{what} {text[:LONGEST]}: no size; write bytes, or for instance 80KB, 1.5GB, 64MiB")
    from fractions import Fraction

    return int(Fraction(found[1]) * unit)


def disk_of(text: str, what: str = "--disk") -> Disk:
    """``200GB@1.5GB/s``: capacity and speed. Raises InputError."""
    capacity, at, speed = text.partition("@")
    if not at or not speed.strip().lower().endswith("/s"):
        raise InputError(f"{what} {text[:LONGEST]}: no storage; write capacity and speed, for instance 200GB@1.5GB/s")
    bandwidth = bytes_of(speed.strip()[:-2], what)
    if not bandwidth:
        raise InputError(f"{what} {text[:LONGEST]}: a speed of 0 bytes a second; give more")
    return Disk(bytes_of(capacity, what), bandwidth)
