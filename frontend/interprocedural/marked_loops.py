"""Time loops: ``--loop FILE:LINE`` makes a loop a marked part, and one iteration of it, a *step*, a marked part in it.

A part has one entry and one exit, so EXIT and CYCLE become jumps to the step's end ::

    do k = 1, n                      part: do k = 1, n
      u = f(u)                               part: done = .false.; u = f(u)
      if (norm(u) < eps) exit      ->              if (norm(u) < eps) then; done = .true.; goto 1; end if
      u = u + k                                    u = u + k
    end do                                   1     continue
                                             if (done) exit

and what evaluates the condition of a DO WHILE runs before the loop and at the end of each step. What leads further
out (RETURN, a GOTO, an EXIT of a loop around) leaves the loop likewise, with a flag of its own, and is done behind it.
A statement that may go to several places (computed GOTO, arithmetic IF, alternate returns, END=) goes to a label in
the step instead of one outside; there the same is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.interprocedural.line_regions import find_file
from snapset.frontend.ir.statement_walk import blocks, statements, with_blocks, with_ids

LEFT = "left"  # the flag that an EXIT sets: left@LINE
_LABELS = 100_000  # from here on no statement of a source has one


@frozen
class LoopPlace:
    """A DO loop of the source: the key of its procedure, and its place. ``leaves``: EXIT or a jump leaves it early."""

    procedure: str
    file: str
    line: int
    leaves: bool


def mark_loop(program: ir.Program, file: str, line: int) -> tuple[ir.Program, LoopPlace]:
    """The program with the loop that begins in a line, and its step, as marked parts.

    ``file`` is the end of a path. Raises InputError where it names no file or several, and where no DO begins in the
    line.
    """
    path = find_file(program, file)
    loops = [s.span.line for p in program.procedures.values() for s in statements(p.body) if _is_loop(s, path)]
    if line not in loops:
        lines = ", ".join(f"line {one}" for one in sorted(set(loops))[:8])
        known = f"DO begins in {lines}" if loops else "there is none"
        raise InputError(f"no DO loop begins in line {line}; {known}: give one of these with --loop FILE:LINE",
                         Span(path, line, line))  # fmt: skip
    every = ((key, procedure, s) for key, procedure in program.procedures.items() for s in statements(procedure.body))
    key, procedure, found = next(one for one in every if _is_loop(one[2], path) and one[2].span.line == line)
    assert isinstance(found, ir.Do | ir.While)
    if isinstance(found, ir.Do) and found.kind != "do":
        raise InputError("DO CONCURRENT and FORALL have no steps in time: give a DO or DO WHILE", found.span)
    marker = _Marker(procedure, found)
    body = with_ids(_replaced(procedure.body, found, marker.marked))
    variables = procedure.variables if not marker.exits else MappingProxyType(
        {**procedure.variables, **{one.name: one for one in marker.flags()}})
    changed = {**program.procedures, key: rewritten(procedure, body, variables)}
    return replace(program, procedures=MappingProxyType(changed)), LoopPlace(key, path, line, marker.exits)


def pragma_loops(program: ir.Program) -> tuple[tuple[str, int], ...]:
    """Where ``!$AD BINOMIAL-CKP`` marks a loop: the file and the line of its DO."""
    return tuple(dict.fromkeys((s.span.file, s.span.line) for p in program.procedures.values()
                               for s in statements(p.body) if isinstance(s, ir.Do | ir.While) and s.binomial))


def all_loops(program: ir.Program) -> tuple[tuple[str, int], ...]:
    """The file and the line of every loop that is in no other."""
    found: dict[tuple[str, int], None] = {}
    for procedure in program.procedures.values():
        pending = list(procedure.body)
        while pending:
            stmt = pending.pop()
            if isinstance(stmt, ir.Do | ir.While):
                found[stmt.span.file, stmt.span.line] = None
            else:
                pending.extend(one for inner in blocks(stmt) for one in inner)
    return tuple(sorted(found))


def wanted_loops(program: ir.Program, given: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Those that are given, or behind the pragma. Raises InputError where there is none."""
    found = tuple(given) or pragma_loops(program)
    if not found:
        there = [f"{file}:{line}" for file, line in all_loops(program)]
        more = f" and {len(there) - 8} more" if len(there) > 8 else ""
        raise InputError("no loop given: say which with --loop FILE:LINE, or put !$AD BINOMIAL-CKP before its DO; "
                         f"loops found: {', '.join(there[:8]) or 'none'}{more}")
    return found


