"""Makes the model of one procedure, once those that it calls have theirs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, Must, exactly, members, set_of, union
from snapset.analysis.dataflow.framework import ProblemScope
from snapset.analysis.dataflow.solver import make_graph
from snapset.analysis.external.declared_effects import DeclaredEffects
from snapset.analysis.incremental.query_engine import Engine, LazyTable, derived, query
from snapset.analysis.memory.argument_extents import Steady
from snapset.analysis.memory.array_bands import find_bands
from snapset.analysis.memory.locations import Info, Space
from snapset.analysis.memory.references import References
from snapset.analysis.messages.mpi_calls import prepared_buffers, starts_messages
from snapset.analysis.operation_counts import TOO_MANY, call_effort, effort
from snapset.analysis.procedures.array_kills import find_array_kills, with_calls_alone
from snapset.analysis.procedures.array_lives import ArrayLives, ArrayProofs
from snapset.analysis.procedures.call_binding import BoundCalls, CallSite, OuterName, call_site, temporary_result
from snapset.analysis.procedures.earlier_writes import find_earlier_writes, with_openings
from snapset.analysis.procedures.effect_sets import NO_EFFECT, Effect, Summary
from snapset.analysis.procedures.equal_shapes import ShapedCode, with_kept_shapes
from snapset.analysis.procedures.external_calls import outside_effect, started_effect
from snapset.analysis.procedures.iteration_private import find_iteration_private
from snapset.analysis.procedures.live_code import summarise
from snapset.analysis.procedures.passed_elements import Callee, all_accesses, certain_writes
from snapset.analysis.procedures.procedure_model import ProcedureInterface, ProcedureModel, VisibleModel
from snapset.analysis.procedures.program_facts import NONE_DECLARED, ProgramFacts, SharedFacts
from snapset.analysis.procedures.statement_effects import are_functions, declared_sizes, effect, stored_masks
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.cfg.dead_ends import dead_ends, ended
from snapset.frontend.cfg.graph import Node
from snapset.frontend.ir.intrinsic_subroutines import RECEIVING, STATELESS

_MOST_ROUNDS = 200


class Models(ProgramFacts):
    """The models of a program's procedures, each made when it is asked for."""

    def __init__(self, program: ir.Program, effects: Mapping[str, str] = NONE_DECLARED,
                 root: str | None = None, distinct_pointers: bool = False, engine: Engine | None = None,
                 known: Models | None = None, shared: SharedFacts | None = None) -> None:
        """``effects``: declared effects of procedures without source
        (:mod:`snapset.analysis.external.declared_effects`). ``root``: the only procedure that is called from outside
        (None: any may be). ``distinct_pointers``: those older than its run share memory only where the program
        associates them (:mod:`snapset.analysis.memory.alias_classes`). ``known``, ``shared``: what was found of the
        same program, for the same root and choices, and for any."""
        super().__init__(program, effects, root, distinct_pointers, engine, shared)
        self.by_key: Mapping[str, ProcedureModel] = LazyTable(self.component.keys, self.model)
        self.seen: Mapping[str, ProcedureInterface] = LazyTable(self.component.keys, self.interface)
        self._known = known if known is not None and known.program is program else None

    @derived
    def model(self, key: str) -> ProcedureModel:
        if not self.group(key):
            raise KeyError(key)
        return self.together(self.group(key))[key]

    @query("file")
    def shown(self, key: str) -> VisibleModel:
        """What callers see of a procedure."""
        model = self.model(key)
        return VisibleModel(tuple(model.space.locations), tuple(model.space.infos), model.visible, model.smooth,
                            model.summary, model.written & model.visible, model.bounds_read, self.effort(key))

    def effort(self, key: str) -> int:
        """What a call of a procedure takes; of recursive ones nobody knows."""
        if self.recurs(key):
            return TOO_MANY
        return effort(self.program.procedures[key],
                      lambda callee: self.seen[callee].effort if self.group(callee) else TOO_MANY)

    @derived
    def interface(self, key: str) -> ProcedureInterface:
        seen, space = self.shown(key), Space()
        for location, info in zip(seen.locations, seen.infos, strict=True):
            space.add(location, info)
        return ProcedureInterface(self.program.procedures[key], space, seen.visible, seen.smooth, seen.summary,
                                  seen.written, seen.bounds, seen.effort)

    @query()
    def together(self, keys: tuple[str, ...]) -> Mapping[str, ProcedureModel]:
        """The models of a component of the call graph: one procedure, or several that call each other.

        The summaries of a recursion are the least fixpoint: first a recursive call is taken never to return (it
        reads and writes nothing and kills all), then it does what was found, until nothing changes.
        """
        for key in keys:
            self.statements(key)
        self.declared()
        if self._known is not None:
            found = self._known.together(keys)
            self.engine.read_as(self._known.engine, ("Models.together", keys))
            return found
        if not self.recurs(keys[0]):
            return {keys[0]: _Builder(self, keys[0], {}, frozenset()).build()}
        known: dict[str, ProcedureModel] = {}
        for _ in range(_MOST_ROUNDS):
            before = [_outside(known.get(key)) for key in keys]
            for key in keys:
                known[key] = _Builder(self, key, known, frozenset(keys)).build()
            if before == [_outside(known[key]) for key in keys]:
                return known
        known = {}  # not settled, which no program is known to bring about: unknown
        for key in keys:
            known[key] = _Builder(self, key, known, frozenset(keys), settling=False).build()
        return known


