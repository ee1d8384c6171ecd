"""Operators by name: NumPy's for comparisons, and the powers that are products."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

COMPARISONS: Final[Mapping[str, str]] = MappingProxyType({
    "==": "==", "/=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", ".eqv.": "==", ".neqv.": "!=",
})  # fmt: skip
POWERS: Final[Mapping[int, str]] = MappingProxyType({2: "square", 3: "cube"})  # as compilers have them
