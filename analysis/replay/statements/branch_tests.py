"""What decides where control goes on: DO loops and tests, as lines of generated code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.analysis.replay.codegen import object_types
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.memory.dynamic_types import guarded
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.frontend import ir
from snapset.frontend.cfg.graph import FlowGraph, Node
from snapset.frontend.ir.expression_queries import type_of


class BranchTests:
    """Generates the tests of one procedure. ``labels``: the nodes where labelled statements begin."""

    def __init__(self, values: ExpressionCode, flow: FlowGraph, labels: Mapping[int, int]) -> None:
        self.values = values
        self.flow = flow
        self.labels = labels

    def loop_test(self, which: int) -> str:
        """Goes into the body of a DO loop, or behind the loop."""
        loop = self.flow.loops[which]
        return f"return {self.flow.succs[loop.test][0]} if f.loops[{which}][0] > 0 else {loop.end}"

    def loop_start(self, which: int, stmt: ir.Do, var: str) -> list[str]:
        value = self.values.value
        step = "1" if stmt.step is None else value(stmt.step)
        return [f"first, last, by = int({value(stmt.start)}), int({value(stmt.stop)}), int({step})",
                "if by == 0: raise ReplayError('a DO loop has step zero')",
                f"f.loops[{which}] = [max(0, (last - first + by) // by), by]", f"{var} = first"]

    def loop_step(self, which: int, var: str) -> list[str]:
        return [f"left = f.loops[{which}]", f"{var} += left[1]", "left[0] -= 1"]

    def test(self, node: Node) -> Iterator[str]:
        """Code that gives the next node."""
        n, stmt, succs, value = node.index, node.stmt, self.flow.succs[node.index], self.values.value
        first = self.flow.first_node
        match stmt:
            case ir.If():
                yes = first[stmt.then[0].id] if stmt.then else None
                no = first[stmt.orelse[0].id] if stmt.orelse else None
                yes = next((t for t in succs if t != no), succs[0]) if yes is None else yes
                no = next((t for t in succs if t != yes), succs[0]) if no is None else no
                yield f"return {yes} if {value(stmt.cond)} else {no}"
            case ir.While():
                assert stmt.cond is not None
                loop = next(x for x in self.flow.loops if x.test == n)
                inside = next((t for t in succs if t != loop.end), loop.end)
                yield f"return {inside} if {value(stmt.cond)} else {loop.end}"
            case ir.Select():
                yield from self.select(stmt, succs)
            case ir.ArithmeticIf():
                yield f"x = {value(stmt.cond)}"
                yield (f"return {self.labels[stmt.negative]} if x < 0 else {self.labels[stmt.zero]} if x == 0 "
                       f"else {self.labels[stmt.positive]}")
            case ir.ComputedGoto():
                yield f"x = int({value(stmt.selector)})"
                if stmt.assigned:
                    yield f"to = {({label: self.labels[label] for label in stmt.labels})!r}"
                    yield "if x not in to: raise ReplayError('an assigned GOTO to none of its labels')"
                    yield "return to[x]"
                    return
                yield f"to = {tuple(self.labels[label] for label in stmt.labels)!r}"
                yield f"return to[x - 1] if 1 <= x <= {len(stmt.labels)} else {succs[0]}"
            case ir.Return() if stmt.alternate is not None:
                yield f"f.alternate = int({value(stmt.alternate)})"
                yield f"return {succs[0]}"
            case _:
                raise refuse("this statement", node.span)

    def select(self, stmt: ir.Select, succs: tuple[int, ...]) -> Iterator[str]:
        bodies = {self.flow.first_node[case.body[0].id] for case in stmt.cases if case.body}
        end = next((t for t in succs if t not in bodies), -1)
        if any(case.guard is not None for case in stmt.cases):
            yield from self.select_type(stmt, end)
            return
        yield f"x = {self.values.value(stmt.selector)}"
        characters = type_of(stmt.selector).kind == "character"
        otherwise = end
        for case in stmt.cases:
            to = self.flow.first_node[case.body[0].id] if case.body else end
            if case.values is None:
                otherwise = to
                continue
            if not case.values:
                raise refuse("SELECT RANK", case.span)
            yield f"if {' or '.join(self.matches(value, characters) for value in case.values)}: return {to}"
        yield f"return {otherwise}"

    def select_type(self, stmt: ir.Select, end: int) -> Iterator[str]:
        """``end``: where control goes on behind the construct."""
        declared = object_types.declared(stmt.selector, self.values)

        def to(case: ir.Case | None) -> int:
            return end if case is None or not case.body else self.flow.first_node[case.body[0].id]

        for case in stmt.cases:
            if case.guard is not None and case.guard.derived not in self.values.layout.types:
                raise refuse("SELECT TYPE with a type that no type here extends", case.span)
        otherwise = next((case for case in stmt.cases if case.values is None), None)
        ways = {number: to(case or otherwise) for number, case in guarded(stmt, declared, self.values.layout.types)}
        yield f"return {ways!r}[{object_types.kind(stmt.selector, self.values)}]"

    def matches(self, sub: ir.Subscript, characters: bool) -> str:
        if not isinstance(sub, ir.Range):
            return self.test_of("==", sub, characters)
        low = "True" if sub.lower is None else self.test_of(">=", sub.lower, characters)
        high = "True" if sub.upper is None else self.test_of("<=", sub.upper, characters)
        return f"({low} and {high})"

    def test_of(self, op: str, bound: ir.Expr, characters: bool) -> str:
        value = self.values.value(bound)
        return f"compared('{op}', x, {value})" if characters else f"(x {op} {value})"