def _outside(found: ProcedureModel | None) -> object:
    """What callers see of a procedure."""
    return None if found is None else (tuple(found.space.locations), found.visible, found.summary)


class _Builder:
    """Makes the model of one procedure.

    ``together``: the procedures that call each other and so are modelled at a time. ``known``: the models that these
    have so far. ``settling``: a call of one without a model is taken as a call that never returns."""

    def __init__(self, models: Models, key: str, known: Mapping[str, ProcedureModel], together: frozenset[str],
                 settling: bool = True) -> None:
        self.models = models
        self.known = known
        self.together = together
        self.settling = settling
        self.procedure = procedure = models.program.procedures[key]
        self.flow = ended(models.plain_flow(key), self.returns)
        ends = dead_ends(self.flow)
        self.returning = self.flow.entry not in ends
        self.dead = ends if self.returning or key != models.root else frozenset[int]()
        self.space = Space()
        bands = find_bands(models.program, key, models.storage, dict(models.module_bands()))
        self.refs = References(procedure, models.storage, self.space, bands)
        self.outer = OuterName(self.refs)
        self.bound = BoundCalls(self.space)

    def build(self) -> ProcedureModel:
        for name in (*self.procedure.formals, *((self.procedure.result,) if self.procedure.result else ())):
            self.refs.leaves(name)
        raw = {n.index: self.counted(n.index, effect(n, self.refs)) for n in self.flow.nodes if n.kind != "call"}
        reset = self.reset_on_entry()
        raw[self.flow.entry] = Effect(use=self.refs.all_values(declared_sizes(self.procedure)), out=reset, keep=True,
                                      shaped=reset & self.space.allocatable)
        if self.procedure.opaque:
            raw[self.flow.entry] = Effect(keep=True, unseen=True, everything=True)
        calls = self.call_sites(lambda _: False)
        foreign = are_functions(declared_sizes(self.procedure))
        for index in calls:
            raw[index] = self.counted(index, self.call_effect(calls[index]))
        for name in self.procedure.variables if any(e.everything for e in raw.values()) else ():
            self.refs.leaves(name)
        if foreign or any(e.everything or e.globals for e in raw.values()):
            self.add_globals()
            entry = raw[self.flow.entry]
            raw[self.flow.entry] = replace(entry, use=entry.use | self.globals()) if foreign else entry
        elif self.space.indirect:
            self.add_aliases()
        written = union(self.written(e) for e in raw.values())

        def steady(ref: ir.Ref) -> bool:
            touch, allocations = self.refs.touch(ref), self.space.allocations
            return not (touch.bits | touch.subscripts & allocations) & written and not touch.subscripts & ~allocations

        calls = self.call_sites(steady)
        for index in calls:
            raw[index] = self.counted(index, self.call_effect(calls[index]))
        effects = tuple(self.finished(raw[n.index]) for n in self.flow.nodes)
        graph = make_graph(self.flow.entry, dict(enumerate(self.flow.succs)))
        scope = ProblemScope(self.procedure.key, self.flow, self.space.names)
        effects = with_kept_shapes(ShapedCode(self.procedure, self.flow, graph, self.space, self.refs, effects, scope),
                                   self.models.program.procedures)
        self.space.unchanged = exactly(self.space.allocations & ~union(e.out for e in effects))
        accesses = all_accesses(calls, effects, self.callee, self.refs, steady)
        earlier = find_earlier_writes(self.procedure, self.flow, effects, self.refs, accesses, steady)
        private = find_iteration_private(self.flow, effects, self.refs, accesses)
        kills = find_array_kills(self.procedure, self.flow, self.places, steady, certain_writes(accesses, self.refs))
        proofs = ArrayProofs(with_calls_alone(kills, self.flow, effects, calls),
                             with_openings(private, earlier, self.flow, effects), len(self.space), earlier)
        backward = graph.reversed(self.flow.exit)
        visible = self.visible()
        summary = summarise(scope, graph, backward, effects, ArrayLives(proofs))
        summary = replace(summary, use=summary.use & visible, out=summary.out & visible, kill=summary.kill & visible,
                          shaped=summary.shaped & visible, completes=summary.completes & visible,
                          returns=self.returning)
        return ProcedureModel(self.procedure, self.flow, graph, backward, self.space, self.refs, effects, calls, proofs,
                              visible, self.smooth(), written, stored_masks(self.flow, self.refs, effects), summary)

    def counted(self, node: int, e: Effect) -> Effect:
        """What counts of a node's effect: nothing where the run only stops."""
        return Effect(kill=e.kill) if node in self.dead else e

    def reset_on_entry(self) -> May:
        """What entering the procedure changes: INTENT(OUT) deallocates and initialises by default."""
        total: May = EMPTY
        for name in self.procedure.formals:
            variable = self.procedure.variables.get(name)
            if variable is not None and variable.intent == "out" and (
                    variable.allocatable or variable.type.kind == "derived"):
                total |= self.refs.touch(ir.Ref((ir.PartRef(name),), variable.type)).bits
        return total

    def finished(self, e: Effect) -> Effect:
        """The effect with what it reaches in ways no reference shows: pointers, globals, everything."""
        if e == NO_EFFECT:
            return e
        if e.everything:
            everything = self.space.all()
            travels = May(everything) if e.talks else EMPTY
            return replace(e, use=everything, out=everything, kill=EMPTY, shaped=everything, varies=travels,
                           counts=travels)
        hidden = self.globals() if e.globals else EMPTY
        use = self.space.with_descriptors(self.space.with_aliases(e.use | hidden))
        return replace(e, use=use, out=self.space.with_aliases(e.out | hidden), kill=e.kill & ~self.space.moving,
                       shaped=self.space.with_aliases(e.shaped))

    def written(self, e: Effect) -> May:
        """What the finished effect overwrites."""
        if e.everything:
            return May(self.space.all())
        return self.space.with_aliases(e.changed | (self.globals() if e.globals else EMPTY))

    def globals(self) -> Exact:
        kinds = ("module", "common", "saved")
        return set_of(i for i, x in enumerate(self.space.locations) if x.area.kind in kinds)

    # ------------------------------------------------------------ calls

    def call_sites(self, steady: Steady) -> dict[int, CallSite]:
        return {node.index: self.bound.site(node.index, partial(self.site, node), steady)
                for node in self.flow.nodes if node.kind == "call"}

    def site(self, node: Node, steady: Steady) -> CallSite:
        assert isinstance(node.stmt, ir.Call)
        return self.dead_call(node.stmt) if node.index in self.dead else self.call_site(node.stmt, steady)

    def dead_call(self, stmt: ir.Call) -> CallSite:
        """A call behind which the run stops: whatever it does, it is as if it did nothing."""
        site = call_site(stmt, (), self.refs, self.outer, lambda _: False)
        return replace(site, declared=DeclaredEffects(("none",) * len(stmt.args), skippable=True))

    def returns(self, stmt: ir.Call) -> bool:
        """May control come back from a call?"""
        found = [self.seen(key) for key in stmt.targets]
        return not found or any(one is None or one.summary.returns for one in found)

    def call_site(self, stmt: ir.Call, steady: Steady) -> CallSite:
        known = [one for key in stmt.targets if (one := self.seen(key)) is not None]
        callees = [(m.procedure, m.space, m.visible) for m in known]
        site = call_site(stmt, callees, self.refs, self.outer, steady)
        if reach := self.unseen_reach(stmt):
            return replace(site, targets=(), problem=reach, everything=True)
        if len(known) < len(stmt.targets) and not self.never_returns_yet(stmt):
            return replace(site, targets=(), problem="recursion is not analysed")
        if not known:
            return replace(site, declared=self.models.declarations.find(stmt))
        (only, *others) = known
        return site if others or not isinstance(only, ProcedureInterface) else replace(
            site, effort=call_effort(stmt, lambda _: only.effort))

    def seen(self, key: str) -> ProcedureInterface | ProcedureModel | None:
        """What is called; None where it has no model, or not yet."""
        if key in self.together:
            return self.known.get(key)
        return self.models.seen[key] if self.models.group(key) else None

    def summary(self, key: str) -> Summary:
        found = self.seen(key)
        assert found is not None
        return found.summary

    def callee(self, key: str) -> Callee:
        found = self.seen(key)
        assert found is not None
        return Callee(found.procedure, found.space, found.summary)

    def call_effect(self, site: CallSite) -> Effect:
        """use, out and kill of a call. One that alternate returns leave is a branch, too: what runs next it decides
        again whenever it is passed, so what it changes counts wherever it stands."""
        found = self.bound_effect(site)
        return replace(found, keep=True) if site.stmt.alternates else found

    def bound_effect(self, site: CallSite) -> Effect:
        """use, out and kill of a call: its targets' summaries in the caller's terms."""
        if site.stmt.intrinsic:
            receives = site.stmt.name in RECEIVING
            return Effect(use=site.reads | (EMPTY if receives else site.written), out=site.written,
                          kill=site.whole if receives else EMPTY,
                          keep=True, shaped=site.written & (self.space.allocatable | self.space.links),
                          unseen=site.stmt.name not in STATELESS)
        if site.everything:
            return Effect(keep=True, unseen=True, everything=True, talks=self.may_talk(site.stmt))
        if not site.targets and self.never_returns_yet(site.stmt):
            return Effect(use=site.reads, kill=EVERYTHING)
        if not site.targets:
            own = () if self.models.starts_foreign(self.procedure.key) else prepared_buffers(self.procedure)
            return started_effect(site, self.refs, own) if starts_messages(site.stmt) else outside_effect(
                site, self.refs)
        summaries = [(t, self.summary(t.key)) for t in site.targets]
        kill: Must = EVERYTHING
        for target, summary in summaries:
            kill &= target.kills(summary.kill)
        made_here = temporary_result(site.stmt, self.refs)
        result = self.refs.descriptor(site.stmt.result).bits if site.stmt.result is not None else EMPTY
        shaped = union(t.outs(s.shaped) for t, s in summaries)
        unseen = any(s.unseen for _, s in summaries)
        return Effect(use=union(t.uses(s.use) for t, s in summaries) & ~made_here | site.reads,
                      out=union(t.outs(s.out) for t, s in summaries) | result, kill=kill | made_here,
                      keep=bool(shaped) or unseen or self.gives_allocatable(site), shaped=shaped, unseen=unseen,
                      completes=union(t.outs(s.completes) for t, s in summaries),
                      talks=any(s.talks for _, s in summaries))

    def gives_allocatable(self, site: CallSite) -> bool:
        """Does a function allocate its result? The result's adjoint has its shape from there."""
        procedures = (self.models.program.procedures[t.key] for t in site.targets)
        return any(p.result is not None and p.variables[p.result].allocatable for p in procedures)

    def never_returns_yet(self, stmt: ir.Call) -> bool:
        """Is part of what is called in the recursion that is being modelled, and not yet there?"""
        return self.settling and any(key in self.together and key not in self.known for key in stmt.targets)

    def unseen_reach(self, stmt: ir.Call) -> str:
        """Why a call may reach what its targets' own models do not show; '' where it does not."""
        if self.passes_internal_procedure(stmt):
            return "it may run a passed procedure, which sees variables of the one around it"
        if stmt.via == "pointer" and any(map(self.has_older_hosts, stmt.targets)):
            return "it may run a procedure within a recursive one, which sees variables of an older run of that"
        if any(self.models.leads_to_foreign_start(key) for key in stmt.targets) or (
                self.models.unknown(stmt) and self.models.hides_messages()):
            return "it may start messages that were prepared elsewhere"
        return ""

    def may_talk(self, stmt: ir.Call) -> bool:
        """May what a call runs communicate? ``stmt``: one that reaches what is not seen. What is passed to a procedure
        without source may."""
        return not stmt.targets or any(one is not None and one.summary.talks for one in map(self.seen, stmt.targets))

    def passes_internal_procedure(self, stmt: ir.Call) -> bool:
        """May what is called run, in ways its own model does not show, an internal procedure of this one's?

        It sees its host's variables, and perhaps those of an older run of a recursive host.
        """
        procedures = self.models.program.procedures
        passed = [a.value.key for a in stmt.args if isinstance(a.value, ir.ProcedureRef)]
        hosts = {procedures[key].host for key in passed if key is not None} - {None}
        if not hosts:
            return False
        return (not stmt.targets or any(self.models.recurs(host) for host in sorted(filter(None, hosts)))
                or not all(self.models.is_closed(key) for key in stmt.targets))

    def has_older_hosts(self, key: str) -> bool:
        """May a pointer to an internal procedure have been associated in an older run of its host than the last one?"""
        host = self.models.program.procedures[key].host
        return host is not None and self.models.recurs(host)

    # ------------------------------------------------------------ what else can be reached

    def add_globals(self) -> None:
        """Number every global, which a procedure without source could reach, as it is cut where it is named."""
        for leaf in self.models.outward_globals():
            self.outer.add(leaf.location, leaf.info)

    def add_aliases(self) -> None:
        """Number every pointer and target a pointer of this procedure may lead to, if any code names it."""
        for name, variable in self.procedure.variables.items():
            if variable.pointer or variable.target:
                self.refs.leaves(name)
        families = {info.family for info in self.space.infos if info.aliasable}
        named = self.models.named_globals()
        for leaf in self.models.globals.pointed(None if named is None else frozenset(named)):
            family = leaf.info.family
            if family in families or family is None or None in families:
                self.outer.add(leaf.location, leaf.info)

    # ------------------------------------------------------------ masks

    def places(self, ref: ir.Ref) -> dict[int, Info]:
        infos = self.space.infos
        return {i: infos[i] for i in members(self.refs.touch(ref).bits) if not infos[i].may_move}

    def visible(self) -> Exact:
        """Everything but the procedure's own locals (its function result is seen)."""
        key = self.procedure.key
        result = EMPTY
        if self.procedure.result is not None:
            result = set_of(self.space.add(x.location, x.info) for x in self.refs.leaves(self.procedure.result))
        return result | set_of(i for i, x in enumerate(self.space.locations)
                              if x.area.owner != key or x.area.kind in ("saved", "formal", "module", "common"))

    def smooth(self) -> Exact:
        return set_of(i for i, info in enumerate(self.space.infos) if info.type.differentiable)


