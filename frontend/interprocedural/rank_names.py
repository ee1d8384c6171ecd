"""Names of variables that hold something of each rank's own, also where no head reaches who gives it to them.

    call mpi_comm_rank(comm, me, ierr);  left = me - 1

in a set-up makes ``me`` and ``left`` such names. Only the text is asked, of all units that were read: names are not
resolved, so rather too many are found. What a unit declares itself is its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Unit
from snapset.frontend.base.text_scan import split_top
from snapset.frontend.reading.unreadable_units import every_unit

_CALL: Final = pattern_of(r"\bcall\s+p?mpi_(comm_rank|group_rank|cart_shift|comm_split|cart_sub)\s*\((.*)\)\s*$")
_OUT: Final = {"comm_rank": (1,), "group_rank": (1,), "cart_shift": (3, 4), "comm_split": (3,), "cart_sub": (2,)}
_ASSIGNED: Final = pattern_of(r"(?:if\s*\(.*\)\s*)?([a-z]\w*)\s*(?:\([^=]*\))?\s*=(?!=)(.*)$")
_WORD: Final = pattern_of(r"[a-z]\w*")
_ROUNDS: Final = 3


def rank_names(units: Iterable[Unit]) -> frozenset[str]:
    """The names, in all units together; none where nobody asks MPI for a rank."""
    texts = [[one.text.lower() for one in unit.items if isinstance(one, Line)] for unit in every_unit(units)]
    found: set[str] = set()
    asking = [lines for lines in texts if any("mpi_" in line for line in lines)]
    for lines in asking:
        found |= _of_unit(lines, set())
    for _ in range(_ROUNDS if found else 0):
        new = set[str]().union(*(_of_unit(lines, found) for lines in texts)) - found
        found |= new
        if not new:
            break
    return frozenset(found)


def _of_unit(lines: list[str], known: set[str]) -> set[str]:
    """Those that a unit gives values of ranks, but for what it declares itself."""
    own = {word for line in lines if "::" in line for word in _WORD.findall(line.partition("::")[2])}
    own |= {word for line in lines if line.startswith("integer") and "::" not in line for word in _WORD.findall(line)}
    here, grown = known - own, True
    for line in lines:
        call = _CALL.search(line)
        if call is not None:
            given = [one.strip() for one in split_top(call.group(2))]
            here |= {word for at in _OUT[call.group(1)] if at < len(given) for word in _WORD.findall(given[at])[:1]}
    if not here:
        return set()
    while grown:
        grown = False
        for line in lines:
            set_ = _ASSIGNED.match(line)
            if set_ is not None and set_.group(1) not in here and here & set(_WORD.findall(set_.group(2))):
                here.add(set_.group(1))
                grown = True
    return here - own
