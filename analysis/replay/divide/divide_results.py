"""What a divided run gives: its tree with bytes, whether its gradient is store-all's, what it cost."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.divide.pick import StoppingRule
from snapset.analysis.divide.tree import CheckpointTree, TreeSplit
from snapset.analysis.replay.divide.step_costs import Unit
from snapset.analysis.replay.experiment.measurements import Difference
from snapset.analysis.replay.experiment.used_inputs import InputUsed
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen


@frozen
class CapsuleSize:
    """A capsule's bytes at step ``at``: data that is live to the end of its interval, and control. ``to_end``: data
    that is live to the end of the program; ``state``: all there is. ``where``: file and line of what runs next,
    ``depth``: the procedures that are active. ``variables``: the data's names, those of the procedure that runs."""

    at: int
    data: int
    control: int
    to_end: int
    state: int
    where: str
    depth: int
    variables: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        return self.data + self.control


@frozen
class DividePlan:
    """A tree with bytes, known before any adjoint runs. ``capsules``: by step; ``tapes``: of the leaves in their order.
    ``start``: the capsule at the beginning, which stands all the time."""

    mid: str
    rule: StoppingRule
    tree: CheckpointTree
    start: CapsuleSize
    capsules: Mapping[int, CapsuleSize]
    tapes: tuple[int, ...]

    @property
    def held(self) -> tuple[int, ...]:
        """The bytes of capsules at each leaf, that of the beginning among them."""
        found, standing, total = [], list[TreeSplit](), self.start.bytes
        for event in self.tree.events:
            if isinstance(event, TreeSplit):
                standing.append(event)
                total += self.capsules[event.kappa].bytes
                continue
            found.append(total)
            if standing and standing[-1].kappa == event.sigma:
                total -= self.capsules[standing.pop().kappa].bytes
        return tuple(found)

    @property
    def peak_bytes(self) -> int:
        """The highest point: capsules and the tape of one leaf."""
        return max((held + tape for held, tape in zip(self.held, self.tapes, strict=True)), default=0)


@frozen
class DividedResult:
    """One choice of split points, run. ``peak_bytes``: capsules and tape at once; ``tape_bytes``: of the largest leaf;
    ``capsule_bytes``: held at once, at most. ``recomputed_steps``: run plainly. ``slowdown``: CPU time, store-all's
    being 1."""

    mid: str
    equal: bool
    plan: DividePlan
    differences: tuple[Difference, ...] = ()
    error: str | None = None
    peak_bytes: int | None = None
    tape_bytes: int | None = None
    capsule_bytes: int | None = None
    largest_bytes: int | None = None
    recomputed_steps: int | None = None
    slowdown: float | None = None


@frozen
class LoopScheduleResult:
    """The binomial schedule over the iterations of the loop at ``line``, with so many snapshots. The other figures are
    those of :class:`DividedResult`."""

    line: int
    snapshots: int
    iterations: int
    equal: bool
    peak_bytes: int
    tape_bytes: int
    capsules: int
    capsule_bytes: int
    largest_bytes: int
    recomputed_steps: int
    slowdown: float | None


@frozen
class StoredAll:
    """The adjoint without checkpoints."""

    peak_bytes: int
    steps: int


@frozen
class DivideComparison:
    """One head, divided in each way that was asked for. ``steps``: PRIMOPS. ``runs`` is empty for a plan.
    ``too_large``: the split points with which nothing keeps within the memory given, and the least that works.
    ``leaf_plan``: leaves tape what their adjoint needs; ``why_store_all``: why they do not, though they were to."""

    head: str
    inputs: tuple[InputUsed, ...]
    unit: Unit
    driver: str
    steps: int
    plans: tuple[DividePlan, ...]
    runs: tuple[DividedResult, ...]
    reference: StoredAll | None
    loop: LoopScheduleResult | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    too_large: tuple[tuple[str, int], ...] = ()
    leaf_plan: bool = False
    why_store_all: str = ""

    @property
    def equal(self) -> bool:
        return all(run.equal for run in self.runs) and (self.loop is None or self.loop.equal)


@frozen
class ActiveProcedure:
    """One row of a control stack. ``loops``: of each DO that runs, its line and the iterations left."""

    procedure: str
    file: str
    line: int
    entered: int
    loops: tuple[tuple[int, int], ...]
    live: tuple[tuple[str, int], ...]
    dead: tuple[tuple[str, int, str], ...]


@frozen
class CapsuleView:
    """One capsule: at step ``at`` of ``steps``. ``procedures``: from the head down."""

    head: str
    at: int
    steps: int
    unit: Unit
    size: CapsuleSize
    procedures: tuple[ActiveProcedure, ...]
