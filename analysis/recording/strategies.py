"""Which solution of DH (7) to take at each part: lazy (9), eager (8), optimal, or a partition given by names; for all
parts, or another one for some. :mod:`snapset.analysis.recording.strategy_texts` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeAlias

from snapset.analysis.dataflow.bitsets import Exact, May, exactly
from snapset.analysis.equations import (
    OptSets,
    Partition,
    PartSets,
    eager_partition,
    kept_alone,
    lazy_partition,
)
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.nearest_name import nearest

if TYPE_CHECKING:
    from snapset.analysis.memory.locations import Space

Place: TypeAlias = tuple[str, int, int]  # a part: procedure key, level, node
_SHOWN = 8  # parts that an error lists


@frozen
class Strategy:
    """One way to choose among the solutions of DH (7), for all parts of a head.

    ``kind`` is ``lazy``, ``eager``, ``partition``, ``optimal`` or ``chosen``.

    ``sides`` of a partition: ``1+``, ``1-`` ... to names (``*``: all), and ``s+``: what Sbk alone keeps, which (7)
    leaves out. ``chosen``: the partition of each part (parts not in it: lazy). ``optimal`` must be made a chosen one
    first (:func:`snapset.analysis.placement.optimal_partition.optimise`).

    ``by_part``: another choice for the part of an id; :func:`at_parts` finds where that stands, for ``at``.
    """

    name: str
    kind: str
    sides: Mapping[str, frozenset[str]] = field(default_factory=dict)
    chosen: Mapping[Place, Partition] = field(default_factory=dict)
    by_part: Mapping[str, Strategy] = field(default_factory=dict)
    at: Mapping[tuple[str, int], str] = field(default_factory=dict)  # these ids, by procedure key and node

    def here(self, place: Place | None) -> Strategy:
        """What chooses at one part."""
        text = self.at.get((place[0], place[2])) if self.at and place is not None else None
        return self if text is None else self.by_part[text]

    def partition(self, sets: PartSets, space: Space, place: Place | None = None) -> Partition:
        """The partition for one part. Monotone in Req, so it may be used inside a fixed point.

        Raises ValueError for ``optimal``, which depends on costs.
        """
        one = self.here(place)
        if one.kind == "lazy":
            return lazy_partition()
        if one.kind == "eager":
            return eager_partition(sets)
        if one.kind == "chosen":
            return one.chosen.get(place, lazy_partition()) if place is not None else lazy_partition()
        if one.kind == "optimal":
            raise ValueError("the strategy optimal has to be chosen by its costs first")
        chosen = Partition.of(one._plus(side, space) for side in "123s")
        return replace(chosen, kept=with_memory(chosen.kept, sets, space))

    def snapshot_side(self, sets: PartSets, partition: Partition, place: Place) -> May:
        """What the snapshot is to hold rather than D to preserve: Opt3+, of whichever elements of an array."""
        eager = self.here(place).kind == "eager"
        return May(sets.out_dbar & sets.use_cbar & ~sets.req) if eager else partition.plus3

    def _plus(self, number: str, space: Space) -> int:
        plus = self.sides.get(number + "+", frozenset())
        chosen = -1 if "*" in plus else self._named(number + "+", space)
        return chosen & ~self._named(number + "-", space)

    def _named(self, side: str, space: Space) -> int:
        total = 0
        for name in self.sides.get(side, ()):
            total |= space.named(name)
        return total

    def named_pairs(self) -> frozenset[tuple[str, str]]:
        """The names of a partition with their sides; not those of ``by_part``."""
        return frozenset((side, name) for side, names in self.sides.items() for name in names if name != "*")

    @property
    def names_something(self) -> bool:
        """Does it name locations or parts, which have to be there?"""
        return bool(self.named_pairs() or self.by_part)


def with_memory(kept: Exact, sets: PartSets, space: Space) -> Exact:
    """Of what Sbk alone is to keep, an allocation or association only if Sbk keeps what it leads to as well.

    With ``Opt3+=a; Sbk+=a[]`` the values of a would be put back, from Snp, before there is memory for them.
    """
    alone = kept & kept_alone(sets)
    return exactly(kept & ~space.descriptors_of(May(sets.req & ~alone)))


@frozen
class Choosable:
    """What may be chosen at one part."""

    place: Place
    options: OptSets
    sets: PartSets
    space: Space

    def side(self, side: str) -> Exact:
        """The locations that may stand on a side: of an Opt set, or alone in Sbk."""
        options = self.options
        return {"1": options.opt1, "2": options.opt2, "3": options.opt3, "s": kept_alone(self.sets)}[side[0]]

    def stray(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Those (side, name) pairs that cannot be chosen here."""
        return {(side, name) for side, name in pairs if not self.space.named(name) & self.side(side)}


def at_parts(strategy: Strategy, ids: Mapping[tuple[str, int], str]) -> Strategy:
    """The strategy with its choices by part where these stand; ``ids``: of all parts, by procedure and node.

    Raises InputError for a part that is not there.
    """
    if not strategy.by_part:
        return strategy
    where = {text: place for place, text in ids.items()}
    for text in strategy.by_part:
        if text not in where:
            shown = ", ".join(list(where)[:_SHOWN]) + (" ..." if len(where) > _SHOWN else "")
            raise InputError(f"strategy '{strategy.name}': no checkpointed part is called {text}"
                             f"{nearest(text, set(where))}; there are {shown or 'none'}")
    return replace(strategy, at={where[text]: text for text in strategy.by_part})


def check_names(strategy: Strategy, parts: Iterable[Choosable]) -> None:
    """Raises InputError for a partition that names what no part that it is for has in that Opt set."""
    by_choice: dict[str, list[Choosable]] = {"": [], **{text: [] for text in strategy.by_part}}
    for part in parts:
        by_choice[strategy.at.get((part.place[0], part.place[2]), "")].append(part)
    for text, of in by_choice.items():
        missing = set((strategy.by_part[text] if text else strategy).named_pairs())
        held: set[str] = set()
        for part in of:
            missing &= part.stray(missing)
            held |= {name for side in "123s" for name in part.space.names(part.side(side))}
        if missing:
            side, name = min(missing)
            what = f"Sbk alone cannot keep '{name}' at {text or 'any part'}" if side[0] == "s" else (
                f"{text}'s Opt{side[0]} does not hold '{name}'" if text else f"no part's Opt{side[0]} holds '{name}'")
            raise InputError(f"strategy '{strategy.name}': {what}; the report's options list what may be chosen"
                             f"{nearest(name, held - {name})}")


LAZY = Strategy("lazy", "lazy")
EAGER = Strategy("eager", "eager")
OPTIMAL = Strategy("optimal", "optimal")
