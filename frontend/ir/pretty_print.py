"""A procedure as compact text: for tests and for looking at what the lowering made."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep


def show(procedure: ir.Procedure) -> str:
    """One line per statement, indented, function calls where they were taken out to."""
    if procedure.opaque is not None:
        return f"opaque: {procedure.opaque}"
    return "\n".join(_block(procedure.body, 0))


@deep
def _block(block: ir.Block, depth: int) -> Iterator[str]:
    for stmt in block:
        label = "" if stmt.label is None else f"{stmt.label}: "
        lines = list(_statement(stmt, depth))
        yield "  " * depth + label + lines[0].lstrip()
        yield from lines[1:]


def _nested(word: str, block: ir.Block, depth: int) -> Iterator[str]:
    yield "  " * depth + word
    yield from _block(block, depth + 1)


def _statement(stmt: ir.Stmt, depth: int) -> Iterator[str]:
    match stmt:
        case ir.If():
            yield from _nested(f"if{_name(stmt.name)} {expr(stmt.cond)}", stmt.then, depth)
            if stmt.orelse:
                yield from _nested("else", stmt.orelse, depth)
        case ir.Select():
            yield f"{'  ' * depth}select{_name(stmt.name)} {expr(stmt.selector)}"
            for case in stmt.cases:
                values = "default" if case.values is None else ", ".join(map(_subscript, case.values))
                yield from _nested(f"case {values}".rstrip(), case.body, depth)
        case ir.Do():
            limits = [expr(e) for e in (stmt.start, stmt.stop, stmt.step) if e is not None]
            kind = f"{stmt.kind} independent" if stmt.independent else stmt.kind
            head = f"{kind}{_name(stmt.name)} {expr(stmt.var)} = {', '.join(limits)}"
            yield from _nested(head, stmt.body, depth)
        case ir.While():
            cond = "" if stmt.cond is None else f" {expr(stmt.cond)}"
            if stmt.before:
                yield from _nested("before", stmt.before, depth)
            yield from _nested(f"while{_name(stmt.name)}{cond}", stmt.body, depth)
        case ir.Where():
            yield from _nested(f"where {expr(stmt.mask)}", stmt.body, depth)
            if stmt.elsewhere:
                yield from _nested("elsewhere", stmt.elsewhere, depth)
        case ir.ScopeBlock():
            yield from _nested(f"scope{_name(stmt.name)}", stmt.body, depth)
        case ir.Marked():
            yield from _nested("marked", stmt.body, depth)
        case _:
            yield "  " * depth + _simple(stmt)


def _simple(stmt: ir.Stmt) -> str:
    match stmt:
        case ir.Assign():
            return f"{expr(stmt.target)} = {expr(stmt.value)}"
        case ir.PointerAssign():
            return f"{expr(stmt.target)} => {expr(stmt.value)}"
        case ir.Call():
            return _call(stmt)
        case ir.ArithmeticIf():
            return f"if {expr(stmt.cond)} {stmt.negative}, {stmt.zero}, {stmt.positive}"
        case ir.Goto():
            return f"goto {stmt.to}"
        case ir.ComputedGoto():
            return f"goto {_labels(stmt.labels)} by {expr(stmt.selector)}"
        case ir.Continue():
            return "continue"
        case ir.Cycle() | ir.Exit():
            return type(stmt).__name__.lower() + _name(stmt.name)
        case ir.Return():
            return "return" if stmt.alternate is None else f"return {expr(stmt.alternate)}"
        case ir.Stop():
            return "stop" if stmt.code is None else f"stop {expr(stmt.code)}"
        case ir.IO():
            return _io(stmt)
        case ir.Allocate():
            extra = [f"{word}={expr(e)}" for word, e in (("stat", stmt.stat), ("source", stmt.source)) if e is not None]
            return f"{'automatic ' if stmt.automatic else ''}allocate {', '.join([*map(expr, stmt.objects), *extra])}"
        case ir.Deallocate():
            extra = [f"stat={expr(stmt.stat)}"] if stmt.stat is not None else []
            return f"{'automatic ' if stmt.automatic else ''}deallocate {', '.join([*map(expr, stmt.objects), *extra])}"
        case ir.Nullify():
            return f"nullify {', '.join(map(expr, stmt.objects))}"
        case ir.Opaque():
            return f"opaque `{stmt.text}`" + (f" to {_labels(stmt.labels)}" if stmt.labels else "")
        case _:
            return type(stmt).__name__.lower()


def _call(stmt: ir.Call) -> str:
    result = "" if stmt.result is None else f"{expr(stmt.result)} = "
    alternates = "" if not stmt.alternates else f" or to {_labels(stmt.alternates)}"
    flags = (" intrinsic" if stmt.intrinsic else "") + ("" if stmt.checkpoint else " nocheckpoint")
    targets = f" -> {', '.join(stmt.targets)}" if stmt.targets and stmt.targets != (stmt.name,) else ""
    return f"{result}call {stmt.name}({_arguments(stmt.args)}){alternates}{flags}{targets}"


def _io(stmt: ir.IO) -> str:
    parts = [stmt.action + (" internal" if stmt.internal else "")]
    if stmt.reads:
        parts.append("reads " + ", ".join(map(expr, stmt.reads)))
    if stmt.writes:
        parts.append(("surely " if stmt.certain else "") + "writes " + ", ".join(map(expr, stmt.writes)))
    if stmt.labels:
        parts.append("to " + _labels(stmt.labels))
    return " ".join(parts)


def _labels(labels: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, labels)) + ")"


def _name(name: str | None) -> str:
    return "" if name is None else f" {name}"


def expr(node: ir.Expr) -> str:
    """An expression as Fortran-like text, every operation in parentheses."""
    match node:
        case ir.Literal_():
            return _literal(node)
        case ir.Ref():
            names = (node.name, *(part.name.partition("@")[0] for part in node.parts[1:]))
            parts = "%".join(name + _subscripts(part.subscripts) for name, part in zip(names, node.parts, strict=True))
            return parts if node.substring is None else f"{parts}({_subscript(node.substring)})"
        case ir.Unary():
            return f"({node.op}{' ' if node.op.startswith('.') else ''}{expr(node.operand)})"
        case ir.Binary():
            return f"({expr(node.left)} {node.op} {expr(node.right)})"
        case ir.Intrinsic():
            return f"{node.name}({_arguments(node.args)})"
        case ir.ArrayConstructor():
            return f"[{', '.join(map(expr, node.items))}]"
        case ir.ImpliedDo():
            limits = [expr(e) for e in (node.start, node.stop, node.step) if e is not None]
            return f"({', '.join(map(expr, node.items))}, {node.var} = {', '.join(limits)})"
        case ir.Structure():
            return f"{(node.type.derived or '?').rpartition('::')[2]}({_arguments(node.args)})"
        case ir.ProcedureRef():
            return f"procedure {node.name}"
        case ir.OpaqueExpr():
            return f"opaque `{node.text}`"


def _literal(node: ir.Literal_) -> str:
    if node.value is None:
        return "?"
    if isinstance(node.value, bool):
        return ".true." if node.value else ".false."
    return repr(node.value)


def _subscripts(subscripts: tuple[ir.Subscript, ...] | None) -> str:
    return "" if subscripts is None else f"({', '.join(map(_subscript, subscripts))})"


def _subscript(subscript: ir.Subscript) -> str:
    if not isinstance(subscript, ir.Range):
        return expr(subscript)
    lower, upper, step = ("" if e is None else expr(e) for e in (subscript.lower, subscript.upper, subscript.step))
    return f"{lower}:{upper}" + (f":{step}" if step else "")


def _arguments(args: tuple[ir.Argument, ...]) -> str:
    return ", ".join((f"{arg.keyword}=" if arg.keyword else "") + expr(arg.value) for arg in args)
