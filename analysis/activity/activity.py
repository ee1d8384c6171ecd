"""Activity: varied (depends differentiably on an independent), useful (a dependent depends on it), active.

May-analyses: more is safe. One adjoint per procedure (but see :mod:`snapset.analysis.activity.calling_contexts`): what
varies or is useful at its borders is united over all calls of it, while what a single call passes on is computed for
that call's own input (of a recursive procedure by its summary).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from snapset.analysis.activity.active_sets import NO_BORDER, Active, Border, Ints, at_head, hash_of
from snapset.analysis.activity.message_adjoints import as_another_call, has_other_end
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, May, union
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MayProblem
from snapset.analysis.incremental.query_engine import LazyTable, QueryOwner, derived, query
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.call_binding import CallSite, Target
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureInterface, ProcedureModel
from snapset.analysis.procedures.statement_effects import derivative_use
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen(eq=False)
class Varied(MayProblem):
    """What depends differentiably on an independent.

        varied(exit I) = (varied(entry I) \\ kill(I)) ∪ out(I)    if I computes differentiably from varied(entry I)
                         varied(entry I) \\ kill(I)              otherwise

    Through a call goes what the callee makes of what varies at its entry. ``assigned``: by assignment flows and out.
    """

    name = "varied"
    direction = Direction.FORWARD

    activity: Activity
    model: ProcedureModel
    lives: ArrayLives
    assigned: Mapping[int, tuple[May, May]]

    def transfer(self, node: int, state: May) -> May:
        lives = self.lives
        state = lives.opened_forward(node, state)
        if node in self.assigned:
            flows, smooth = self.assigned[node]
            gains = smooth if flows and lives.fold(state) & flows else EMPTY
            return lives.closed_forward(node, (state & ~self.model.effects[node].kill) | gains)
        return lives.closed_forward(node, self.activity.varied_after(self.model, node, state, lives.fold(state)))

    def plain(self, state: May) -> May:
        return self.lives.fold(state)


@frozen(eq=False)
class Useful(MayProblem):
    """What a dependent depends on differentiably.

        useful(entry I) = (useful(exit I) \\ kill(I)) ∪ flows(I)    if out(I) ∩ useful(exit I) ≠ ∅
                          useful(exit I) \\ kill(I)                otherwise

    ``flows``: the operands that I computes from differentiably; with ``varied`` only those that are varied at I, for
    to no other an adjoint is added.
    """

    name = "useful"
    direction = Direction.BACKWARD

    activity: Activity
    model: ProcedureModel
    lives: ArrayLives
    varied: Mapping[int, May] | None

    def transfer(self, node: int, state: May) -> May:
        lives, varied = self.lives, EVERYTHING if self.varied is None else self.varied[node]
        state = lives.closed_backward(node, state)
        gains = self.activity.useful_gains(self.model, node, lives.fold(state), varied)
        return lives.opened_backward(node, (state & ~self.model.effects[node].kill) | gains)

    def plain(self, state: May) -> May:
        return self.lives.fold(state)


@frozen(eq=False)
class EverVaried(MayProblem):
    """What has varied at some moment before: nothing ends it.

        once(exit I) = once(entry I) ∪ varied(entry I) ∪ varied(exit I)

    Through a call also what varies inside it.
    """

    name = "ever-varied"
    direction = Direction.FORWARD

    activity: Activity
    model: ProcedureModel
    varied: Mapping[int, May]
    later: Mapping[int, May]

    def transfer(self, node: int, state: May) -> May:
        state = state | self.varied[node] | self.later[node]
        if node in self.model.calls:
            state |= self.activity.ever_in_callees(self.model, node, self.varied[node])
        return state


class Activity(QueryOwner):
    """Activity of all procedures below one head, with what varies before it and is useful behind it: ``ends``."""

    def __init__(self, models: Models, head: str, ends: Callable[[], tuple[May, May]]) -> None:
        super().__init__(models.engine)
        self.models = models
        self.head = head
        self.ends = ends
        self.borders: Mapping[str, Border] = LazyTable(self.reached, self.border)
        self.of: Mapping[str, Active] = LazyTable(self.reached, lambda key: self.within(key, self.border(key))[0])

    @query("value")
    def spread(self) -> tuple[tuple[str, Ints], ...]:
        """What reaches each procedure: callers before callees, again where a callee's border grew, until nothing
        grows."""
        found: dict[str, Border] = {}
        pending = {self.head: at_head(self.models.seen[self.head].space, *self.ends())}
        while pending:
            key, border = next(iter(pending.items()))
            del pending[key]
            border = border.joined(found.get(key, NO_BORDER))
            if border == found.get(key):
                continue
            found[key] = border
            for (_, target), at in self.calls(key, border).items():
                pending[target] = pending.get(target, NO_BORDER).joined(at)
        return tuple((key, border.ints) for key, border in found.items())

    @derived
    def spreading(self) -> Mapping[str, Border]:
        return {key: Border.of(ints) for key, ints in self.spread()}

    @derived
    def reached(self) -> tuple[str, ...]:
        """The procedures that run below the head."""
        return tuple(self.spreading())

    @query("value")
    def met(self, key: str) -> Ints:
        return self.spreading()[key].ints

    def border(self, key: str) -> Border:
        """What reaches a procedure at all its calls."""
        return Border.of(self.met(key))

    def within(self, key: str, border: Border) -> tuple[Active, dict[tuple[int, str], Border]]:
        """One procedure's activity under a border; the borders of those it calls, by call node."""
        return self.inside(key, border.ints)

    def active_calls(self, key: str, border: Border) -> frozenset[int]:
        """The calls that have an adjoint."""
        return frozenset(self.below(key, border.ints)[0])

    def calls(self, key: str, border: Border) -> Mapping[tuple[int, str], Border]:
        """What reaches each procedure that is called, by call node."""
        return {at: Border.of(ints) for at, ints in self.below(key, border.ints)[1]}

    @query("value")
    def below(self, key: str, ints: Ints) -> tuple[tuple[int, ...], tuple[tuple[tuple[int, str], Ints], ...]]:
        """What callees see of a procedure's activity: the active calls, and all borders."""
        active, borders = self.inside(key, ints)
        return tuple(sorted(active.active_calls)), tuple((at, border.ints) for at, border in borders.items())

    @query(content=hash_of)
    def inside(self, key: str, ints: Ints) -> tuple[Active, dict[tuple[int, str], Border]]:
        model, border = self.models.by_key[key], Border.of(ints)
        lives = self.lives(key)
        forward = self._varied(key, border.varied)
        varied = {n: model.space.with_aliases(lives.fold(bits)) for n, bits in forward.entries.items()}
        backward = self._useful(key, border.useful, varied)
        useful = {n: lives.fold(bits) for n, bits in backward.exits.items()}
        later = {n: lives.fold(bits) for n, bits in forward.exits.items()}
        once = self._once(model, border.once, varied, later)
        derivative: dict[int, May] = {}
        resets: dict[int, May] = {}
        active_calls: set[int] = set()
        borders: dict[tuple[int, str], Border] = {}
        for node in model.graph.order:
            after = useful.get(node, EMPTY)
            wiped = after & (once[node] | later[node])
            reads = _derivative(model, node, varied[node], wiped)
            if reads is not None:
                read = model.space.with_descriptors(model.space.with_aliases(reads))
                derivative[node] = read | model.space.allocations_led_to(read)
            if node in model.calls:
                entry = Border(varied=varied[node], useful=after, once=once[node])
                if self._call_is_active(model, node, entry):
                    active_calls |= as_another_call(model, node, derivative)
                elif reads is not None:
                    resets[node] = wiped & model.effects[node].out & model.smooth
                for target in model.calls[node].targets:
                    found = _at_callee(entry, target, self.models.seen[target.key])
                    known = borders.get((node, target.key), NO_BORDER)
                    borders[node, target.key] = known.joined(found)
        active = Active(varied=varied, useful=useful, derivative=derivative, active_calls=frozenset(active_calls),
                        resets=resets)
        return active, borders

    def _call_is_active(self, model: ProcedureModel, node: int, at: Border) -> bool:
        """Must the callee's adjoint run? Something varied before the call reaches something useful behind it, or a
        message begins or ends; or the call may overwrite what has an adjoint and varied once, without certainly
        overwriting all of it: which elements, only the callee's adjoint knows."""
        site, e = model.calls[node], model.effects[node]
        if site.stmt.intrinsic:
            return False
        if has_other_end(model, e, at):
            return True
        if not site.targets:
            return bool(e.use & at.varied & model.smooth and e.out & at.useful & model.smooth)
        if e.out & ~e.kill & at.useful & at.once & model.smooth:
            return True
        return any(self._touched(target.key, _at_callee(at, target, self.models.seen[target.key]))
                   for target in site.targets)

    def _touched(self, key: str, at: Border) -> bool:
        """Does a callee, so entered and left, pass derivatives on? One that communicates may, from and to others."""
        seen = self.models.seen[key]
        may = bool(at.varied and at.useful) or seen.summary.talks
        return may and self.passes_on(key, at.varied & seen.smooth, at.useful & seen.smooth)

    @query("value")
    def passes_on(self, key: str, varied: May, useful: May) -> bool:
        """Is anything in a procedure, so entered and left, of which derivatives come and go on?"""
        if self.models.recurs(key):
            summary = self.models.seen[key].summary
            return summary.talks or bool(varied & summary.use and useful & summary.out)
        model, lives = self.models.by_key[key], self.lives(key)
        before, behind = self._varied(key, varied), self._useful(key, useful)
        for node in model.graph.order:
            after = lives.fold(behind.at_exit(node))
            if node in model.calls:
                at = Border(varied=lives.fold(before.entries[node]), useful=after, once=EMPTY)
                if self._call_is_active(model, node, at):
                    return True
            elif model.effects[node].out & model.smooth & after & lives.fold(before.exits[node]):
                return True
        return False

    def _once(self, model: ProcedureModel, entering: May, varied: Mapping[int, May],
              later: Mapping[int, May]) -> Mapping[int, May]:
        """What has varied at some moment before each node: nothing ends it."""
        entering = model.space.with_aliases(entering) & model.smooth
        return EverVaried(model.scope, entering, self, model, varied, later).solve(model.graph).entries

    def ever_in_callees(self, model: ProcedureModel, node: int, varied: May) -> May:
        """What varies at some moment inside a call."""
        return model.space.with_aliases(union(
            t.outs(self._ever(t.key, t.depending(varied))) for t in model.calls[node].targets)) & model.smooth

    def _ever(self, key: str, entering: May) -> May:
        """What of its callers' memory varies at some moment of a procedure so entered."""
        return self.ever(key, entering & self.models.seen[key].smooth)

    @query("value")
    def ever(self, key: str, entering: May) -> May:
        if self.models.recurs(key):
            seen = self.models.seen[key]
            return (entering | seen.summary.out) & seen.visible
        model, lives, forward = self.models.by_key[key], self.lives(key), self._varied(key, entering)
        found = lives.fold(union(forward.entries.values()) | union(forward.exits.values()))
        for node in model.calls:
            found |= self.ever_in_callees(model, node, lives.fold(forward.at_entry(node)))
        return found & model.visible

    @derived
    def lives(self, key: str) -> ArrayLives:
        return self.models.by_key[key].lives()

    # ------------------------------------------------------------ the two analyses

    def _varied(self, key: str, entering: May) -> FixedPoint[May]:
        model = self.models.by_key[key]
        entering = model.space.with_aliases(entering)  # the procedure's own pointers may lead there
        problem = Varied(model.scope, entering & model.smooth, self, model, self.lives(key), self.assigned(key))
        return problem.solve(model.graph)

    @derived
    def assigned(self, key: str) -> Mapping[int, tuple[May, May]]:
        """What each assignment of a procedure makes of what varies: its operands, and what they make vary."""
        model = self.models.by_key[key]
        return {n.index: (model.space.with_aliases(model.refs.flows(n.stmt.value)), e.out & model.smooth)
                for n, e in zip(model.flow.nodes, model.effects, strict=True) if isinstance(n.stmt, ir.Assign)}

    def varied_after(self, model: ProcedureModel, node: int, before: May, varied_before: May) -> May:
        """What varies behind others. ``before``: the solver's state; ``varied_before``: that in plain locations."""
        e, stmt = model.effects[node], model.flow.nodes[node].stmt
        if node in model.calls:
            return (before & ~e.kill) | self._call_varied(model, model.calls[node], node, varied_before)
        if e.everything:
            return before | (model.smooth if varied_before else EMPTY)
        if isinstance(stmt, ir.Allocate) and stmt.source is not None and varied_before & model.refs.flows(stmt.source):
            return before | (e.out & model.smooth)
        return before & ~e.kill

    def _call_varied(self, model: ProcedureModel, site: CallSite, node: int, varied_before: May) -> May:
        if site.stmt.intrinsic:
            return _moved_by_intrinsic(model, node, varied_before)
        if not site.targets:
            e = model.effects[node]
            return (e.out if varied_before & e.use else e.varies) & model.smooth
        return model.space.with_aliases(union(
            t.outs(self._through_callee("varied", t.key, t.depending(varied_before))) for t in site.targets)
        ) & model.smooth

    def _useful(self, key: str, leaving: May, varied: Mapping[int, May] | None = None) -> FixedPoint[May]:
        """Useful locations; with ``varied``, of these only the ones whose adjoint may not be zero: an adjoint is
        added to only where the location varies."""
        model = self.models.by_key[key]
        leaving = model.space.with_aliases(leaving)
        return Useful(model.scope, leaving & model.smooth, self, model, self.lives(key), varied).solve(model.backward)

    def useful_gains(self, model: ProcedureModel, node: int, useful_after: May, varied: May) -> May:
        """What a node makes useful before it: x, for ``y = 2*x``, if y is in ``useful_after`` and x in ``varied``."""
        e, stmt = model.effects[node], model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign):
            flows = model.refs.flows(stmt.value, varied) if useful_after & e.out else EMPTY
            return model.space.with_aliases(flows) & model.smooth
        if node in model.calls:  # behind a callee's adjoint, what does not vary here has none
            return self._call_useful(model, model.calls[node], node, useful_after) & varied
        if e.everything:
            return model.smooth & varied if useful_after else EMPTY
        if isinstance(stmt, ir.Allocate) and stmt.source is not None and useful_after & e.out:
            return model.refs.flows(stmt.source, varied) & model.smooth
        return EMPTY

    def _call_useful(self, model: ProcedureModel, site: CallSite, node: int, useful_after: May) -> May:
        if site.stmt.intrinsic:
            return _moved_by_intrinsic(model, node, useful_after)
        if not site.targets:
            e = model.effects[node]
            return (e.use if useful_after & e.out else e.counts) & model.smooth
        return model.space.with_aliases(union(
            t.flows(self._through_callee("useful", t.key, t.depending(useful_after))) for t in site.targets)
        ) & model.smooth

    def _through_callee(self, which: Literal["varied", "useful"], key: str, border: May) -> May:
        """What is varied at a callee's end (useful at its start) for one input."""
        return self.through(which, key, border & self.models.seen[key].smooth)

    @query("value")
    def through(self, which: Literal["varied", "useful"], key: str, border: May) -> May:
        if self.models.recurs(key):
            return _through_summary(which, self.models.seen[key], border)
        model, lives = self.models.by_key[key], self.lives(key)
        if which == "varied":
            found = self._varied(key, border).at_entry(model.flow.exit)
        else:
            found = self._useful(key, border).at_entry(model.flow.entry)
        return lives.fold(found) & model.visible


