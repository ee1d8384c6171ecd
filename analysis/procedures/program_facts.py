"""What the program says of its procedures, asked before any of them has a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from snapset.analysis.external.declared_effects import Declarations
from snapset.analysis.incremental.query_engine import Engine, QueryOwner, TraceMemory, derived, query
from snapset.analysis.memory.alias_classes import Associated, associated, types_seen
from snapset.analysis.memory.array_bands import ModuleReferences, module_bands, module_references
from snapset.analysis.memory.locations import Band, outward
from snapset.analysis.memory.named_globals import GlobalLeaves, named_areas, running_below
from snapset.analysis.memory.storage_units import Leaf, Overlays, Storage
from snapset.analysis.messages.foreign_starts import ForeignStarts, foreign_starts
from snapset.analysis.messages.mpi_calls import is_message_passing
from snapset.frontend import ir
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.interprocedural.call_graph import bottom_up, call_graph, callees, reachable
from snapset.frontend.interprocedural.lazy_procedures import source_of
from snapset.frontend.interprocedural.strongly_connected import components
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.persistence.fingerprint import digest
from snapset.frontend.persistence.statement_hashes import statements_hash

T = TypeVar("T")
_VARIABLE = tuple(one.name for one in fields(ir.Variable) if one.name != "span")
NONE_DECLARED: Mapping[str, str] = MappingProxyType({})


class SharedFacts(QueryOwner):
    """What is asked of a program whichever head it has. It is worked out for the first head that asks, and remembered
    apart from what is remembered of each head: of 72 heads in a program of 110 procedures that was two thirds."""

    def __init__(self, program: ir.Program, memory: TraceMemory | None = None) -> None:
        super().__init__(Engine(memory))
        self.program = program
        self.overlays = Overlays(program, self.associated)

    @query("live")
    def statements(self, key: str) -> bytes | None:
        """A hash of a procedure's statements, wherever it stands, and of what is declared in others that it names."""
        return statements_hash(self.program.procedures[key]) if key in self.program.procedures else None

    @query("value")
    def dummies(self, key: str) -> bytes:
        """A hash of what a call needs to know of a procedure, whatever it does: its dummy arguments and its result."""
        self.statements(key)
        return _dummies(self.program.procedures[key])

    @query("live")
    def types(self) -> str:
        """What associations depend on in the types."""
        return types_seen(self.program)

    @query("value")
    def associated(self, key: str) -> Associated:
        """What a procedure's statements bring together."""
        self._called(key)
        self.types()
        return associated(self.program, key)

    @query("value")
    def module_references(self, key: str) -> tuple[ModuleReferences, ...]:
        """What a procedure's references select of arrays of modules."""
        self._called(key)
        return module_references(self.program, key)

    def _called(self, key: str) -> None:
        """Read a procedure's statements, and what its calls need to know of others."""
        self.statements(key)
        for one in callees(self.program.procedures[key]):
            self.dummies(one)

    @cached_property
    def every_module_reference(self) -> tuple[ModuleReferences, ...]:
        """What all procedures select of arrays of modules."""
        return tuple(one for key in self.program.procedures for one in self.module_references(key))

    @cached_property
    def module_reference_hash(self) -> bytes:
        return digest(repr(self.every_module_reference))


