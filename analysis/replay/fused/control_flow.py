"""Branches and loops of a generated function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.analysis.replay.fused.lines import Construct, Steps
from snapset.analysis.replay.fused.scalar_values import NotFusableError, is_cached, limits
from snapset.analysis.replay.fused.subscript_ranges import CountedLoop, Linear
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Loop, NodeKind
from snapset.frontend.ir.condition_folding import chosen, truth
from snapset.frontend.ir.expression_queries import type_of
from snapset.frontend.ir.statement_walk import statements

if TYPE_CHECKING:
    from snapset.analysis.replay.fused.writer import FunctionWriter

_JUMPS = ir.Goto | ir.Exit | ir.Cycle | ir.Return | ir.ArithmeticIf | ir.ComputedGoto | ir.Stop
_EFFECTS: tuple[NodeKind, ...] = ("simple", "call", "test", "init", "stop")


def dropped(writer: FunctionWriter, stmt: ir.Stmt) -> None:
    """A construct whose test does not run: nothing in it may.

    Raises:
        NotDirectError: something in it does, or leaves it.
    """
    for inner in statements((stmt,)):
        keys = [(inner.id, kind) for kind in _EFFECTS if (inner.id, kind) in writer.nodes]
        if any(writer.runs(writer.nodes[key]) for key in keys) or isinstance(inner, _JUMPS | ir.Where | ir.While):
            raise NotFusableError


def arm(writer: FunctionWriter, block: ir.Block) -> None:
    """An indented block that may not run."""
    with writer.scopes.conditional(), writer.lines.inside():
        writer.block(block)


def folded(writer: FunctionWriter, stmt: ir.If | ir.Select, taken: ir.Block) -> None:
    """A construct without a test: which block it takes is known.

    Raises:
        NotDirectError: control may jump into another one.
    """
    inside = {inner.id for inner in statements(taken)}
    if any(inner.label in writer.flow.jumps_into for inner in statements((stmt,))
           if inner.id != stmt.id and inner.id not in inside):
        raise NotFusableError
    writer.block(taken)


def branch(writer: FunctionWriter, stmt: ir.If) -> None:
    if (stmt.id, "test") not in writer.nodes:
        folded(writer, stmt, stmt.then if truth(stmt.cond, writer.code.procedure.variables) else stmt.orelse)
        return
    node = writer.nodes[stmt.id, "test"]
    if not writer.runs(node):
        dropped(writer, stmt)
        return
    cond = writer.scalars.value(stmt.cond).code
    writer.inlined()
    writer.lines.pending += writer.counted(node)
    writer.lines.flush()
    writer.lines.add(f"if {cond}:", node, ahead=writer.weight(node))
    arm(writer, stmt.then)
    if stmt.orelse:
        writer.lines.add("else:")
        arm(writer, stmt.orelse)


def select(writer: FunctionWriter, stmt: ir.Select) -> None:
    if (stmt.id, "test") not in writer.nodes:
        _, place = chosen(stmt, writer.code.procedure.variables)
        folded(writer, stmt, () if place is None else stmt.cases[place].body)
        return
    node, type_ = writer.nodes[stmt.id, "test"], type_of(stmt.selector)
    if not writer.runs(node):
        dropped(writer, stmt)
        return
    if type_.kind != "integer":
        raise NotFusableError
    selector = writer.scalars.narrow(writer.scalars.value(stmt.selector), type_)
    writer.inlined()
    name = writer.scalars.name()
    writer.lines.add(f"{name} = {selector}", node)
    writer.lines.pending += writer.counted(node)
    writer.lines.flush()
    word, otherwise = "if", None
    for case in stmt.cases:
        if case.values is None:
            otherwise = case.body
            continue
        if not case.values:
            raise NotFusableError
        writer.lines.add(f"{word} {' or '.join(_matches(writer, v, name) for v in case.values)}:", node,
                         ahead=writer.weight(node))
        arm(writer, case.body)
        word = "elif"
    if otherwise is not None:
        writer.lines.add("else:" if word == "elif" else "if True:")
        arm(writer, otherwise)


def _matches(writer: FunctionWriter, sub: ir.Subscript, name: str) -> str:
    def bound(expr: ir.Expr) -> str:
        value = writer.scalars.value(expr).constant
        if value is None:
            raise NotFusableError
        return str(value)

    if not isinstance(sub, ir.Range):
        return f"{name} == {bound(sub)}"
    low = [f"{bound(sub.lower)} <= {name}"] if sub.lower is not None else []
    high = [f"{name} <= {bound(sub.upper)}"] if sub.upper is not None else []
    return f"({' and '.join(low + high) or 'True'})"


# ---------------------------------------------------------------- loops


def uncounted(writer: FunctionWriter, stmt: ir.While) -> None:
    """DO WHILE, or an endless DO."""
    lines, loop = writer.lines, writer.loops[stmt.id]
    if loop.test >= 0 and not writer.runs(loop.test):
        raise NotFusableError
    lines.flush()
    lines.add("while True:")
    construct = Construct("loop", stmt.name)
    with writer.scopes.conditional(), lines.construct(construct), lines.inside():
        writer.endless()
        writer.block(stmt.before)
        if stmt.cond is not None:
            cond = writer.scalars.value(stmt.cond).code
            writer.inlined()
            lines.pending += writer.counted(loop.test)
            lines.flush()
            lines.add(f"if not {cond}: break", loop.test, ahead=writer.weight(loop.test))
        writer.block(stmt.body)
    lines.arrivals(construct)


def counted(writer: FunctionWriter, stmt: ir.Do) -> None:
    """A DO loop: `for` where nothing but the loop may change its variable."""
    loop = writer.loops[stmt.id]
    if stmt.kind == "forall":
        _at_once(writer, loop)
        return
    runs = {writer.runs(n) for n in (loop.init, loop.test, loop.step)}
    if runs == {False}:
        dropped(writer, stmt)
        return
    place = writer.values.slot(stmt.var).place
    if len(runs) > 1 or not is_cached(place) or stmt.var.type.kind != "integer":
        raise NotFusableError
    step = _step(writer, stmt)
    start(writer, stmt, loop, step)
    changed = frozenset(n for node in loop.body - {loop.step} for n in writer.slots.writes[node])
    if place.number in changed:
        _by_hand(writer, stmt, loop, step)
        return
    changing = {f"v{n}" for n in changed} | {f"o{n}_{d}" for n in changed for d in range(9)}
    context = CountedLoop(loop.index, f"v{place.number}", step, frozenset(changing), writer.scopes.depth)
    guard(writer, context, loop, type_of(stmt.var))
    _for(writer, stmt, loop, context)


def _at_once(writer: FunctionWriter, loop: Loop) -> None:
    """A FORALL, which is run node by node."""
    nodes = [loop.init, loop.test, *loop.body]
    if writer.running is not None:
        raise NotFusableError
    touched = {n for node in nodes for n in writer.code.touched[node]}
    writer.lines.flush()
    writer.spill(touched)
    writer.lines.add(f"c += m.stretch(f, {loop.init}, {loop.end})", loop.init)
    writer.reload(n for node in nodes for n in writer.slots.writes[node])


def _step(writer: FunctionWriter, stmt: ir.Do) -> int | None:
    """The step where it is constant and not zero."""
    if stmt.step is None:
        return 1
    value = writer.scalars.value(stmt.step).constant
    return value or None


def by(loop: Loop, step: int | None) -> str:
    return f"s{loop.index}" if step is None else str(step)


def start(writer: FunctionWriter, stmt: ir.Do, loop: Loop, step: int | None) -> None:
    """The init node: first value ``b``, the value behind the last ``e``, and the step ``s`` if it is not constant."""
    lines, w, scalars = writer.lines, loop.index, writer.scalars

    def code(expr: ir.Expr) -> str:
        return scalars.narrow(scalars.value(expr), type_of(expr))

    if any(type_of(e).kind != "integer" for e in (stmt.start, stmt.stop, stmt.step or stmt.start)):
        raise NotFusableError
    first, last = code(stmt.start), code(stmt.stop)
    number = writer.values.slot(stmt.var).number
    step_code = "" if step is not None or stmt.step is None else code(stmt.step)
    writer.inlined()
    if step == 1:
        lines.add(f"b{w} = {first}; e{w} = {last} + 1", loop.init)
        lines.add(f"if e{w} < b{w}: e{w} = b{w}", loop.init)
        _noted(writer, loop.init, number)
        return
    lines.add(f"b{w} = {first}; e{w} = {last}", loop.init)
    if step is None:
        lines.add(f"s{w} = {step_code}", loop.init)
        lines.add(f"if s{w} == 0: over()", loop.init)
    size = by(loop, step)
    lines.add(f"e{w} = b{w} + max(0, (e{w} - b{w} + {size}) // {size}) * {size}", loop.init)
    _noted(writer, loop.init, number)


def _noted(writer: FunctionWriter, node: int, number: int) -> None:
    """The value of a DO variable that is about to be overwritten, where that is recorded."""
    if writer.records:
        writer.lines.add(writer.noted(node, number, f"v{number}"), node)


def guard(writer: FunctionWriter, context: CountedLoop, loop: Loop, type_: ir.Type) -> None:
    """Hand over where the loop variable would leave its type, or a certain access goes below its array."""
    b, e = f"b{loop.index}", f"e{loop.index}"
    low, high = limits(type_)

    def text() -> str:
        below = [f"{Linear(constant, dict(terms)).code()} < 0" for terms, constant in context.guards.items()]
        outside = f"{e} > {high}" if (context.step or -1) > 0 else f"not {low} <= {e} <= {high}"
        if below:
            outside += f" or ({b} != {e} and ({' or '.join(below)}))"
        return f"if {outside}: over()"

    writer.lines.add(text, loop.init)


def _tests_first(loop: Loop) -> bool:
    """Is the loop tested before its body? (The others certainly run once.)"""
    return loop.test < min(loop.body)


def _weights(writer: FunctionWriter, loop: Loop) -> tuple[int, int]:
    """What beginning the loop counts, and what going on from an iteration does."""
    test = writer.counted(loop.test)
    return writer.weight(loop.init) + (test if _tests_first(loop) else 0), writer.weight(loop.step) + test


def _is_plain(writer: FunctionWriter, block: ir.Block) -> bool:
    """Nothing but assignments (and what does nothing) inside?"""
    return not writer.flow.jumps_into and all(
        isinstance(s, ir.Assign | ir.Continue | ir.Marked) for s in statements(block))


def limited(writer: FunctionWriter, loop: Loop) -> None:
    """No iteration beyond the limit. A function that stops hands over at the first node of the iteration."""
    first = next(n for n in writer.flow.succs[loop.test] if n in loop.body)
    writer.lines.add("if c > limit: endless()", first if writer.stops else -1)


def _in_advance(writer: FunctionWriter, loop: Loop, rounds: str, size: str, each: Callable[[], int]) -> str:
    """Count what iterations run before they do; the value behind the last one."""
    lines, w = writer.lines, loop.index
    if not writer.stops:
        lines.add(lambda: f"c += {rounds} * {each()}")
        lines.add("if c > limit: endless()")
        return f"e{w}"
    lines.add(lambda: f"h{w} = min({rounds}, max(0, limit - c) // {each()}); c += h{w} * {each()}; "
                      f"h{w} = b{w} + h{w} * {size}")
    return f"h{w}"


def _for(writer: FunctionWriter, stmt: ir.Do, loop: Loop, context: CountedLoop) -> None:
    lines, w, step = writer.lines, loop.index, context.step
    size = by(loop, step)
    rounds = f"(e{w} - b{w})" if step == 1 else f"(e{w} - b{w}) // {size}"
    begins, goes_on = _weights(writer, loop)
    lines.pending += begins
    plain = _is_plain(writer, stmt.body)
    each = 0
    lines.flush()
    end = _in_advance(writer, loop, rounds, size, lambda: each) if plain else f"e{w}"
    lines.add(f"for {context.var} in range(b{w}, {end}{'' if step == 1 else f', {size}'}):")
    writer.scopes.loops.append(context)
    number = writer.values.slot(stmt.var).number
    noted = [writer.noted(loop.step, number, context.var)] if writer.records else []
    construct = Construct("loop", stmt.name, steps=noted, node=loop.step, counted=0 if plain else goes_on)
    with lines.construct(construct):
        if plain:
            outer, lines.bulk = lines.bulk, w
            lines.indent += 1
            writer.block(stmt.body)
            lines.add(noted[0] if noted else "pass", loop.step if noted else -1)
            lines.indent -= 1
            lines.bulk = outer
            each, lines.pending = lines.pending + goes_on, 0
        else:
            with lines.inside():
                lines.pending += goes_on
                lines.flush()
                limited(writer, loop)
                writer.block(stmt.body)
                for line in noted:
                    lines.add(line, loop.step)
    writer.scopes.loops.pop()
    lines.add("else:")
    lines.add(f" {context.var} = {end}")
    lines.arrivals(construct)
    if end[0] == "h":
        lines.add(f"if {end} != e{w}: endless()", next(n for n in writer.flow.succs[loop.test] if n in loop.body))
    writer.steps[w] = Steps(step, context.var, each, end)


def _by_hand(writer: FunctionWriter, stmt: ir.Do, loop: Loop, step: int | None) -> None:
    """A loop whose variable something in its body (a call it is passed to) may change. Not recorded."""
    if writer.records:
        raise NotFusableError
    lines, w = writer.lines, loop.index
    var = f"v{writer.values.slot(stmt.var).number}"
    size = by(loop, step)
    lines.add(f"t{w} = (e{w} - b{w}) // {size}; {var} = b{w}", loop.init)
    begins, goes_on = _weights(writer, loop)
    lines.pending += begins
    lines.flush()
    lines.add(f"while t{w} > 0:")
    low, high = limits(type_of(stmt.var))
    name = writer.scalars.name()
    steps = [f"{var} = {name} if {low} <= ({name} := {var} + {size}) <= {high} else over()", f"t{w} -= 1"]
    construct = Construct("loop", stmt.name, steps=steps, node=loop.step, counted=goes_on)
    with lines.construct(construct), writer.scopes.conditional(), lines.inside():
        lines.pending += goes_on
        lines.flush()
        limited(writer, loop)
        writer.block(stmt.body)
        lines.flush()
        for line in steps:
            lines.add(line, loop.step)
    lines.arrivals(construct)
    writer.steps[w] = Steps(step)
