"""Which statements of a generated adjoint are the adjoint of which statement of the source.

    t = t*x(i)      in the forward sweep, and on the way back      xb(i) = xb(i) + t*tb
                                                                   tb = x(i)*tb

Both derivative statements read ``tb``, so they are of a statement that gives t a value; where there are several, the
last group of them is of the first. What does not fit in number and in words is left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from snapset.analysis.comparison.stack_calls import stack_call
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements

Name: TypeAlias = tuple[str, ...]
"""``("w", "a")`` of w%a: without subscripts."""


@frozen
class DerivativeGroup:
    """The adjoint of one run of ``forward``, a statement of the adjoint's forward sweep; ``line``: of the same
    statement in the source. ``last``: the last derivative statement that reads ``operands``, which ``forward`` reads
    too."""

    line: int
    forward: ir.Assign
    last: ir.Assign
    operands: frozenset[ir.Ref]


def derivative_groups(source: ir.Procedure, adjoint: ir.Procedure) -> tuple[DerivativeGroup, ...]:
    """Of the statements that the source has once. The adjoint has them in its forward sweep first."""
    copies: dict[object, list[ir.Assign]] = {}
    for stmt in statements(adjoint.body):
        if isinstance(stmt, ir.Assign):
            copies.setdefault((stmt.target, stmt.value), []).append(stmt)
    orders = [_assigned(list(_backwards(source.body))), _assigned(list(statements(source.body))[::-1])]
    found = _read_groups(source, adjoint, orders[0])
    result: list[DerivativeGroup] = []
    for name in orders[0]:
        ways = [_paired(order[name], found.get(name, ()), copies) for order in orders]
        result += ways[0] if len(ways[0]) >= len(ways[1]) else ways[1]
    return tuple(result)


def _assigned(every: Sequence[ir.Stmt]) -> dict[Name, list[ir.Assign]]:
    """By what they give a value, the assignments that read something, in their order."""
    found: dict[Name, list[ir.Assign]] = {}
    for stmt in every:
        if isinstance(stmt, ir.Assign) and any(_refs(stmt.value)):
            found.setdefault(name_of(stmt.target), []).append(stmt)
    return found


def _paired(every: Sequence[ir.Assign], groups: Sequence[_Group],
            copies: Mapping[object, Sequence[ir.Assign]]) -> list[DerivativeGroup]:
    """One group for each statement, or nothing."""
    if len(groups) != len(every) or len({(one.target, one.value) for one in every}) != len(every):
        return []
    result = []
    for stmt, group in zip(every, groups, strict=True):
        copy = copies.get((stmt.target, stmt.value), ())
        if copy and group.last is not None and group.words <= _words(copy[0]):  # a second one computes it again
            own = set(_refs(copy[0].value))
            result.append(DerivativeGroup(stmt.span.line, copy[0], group.last, frozenset(group.read & own)))
    return result


def _backwards(body: ir.Block) -> Iterator[ir.Stmt]:
    """The statements in the order in which the backward sweep has them: the last one first, but alternatives as they
    stand."""
    pending = [reversed(body)]
    while pending:
        stmt = next(pending[-1], None)
        if stmt is None:
            pending.pop()
        else:
            yield stmt
            pending += [reversed(block) for block in reversed(blocks(stmt))]


def name_of(ref: ir.Ref) -> Name:
    return tuple(part.name for part in ref.parts)


@dataclass(slots=True)
class _Group:
    """Derivative statements of one statement, as far as they are found. ``read``: what they read of the source's."""

    read: set[ir.Ref] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    last: ir.Assign | None = None


def _read_groups(source: ir.Procedure, adjoint: ir.Procedure, wanted: Collection[Name]) -> Mapping[Name, list[_Group]]:
    """By the name of what is assigned, the groups of statements that read its adjoint, in the order of the text."""
    own = {one.name for stmt in statements(source.body) if isinstance(stmt, ir.Assign)
           for one in (stmt.target, *_refs(stmt.value))}
    adjoints = {(f"{name[0]}b", *name[1:]): name for name in wanted if f"{name[0]}b" not in own}
    found: dict[Name, list[_Group]] = {}
    for block in _straight(adjoint.body):
        reader = _Reader(own, adjoints)
        for stmt in block:
            reader.one(stmt)
        for name, groups in reader.groups.items():
            found.setdefault(name, []).extend(groups)
    return found


