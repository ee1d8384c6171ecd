"""From the statement tree to the flow graph.

Jumps (GOTO, EXIT, CYCLE, RETURN, alternate returns, END=) become edges. A jump across the border of a
marked part is an error that names both lines: a part has one entry and one exit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.cfg.graph import Edge, FlowGraph, Level, Loop, Mask, Node, NodeKind
from snapset.frontend.ir.condition_folding import chosen, truth


def build_flow(procedure: ir.Procedure) -> FlowGraph:
    """The flow graph of a procedure.

    Raises:
        InputError: a jump to a label that is not there, or into or out of a marked part.
    """
    builder = _Builder(procedure)
    builder.procedure_body()
    return builder.finish()


@dataclass(slots=True)
class _Target:
    """Where EXIT and CYCLE lead from inside a construct. ``level`` is the part that holds the construct."""

    name: str | None
    is_loop: bool
    cycle_to: int
    exit_to: int
    level: int


@dataclass(slots=True)
class _OpenLevel:
    parent: int
    enter: int
    leave: int
    after: int
    marked: ir.Marked | None
    children: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _OpenLoop:
    stmt: ir.Do | ir.While
    init: int = -1
    test: int = -1
    step: int = -1
    end: int = -1


class _Builder:
    """Appends nodes and edges; ``self.ends`` are the nodes whose control falls into the next one."""

    def __init__(self, procedure: ir.Procedure) -> None:
        self.procedure = procedure
        self.nodes: list[Node] = []
        self.edges: list[tuple[int, int]] = []
        self.ends: list[int] = []
        self.levels: list[_OpenLevel] = []
        self.level = 0
        self.loops: list[_OpenLoop] = []
        self.loop_chain: tuple[int, ...] = ()
        self.targets: list[_Target] = []
        self.labels: dict[int, int] = {}
        self.twice: dict[int, Span] = {}
        self.jumps: list[tuple[int, int, Span]] = []
        self.waiting: list[int] = []
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}

    # ------------------------------------------------------------ nodes and edges

    def detached(self, kind: NodeKind, span: Span, stmt: ir.Stmt | None = None, test: tuple[ir.Expr, ...] = (),
                 masks: tuple[Mask, ...] = ()) -> int:
        """A new node that nothing leads to yet."""
        index = len(self.nodes)
        self.nodes.append(Node(index, kind, span, self.level, self.loop_chain, stmt, test, masks))
        return index

    def place(self, index: int) -> int:
        """Let control fall into an existing node, and from it into what comes next."""
        self.edges.extend((end, index) for end in self.ends)
        self.ends = [index]
        for stmt in self.waiting:
            self.first[stmt] = index
        self.waiting.clear()
        return index

    def add(self, kind: NodeKind, span: Span, stmt: ir.Stmt | None = None, test: tuple[ir.Expr, ...] = (),
            masks: tuple[Mask, ...] = ()) -> int:
        return self.place(self.detached(kind, span, stmt, test, masks))

    def jump(self, label: int, source: int, span: Span) -> None:
        self.jumps.append((source, label, span))

    # ------------------------------------------------------------ levels

    def procedure_body(self) -> None:
        span = self.procedure.span
        enter = self.add("join", span)
        leave = self.detached("join", span)
        self.levels.append(_OpenLevel(-1, enter, leave, -1, None))
        self.block(self.procedure.body)
        self.place(leave)
        for source, label, at in self.jumps:
            self.connect_jump(source, label, at)

    def marked(self, stmt: ir.Marked) -> None:
        after = self.detached("join", stmt.end)
        outer = self.level
        self.level = len(self.levels)
        enter = self.add("join", stmt.span)
        leave = self.detached("join", stmt.end)
        self.levels.append(_OpenLevel(outer, enter, leave, after, stmt))
        self.levels[outer].children.append(self.level)
        self.block(stmt.body)
        self.place(leave)
        self.level = outer
        self.place(after)

    def connect_jump(self, source: int, label: int, span: Span) -> None:
        target = self.labels.get(label)
        if target is None:
            raise InputError(f"jump to label {label}, which {self.procedure.name} does not have", span)
        if label in self.twice:
            raise InputError(f"label {label}, which a jump of line {span.line} leads to, stands here a second time",
                             self.twice[label])
        self.check_border(source, target, span)
        self.edges.append((source, target))

    def check_border(self, source: int, target: int, span: Span) -> None:
        here, there = self.nodes[source].level, self.nodes[target].level
        if here == there:
            return
        chain = self.level_chain(here)
        into = there not in chain
        marked = self.levels[there if into else here].marked
        if not into and marked is None:
            return
        assert marked is not None
        jump = f"jump to line {self.nodes[target].span.line}" if target != self.levels[0].leave else "RETURN"
        verb = "into" if into else "out of"
        raise InputError(
            f"{jump} leads {verb} the checkpointed part that starts at line "
            f"{marked.span.line}; a part has one entry and one exit: move the jump or the markers", span)

    def level_chain(self, level: int) -> tuple[int, ...]:
        chain = []
        while level >= 0:
            chain.append(level)
            level = self.levels[level].parent
        return tuple(chain)

    # ------------------------------------------------------------ statements

    @deep
    def block(self, block: ir.Block, masks: tuple[Mask, ...] = ()) -> None:
        for stmt in block:
            self.waiting.append(stmt.id)
            if stmt.label is not None:
                if stmt.label in self.labels:
                    self.twice[stmt.label] = stmt.span
                self.labels[stmt.label] = self.add("join", stmt.span)
            self.statement(stmt, masks)
            if len(self.ends) == 1:
                self.last[stmt.id] = self.ends[0]

    def statement(self, stmt: ir.Stmt, masks: tuple[Mask, ...]) -> None:
        match stmt:
            case ir.If():
                self.branch(stmt)
            case ir.Select():
                self.select(stmt)
            case ir.Do():
                self.counted(stmt)
            case ir.While():
                self.uncounted(stmt)
            case ir.Where():
                self.where(stmt, masks)
            case ir.ScopeBlock():
                end = self.detached("join", stmt.span)
                self.targets.append(_Target(stmt.name, False, -1, end, self.level))
                self.block(stmt.body)
                self.targets.pop()
                self.place(end)
            case ir.Marked():
                self.marked(stmt)
            case ir.Continue():
                self.add("join", stmt.span)
            case _:
                self.simple(stmt, masks)

    def simple(self, stmt: ir.Stmt, masks: tuple[Mask, ...]) -> None:
        """Statements that are one node, and the jumps."""
        match stmt:
            case ir.Goto():
                self.jump(stmt.to, self.add("join", stmt.span), stmt.span)
                self.ends = []
            case ir.ComputedGoto():
                node = self.add("test", stmt.span, stmt, (stmt.selector,))
                for label in stmt.labels:
                    self.jump(label, node, stmt.span)
            case ir.ArithmeticIf():
                node = self.add("test", stmt.span, stmt, (stmt.cond,))
                for label in dict.fromkeys((stmt.negative, stmt.zero, stmt.positive)):
                    self.jump(label, node, stmt.span)
                self.ends = []
            case ir.Cycle() | ir.Exit():
                self.leave_construct(stmt)
            case ir.Return():
                node = self.add("test" if stmt.alternate else "join", stmt.span, stmt,
                                (stmt.alternate,) if stmt.alternate else ())
                self.go(node, self.levels[0].leave, stmt.span)
            case ir.Stop():
                self.add("stop", stmt.span, stmt)
                self.ends = []
            case ir.Call():
                node = self.add("call", stmt.span, stmt, masks=masks)
                for label in dict.fromkeys(stmt.alternates):
                    self.jump(label, node, stmt.span)
            case ir.IO() | ir.Opaque():
                node = self.add("simple", stmt.span, stmt, masks=masks)
                for label in dict.fromkeys(stmt.labels):
                    self.jump(label, node, stmt.span)
            case _:
                self.add("simple", stmt.span, stmt, masks=masks)

    def go(self, source: int, target: int, span: Span) -> None:
        self.check_border(source, target, span)
        self.edges.append((source, target))
        self.ends = []

    def leave_construct(self, stmt: ir.Cycle | ir.Exit) -> None:
        cycle = isinstance(stmt, ir.Cycle)
        for target in reversed(self.targets):
            if (stmt.name == target.name) if stmt.name else target.is_loop:
                node = self.add("join", stmt.span)
                self.go(node, target.cycle_to if cycle else target.exit_to, stmt.span)
                return
        word = "CYCLE" if cycle else "EXIT"
        raise InputError(f"{word} outside of {'the construct ' + stmt.name if stmt.name else 'a loop'}", stmt.span)

    def branch(self, stmt: ir.If) -> None:
        """A branch that is never taken stays unreachable, but for jumps into it."""
        end = self.detached("join", stmt.span)
        known = truth(stmt.cond, self.procedure.variables)
        test = self.add("join", stmt.span) if known is not None else self.add("test", stmt.span, stmt, (stmt.cond,))
        self.targets.append(_Target(stmt.name, False, -1, end, self.level))
        self.ends = [] if known is False else [test]
        self.block(stmt.then)
        then_ends, self.ends = self.ends, [] if known else [test]
        self.block(stmt.orelse)
        self.targets.pop()
        self.ends = list(dict.fromkeys(then_ends + self.ends))
        self.place(end)

    def select(self, stmt: ir.Select) -> None:
        end = self.detached("join", stmt.span)
        known, place = chosen(stmt, self.procedure.variables)
        test = self.add("join", stmt.span) if known else \
            self.add("test", stmt.span, stmt, (stmt.selector, *_case_values(stmt)))
        self.targets.append(_Target(stmt.name, False, -1, end, self.level))
        default = stmt.exhaustive or any(case.values is None for case in stmt.cases)
        ends = [] if (place is not None if known else default and stmt.cases) else [test]
        for number, case in enumerate(stmt.cases):
            self.ends = [] if known and number != place else [test]
            self.block(case.body)
            ends += self.ends
        self.targets.pop()
        self.ends = list(dict.fromkeys(ends))
        self.place(end)

    def counted(self, stmt: ir.Do) -> None:
        bounds = (stmt.start, stmt.stop) + ((stmt.step,) if stmt.step is not None else ())
        end = self.detached("join", stmt.end)
        loop = _OpenLoop(stmt, end=end)
        index = len(self.loops)
        self.loops.append(loop)
        loop.init = self.add("init", stmt.span, stmt, bounds)
        runs = _certainly_runs(stmt)
        if not runs:
            loop.test = self.add("loop-test", stmt.span, stmt)
        self.loop_chain += (index,)
        head = self.add("join", stmt.span)
        loop.step = self.detached("step", stmt.span, stmt)
        self.loop_body(stmt, loop.step, end)
        self.place(loop.step)
        self.loop_chain = self.loop_chain[:-1]
        if runs:  # tested behind the body: no path skips it
            loop.test = self.add("loop-test", stmt.span, stmt)
            self.edges.append((loop.test, head))
        else:
            self.place(loop.test)
        self.place(end)

    def uncounted(self, stmt: ir.While) -> None:
        end = self.detached("join", stmt.end)
        loop = _OpenLoop(stmt, end=end)
        index = len(self.loops)
        self.loops.append(loop)
        head = self.add("join", stmt.span)
        self.loop_chain += (index,)
        self.block(stmt.before)
        exits: list[int] = []
        if stmt.cond is not None:
            loop.test = self.add("test", stmt.span, stmt, (stmt.cond,))
            exits = [loop.test]
        self.loop_body(stmt, head, end)
        self.place(head)
        self.loop_chain = self.loop_chain[:-1]
        self.ends = exits
        self.place(end)

    def loop_body(self, stmt: ir.Do | ir.While, cycle_to: int, exit_to: int) -> None:
        self.targets.append(_Target(stmt.name, True, cycle_to, exit_to, self.level))
        self.block(stmt.body)
        self.targets.pop()

    def where(self, stmt: ir.Where, masks: tuple[Mask, ...]) -> None:
        self.add("simple", stmt.span, stmt, (stmt.mask,), masks)
        self.block(stmt.body, (*masks, Mask(stmt.mask, stmt.id, True)))
        self.block(stmt.elsewhere, (*masks, Mask(stmt.mask, stmt.id, False)))
        self.add("join", stmt.span)

    # ------------------------------------------------------------ the result

    def finish(self) -> FlowGraph:
        succs: list[list[int]] = [[] for _ in self.nodes]
        preds: list[list[int]] = [[] for _ in self.nodes]
        entering: list[list[Edge]] = [[] for _ in self.loops]
        leaving: list[list[Edge]] = [[] for _ in self.loops]
        for source, target in dict.fromkeys(self.edges):
            succs[source].append(target)
            preds[target].append(source)
            left, entered = self.nodes[source].loops, self.nodes[target].loops
            if left != entered:
                for loop in set(left).difference(entered):
                    leaving[loop].append((source, target))
                for loop in set(entered).difference(left):
                    entering[loop].append((source, target))
        bodies: list[list[int]] = [[] for _ in self.loops]
        for node in self.nodes:
            for loop in node.loops:
                bodies[loop].append(node.index)
        chains = [self.level_chain(level) for level in range(len(self.levels))]
        within: list[list[int]] = [[] for _ in self.levels]
        for node in self.nodes:
            for level in chains[node.level]:
                within[level].append(node.index)
        return FlowGraph(tuple(self.nodes), tuple(map(tuple, succs)), tuple(map(tuple, preds)),
                         tuple(self.close_level(i, tuple(nodes)) for i, nodes in enumerate(within)),
                         tuple(map(self.close_loop, range(len(bodies)), bodies, entering, leaving)),
                         self.first, self.last, frozenset(label for _, label, _ in self.jumps))

    def close_level(self, index: int, nodes: tuple[int, ...]) -> Level:
        level = self.levels[index]
        return Level(index, level.parent, level.enter, level.leave, level.after, level.marked, nodes,
                     tuple(level.children))

    def close_loop(self, index: int, body: list[int], entering: list[Edge], leaving: list[Edge]) -> Loop:
        loop = self.loops[index]
        structured = loop.init >= 0 and all(source in (loop.init, loop.test) for source, _ in entering)
        return Loop(index, loop.stmt, loop.init, loop.test, loop.step, loop.end, structured, frozenset(body),
                    tuple(entering), tuple(leaving))


def _certainly_runs(stmt: ir.Do) -> bool:
    """Has the loop constant bounds and at least one iteration?"""
    bounds = [b.value if isinstance(b, ir.Literal_) else None for b in (stmt.start, stmt.stop, stmt.step) if b]
    if not all(isinstance(b, int) for b in bounds):
        return False
    start, stop, *step = (b for b in bounds if isinstance(b, int))
    return stop >= start if not step or step[0] > 0 else stop <= start


def _case_values(stmt: ir.Select) -> tuple[ir.Expr, ...]:
    found: list[ir.Expr] = []
    for case in stmt.cases:
        for value in case.values or ():
            if isinstance(value, ir.Range):
                found += [x for x in (value.lower, value.upper, value.step) if x is not None]
            else:
                found.append(value)
    return tuple(found)


