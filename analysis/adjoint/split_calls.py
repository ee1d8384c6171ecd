"""A call in split mode, seen from its caller: the callee's forward sweep is one procedure, its backward sweep another.

    call f(a)       ! forward sweep of f
    ...             ! D: the rest of the caller, forward and back
                    ! backward sweep of f: D's adjoint has run in between

So what D's adjoint reads and overwrites is known at the exit of f, and goes backward through it to its entry; what is
required (Req) is known at the entry of f, and goes forward through it to its exit. This module translates between the
caller's names and the callee's; what happens inside of the callee is asked of ``through``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.dataflow.bitsets import (
    EMPTY,
    EVERYTHING,
    Exact,
    May,
    Must,
    exactly,
    members,
    set_of,
    singleton,
    union,
)
from snapset.analysis.memory.locations import Space
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.recorded_control import Reversal
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import bind

State: TypeAlias = tuple[May, May]


@frozen(kw_only=True)
class SplitCallSite:
    """One call in split mode, in its caller's adjoint.

    ``targets``: the procedures that it may run, each with the key of its code. ``effect``: use, out and kill of the
    original call. The sweeps restore what is in ``entry`` and ``partials``, so neither may be too large nor too small.
    ``entry``: what must be as it was before the call when the backward sweep enters the callee (subscripts of the
    arguments, bounds of its arrays). ``partials``: what the derivatives of passed expressions read, behind the
    callee's backward sweep.
    """

    targets: tuple[tuple[Target, str], ...]
    effect: Effect
    entry: Exact
    partials: Exact

    @property
    def taped(self) -> May:
        """What the caller itself tapes at the call: what ``entry`` needs and the callee overwrites."""
        return self.entry & self.effect.out

    @property
    def required(self) -> Exact:
        """What of ``entry`` those that run later must preserve."""
        return exactly(self.entry & ~self.effect.out)

    @property
    def values(self) -> May:
        """What passed expressions read that are evaluated again to enter the callee."""
        return union(link.use for target, _ in self.targets for link in target.passed.values()
                     if not link.out and not link.use & self.effect.out)

    def entering(self, plain: May) -> dict[str, May]:
        """By code what the callee has of a set of the caller."""
        found: dict[str, May] = {}
        for target, key in self.targets:
            found[key] = found.get(key, EMPTY) | target.holding(plain)
        return found

    def behind(self, plain: State) -> dict[str, State]:
        """By code what lies behind the callee's exit: D, and in the end the arguments evaluated again. What is passed
        as an expression is lost where D overwrites what that reads."""
        lost = plain[1] & ~self.required
        used, overwritten = self.entering(plain[0] | self.required | self.values), self.entering(lost)
        for target, key in self.targets:
            overwritten[key] |= set_of(i for i, link in target.passed.items()
                                       if not link.out and link.use & lost)
        return {key: (used[key], overwritten[key]) for key in used}

    def backward(self, state: State, plain: State, space: Space, through: Callable[[str, State], State]) -> State:
        """use(D̄) and out(D̄) before the call from those behind it (``plain``: without extra bits)."""
        use, out = state
        entering = self.behind(plain)
        inner_use = inner_out = May(EMPTY)
        for target, key in self.targets:
            found = through(key, entering[key])
            inner_use |= target.uses(found[0])
            inner_out |= target.outs(found[1])
        use, out = use | self.required, out & ~self.required
        reads = self.entry | self.partials | space.with_aliases(inner_use)
        before = (out & ~self.wholes(space)) | space.with_aliases(inner_out)
        return (use & ~self.effect.kill) | reads, before & ~self.partials

    def requiring(self, plain: May) -> dict[str, May]:
        """By code what is required at the callee's entry."""
        return self.entering(plain | self.partials)

    def forward(self, required: May, plain: May, space: Space, through: Callable[[str, May], May]) -> May:
        """Req behind the call from Req before it."""
        entering = self.requiring(plain)
        inner = union(target.uses(through(key, entering[key])) for target, key in self.targets)
        return ((required | self.partials) & ~self.wholes(space)) | space.with_aliases(inner) | self.required

    def wholes(self, space: Space) -> Must:
        """What every target sees whole, so that it alone knows what becomes of it."""
        found: Must = EVERYTHING
        for target, _ in self.targets:
            found &= target.wholes
        return found & ~space.moving & ~space.other_names


def split_call_sites(model: ProcedureModel, code: AdjointCode, active: Active, models: Models,
                     reversal: Reversal) -> dict[int, SplitCallSite]:
    """The calls in split mode of one code, by node."""
    found: dict[int, SplitCallSite] = {}
    for node in code.split_calls:
        site = model.calls[node]
        targets = tuple((t, code.callees[node, t.key]) for t in site.targets)
        bounds = union(t.uses(models.seen[t.key].bounds_read) for t in site.targets)
        fixed = ~reversal.regenerated(node)  # the reversed loops give those values back by themselves
        entry = exactly(_under_every_name(site.index_reads | bounds, model.space) & fixed)
        partials = exactly(_under_every_name(passed_partials(model, active, models, node), model.space) & fixed)
        found[node] = SplitCallSite(targets=targets, effect=model.effects[node], entry=entry, partials=partials)
    return found


def _under_every_name(bits: May, space: Space) -> May:
    """What is read, with the other names that pointers give it, and what tells where it is."""
    return space.with_descriptors(space.with_aliases(bits))


def passed_partials(model: ProcedureModel, active: Active, models: Models, node: int) -> May:
    """What the derivatives of passed expressions read, behind the callee's adjoint; variables are passed as they
    are."""
    site, varied = model.calls[node], active.varied[node]
    passed = [v for t in site.targets for v in bind(site.stmt, models.program.procedures[t.key])
              if v is not None and not isinstance(v, ir.Ref)]
    return union(model.refs.partials(v, varied) for v in passed)


def dying_arguments(call: SplitCallSite, key: str, models: Models) -> Exact:
    """The dummy arguments of a callee that are passed an expression whose value cannot be had again behind the call:
    the callee overwrites what the expression reads, or the argument itself (a copy of 2 where it is VALUE)."""
    found = EMPTY
    for target, code in call.targets:
        callee = models.seen[target.key]
        for i in members(((1 << target.size) - 1) & ~target.hidden.inside):
            link = target.link(i)
            passed = callee.space.locations[i].area.kind == "formal"
            if code == key and passed and not link.out and (callee.written >> i & 1 or link.use & call.effect.out):
                found |= singleton(i)
    return found


def alternate_returns(model: ProcedureModel) -> frozenset[int]:
    """The nodes that say at which label the caller goes on."""
    nodes = model.flow.nodes
    return frozenset(n.index for n in nodes if isinstance(n.stmt, ir.Return) and n.stmt.alternate is not None)
