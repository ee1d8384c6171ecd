"""NumPy, imported when something of it is first used.

What is refused is found by lowering as for a run (:mod:`snapset.analysis.replay.statements.refused_constructs`), so a
report imports much that computes with NumPy, and computes nothing: it would wait for NumPy, a quarter of its start, for
no array. ``from ...lazy_numpy import np`` is for those modules; others import numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """Each name of NumPy's is looked up once, and is then an attribute like any other."""

        def __getattr__(self, name: str) -> object:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)
            return found

    np = _Numpy()