@dataclass(slots=True)
class _Reader:
    """Reads the statements of a block, one after the other. ``own``: the source's names; ``adjoints``: of what."""

    own: Collection[str]
    adjoints: Mapping[Name, Name]
    groups: dict[Name, list[_Group]] = field(default_factory=dict)
    open: dict[Name, _Group] = field(default_factory=dict)
    owners: dict[str, frozenset[Name]] = field(default_factory=dict)
    computed: dict[str, frozenset[ir.Ref]] = field(default_factory=dict)

    def one(self, stmt: ir.Assign) -> None:
        summands = set(_summands(stmt.value))
        refs = [one for one in _refs(stmt.value) if one != stmt.target or one not in summands]
        owners, read = self._looked_up(refs)
        target = name_of(stmt.target)
        if target not in self.adjoints and len(target) == 1 and target[0] not in self.own:  # a temporary
            self.owners.pop(target[0], None)
            self.computed.pop(target[0], None)
            if owners:
                self.owners[target[0]] = owners
            else:
                self.computed[target[0]] = read
        into = frozenset(inner for inner in _subscripts(stmt.target) if inner.name in self.own)
        if len(owners) == 1:
            self._read(next(iter(owners)), stmt, read | into)
        elif owners:
            self._by_terms(stmt, into)
        if target in self.adjoints and stmt.target not in summands:
            self.open.pop(self.adjoints[target], None)

    def _by_terms(self, stmt: ir.Assign, into: frozenset[ir.Ref]) -> None:
        """``cb = cb + e*fb + exp(c)*db`` is of the statement that gives f a value, and of the one that gives d one."""
        found: dict[Name, frozenset[ir.Ref]] = {}
        for term in _terms(stmt.value):
            owners, read = self._looked_up([one for one in _refs(term) if one != stmt.target or term != one])
            if len(owners) == 1:
                (owner,) = owners
                found[owner] = found.get(owner, frozenset()) | read
            elif owners:
                return  # (fb + gb)*t: nobody says which is whose
        for owner, read in found.items():
            self._read(owner, stmt, read | into)

    def _looked_up(self, refs: Sequence[ir.Ref]) -> tuple[frozenset[Name], frozenset[ir.Ref]]:
        """Whose adjoints these are, and what they read of the source's; in place of temporaries what those are."""
        owners, read = set[Name](), set[ir.Ref]()
        for one in refs:
            name = name_of(one)
            if name in self.adjoints:
                owners.add(self.adjoints[name])
            elif one.name in self.owners:
                owners |= self.owners[one.name]
            elif one.name in self.computed:
                read |= self.computed[one.name]
            elif one.name in self.own:
                read.add(one)
            read |= {inner for inner in _subscripts(one) if inner.name in self.own}
        return frozenset(owners), frozenset(read)

    def _read(self, name: Name, stmt: ir.Assign, read: frozenset[ir.Ref]) -> None:
        group = self.open.get(name)
        if group is None:
            group = self.open[name] = _Group()
            self.groups.setdefault(name, []).append(group)
        group.read |= read
        group.words |= {one.name for one in read}
        if read:
            group.last = stmt


def _straight(body: ir.Block) -> Iterator[Sequence[ir.Assign]]:
    """The assignments of each block, blocks in the order in which they begin; PUSHes and POPs stand between them, what
    else stands there ends a stretch."""
    pending: list[ir.Block] = [body]
    while pending:
        block = pending.pop()
        run: list[ir.Assign] = []
        for place, stmt in enumerate(block):
            if isinstance(stmt, ir.Assign):
                run.append(stmt)
            elif stack_call(stmt) is None:
                rest = block[place + 1:]
                pending += [*((rest,) if rest else ()), *reversed(list(blocks(stmt)))]
                break
        if run:
            yield run


def _summands(value: ir.Expr) -> Iterator[ir.Ref]:
    """``a`` and ``c`` of a - b*d + c: what stands there by itself."""
    return (one for one in _terms(value, negative=False) if isinstance(one, ir.Ref))


def _terms(value: ir.Expr, negative: bool = True) -> Iterator[ir.Expr]:
    """``a``, ``b*d`` and ``c`` of a - b*d + c; not ``negative``: without b*d."""
    pending = [value]
    while pending:
        match pending.pop():
            case ir.Binary(op="+", left=left, right=right):
                pending += [left, right]
            case ir.Binary(op="-", left=left, right=right):
                pending += [left, *([right] if negative else [])]
            case term:
                yield term


def _refs(value: ir.Expr) -> Iterator[ir.Ref]:
    return (one for one in walk(value) if isinstance(one, ir.Ref))


def _subscripts(ref: ir.Ref) -> Iterator[ir.Ref]:
    """Behind the reference itself, which comes first."""
    return islice(_refs(ref), 1, None)


def _words(stmt: ir.Assign) -> set[str]:
    return {one.name for value in (stmt.target, stmt.value) for one in _refs(value)}
