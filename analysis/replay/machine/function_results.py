"""The memory of function results: a call whose result has another shape than the last one's makes it anew.

A caller's temporary is then other memory than before the call; the backward sweep brings that back. Its values are what
the sets say: what nobody saved is lost. (In split mode the callee tapes, write by write, what its result was before,
which in other memory is not there to be lost.)
"""

from __future__ import annotations

from snapset.analysis.replay.machine.stack import Undo
from snapset.analysis.replay.memory.frames import Frame, undefined


def results(frame: Frame, node: int) -> Undo:
    """Which memory a call's function result is before the call."""
    undo = Undo()
    undo.associate(frame.s[n] for n in frame.code.results.get(node, ()))
    return undo


def left(undo: Undo, poison: bool) -> None:
    """Poison what a function result was, where it is other memory now."""
    for slot, old, _, _ in undo.associations if poison else ():
        if old is not None and slot.a is not old:
            undefined(old)
