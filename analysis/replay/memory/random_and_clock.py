"""Random numbers and the time, the same in every run of a head from its start."""

from __future__ import annotations

from typing import Any

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Array

SEEDS = 8
TICKS_A_SECOND = 1000


class RandomAndClock:
    """The random numbers and the clock of one run. The clock ticks when it is looked at.

    ``state``: what RANDOM_SEED gets and puts, all there is to the generator; every draw adds 1 to its last number.
    """

    __slots__ = ("state", "ticks")

    def __init__(self) -> None:
        self.ticks = 0
        self.state = [0] * SEEDS

    def reseed(self, state: Any) -> None:
        self.state = [*(int(one) for one in state), *(0,) * SEEDS][:SEEDS]

    def random(self, target: Any) -> Array:
        """Numbers in [0, 1) in the shape of ``target``."""
        found = np.asarray(np.random.default_rng([one % 2**32 for one in self.state]).random(np.shape(target)))
        self.state[-1] = (self.state[-1] + 1) % 2**31
        return found

    def seed(self) -> Array:
        return np.array(self.state)

    def tick(self) -> int:
        self.ticks += 1
        return self.ticks