def _through_summary(which: str, model: ProcedureInterface, border: May) -> May:
    """As :meth:`Activity.through`, by the summary alone: all it may write depends on all it may read."""
    s = model.summary
    source, found = (s.use, s.out) if which == "varied" else (s.out, s.use)
    return ((border & ~s.kill) | (found if border & source else EMPTY)) & model.smooth & model.visible


def _derivative(model: ProcedureModel, node: int, varied: May, active: May) -> May | None:
    """use(I'), or None without a derivative statement.

    ``active``: what has an adjoint behind the node that may not be zero, and varies or has varied.
    Whatever overwrites such a location has a derivative statement, differentiable or not (a constant,
    READ, an inactive call): it sets the adjoint to zero, needs its subscripts, and must be reached again
    by the reversed control. That the location is not varied right here does not matter: an adjoint may
    come from where paths meet.
    """
    e, at = model.effects[node], model.flow.nodes[node]
    if not e.out & model.smooth & active:
        return None
    if isinstance(at.stmt, ir.Assign):
        masks = () if node in model.stored_masks else tuple(mask.expr for mask in at.masks)
        return derivative_use(at.stmt, masks, model.refs, varied)
    if node in model.calls:
        return model.calls[node].index_reads
    return e.use if e.everything or isinstance(at.stmt, ir.IO) else EMPTY


def _moved_by_intrinsic(model: ProcedureModel, node: int, relevant: May) -> May:
    """Only MOVE_ALLOC carries values between arguments. ``relevant``: varied before, or useful after, the call."""
    e = model.effects[node]
    return e.out & model.smooth if model.calls[node].stmt.name == "move_alloc" and relevant & e.out else EMPTY


def _at_callee(at: Border, target: Target, callee: ProcedureInterface) -> Border:
    """What a call site's border is to the callee."""
    varied, useful, once = (target.depending(one) & callee.smooth for one in (at.varied, at.useful, at.once))
    return Border(varied=varied, useful=useful, once=once)
