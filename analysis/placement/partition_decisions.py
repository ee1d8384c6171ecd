"""The decisions of the strategy ``optimal``: on which side of a part a location of an Opt set stands.

In a head with one part there may be two decisions on ``u(n)``, so four combinations: is it in Sbk or in Req_C, in Snp
or in Req_D? :mod:`snapset.analysis.placement.optimal_partition` measures combinations and looks for the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, singleton
from snapset.analysis.equations import Partition
from snapset.analysis.placement.two_sided_allocation import Objective
from snapset.analysis.recording.strategies import Place, Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.frozen_records import frozen

DEFAULT = 100


@frozen(order=True)
class Decision:
    """One location at one part: ``in_sbk``: Sbk or Req_C (Opt1, Opt2); else Snp or Req_D (Opt3)."""

    place: Place
    in_sbk: bool
    location: int


@frozen(kw_only=True)
class Point:
    """One combination: the decisions on their plus side, and what the head then costs."""

    plus: frozenset[Decision]
    figures: Objective
    left: int
    inside: int

    @property
    def rank(self) -> tuple[Objective, int]:
        """What is minimised; of equal ones, what is nearer to lazy."""
        return self.figures, len(self.plus)


def different(one: ProcedureRecord, other: ProcedureRecord) -> int:
    """The locations that two records of a code treat differently."""
    if one is other:
        return 0
    found = one.entering ^ other.entering
    for mine, theirs in zip(one.levels, other.levels, strict=True):
        for node in mine.taped.keys() | theirs.taped.keys():
            found |= mine.taped.get(node, 0) ^ theirs.taped.get(node, 0)
        for node in mine.solved.keys() | theirs.solved.keys():
            a, b = mine.solved[node], theirs.solved[node]
            found |= a.sets.req ^ b.sets.req
            for before, after in zip(astuple(a.choice), astuple(b.choice), strict=True):
                found |= before ^ after
    return found


def tagged_shares(formula: Quantity) -> dict[Sym, int] | None:
    """How much of a cost is whose (``tag``); None where it is no sum."""
    found: dict[Sym, int] = {}
    for monomial, factor in formula.terms.items():
        tags = [(atom, power) for atom, power in monomial if isinstance(atom, Sym) and atom.what == "tag"]
        if len(tags) != len(monomial) or len(tags) > 1 or any(power > 1 for _, power in tags):
            return None
        if tags:
            found[tags[0][0]] = int(factor)
    return found


def chosen(plus: frozenset[Decision], name: str = "optimal") -> Strategy:
    """The strategy that puts these decisions on their plus side and all others on the minus side."""
    masks: dict[Place, list[Exact]] = {}
    for decision in plus:
        masks.setdefault(decision.place, [EMPTY, EMPTY])[0 if decision.in_sbk else 1] |= singleton(decision.location)
    return Strategy(name, "chosen", chosen={place: Partition.of((a, a, b)) for place, (a, b) in masks.items()})


def with_default(assume: Mapping[str, int], defaulted: set[str]) -> Callable[[Sym], int]:
    """Numbers for names; ``defaulted`` collects those that got ``DEFAULT``."""

    def given(sym: Sym) -> int:
        key = "".join(sym.name.split()).lower()
        if key not in assume:
            defaulted.add(sym.name)
        return assume.get(key, DEFAULT)

    return given
