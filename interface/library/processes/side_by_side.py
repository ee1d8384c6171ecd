"""Deals the questions of one head to several processes, wave by wave, before they are asked in order.

What comes out is what one process finds: here the answers are only looked up, and one that is missing, because a
process is no more or the question was not foreseen, is made here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from snapset.frontend.persistence.serialization import dumps, loads
from snapset.library.processes.code_waves import CodeWaves, Group, Step
from snapset.library.processes.seats import CAN_FORK, LostSeatError, Seat, answer

GAIN = 1.3
"""Processes are started where they can be so many times as fast as one at best."""


def ask_ahead(found: Any, use: Any, processes: int) -> None:
    """Have other processes answer their share of what ``use`` will ask of a head, where that pays. ``found``: its
    analysis (HeadAnalysis)."""
    if processes < 2 or not CAN_FORK or not _separable(found):
        return
    last = getattr(use, "of_code", None)
    waves = CodeWaves(found, None if last is None else last(found))
    if waves.gain(processes) < GAIN:
        return
    for procedure in found.program.procedures.values():
        len(procedure.body)  # read here: the cache's file is this process's
    with _seats(waves, processes - 1) as seats:
        Dealing(waves, seats).run()


def _separable(found: Any) -> bool:
    """Is there no question about all codes at once, for which this process needed them all?"""
    options, strategies = found.options, found.wanted
    whole = options.split or options.context or options.pareto or options.counts is not None or found.program.declared
    if whole or any(one.kind == "optimal" or one.by_part or one.names_something for one in strategies):
        return False
    try:
        return not found.planning.any_split() and not found.adjoints.messages.any()
    except Exception:  # whoever asks it in order is told
        return False


@contextmanager
def _seats(waves: CodeWaves, number: int) -> Iterator[list[Seat]]:
    seats: list[Seat] = []
    try:
        for _ in range(number):
            try:
                seats.append(Seat(waves, seats))
            except OSError:
                break
        yield seats
    finally:
        for seat in seats:
            seat.leave()


class Dealing:
    """Which process has which group (None: this one), and what each has not been told yet."""

    def __init__(self, waves: CodeWaves, seats: Sequence[Seat]) -> None:
        self.waves = waves
        self.engine = waves.found.engine
        self.owner: dict[Group, Seat | None] = {}
        self.untold: dict[Seat, list[bytes]] = {seat: [] for seat in seats}

    def run(self) -> None:
        """All waves. A process that is lost has its share done here, and so have those of later waves."""
        self.engine.news()
        for step, groups in self.waves.steps():
            self._wave(step, groups)

    def _wave(self, step: Step, groups: Sequence[Group]) -> None:
        shares = self._dealt(step, groups)
        asked = [seat for seat in tuple(self.untold) if shares[seat] and self._asked(seat, step, shares[seat])]
        answer(self.engine, self.waves, step, shares[None], ())
        self._spread(dumps(self.engine.news()), None)
        for seat in asked:
            try:
                made, traces = seat.answers()
            except LostSeatError:
                self._lost(seat)
                answer(self.engine, self.waves, step, shares[seat], ())
                self._spread(dumps(self.engine.news()), None)
                continue
            self.engine.told(loads(made))
            if self.engine.memory is not None:
                self.engine.remembered(loads(traces))
            self._spread(made, seat)

    def _asked(self, seat: Seat, step: Step, groups: Sequence[Group]) -> bool:
        try:
            seat.ask(step, groups, self.untold[seat])
        except LostSeatError:
            self._lost(seat)
            answer(self.engine, self.waves, step, groups, ())
            return False
        self.untold[seat].clear()
        return True

    def _spread(self, made: bytes, by: Seat | None) -> None:
        for seat, untold in self.untold.items():
            if seat is not by:
                untold.append(made)

    def _lost(self, seat: Seat) -> None:
        del self.untold[seat]
        self.owner = {group: None if one is seat else one for group, one in self.owner.items()}

    def _dealt(self, step: Step, groups: Sequence[Group]) -> dict[Seat | None, list[Group]]:
        """Each group to the process that has it already; a new one, the largest first, to the one with least to do."""
        shares: dict[Seat | None, list[Group]] = {None: [], **{seat: [] for seat in self.untold}}
        if step == "facts":
            everyone = list(shares)
            for at, group in enumerate(groups):
                shares[everyone[at % len(everyone)]].append(group)
            return shares
        load: dict[Seat | None, int] = dict.fromkeys(shares, 0)
        weight = {group: self.waves.weight(group) for group in groups}
        for group in sorted(groups, key=lambda one: -weight[one]):
            if group not in self.owner:
                self.owner[group] = min(load, key=lambda one: load[one])
            load[self.owner[group]] += weight[group]
            shares[self.owner[group]].append(group)
        return shares
