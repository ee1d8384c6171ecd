"""Which solution of DH (7) to take at each part: lazy (9), eager (8), optimal, or a partition given by names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.equations import OptSets, Partition, PartSets, eager_partition, lazy_partition
from snapset.analysis.memory.locations import Space
from snapset.frontend.base.diagnostics import InputError

Place: TypeAlias = tuple[str, int, int]  # a part: procedure key, level, node


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to choose among the solutions of DH (7), for all parts of a head.

    ``kind`` is ``lazy``, ``eager``, ``partition``, ``optimal`` or ``chosen``.

    ``sides`` of a partition: ``1+``, ``1-`` ... to names (``*``: all). ``chosen``: the partition of each part
    (parts not in it: lazy). ``optimal`` must be made a chosen one first
    (:func:`snapset.analysis.placement.optimal_partition.optimise`).
    """

    name: str
    kind: str
    sides: Mapping[str, frozenset[str]] = field(default_factory=dict)
    chosen: Mapping[Place, Partition] = field(default_factory=dict)

    def partition(self, sets: PartSets, space: Space, place: Place | None = None) -> Partition:
        """The partition for one part. Monotone in Req, so it may be used inside a fixed point.

        Raises ValueError for ``optimal``, which depends on costs.
        """
        if self.kind == "lazy":
            return lazy_partition()
        if self.kind == "eager":
            return eager_partition(sets)
        if self.kind == "chosen":
            return self.chosen.get(place, lazy_partition()) if place is not None else lazy_partition()
        if self.kind == "optimal":
            raise ValueError("the strategy optimal has to be chosen by its costs first")
        return Partition.of(self._plus(number, space) for number in "123")

    def snapshot_side(self, sets: PartSets, partition: Partition) -> May:
        """What the snapshot is to hold rather than D to preserve: Opt3+, of whichever elements of an array."""
        return May(sets.out_dbar & sets.use_cbar & ~sets.req) if self.kind == "eager" else partition.plus3

    def _plus(self, number: str, space: Space) -> int:
        plus = self.sides.get(number + "+", frozenset())
        chosen = -1 if "*" in plus else self._named(number + "+", space)
        return chosen & ~self._named(number + "-", space)

    def _named(self, side: str, space: Space) -> int:
        total = 0
        for name in self.sides.get(side, ()):
            total |= space.named(name)
        return total

    def stray(self, options: OptSets, space: Space) -> frozenset[tuple[str, str]]:
        """The (side, name) pairs of the partition that this part's Opt sets do not hold."""
        held = {"1": options.opt1, "2": options.opt2, "3": options.opt3}
        return frozenset((side, name) for side, names in self.sides.items() for name in names
                         if name != "*" and not space.named(name) & held[side[0]])

    def named_pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset((side, name) for side, names in self.sides.items() for name in names if name != "*")


LAZY = Strategy("lazy", "lazy")
EAGER = Strategy("eager", "eager")
OPTIMAL = Strategy("optimal", "optimal")

_ASSIGNMENT = re.compile(r"\s*opt([123])([+-])\s*=\s*(.*?)\s*", re.IGNORECASE)


def parse_strategies(text: str) -> tuple[Strategy, ...]:
    """``lazy,eager``, ``optimal``, ``all``, or partitions ``Opt1+=a,b;Opt2-=c;Opt3+=*`` (several separated by commas).

    Raises:
        InputError: an unknown name, a malformed partition, or a name on both sides.
    """
    found: list[Strategy] = []
    for piece in _pieces(text):
        word = piece.strip()
        if word.lower() in ("lazy", "eager", "optimal"):
            found.append({"lazy": LAZY, "eager": EAGER, "optimal": OPTIMAL}[word.lower()])
        elif word.lower() == "all":
            found += [LAZY, EAGER, OPTIMAL]
        elif "=" in word:
            found.append(_partition(word))
        else:
            raise InputError(f"unknown strategy '{word}'; use lazy, eager, optimal, all or a partition such as "
                             "Opt1+=a;Opt3+=*")
    return tuple({s.name: s for s in found}.values())


def _pieces(text: str) -> list[str]:
    """Split at commas, but not at those of a partition's name lists: a piece that starts none continues the last."""
    pieces: list[str] = []
    for part in text.split(","):
        starts = re.match(r"\s*(lazy|eager|all|optimal)\s*$|\s*opt", part, re.IGNORECASE)
        if pieces and not starts and "=" in pieces[-1]:
            pieces[-1] += "," + part
        else:
            pieces.append(part)
    return pieces


def _partition(text: str) -> Strategy:
    sides: dict[str, frozenset[str]] = {}
    for clause in text.split(";"):
        if not clause.strip():
            continue
        match = _ASSIGNMENT.fullmatch(clause)
        if match is None:
            raise InputError(f"cannot read '{clause.strip()}' in strategy '{text}'; write Opt1+=a,b or Opt3-=*")
        names = frozenset(n.strip().lower().replace(".", "%") for n in match[3].split(","))
        if "" in names:
            raise InputError(f"a name is missing in '{clause.strip()}' of strategy '{text}'")
        side = match[1] + match[2]
        sides[side] = sides.get(side, frozenset()) | names
    for number in "123":
        both = sides.get(number + "+", frozenset()) & sides.get(number + "-", frozenset())
        if both:
            raise InputError(f"strategy '{text}' puts {', '.join(sorted(both))} on both sides of Opt{number}")
    return Strategy(text, "partition", sides)