class ProgramFacts(QueryOwner):
    """What is asked of a program: its call graph, its storage, the statements of its procedures as hashes."""

    def __init__(self, program: ir.Program, effects: Mapping[str, str], root: str | None, distinct_pointers: bool,
                 engine: Engine | None, shared: SharedFacts | None) -> None:
        """As of :class:`~snapset.analysis.procedures.model_builder.Models`."""
        super().__init__(engine or Engine())
        same = shared is not None and shared.program is program
        self.shared = shared if shared is not None and same else SharedFacts(program)
        self.program = program
        self.root = root
        self.effects = effects
        self.declarations = Declarations(effects)
        self.storage = Storage(program, root, distinct_pointers, self.shared.overlays)
        self.globals = GlobalLeaves(program, self.storage)
        self._outward: tuple[Leaf, ...] | None = None
        graph = self.once("calls", "", lambda: call_graph(program))
        self.components = tuple(components(graph)) if root is None else bottom_up(program, root, graph)
        self.component = {key: group for group in self.components for key in group}

    def plain_flow(self, key: str) -> FlowGraph:
        """A procedure's flow graph, whatever its calls do. Who asks has read its statements."""
        return self.once("flow", key, lambda: build_flow(self.program.procedures[key]))

    def once(self, question: str, key: str, work: Callable[[], T]) -> T:
        """What no head changes of a procedure: worked out once for all heads of a program."""
        return self.storage.overlays.once(question, key, work)

    @query("live")
    def statements(self, key: str) -> bytes | None:
        """A hash of a procedure's statements, wherever it stands, and of what is declared in others that it names."""
        return self.shared.statements(key)

    @query("live")
    def dummies(self, key: str) -> bytes:
        """A hash of what a call needs to know of a procedure, whatever it does: its dummy arguments and its result."""
        return self.shared.dummies(key)

    @query("live")
    def place(self, key: str) -> tuple[str, int] | None:
        """The file and the line in which a procedure begins."""
        procedure = self.program.procedures.get(key)
        return None if procedure is None else (procedure.span.file, procedure.span.line)

    @query("live")
    def file(self, key: str) -> str | None:
        """The file of a procedure: of an answer that names it, which lines that move do not change."""
        procedure = self.program.procedures.get(key)
        return None if procedure is None else procedure.span.file

    def at(self, key: str) -> tuple[str, int]:
        """The place of a procedure that is there."""
        found = self.place(key)
        assert found is not None
        return found

    @query("live")
    def group(self, key: str) -> tuple[str, ...]:
        """The procedures that a procedure calls, directly or not, and that call it, itself among them."""
        return self.component.get(key, ())

    @query("live")
    def recurs(self, key: str) -> bool:
        """May a procedure be called, directly or not, by itself?"""
        group = self.component.get(key, ())
        return len(group) > 1 or any(one in callees(self.program.procedures[one]) for one in group)

    @query("live")
    def keys(self) -> tuple[str, ...]:
        """Every procedure there is."""
        return tuple(self.program.procedures)

    @query("value")
    def module_bands(self) -> tuple[tuple[ir.Area, tuple[Band, ...]], ...]:
        """The regions into which arrays of modules are cut."""
        self.declared()
        self.module_references()
        return module_bands(self.shared.every_module_reference, self.storage)

    def outward_globals(self) -> tuple[Leaf, ...]:
        """Every global, as it is cut where it is named, under the name that it has where nothing names it: one record
        for all procedures."""
        bands = self.module_bands()  # asked each time: who asks depends on them
        if self._outward is None:
            cuts = dict(bands)
            every = [leaf for whole in self.globals.every() for leaf in whole.cut(cuts.get(whole.location.area, ()))]
            self._outward = tuple([Leaf(one.location, outward(one.location, one.info)) for one in every])
        return self._outward

    @query("live")
    def module_references(self) -> bytes:
        """A hash of what all procedures select of arrays of modules."""
        return self.shared.module_reference_hash

    @query("live")
    def declared(self) -> bytes:
        """A hash of what every model depends on besides statements."""
        procedures = self.program.procedures.values()
        shared = sorted({source.shared for source in map(source_of, procedures) if source is not None})
        every = [tuple(getattr(v, name) for name in _VARIABLE) for v in self.storage.overlays.saved]
        return digest(repr((shared, sorted(self.effects.items()), every)), self.storage.layout(),
                      self.storage.families.layout())

    @query("live")
    def running(self) -> tuple[str, ...] | None:
        """The procedures that may run; None: others too, that nobody knows."""
        roots = self.program.procedures if self.root is None else (self.root,)
        return running_below(self.program, roots, self._touches_arguments)

    def _touches_arguments(self, call: ir.Call) -> bool:
        """Is it known of a call without source that it touches nothing but its arguments?"""
        found = self.declarations.find(call)
        return found is not None and not found.everything_global

    @query("value")
    def named_areas(self, key: str) -> tuple[ir.Area, ...]:
        """The global areas that a procedure names."""
        self.statements(key)
        return self.once("named_areas", key, lambda: named_areas(self.program.procedures[key]))

    @query("value")
    def named_globals(self) -> tuple[ir.Area, ...] | None:
        """Those that some procedure names which may run; None: any."""
        running = self.running()
        return None if running is None else tuple(sorted({one for key in running for one in self.named_areas(key)}))

    @derived
    def foreign_starts(self) -> ForeignStarts:
        """Where messages are started that other procedures may have prepared."""
        for key in self.component:
            self.statements(key)
        return foreign_starts(self.program, self.component, self.unknown)

    def unknown(self, call: ir.Call) -> bool:
        """Is nothing known of a call without source? MPI's own procedures do what they are called for."""
        return not (call.targets or call.intrinsic or is_message_passing(call.name)
                    or self.declarations.find(call) is not None)

    @query("value")
    def hides_messages(self) -> bool:
        """Is there a prepared message whose buffer is no global?"""
        return bool(self.foreign_starts().hidden)

    @query("value")
    def starts_foreign(self, key: str) -> bool:
        """Does a procedure itself start what another may have prepared?"""
        return self.foreign_starts().within(key)

    @query("value")
    def leads_to_foreign_start(self, key: str) -> bool:
        """May a call of a procedure start what was prepared in memory that it cannot reach?"""
        return key in self.foreign_starts().leading

    @query("value")
    def is_closed(self, key: str) -> bool:
        """Is it known of every call below a procedure what it runs, but for those that are passed no procedure?"""
        return all(self.calls_known(one) for one in reachable(self.program, key))

    @query("value")
    def calls_known(self, key: str) -> bool:
        """Of the procedure's own calls."""
        self.statements(key)
        called = [s for s in statements(self.program.procedures[key].body)
                  if isinstance(s, ir.Call) and not s.targets and not s.intrinsic]
        return not any(s.via != "name" or any(isinstance(a.value, ir.ProcedureRef) for a in s.args) for s in called)


def _dummies(procedure: ir.Procedure) -> bytes:
    names = (*procedure.formals, procedure.result or "")
    passed = [procedure.variables[name] for name in names if name in procedure.variables]
    every = [tuple(getattr(one, name) for name in _VARIABLE) for one in passed]
    return digest(repr((names, procedure.elemental, every)))
