"""Time loops: ``--loop FILE:LINE`` makes a loop a marked part, and one iteration of it, a *step*, a marked part in it.

A part has one entry and one exit, so EXIT and CYCLE become jumps to the step's end ::

    do k = 1, n                      part: do k = 1, n
      u = f(u)                               part: done = .false.; u = f(u)
      if (norm(u) < eps) exit      ->              if (norm(u) < eps) then; done = .true.; goto 1; end if
      u = u + k                                    u = u + k
    end do                                   1     continue
                                             if (done) exit

and what evaluates the condition of a DO WHILE runs before the loop and at the end of each step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.interprocedural.line_regions import find_file
from snapset.frontend.ir.statement_walk import blocks, statements, with_blocks, with_ids

LEFT = "left"  # the flag that an EXIT sets: left@LINE
_LABELS = 100_000  # from here on no statement of a source has one


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A DO loop of the source: the key of its procedure, and its place. ``leaves``: EXIT leaves it early."""

    procedure: str
    file: str
    line: int
    leaves: bool


def mark_loop(program: ir.Program, file: str, line: int) -> tuple[ir.Program, LoopPlace]:
    """The program with the loop that begins in a line, and its step, as marked parts.

    ``file`` is the end of a path. Raises InputError where it names no file or several, where no DO begins in the line,
    and where a jump leaves the loop.
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
        {**procedure.variables, marker.flag.name: marker.flag})
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
        logical = ir.Type("logical", 4)
        name = f"{LEFT}@{loop.span.line}"
        area = ir.Area("local", procedure.key, name)
        self.flag = ir.Variable(name, logical, area, loop.span, ir.SCALAR)
        labels = {s.label for s in statements(procedure.body) if s.label is not None}
        self.end = max(labels | {_LABELS}) + 1  # where CYCLE leads, and EXIT one further
        self.exits = self.cycles = False

    def marked(self) -> ir.Block:
        """The part that stands for the loop, its label before it."""
        loop = self.loop
        inner = self.without_jumps(loop.body, frozenset())
        before = loop.before if isinstance(loop, ir.While) else ()
        inner = (*inner, *self.target(self.cycles, self.end), *before, *self.target(self.exits, self.end + 1))
        if self.exits:
            inner = (self.sets(False, loop.span), *inner)
        if not inner:
            inner = (ir.Continue(span=loop.span),)
        step: ir.Block = (ir.Marked(span=loop.span, body=inner, end=loop.end),)
        if self.exits:
            read = ir.Ref((ir.PartRef(self.flag.name),), self.flag.type)
            step = (*step, ir.If(span=loop.span, cond=read, then=(ir.Exit(span=loop.span),), orelse=(), end=loop.span))
        bare = replace(loop, body=step, label=None)
        if isinstance(bare, ir.While):
            bare = replace(bare, before=())
        part = ir.Marked(span=loop.span, body=(*before, bare), end=loop.end)
        return (part,) if loop.label is None else (ir.Continue(span=loop.span, label=loop.label), part)

    def target(self, used: bool, label: int) -> ir.Block:
        return (ir.Continue(span=self.loop.end, label=label),) if used else ()

    def sets(self, value: bool, span: Span) -> ir.Stmt:
        target = ir.Ref((ir.PartRef(self.flag.name),), self.flag.type)
        return ir.Assign(span=span, target=target, value=ir.Literal_(value, self.flag.type))

    def without_jumps(self, block: ir.Block, inner: frozenset[str | None]) -> ir.Block:
        """The block without EXIT and CYCLE of the loop. ``inner``: the names of constructs in between that these may
        mean (None: an unnamed one means a loop in between)."""
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.Exit | ir.Cycle) and self.is_mine(stmt, inner):
                found += self.jump(stmt)
                continue
            names = inner
            if isinstance(stmt, ir.Do | ir.While):
                names = inner | {None, stmt.name}
            elif getattr(stmt, "name", None) is not None and not isinstance(stmt, ir.Call | ir.Exit | ir.Cycle):
                names = inner | {stmt.name}  # type: ignore[attr-defined]
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
        self.exits = True
        return [replace(self.sets(True, stmt.span), label=stmt.label), ir.Goto(span=stmt.span, to=self.end + 1)]
