"""Which values that are given back are read again: a POP whose value nothing reads is superfluous.

In the paper's words what must be restored before C̄ is use(C̄) ∪ (Req \\ Sbk): what reads, in the rest of the backward
sweep, a value that no later POP gives back first. Here it is liveness, on the text of the adjoint itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from snapset.analysis.comparison.balanced_items import Pair
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.live_code import ExposedReads
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel

Groups: TypeAlias = tuple[tuple[Pair, ...], ...]


class LiveValues:
    """What is live in one procedure. ``leaving``: what may be read behind its end. ``groups``: PUSHes and POPs that
    can only go together."""

    def __init__(self, model: ProcedureModel, leaving: May, groups: Groups) -> None:
        self.model = model
        self.leaving = leaving
        self.groups = groups
        self.nodes = {node.stmt.id: node.index for node in model.flow.nodes
                      if node.kind == "call" and node.stmt is not None}
        self.lives = model.lives()

    def dead(self) -> Groups:
        """The groups whose POPs give back what nothing reads. What is pushed for such a POP is not read either."""
        found: Groups = ()
        while True:
            solved = self._solved(found)
            now = tuple(group for group in self.groups
                        if not any(self._after(solved, pair) & pair.place for pair in group))
            if now == found:
                return found
            found = now

    def behind(self, dead: Groups) -> Mapping[int, May]:
        """What is live behind each call, by node."""
        solved = self._solved(dead)
        return {node: self._at(solved, node) for node in self.model.calls}

    def before(self, node: int) -> May:
        """What is live before a node."""
        live = self.lives.fold(self._solved(()).at_entry(node))
        return self.model.space.with_aliases(live)

    def _after(self, solved: FixedPoint[May], pair: Pair) -> May:
        return self._at(solved, self.nodes[pair.pop.id])

    def _at(self, solved: FixedPoint[May], node: int) -> May:
        live = self.lives.fold(self.lives.closed_backward(node, solved.at_exit(node)))
        return self.model.space.with_aliases(live)

    def _solved(self, dead: Groups) -> FixedPoint[May]:
        return ExposedReads(self.model.scope, self.leaving, self._effects(dead), self.lives).solve(self.model.backward)

    def _effects(self, dead: Groups) -> tuple[Effect, ...]:
        effects = list(self.model.effects)
        gone = {pair.push.id for group in dead for pair in group}
        for pair in (one for group in self.groups for one in group):
            at, back = self.nodes[pair.push.id], self.nodes[pair.pop.id]
            effects[back] = replace(effects[back], kill=Must(effects[back].kill | pair.whole))
            if pair.push.id in gone:
                effects[at] = replace(effects[at], use=EMPTY)
        return tuple(effects)


def live_at_ends(models: Models, ordered: tuple[str, ...], groups: Mapping[str, Groups],
                 asked: Mapping[str, Exact]) -> Mapping[str, LiveValues]:
    """Of each procedure, callers first; ``asked``: what is read of it when the whole run is over, by procedure."""
    leaving: dict[str, May] = {key: asked.get(key, EMPTY) for key in ordered}
    while True:
        found = {key: LiveValues(models.by_key[key], leaving[key], groups.get(key, ())) for key in ordered}
        grown = dict(leaving)
        for key, one in found.items():
            behind = one.behind(one.dead())
            for node, site in models.by_key[key].calls.items():
                for target in site.targets:
                    if target.key in grown:
                        grown[target.key] |= target.holding(behind[node])
        if grown == leaving:
            return found
        leaving = grown
