"""The tree of a divided run without running it: leaves, snapshots held, steps run again."""

from __future__ import annotations

from dataclasses import dataclass, field

from snapset.analysis.divide.drivers import DRIVERS, Interval
from snapset.analysis.divide.pick import StoppingRule
from snapset.analysis.divide.split_points import MIDS
from snapset.frontend.base.frozen_records import frozen


@frozen
class TreeSplit:
    """[σ, φ) was run to κ. ``level``: how many right parts it lies in."""

    sigma: int
    kappa: int
    phi: int
    level: int


@frozen
class TreeLeaf:
    """[σ, φ), differentiated at once."""

    sigma: int
    phi: int
    level: int

    @property
    def steps(self) -> int:
        return self.phi - self.sigma


@frozen
class CheckpointTree:
    """What a driver does, in its order: ``events`` are splits and leaves."""

    n: int
    events: tuple[TreeSplit | TreeLeaf, ...]

    @property
    def leaves(self) -> tuple[TreeLeaf, ...]:
        return tuple(one for one in self.events if isinstance(one, TreeLeaf))

    @property
    def splits(self) -> tuple[TreeSplit, ...]:
        return tuple(one for one in self.events if isinstance(one, TreeSplit))

    @property
    def longest(self) -> int:
        """Steps of the longest leaf."""
        return max((leaf.steps for leaf in self.leaves), default=0)

    @property
    def live(self) -> int:
        """Snapshots held at once, at most, beside the one at the beginning."""
        return max((leaf.level for leaf in self.leaves), default=0)

    @property
    def recomputed(self) -> int:
        """Steps run plainly, beside the leaves' own runs."""
        return sum(one.kappa - one.sigma for one in self.splits)

    @property
    def most(self) -> int:
        """How often one step is run plainly, at most."""
        changes: dict[int, int] = {}
        for one in self.splits:
            changes[one.sigma] = changes.get(one.sigma, 0) + 1
            changes[one.kappa] = changes.get(one.kappa, 0) - 1
        found = running = 0
        for at in sorted(changes):
            running += changes[at]
            found = max(found, running)
        return found


@dataclass(slots=True)
class TreeRecorder:
    """Hears a driver and keeps what it did."""

    events: list[TreeSplit | TreeLeaf] = field(default_factory=list)

    def split(self, whole: Interval[object], kappa: int, right: Interval[object]) -> None:
        self.events.append(TreeSplit(whole.sigma, kappa, whole.phi, whole.level))

    def leaf(self, interval: Interval[object]) -> None:
        self.events.append(TreeLeaf(interval.sigma, interval.phi, interval.level))

    def released(self, interval: Interval[object]) -> None:
        pass

    def tree(self, n: int) -> CheckpointTree:
        return CheckpointTree(n, tuple(self.events))


class Counted:
    """A program of nothing but steps; its capsules are the points themselves."""

    def interrupt(self, capsule: int, steps: int, most: int) -> tuple[int, int]:
        return capsule + steps, steps

    def resume(self, capsule: int) -> None:
        return None

    def adjoint(self, capsule: int, steps: int, adjoint: int) -> int:
        assert capsule + steps == adjoint, "a leaf that does not end where the last one began"
        return capsule


def planned_tree(n: int, rule: StoppingRule, mid: str = "binomial", driver: str = "binary") -> CheckpointTree:
    """The tree that a driver makes of a run of ``n`` steps in which every step can be stopped at."""
    recorder = TreeRecorder()
    DRIVERS[driver](Counted(), 0, n, rule, MIDS[mid], n, recorder)
    return recorder.tree(n)
