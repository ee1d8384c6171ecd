"""What a generated adjoint does between two places where its stack is equally high.

    PUSH(u); CALL step(u); ...; POP(u)

is a :class:`Pair` with everything between in it. Whether the value that POP gives back is another one than u has by
then is the question; :func:`changed` answers it, the innermost pair first. It is ``out`` of the paper's equations (2)
and (3) with the pushes that are really made: out(PUSH(v); A; POP(v)) = out(A) \\ {v}.

    PUSH(u(i)); u(i) = 0; ...; POP(u(i))

saves something of ``u``, and nobody says whether that is all that changes: u may be changed, and is not *lost*. Lost is
what changes where no PUSH and POP of it stand around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen


@frozen
class Altered:
    """``may``: what may have another value. ``lost``: of that, what no POP may have given back, not even in part."""

    may: May = EMPTY
    lost: May = EMPTY

    def __or__(self, other: Altered) -> Altered:
        return Altered(self.may | other.may, self.lost | other.lost)

    def without(self, whole: Exact, partly: May) -> Altered:
        return Altered(May(self.may & ~whole), May(self.lost & ~partly))


@frozen
class Changed:
    """Statements that leave the stack alone: what they do."""

    change: Altered


@frozen
class Hole:
    """What runs between a loop's iteration and its reversal, or between an alternative and its own."""


@frozen
class Pair:
    """A PUSH, what follows, and its POP. ``place``: the locations of which it saves something; ``whole``: those that
    it saves whole; ``address``: what says which memory that is, subscripts and associations."""

    push: ir.Call
    pop: ir.Call
    place: May
    whole: Exact
    address: May
    inner: tuple[Item, ...]

    @property
    def ids(self) -> tuple[int, int]:
        return self.push.id, self.pop.id


@frozen
class LoopPair:
    """A loop that pushes and the loop that pops. ``after``: what runs between them. ``body``: an iteration and its
    reversal, with a hole between them. ``counted``: the DO variables of both, if they are the same."""

    after: tuple[Item, ...]
    body: tuple[Item, ...]
    counted: May


@frozen
class ChoicePair:
    """A branch that pushes and the one that pops: by alternative, what it does and its reversal, a hole between."""

    after: tuple[Item, ...]
    alternatives: tuple[tuple[Item, ...], ...]


@frozen
class RunAgain:
    """From before a part's first run to before its adjoint ``call``, or its second run, which begins with that."""

    forward: ir.Stmt
    call: ir.Stmt
    inner: tuple[Item, ...]


@frozen
class Met:
    """A POP takes what a PUSH has put there, and that is no pair: a control's number, or what is another place's."""

    pop: ir.Call
    push: ir.Call


Item: TypeAlias = "Changed | Hole | Pair | LoopPair | ChoicePair | RunAgain | Met"


@dataclass(slots=True)
class Findings:
    """By the ids of a PUSH and its POP: ``pairs``; ``changed``, what may be changed between them; ``counted``, the loop
    variables that are there again what they were. By the id of a part's adjoint call: ``reruns``, and ``lost``, what is
    no more as the part's first run found it, without these loop variables. ``met``: by the id of a POP, the PUSHes that
    are no pair with it, by their ids."""

    pairs: dict[tuple[int, int], Pair] = field(default_factory=dict)
    changed: dict[tuple[int, int], May] = field(default_factory=dict)
    counted: dict[tuple[int, int], May] = field(default_factory=dict)
    reruns: dict[int, RunAgain] = field(default_factory=dict)
    lost: dict[int, May] = field(default_factory=dict)
    met: dict[int, dict[int, Met]] = field(default_factory=dict)


NOTHING: Final = Altered()


def changed(items: Sequence[Item], found: Findings, hole: Altered = NOTHING, counted: May = EMPTY) -> Altered:
    """What balanced code may leave with another value. Notes in ``found`` what that is for each pair inside."""
    result = NOTHING
    for item in items:
        result |= _of(item, found, hole, counted)
    return result


@deep
def _of(item: Item, found: Findings, hole: Altered, counted: May) -> Altered:
    match item:
        case Changed():
            return item.change
        case Hole():
            return hole
        case Met():
            found.met.setdefault(item.pop.id, {})[item.push.id] = item
            return NOTHING
        case Pair():
            inside = changed(item.inner, found, hole, counted)
            found.pairs[item.ids] = item
            found.changed[item.ids] = found.changed.get(item.ids, EMPTY) | inside.may
            found.counted[item.ids] = found.counted.get(item.ids, counted) & counted
            return inside.without(item.whole, item.place)
        case RunAgain():
            inside = changed(item.inner, found, hole, counted)
            found.reruns[item.call.id] = item
            found.lost[item.call.id] = found.lost.get(item.call.id, EMPTY) | May(inside.lost & ~counted)
            return inside
        case ChoicePair():
            after = changed(item.after, found, hole, counted)
            result = Altered(after.may)  # an alternative gives back what has been lost behind both
            for one in item.alternatives:
                result |= changed(one, found, after, counted)
            return result
        case LoopPair():
            state = after = changed(item.after, found, hole, counted)
            while True:
                turn = changed(item.body, found, state, counted | item.counted)
                if state | turn == state:
                    return Altered(state.may, turn.lost)  # as above, if there is a turn
                state |= turn
