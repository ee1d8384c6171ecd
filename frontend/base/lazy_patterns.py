"""Regular expressions that are compiled when they are first used.

    _WORD = pattern_of(r"[a-z]\\w*")

stands at the top of a module as ``re.compile(...)`` would, and is used in the same way. Snapset has over two hundred,
and a run whose answer is stored needs a fifth of them: compiling all of them took a sixth of its time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pattern_of = re.compile
else:

    class LazyPattern:
        """A pattern: each of its methods is looked up once, and is then an attribute like any other."""

        def __init__(self, pattern: str, flags: int = 0) -> None:
            self.pattern = pattern
            self._given = flags
            self._compiled = None

        def __getattr__(self, name: str) -> object:
            if self._compiled is None:
                self._compiled = re.compile(self.pattern, self._given)
            found = getattr(self._compiled, name)
            setattr(self, name, found)
            return found

    pattern_of = LazyPattern
