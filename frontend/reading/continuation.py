"""What the two form readers deliver: continued lines joined, comments gone, nothing else changed."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Pragma
from snapset.frontend.sources.files import SourceLines


class JoinedLine(NamedTuple):
    """The text of physical lines ``first`` to ``last`` (0-based) as one; fixed form's label apart.

    ``cut``: the first of them of which text beyond column 72 is left out that may belong to the statement.
    """

    text: str
    first: int
    last: int
    column: int
    label: int | None = None
    cut: int | None = None


Piece: TypeAlias = JoinedLine | Pragma

_DIRECTIVE = pattern_of(r"[!cC*dD][ \t]*\$[aA][dD](?:[ \t]+(\S*)|$)")


_OPENMP = pattern_of(r"[!cC*]\$[oO][mM][pP](.*)")
_SNAPSET = pattern_of(r"[!cC*dD][ \t]*\$(snapset)\b(.*)", re.IGNORECASE)
_TAF = pattern_of(r"[!cC*](?:ADJ|\$(taf))(?=\s|&)(.*)", re.IGNORECASE)
_MARKS = frozenset("$ \taA")


def pragma(comment: str, source: SourceLines, index: int) -> Pragma | None:
    """The pragma that a comment (its mark included) is, if it is one; OpenMP's begins with ``omp``, TAF's with ``taf``,
    our own with ``snapset``."""
    if comment[1:2] not in _MARKS:
        return None
    found = _DIRECTIVE.match(comment)
    kind = (found[1] or "").lower() if found is not None else ""
    if found is None:
        found = _OPENMP.match(comment)
        if found is not None:
            kind = f"omp {found[1].partition('!')[0].rstrip().lower()}"
        else:
            found = _SNAPSET.match(comment) or _TAF.match(comment)
            if found is None:
                return None
            kind = f"{(found[1] or 'taf').lower()} {found[2].partition('!')[0].strip().lower()}"
    column = source.lines[index].find(comment[:1]) + 1
    return Pragma(kind, source.span(index, column=max(column, 1)))


def unclosed_quote(source: SourceLines, first: int, quote: str) -> InputError:
    """The error for a character literal without end in the statement that starts at line ``first``."""
    return InputError(f"character literal without closing {quote}; close it on its line or continue it",
                      source.span(first))


def directive(source: SourceLines, index: int) -> InputError:
    """The error for a preprocessor line in a file that is not preprocessed."""
    return InputError("preprocessor line in a file read without preprocessor; use --cpp or an upper-case extension",
                      source.span(index))
