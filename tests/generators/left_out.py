"""Pieces of capsules left out, each alone: does the end of the run show it, and if it does not, why?

    python -m tests.generators.left_out --trials 2000 --seed 2000

A capsule is taken at a random step of a program of the corpus, a run is resumed from it without one of its pieces, in
memory where all that is not in the capsule is undefined, and all memory at the end is compared. What shows nothing is
explained by the run itself: each statement that reads the piece's memory is watched.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from statistics import median

import numpy as np
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.divide.capsule import Capsule
from snapset.analysis.replay.divide.elements.held_memory import owner_of
from snapset.analysis.replay.divide.loop_functions import NO_LOOPS
from snapset.analysis.replay.divide.walker import Walker
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError

from tests.support.divided import PROGRAMS, Divisible, everything, from_corpus

UNDEFINED = "it was undefined already"
UNREAD = "no statement that runs reads it: the way there is not taken"
OVERWRITTEN = "each element is overwritten before it is read"
ELEMENTS = "other elements of it are read, or these without effect"
TESTED = "only tests read it, and come out the same"
NO_EFFECT = "it is read without effect: a factor of zero, the side of MAX that is not taken"
ALIKE = "being undefined acts as its value does: another value shows"
KINDS = (UNDEFINED, UNREAD, OVERWRITTEN, ELEMENTS, TESTED, NO_EFFECT, ALIKE)


@dataclass(slots=True)
class LeftOut:
    """``parts``: by program, what part of all memory each capsule was; ``why``: of what does not show."""

    changed: int = 0
    same: int = 0
    parts: dict[str, list[float]] = field(default_factory=dict)
    why: Counter[str] = field(default_factory=Counter)


def left_out(names: list[str], trials: int, random: Random, explain: bool = False) -> LeftOut:
    """Pieces of data of capsules at random steps are left out, each alone."""
    found = LeftOut()
    while found.changed + found.same < trials:
        name = random.choice(names)
        one = from_corpus(name)
        machine = one.divided()
        walker = machine.begun()
        machine.go(walker, random.randint(1, max(1, machine.steps() - 1)))
        capsule = machine.take(walker, None)
        if walker.finished or not capsule.pieces:
            continue
        found.parts.setdefault(name, []).append(capsule.data_bytes / capsule.image.state_bytes)
        whole = ends(one, capsule)
        for k in random.sample(range(len(capsule.pieces)), min(4, len(capsule.pieces))):
            if whole != ends(one, without(capsule, k)):
                found.changed += 1
                continue
            found.same += 1
            if explain:
                found.why[why_unseen(one, capsule, k, whole)] += 1
    return found


def without(capsule: Capsule, k: int) -> Capsule:
    return replace(capsule, pieces=capsule.pieces[:k] + capsule.pieces[k + 1:])


def ends(one: Divisible, capsule: Capsule) -> object:
    """All memory behind a run that is resumed from a capsule, or why it stopped."""
    machine = one.divided()
    walker = machine.walker(capsule)
    try:
        machine.go(walker, None)
    except ReplayError as error:
        return str(error)
    return everything(walker)


def why_unseen(one: Divisible, capsule: Capsule, k: int, whole: object) -> str:
    """Why the end of the run does not show that a piece is missing."""
    piece = capsule.pieces[k]
    watch = _Watch(one, capsule, k)
    if watch.missing.tobytes() == piece.values.tobytes():
        return UNDEFINED
    watch.run()
    if not watch.reads:
        return UNREAD
    if not watch.undefined:
        return OVERWRITTEN
    if not watch.by_statements:
        return TESTED
    if capsule.image.blocks[piece.block].size > 1:
        return ELEMENTS
    other = replace(piece, values=_another(piece.values, capsule.image.blocks[piece.block].dtype))
    changed = replace(capsule, pieces=(*capsule.pieces[:k], other, *capsule.pieces[k + 1:]))
    return NO_EFFECT if ends(one, changed) == whole else ALIKE


def _another(values: Array, dtype: np.dtype) -> Array:  # type: ignore[type-arg]
    if values.dtype == np.uint8 and dtype != np.uint8:  # some bytes of a block
        return values ^ 1
    if values.dtype.kind == "V":
        return (values.view(np.uint8) ^ 1).view(values.dtype)
    return values*2 + 1 if values.dtype.kind in "fciu" else ~values if values.dtype.kind == "b" else values


class _Watch:
    """A run that lacks a piece: what reads its memory. ``undefined``: while some of it still is; ``by_statements``:
    not only by tests."""

    def __init__(self, one: Divisible, capsule: Capsule, k: int) -> None:
        self.one = one
        piece = capsule.pieces[k]
        stack, blocks = capsule.image.rebuilt()
        for other in without(capsule, k).pieces:
            other.put(blocks)
        self.block = blocks[piece.block]
        self.piece = piece
        self.missing = self.there().copy()
        self.machine = one.divided()
        self.walker = Walker(one.machine, self.machine.costs, stack, capsule.at)
        self.walker.loops = dict.fromkeys(self.walker.loops, NO_LOOPS)
        self.walker.costs = {key: {node.index: self.noting(key, node.index) for node in code.flow.nodes}
                             for key, code in one.machine.codes.items()}
        self.reads = self.undefined = self.by_statements = False

    def there(self) -> Array:
        return self.piece.there(self.block)

    def noting(self, key: str, node: int):  # type: ignore[no-untyped-def]
        model, code = self.one.analysis.models.by_key[key], self.one.machine.codes[key]
        call = node in code.binds
        read = () if call else tuple(model.space.locations[i] for i in members(
            model.effects[node].use & model.space.all()))

        def cost(_: object, frame: Frame) -> int:
            if any(self.is_of(frame, location) for location in read):
                self.reads = True
                now = self.there()
                if now.size and (now.view(np.uint8) == self.missing.view(np.uint8)).reshape(now.size, -1).all(1).any():
                    self.undefined = True
                    self.by_statements |= node not in code.choose
            return 1

        return cost

    def is_of(self, frame: Frame, location: Location) -> bool:
        return any(owner_of(slot.a) is self.block for slot in frame.pieces(location) if slot.a is not None)

    def run(self) -> None:
        try:
            self.machine.go(self.walker, None)
        except ReplayError:
            return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2000)
    given = parser.parse_args()
    found = left_out(PROGRAMS, given.trials, Random(given.seed), explain=True)
    total = found.changed + found.same
    share = 100*found.changed/total
    print(f"{found.changed} of {total} pieces left out show at the end ({share:.1f} %); of the others")
    for kind in KINDS:
        print(f"  {found.why[kind]:5}  {kind}")
    half = sum(len(parts) >= 5 and median(parts) <= 0.5 for parts in found.parts.values())
    print(f"capsules: the largest {100*max(map(max, found.parts.values())):.0f} % of all memory; in {half} of "
          f"{len(found.parts)} programs the median is at most half of it")
    return int(found.changed < 0.85*total)


if __name__ == "__main__":
    sys.exit(main())
