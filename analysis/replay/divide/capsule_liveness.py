"""What is live at an execution point: backward liveness over procedures, the control stack being known.

Of a run that is at node k of g, which f calls at node c, what is read before it is written is

    live(g) at k, with exit set  holding(live(f) behind c)         what g still reads, and what f reads of what g sees
    live(f) behind c  \\  whole(g)                                  what only f sees

so g's exit set is its caller's, not that of all callers. To the end of an interval it is less: a procedure that is
active at both ends is followed to where it is then, and no further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly, members
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.dataflow.solver import make_graph
from snapset.analysis.memory.locations import Location
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.live_code import ExposedReads
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend.base.frozen_records import frozen


@frozen
class ControlPoint:
    """One active procedure as liveness looks at it. ``entered`` tells one run of it from others; ``more``: an elemental
    call at ``node`` has more runs to come. ``left``: by number of its running loops, the iterations left."""

    key: str
    node: int
    entered: int
    more: bool = False
    left: tuple[tuple[int, int], ...] = ()


Control = tuple[ControlPoint, ...]


@dataclass
class FrameLiveness:
    """What is live in one active procedure. ``bits``: what is not told by those that it calls; ``behind``: all of it,
    where it goes on. ``solved``: at each of its nodes (None: nothing is live, both ends of the interval lie in what it
    calls). ``more``: as of its :class:`ControlPoint`."""

    key: str
    bits: May
    behind: May = EMPTY
    solved: FixedPoint[May] | None = None
    fold: Callable[[May], May] = May
    more: bool = False
    _before: dict[int, May] = field(default_factory=dict)

    def before(self, node: int) -> May:
        """What is live before a node."""
        if node not in self._before:
            assert self.solved is not None
            self._before[node] = self.fold(self.solved.at_entry(node))
        return self._before[node]


class CapsuleLiveness:
    """Answers which locations are live where; each procedure is solved once for each end and exit set."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self._solved: dict[tuple[str, int, int], FixedPoint[May]] = {}
        self._found: dict[tuple[object, ...], tuple[tuple[Location, ...], ...]] = {}
        self._frames: dict[tuple[object, ...], tuple[FrameLiveness, ...]] = {}

    def live(self, control: Control, end: Control | None = None,
             at_exit: bool = False) -> tuple[tuple[Location, ...], ...]:
        """The live locations of each active procedure.

        ``end``: where the interval ends; None: with the program. ``at_exit``: what outlives the program counts as
        read when it ends (the whole state is wanted, not only what its adjoint reads).
        """
        key = self._key(control, end, at_exit)
        if key not in self._found:
            self._found[key] = tuple(self._locations(one.key, one.bits) for one in self.frames(control, end, at_exit))
        return self._found[key]

    def frames(self, control: Control, end: Control | None = None,
               at_exit: bool = False) -> tuple[FrameLiveness, ...]:
        """Each active procedure, as :meth:`live`."""
        key = self._key(control, end, at_exit)
        if key not in self._frames:
            self._frames[key] = tuple(self._each(control, end, common_depth(control, end), at_exit))
        return self._frames[key]

    def _key(self, control: Control, end: Control | None, at_exit: bool) -> tuple[object, ...]:
        common = common_depth(control, end)
        until = None if end is None else (end[common].node, common < len(end) - 1)
        return tuple((c.key, c.node, c.more) for c in control), common if end is not None else -1, until, at_exit

    def names(self, key: str, locations: Iterable[Location]) -> tuple[str, ...]:
        """As the procedure calls them, sorted."""
        space = self.models.by_key[key].space
        return space.names(space.select(locations))

    def _locations(self, key: str, bits: May) -> tuple[Location, ...]:
        space = self.models.by_key[key].space
        return tuple(space.locations[i] for i in members(bits & space.all()) if not space.locations[i].is_association)

    def _each(self, control: Control, end: Control | None, common: int, at_exit: bool) -> Iterator[FrameLiveness]:
        root = self.models.by_key[control[0].key]
        exit_set: May = root.visible if at_exit else EMPTY
        for depth, one in enumerate(control):
            if end is not None and depth < common:
                yield FrameLiveness(one.key, EMPTY)  # both ends of the interval lie in what it calls here
                continue
            model = self.models.by_key[one.key]
            if end is not None and depth == common:
                solved = self._to_node(model, end[common].node)
            else:
                solved = self._to_exit(model, exit_set)
            fold = model.lives().fold
            if depth == len(control) - 1:
                before = fold(solved.at_entry(one.node))
                yield FrameLiveness(one.key, before, before, solved, fold)
                return
            behind = fold(solved.at_exit(one.node))
            if one.more:
                behind |= fold(solved.at_entry(one.node))
            called = self._target(model, one.node, control[depth + 1].key)
            callee = self.models.by_key[control[depth + 1].key]
            own = behind if called is None or one.more else behind & ~called.kills(exactly(callee.visible))
            yield FrameLiveness(one.key, own, behind, solved, fold, one.more)
            exit_set = callee.visible if called is None else called.holding(behind) & callee.visible

    def _target(self, model: ProcedureModel, node: int, key: str) -> Target | None:
        site = model.calls.get(node)
        return next((one for one in site.targets if one.key == key), None) if site is not None else None

    def _to_exit(self, model: ProcedureModel, exit_set: May) -> FixedPoint[May]:
        key = model.procedure.key, -1, int(exit_set)
        if key not in self._solved:
            problem = ExposedReads(model.scope, exit_set, model.effects, model.lives())
            self._solved[key] = problem.solve(model.backward)
        return self._solved[key]

    def _to_node(self, model: ProcedureModel, node: int) -> FixedPoint[May]:
        """Along the ways that lead to ``node``, which counts as run."""
        key = model.procedure.key, node, 0
        if key not in self._solved:
            graph = make_graph(model.graph.entry, model.graph.succs, self._before(model, node))
            problem = ExposedReads(model.scope, EMPTY, model.effects, model.lives())
            self._solved[key] = problem.solve(graph.reversed(node))
        return self._solved[key]

    def _before(self, model: ProcedureModel, node: int) -> set[int]:
        """The nodes from which ``node`` can be reached."""
        found, work = {node}, [node]
        while work:
            for before in model.graph.preds[work.pop()]:
                if before not in found:
                    found.add(before)
                    work.append(before)
        return found


def common_depth(control: Control, end: Control | None) -> int:
    """The deepest place at which both stacks have the same run of a procedure."""
    depth = 0
    for one, other in zip(control[1:], (end or ())[1:], strict=False):
        if (one.key, one.entered) != (other.key, other.entered):
            break
        depth += 1
    return depth