def _is_loop(stmt: ir.Stmt, path: str) -> bool:
    return isinstance(stmt, ir.Do | ir.While) and stmt.span.file == path


def _replaced(block: ir.Block, old: ir.Stmt, new: Callable[[], ir.Block]) -> ir.Block:
    """A block with other statements for one in it, or in one of its statements."""
    found: list[ir.Stmt] = []
    for stmt in block:
        if stmt.id == old.id:
            found.extend(new())
        elif any(one.id == old.id for inner in blocks(stmt) for one in statements(inner)):
            found.append(with_blocks(stmt, lambda inner: _replaced(inner, old, new)))
        else:
            found.append(stmt)
    return tuple(found)


class _Marker:
    """Marks one loop."""

    def __init__(self, procedure: ir.Procedure, loop: ir.Do | ir.While) -> None:
        self.loop = loop
        self.procedure = procedure.key
        self.flag = self.new_flag("")
        self.departures: list[tuple[ir.Variable, ir.Stmt]] = []  # what is done behind the loop, if its flag is set
        self.inside = {s.label for s in statements(loop.body) if s.label is not None}
        labels = {s.label for s in statements(procedure.body) if s.label is not None}
        self.end = max(labels | {_LABELS}) + 1  # where CYCLE leads, and EXIT one further
        self.exits = self.cycles = False
        self.landings: dict[int, list[ir.Stmt]] = {}  # in the step, of labels outside

    def marked(self) -> ir.Block:
        """The part that stands for the loop, its label before it."""
        loop = self.loop
        inner = self.without_jumps(loop.body, frozenset())
        before = loop.before if isinstance(loop, ir.While) else ()
        inner = (*inner, *self.landed())
        inner = (*inner, *self.target(self.cycles, self.end), *before, *self.target(self.exits, self.end + 1))
        none = tuple(self.sets(one, False, loop.span) for one in self.flags()) if self.exits else ()
        inner = (*none, *inner)
        if not inner:
            inner = (ir.Continue(span=loop.span),)
        step: ir.Block = (ir.Marked(span=loop.span, body=inner, end=loop.end),)
        if self.exits:
            step = (*step, self.where_set(self.flag, ir.Exit(span=loop.span)))
        bare = replace(loop, body=step, label=None)
        if isinstance(bare, ir.While):
            bare = replace(bare, before=())
        part = ir.Marked(span=loop.span, body=(*none[1:], *before, bare), end=loop.end)
        found = (part, *(self.where_set(flag, stmt) for flag, stmt in self.departures))
        return found if loop.label is None else (ir.Continue(span=loop.span, label=loop.label), *found)

    def landed(self) -> ir.Block:
        """Where statements that choose among labels go for those outside; the step itself goes around it."""
        if not self.landings:
            return ()
        self.cycles = True
        around = ir.Goto(span=self.loop.end, to=self.end)
        return (around, *(stmt for several in self.landings.values() for stmt in several))

    def landing(self, label: int, span: Span) -> int:
        """The label in the step for one that may be outside."""
        if label in self.inside:
            return label
        if label not in self.landings:
            inside = self.end + 2 + len(self.landings)
            self.landings[label] = self.departure(ir.Goto(span=span, to=label, label=inside))
        first = self.landings[label][0].label
        assert first is not None
        return first

    def with_landings(self, stmt: ir.Stmt) -> ir.Stmt:
        """A statement that goes nowhere but in the step."""
        def inside(labels: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(self.landing(label, stmt.span) for label in labels)

        match stmt:
            case ir.ComputedGoto(labels=labels, assigned=False):
                return replace(stmt, labels=inside(labels))
            case ir.ArithmeticIf(negative=negative, zero=zero, positive=positive):
                negative, zero, positive = inside((negative, zero, positive))
                return replace(stmt, negative=negative, zero=zero, positive=positive)
            case ir.Call(alternates=labels):
                return replace(stmt, alternates=inside(labels)) if labels else stmt
            case ir.IO(labels=labels) | ir.Opaque(labels=labels):
                return replace(stmt, labels=inside(labels)) if labels else stmt
        return stmt

    def new_flag(self, more: str) -> ir.Variable:
        name = f"{LEFT}@{self.loop.span.line}{more}"
        area = ir.Area("local", self.procedure, name)
        return ir.Variable(name, ir.Type("logical", 4), area, self.loop.span, ir.SCALAR)

    def flags(self) -> tuple[ir.Variable, ...]:
        """That of the loop first."""
        return self.flag, *(flag for flag, _ in self.departures)

    def where_set(self, flag: ir.Variable, stmt: ir.Stmt) -> ir.Stmt:
        """The statement if a flag is set."""
        read = ir.Ref((ir.PartRef(flag.name),), flag.type)
        return ir.If(span=stmt.span, cond=read, then=(stmt,), orelse=(), end=stmt.span)

    def target(self, used: bool, label: int) -> ir.Block:
        return (ir.Continue(span=self.loop.end, label=label),) if used else ()

    def sets(self, flag: ir.Variable, value: bool, span: Span) -> ir.Stmt:
        target = ir.Ref((ir.PartRef(flag.name),), flag.type)
        return ir.Assign(span=span, target=target, value=ir.Literal_(value, flag.type))

    def without_jumps(self, block: ir.Block, inner: frozenset[str | None]) -> ir.Block:
        """The block without EXIT and CYCLE of the loop. ``inner``: the names of constructs in between that these may
        mean (None: an unnamed one means a loop in between)."""
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.Exit | ir.Cycle) and self.is_mine(stmt, inner):
                found += self.jump(stmt)
                continue
            if self.departs(stmt, inner):
                found += self.departure(stmt)
                continue
            names = inner
            if isinstance(stmt, ir.Do | ir.While):
                names = inner | {None, stmt.name}
            elif getattr(stmt, "name", None) is not None and not isinstance(stmt, ir.Call | ir.Exit | ir.Cycle):
                names = inner | {stmt.name}  # type: ignore[attr-defined]
            stmt = self.with_landings(stmt)
            found.append(with_blocks(stmt, lambda one, names=names: self.without_jumps(one, names)))  # type: ignore[misc]
        return tuple(found)

    def is_mine(self, stmt: ir.Exit | ir.Cycle, inner: frozenset[str | None]) -> bool:
        if stmt.name is None:
            return None not in inner
        return stmt.name == self.loop.name and stmt.name not in inner

    def jump(self, stmt: ir.Exit | ir.Cycle) -> list[ir.Stmt]:
        if isinstance(stmt, ir.Cycle):
            self.cycles = True
            return [ir.Goto(span=stmt.span, to=self.end, label=stmt.label)]
        return self.leave(stmt)

    def leave(self, stmt: ir.Stmt) -> list[ir.Stmt]:
        self.exits = True
        return [replace(self.sets(self.flag, True, stmt.span), label=stmt.label),
                ir.Goto(span=stmt.span, to=self.end + 1)]

    def departs(self, stmt: ir.Stmt, inner: frozenset[str | None]) -> bool:
        """Does it lead further out than the end of the loop?"""
        match stmt:
            case ir.Return():
                return True
            case ir.Goto(to=label):
                return label not in self.inside
            case ir.Exit() | ir.Cycle():
                return stmt.name is not None and stmt.name not in inner
        return False

    def departure(self, stmt: ir.Stmt) -> list[ir.Stmt]:
        flag = self.new_flag(f"@{len(self.departures) + 1}")
        self.departures.append((flag, replace(stmt, label=None)))
        first, second = self.leave(stmt)
        return [first, self.sets(flag, True, stmt.span), second]
