"""C runs twice: what a second run would do differently, whatever is saved (equations.md section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snapset.analysis.model import Model, Models
from snapset.frontend import ir
from snapset.frontend.diagnostics import Diagnostic, Span

RANDOM = frozenset(("random_number", "random_seed", "random_init", "rand", "srand", "irand", "ran", "random"))
CLOCKS = frozenset(("cpu_time", "system_clock", "date_and_time", "etime", "dtime", "second", "get_command",
                    "get_command_argument", "get_environment_variable", "execute_command_line", "system"))


class Hazards:
    """Finds, for parts of modelled procedures, the statements a second run of which does something else."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self._callees: dict[str, tuple[Diagnostic, ...]] = {}

    def in_nodes(self, model: Model, nodes: Iterable[int]) -> tuple[Diagnostic, ...]:
        """Those of a marked part: in its own statements, and in all it calls."""
        inside = tuple(nodes)
        found = list(_own(model, inside, lives_on=-1))
        for node in inside:
            if node in model.calls:
                found += self.in_call(model, node)
        return tuple(dict.fromkeys(found))

    def in_call(self, model: Model, node: int) -> tuple[Diagnostic, ...]:
        """Those of a call: in everything it may run."""
        site = model.calls[node]
        span = model.flow.nodes[node].span
        if site.stmt.intrinsic:
            return ()
        if not site.targets:
            return tuple(_unknown(site.stmt.name, span))
        return tuple(dict.fromkeys(d for t in site.targets for d in self.in_procedure(t.key)))

    def in_procedure(self, key: str) -> tuple[Diagnostic, ...]:
        if key not in self._callees:
            self._callees[key] = ()
            model = self.models.by_key[key]
            found = list(_own(model, model.graph.order, lives_on=model.visible))
            for node in model.graph.order:
                if node in model.calls:
                    found += self.in_call(model, node)
            self._callees[key] = tuple(dict.fromkeys(found))
        return self._callees[key]


def _own(model: Model, nodes: Iterable[int], lives_on: int) -> Iterator[Diagnostic]:
    """The statements themselves; ``lives_on``: the locations that outlive the stretch."""
    inside = list(nodes)
    opened = _allocations(model, inside, ir.Allocate)
    closed = _allocations(model, inside, ir.Deallocate)
    for node in inside:
        at = model.flow.nodes[node]
        match at.stmt:
            case ir.IO():
                yield from _input_output(at.stmt)
            case ir.Allocate() | ir.Deallocate():
                other = closed if isinstance(at.stmt, ir.Allocate) else opened
                changed = model.effects[node].out & lives_on & ~other
                if changed:
                    yield _allocation(at.stmt, ", ".join(model.space.names(changed)))
            case ir.PointerAssign() | ir.Nullify():
                if model.effects[node].out & lives_on:
                    yield _warning("SN105", at.span, "changes what a pointer is associated with; no snapshot restores "
                                   "an association, so the second run may start from another target: associate the "
                                   "pointer before the part")
            case ir.Stop():
                yield Diagnostic("SN106", "note", "STOP inside a checkpointed part: if the run gets here the adjoint "
                                 "ends too, with the stack unread; test before the part", at.span)
            case ir.Opaque():
                yield _warning("SN107", at.span, "this statement is not understood; whether a second run does the same "
                               "is unknown: rewrite it, or move it out of the part")
            case ir.Call() if at.stmt.intrinsic:
                yield from _intrinsic(at.stmt)
            case _:
                pass


def _allocations(model: Model, nodes: Iterable[int], kind: type[ir.Stmt]) -> int:
    """What is certainly (de)allocated whenever the stretch runs: at its own level of nesting."""
    total = 0
    for node in nodes:
        at = model.flow.nodes[node]
        if isinstance(at.stmt, kind):
            total |= model.effects[node].kill
    return total


def _input_output(stmt: ir.IO) -> Iterator[Diagnostic]:
    if stmt.internal:
        return
    if stmt.action == "read":
        yield _warning("SN101", stmt.span, "READ takes the next record: the second run reads other values, or hits the "
                       "end of the file; move the READ before the part")
    elif stmt.action in ("write", "print", "flush"):
        yield _warning("SN102", stmt.span, f"{stmt.action.upper()} runs in both runs: the output appears twice; move "
                       "it out of the part, or switch it off in one of the runs")
    elif stmt.action != "inquire":
        yield _warning("SN109", stmt.span, f"{stmt.action.upper()} changes a file's state: the second run finds it "
                       "already changed; move it out of the part")


def _allocation(stmt: ir.Allocate | ir.Deallocate, names: str) -> Diagnostic:
    if isinstance(stmt, ir.Allocate):
        return _warning("SN104", stmt.span, f"ALLOCATE of {names}, which outlives the part: the second run "
                        "allocates it again, which is an error; allocate before the part, or test ALLOCATED")
    return _warning("SN104", stmt.span, f"DEALLOCATE of {names}, which outlives the part: the second run finds it "
                    "gone; deallocate behind the part")


def _intrinsic(stmt: ir.Call) -> Iterator[Diagnostic]:
    if stmt.name in RANDOM:
        yield _warning("SN103", stmt.span, f"{stmt.name.upper()} moves a hidden state on: the second run draws other "
                       "numbers; save the generator's state (RANDOM_SEED GET/PUT) or draw before the part")
    elif stmt.name in CLOCKS:
        yield _warning("SN108", stmt.span, f"{stmt.name.upper()} gives another answer in the second run; call it "
                       "before the part if its value matters")


def _unknown(name: str, span: Span) -> Iterator[Diagnostic]:
    if name in RANDOM:
        yield _warning("SN103", span, f"{name.upper()} draws other numbers in the second run; draw before the part")
    elif name in CLOCKS:
        yield _warning("SN108", span, f"{name.upper()} gives another answer in the second run")
    elif name.startswith("mpi_"):
        yield _warning("SN110", span, f"{name.upper()} communicates again in the second run; all processes must run "
                       "the part twice, in the same order, or the communication must move out of the part")
    else:
        yield _warning("SN107", span, f"'{name}' has no source here; whether a second run does the same is unknown: "
                       "give its source")


def _warning(code: str, span: Span, message: str) -> Diagnostic:
    return Diagnostic(code, "warning", message, span)


