"""Exchanges that cannot be followed, and are taken to be closed: all that is sent in one call is received in that call.

    do n = 1, halo%sends;  call mpi_isend(buffer(:, n), ..., halo%to(n), tag, comm, request(n), ierr);  end do

in ``exchange(field, halo)`` sends to whom a table says. Where the tables of all ranks fit together, whatever
``exchange`` sends is received in the same call of it on another rank, and the rest of the program may be followed as
if it were one collective call. That they do is assumed, and said with every verdict that needs it. It is assumed of a
procedure only that can be closed: it sends and receives, starts and completes its own requests, and is understood.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from snapset.analysis.messages.mpi_calls import is_message_passing, known_call
from snapset.analysis.messages.skeleton.written_variables import AreaKey
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.statement_walk import statements


@frozen
class ClosedExchange:
    """What is assumed of a procedure: ``why`` it cannot be followed, and where."""

    name: str
    why: str
    span: Span

    @property
    def text(self) -> str:
        """``exchange receives in each call all that it sends there (a loop ... at f.f90:12)``"""
        return (f"{self.name} receives in each call all that it sends there ({self.why} at {self.span.file}:"
                f"{self.span.line})")


@frozen
class _Requests:
    """The requests that a procedure starts or completes and that live longer than it."""

    formals: frozenset[str] = frozenset()
    areas: frozenset[AreaKey] = frozenset()


@dataclass(slots=True)
class ClosedExchanges:
    """Which procedures of a program can be closed, in runs from ``root``: what that does not reach starts and completes
    nothing then."""

    program: ir.Program
    root: str
    below: dict[str, frozenset[str]] = field(default_factory=dict)
    requests: dict[str, _Requests] = field(default_factory=dict)

    def possible(self, key: str) -> bool:
        """May all that a procedure sends be received in the same call of it?"""
        if not self.requests:
            self.requests = _requests(self.program)
        inside, found = self.reached(key), self.requests[key]
        if found.formals or any(found.areas & self.requests[other].areas for other in self.reached(self.root)
                                if other not in inside and key not in self.reached(other)):
            return False
        roles = set[str]()
        for procedure in inside:
            for call in _calls(self.program, procedure):
                library = known_call(call)
                if library is None and is_message_passing(call.name) and not call.targets:
                    return False
                roles |= set() if library is None else set(library.role.split())
        sends = "send" in roles or "both" in roles
        return sends == ("recv" in roles or "both" in roles)

    def within(self, key: str) -> Iterator[tuple[tuple[str, int], str]]:
        """Calls inside a closed procedure of which the same may be assumed, by procedure and statement, and of whom.

            call compute_sums(a, s)     ! closed: a condition in it may differ from rank to rank
              call reprosum(a, s)       ! a part in it: calls nothing but collectives

        All around such a call, up to the closed procedure, must be collectives or calls that may be closed themselves:
        else a message may lead from behind the call back to what stands before it.
        """
        inside = self.reached(key)
        for procedure in sorted(inside):
            if not all(self.calm(one) for one in inside if procedure in self.reached(one)):
                continue
            for call in _calls(self.program, procedure):
                if call.checkpoint and len(call.targets) == 1 and self.speaks(call.targets[0]):
                    yield (procedure, call.id), self.program.procedures[call.targets[0]].name

    def calm(self, key: str) -> bool:
        """Does a procedure communicate by itself only in collectives, and else in calls that may be closed?"""
        for call in _calls(self.program, key):
            library = known_call(call)
            if library is not None and library.role not in ("collective", "environment"):
                return False
            if library is None and is_message_passing(call.name) and not call.targets:
                return False
            if not all(self.possible(target) for target in call.targets if self.speaks(target)):
                return False
        return True

    def speaks(self, key: str) -> bool:
        """Does a procedure communicate, or what it calls?"""
        return any((library := known_call(call)) is not None and library.communicates
                   for one in self.reached(key) for call in _calls(self.program, one))

    def reached(self, key: str) -> frozenset[str]:
        """A procedure, and all that it may call."""
        if key not in self.below:
            found, work = {key}, [key]
            while work:
                new = {target for call in _calls(self.program, work.pop()) for target in call.targets} - found
                found |= new
                work += new
            self.below[key] = frozenset(found)
        return self.below[key]


def _calls(program: ir.Program, key: str) -> Iterator[ir.Call]:
    yield from (one for one in statements(program.procedures[key].body) if isinstance(one, ir.Call))


def _requests(program: ir.Program) -> dict[str, _Requests]:
    found = {key: _Requests() for key in program.procedures}
    grown = True
    while grown:
        grown = False
        for key in program.procedures:
            new = _of(program, key, found)
            if new != found[key]:
                found[key], grown = new, True
    return found


def _of(program: ir.Program, key: str, known: dict[str, _Requests]) -> _Requests:
    procedure = program.procedures[key]
    formals, areas = set[str](), set[AreaKey]()
    for call in _calls(program, key):
        for target in call.targets:
            areas |= known[target].areas
        for ref in _named(program, call, known):
            name = ref.parts[0].name
            variable = procedure.variables.get(name)
            if name in procedure.formals:
                formals.add(name)
            elif variable is not None and (variable.area.kind in ("module", "common", "saved")
                                           or variable.area.owner != procedure.key):
                areas.add((variable.area.owner, variable.area.name))
    return _Requests(frozenset(formals), frozenset(areas))


def _named(program: ir.Program, call: ir.Call, known: dict[str, _Requests]) -> Iterator[ir.Ref]:
    """The requests that a call names, or passes to what starts or completes them."""
    library = known_call(call)
    if library is not None:
        given = library.bind(call) or {}
        passed = [given.get(name) for name in ("request", "array_of_requests")]
        yield from (one for one in passed if isinstance(one, ir.Ref))
    for target in call.targets:
        procedure = program.procedures[target]
        try:
            actuals = bind(call, procedure)
        except BindError:
            continue
        yield from (one for name, one in zip(procedure.formals, actuals, strict=False)
                    if isinstance(one, ir.Ref) and name in known[target].formals)
