"""Expressions with their meaning: which name is a variable, a function, an intrinsic, a constructor.

A function reference is taken out of its expression: the call goes to ``context.before``, in the order of
evaluation, and a fresh temporary stands in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.ir.constant_folding import fold_binary, fold_intrinsic, fold_unary
from snapset.frontend.ir.expression_queries import binary_type, larger_than, rank_of, structure, type_of
from snapset.frontend.ir.intrinsics import NAMES, intrinsic
from snapset.frontend.parsing import syntax_tree
from snapset.frontend.parsing.literals import complex_literal, literal
from snapset.frontend.resolution.call_targets import (
    bound,
    declared_type,
    defined_operation,
    function_call,
    targets_of,
    with_object,
)
from snapset.frontend.resolution.data_references import base, declaration, extend, of_status, subscripted
from snapset.frontend.resolution.generic_resolution import fits, generic_targets
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.symbols.constructor_types import constructor_type
from snapset.frontend.symbols.known_modules import MPI_STATUS, STATUS_INDEX

_SMALL = 40  # nodes of an actual argument that a statement function's body may repeat
_BY_TYPE = frozenset({"derived", "unknown"})


def resolve(ctx: Context, node: syntax_tree.Raw) -> ir.Expr:
    """The meaning of an expression in ``ctx``; function references go to ``ctx.before``.

    Raises NotUnderstoodError for what has no place in the IR.
    """
    if isinstance(node, syntax_tree.Name):
        return _name(ctx, node)
    if isinstance(node, syntax_tree.Number):
        return literal(node, ctx.constant, ctx.world.kinds)
    if isinstance(node, syntax_tree.BinaryOp):
        return _binary(ctx, node)
    if isinstance(node, syntax_tree.UnaryOp):
        return _unary(ctx, node)
    if isinstance(node, syntax_tree.Complex):
        return complex_literal(resolve(ctx, node.real), resolve(ctx, node.imag), ctx.world.kinds)
    if isinstance(node, syntax_tree.Constructor):
        items = tuple(_constructor_item(ctx, item) for item in node.items)
        given = constructor_type(node.type_text, ctx.scope.types, ctx.world.kinds, lambda raw: resolve(ctx, raw))
        return ir.ArrayConstructor(items, given or (type_of(items[0]) if items else ir.UNKNOWN))
    if isinstance(node, syntax_tree.TextPiece):
        return _piece(ctx, node)
    return implied_do(ctx, node, scoped=True)


def _piece(ctx: Context, node: syntax_tree.TextPiece) -> ir.Expr:
    """A substring of a constant: of a variable that has been given the constant."""
    value = literal(node.text, ctx.constant, ctx.world.kinds)
    held = ctx.fresh("text", value.type)
    ctx.before.append(ir.Assign(span=ctx.span, target=held, value=value))
    return subscripted(ctx, held, _subscripts(ctx, (syntax_tree.Arg(node.ends),)))


def resolve_ref(ctx: Context, node: syntax_tree.Raw) -> ir.Ref:
    """A variable that is written. Raises NotUnderstoodError where ``node`` is not one."""
    if not isinstance(node, syntax_tree.Name):
        raise NotUnderstoodError("not a variable")
    first = node.links[0]
    own = first.name == ctx.scope.result or (first.args is None and not _is_variable(ctx, first.name))
    unknown = _is_variable(ctx, first.name) and ctx.variable(first.name).type.kind == "unknown"
    if (own or unknown) and first.name not in ctx.names:
        found: ir.Expr = _walk(ctx, base(ctx, first.name), node.links, 0)
    else:
        found = resolve(ctx, node)
    if not isinstance(found, ir.Ref) or ctx.variables[found.name].area.kind == "temporary":
        raise NotUnderstoodError(f"`{first.name}` is not a variable")
    return found


def _is_variable(ctx: Context, name: str) -> bool:
    return name in ctx.variables or name in ctx.inherited


# ---------------------------------------------------------------- operators


def _unary(ctx: Context, node: syntax_tree.UnaryOp) -> ir.Expr:
    operand = resolve(ctx, node.operand)
    kind = type_of(operand).kind
    if node.op == "+" and kind not in ("integer", "real", "complex"):
        return ir.Unary("+", operand, type_of(operand))  # a parenthesised actual argument
    if node.op not in ("-", "+", ".not.") or kind in _BY_TYPE:
        defined = defined_operation(ctx, node.op, (operand,))
        if defined is not None:
            return defined
    return fold_unary(node.op, operand)


def _binary(ctx: Context, node: syntax_tree.BinaryOp) -> ir.Expr:
    """A chain of operators, its left spine without recursion."""
    spine: list[syntax_tree.BinaryOp] = []
    left_raw: syntax_tree.Raw = node
    while isinstance(left_raw, syntax_tree.BinaryOp):
        spine.append(left_raw)
        left_raw = left_raw.left
    left = resolve(ctx, left_raw)
    for one in reversed(spine):
        left = _combined(ctx, one.op, left, resolve(ctx, one.right))
    return left


def _combined(ctx: Context, op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    kinds = type_of(left).kind, type_of(right).kind
    named = op.startswith(".") and op not in (".and.", ".or.", ".eqv.", ".neqv.")
    if named or "derived" in kinds or "unknown" in kinds or f"operator({op})" in ctx.scope.generics:
        defined = defined_operation(ctx, op, (left, right))
        if defined is not None:
            return defined
    return fold_binary(op, left, right, binary_type(op, type_of(left), type_of(right)))


# ---------------------------------------------------------------- names


def _name(ctx: Context, node: syntax_tree.Name) -> ir.Expr:
    """A reference, by what its first name is here."""
    first = node.links[0]
    name = first.name
    if name in ctx.names:
        return _walk(ctx, ctx.names[name], node.links, 0)
    variable = ctx.variables.get(name) or ctx.inherited.get(name)
    if variable is not None and not _is_function(ctx, variable, first):
        return _variable(ctx, ctx.variable(name), node)
    if name in ctx.scope.statement_functions and first.args is not None:
        return _statement_function(ctx, name, arguments(ctx, first.args))
    procedure = _procedure(ctx, first)
    if procedure is not None:
        return procedure if len(node.links) == 1 else _walk(ctx, procedure, node.links, 1)
    if first.args is None:
        return _variable(ctx, ctx.variable(name), node)
    return _external(ctx, first, node)


def _variable(ctx: Context, variable: ir.Variable, node: syntax_tree.Name) -> ir.Expr:
    if variable.value is not None and not variable.shape.rank and len(node.links) == 1 and node.links[0].args is None:
        return variable.value
    return _walk(ctx, base(ctx, variable.name), node.links, 0)


def _is_function(ctx: Context, variable: ir.Variable, link: syntax_tree.NameLink) -> bool:
    """Whether a name with a type is a function here: the declaration gives its result's type then."""
    if variable.type.kind == "procedure":
        return True
    name = variable.name
    if link.args is None or variable.shape.rank:
        return False
    if name == ctx.scope.result:
        return name in ctx.scope.procedures and not _is_substring(link)
    return not _is_substring(link)


def _is_substring(link: syntax_tree.NameLink) -> bool:
    args = link.args or ()
    return len(args) == 1 and isinstance(args[0].value, syntax_tree.Triplet)


def _procedure(ctx: Context, link: syntax_tree.NameLink) -> ir.Expr | None:
    """The reference as a procedure: its name as an argument, a function, an intrinsic, a constructor."""
    name, scope = link.name, ctx.scope
    known = name in scope.procedures or name in scope.dummies
    if link.args is None:
        if known or name in ctx.intrinsics:
            return ir.ProcedureRef(name, scope.procedures.get(name) or _entry(ctx, name))
        undeclared = not scope.implicit and name not in ctx.variables
        entry = _entry(ctx, name) if undeclared else None
        return ir.ProcedureRef(name, entry) if undeclared and (entry or name in NAMES) else None
    if name in scope.generics:
        args = arguments(ctx, link.args)
        found = fits(ctx.world, scope.generics[name], args)
        if found or (name not in NAMES and name not in scope.types):
            return function_call(ctx, name, generic_targets(ctx.world, scope.generics[name], args), args)
    if known:
        return function_call(ctx, name, targets_of(ctx, name, ()), arguments(ctx, link.args))
    if name in scope.types:
        return structure(arguments(ctx, link.args), scope.types[name], ctx.world.scopes.types)
    variable = ctx.variables.get(name)
    if variable is not None and variable.type.kind == "procedure":
        return function_call(ctx, name, (), arguments(ctx, link.args))
    if name in NAMES:
        args = arguments(ctx, link.args)
        return fold_intrinsic(intrinsic(name, args, ctx.world.kinds, lambda ref: _bounds(ctx, ref)))
    return None


def _entry(ctx: Context, name: str) -> str | None:
    """The ENTRY point that a name is, which as an argument or a pointer's value stands for that procedure."""
    found = () if name in ctx.scope.dummies or name in ctx.intrinsics else targets_of(ctx, name, ())
    return found[0] if len(found) == 1 else None


def _bounds(ctx: Context, ref: ir.Ref) -> ir.Shape | None:
    found = declaration(ctx, ref.parts)
    return None if found is None else found.shape


def _external(ctx: Context, link: syntax_tree.NameLink, node: syntax_tree.Name) -> ir.Expr:
    """An undeclared name with parentheses: an external function."""
    if len(node.links) > 1 or any(isinstance(arg.value, syntax_tree.Triplet) for arg in link.args or ()):
        raise NotUnderstoodError(f"`{link.name}` is not declared")
    return function_call(ctx, link.name, targets_of(ctx, link.name, ()), arguments(ctx, link.args or ()))


def _walk(ctx: Context, start: ir.Expr, links: Sequence[syntax_tree.NameLink], at: int) -> ir.Expr:
    """``start`` with the arguments of ``links[at]`` and the components after it."""
    current = start
    if at == 0 and links[0].args is not None:
        current = subscripted(ctx, start, _subscripts(ctx, links[0].args))
        if links[0].more is not None:
            current = subscripted(ctx, current, _subscripts(ctx, links[0].more))
    for link in links[max(at, 1) :]:
        if not isinstance(current, ir.Ref):
            raise NotUnderstoodError(f"component `{link.name}` of a value")
        current = _component(ctx, current, link)
    return current


def _component(ctx: Context, owner: ir.Ref, link: syntax_tree.NameLink) -> ir.Expr:
    """``owner%link``: a component, a type parameter, or a type-bound function."""
    key = owner.type.derived
    if key == MPI_STATUS and link.name in STATUS_INDEX and link.args is None:
        return of_status(ctx, owner, link.name)
    if link.name == "mpi_val" and owner.type.kind == "integer" and link.args is None:
        return owner  # a handle of `mpi_f08` is its number
    inner = extend(ctx.world, owner, link.name)
    if inner is not None and (inner.type.kind != "procedure" or link.args is None):
        if link.args is None:
            return inner
        current = subscripted(ctx, inner, _subscripts(ctx, link.args), inner.rank - owner.rank)
        return current if link.more is None else subscripted(ctx, current, _subscripts(ctx, link.more))
    if link.name in ("kind", "len") and link.args is None:  # `q%len()` is bound to its type
        return fold_intrinsic(intrinsic(link.name, (ir.Argument(owner),), ctx.world.kinds))
    args = arguments(ctx, link.args or ())
    if inner is not None:
        return function_call(ctx, link.name, (), with_object(ctx, owner, link.name, args), inner)
    if key is None and link.args is None and owner.type.kind in ("derived", "unknown"):
        return ir.Ref((*owner.parts, ir.PartRef(link.name)), ir.UNKNOWN, owner.rank)
    if key is None:
        raise NotUnderstoodError(f"component `{link.name}` of unknown type")
    found = bound(ctx, owner, link.name, args)
    return function_call(ctx, link.name, found.targets, found.args, dispatch=found.dispatch)


# ---------------------------------------------------------------- arguments and calls


def _subscripts(ctx: Context, args: Sequence[syntax_tree.Arg]) -> tuple[ir.Subscript, ...]:
    values = (arg.value for arg in args)
    return tuple(_range(ctx, one) if isinstance(one, syntax_tree.Triplet) else resolve(ctx, one) for one in values)


def _range(ctx: Context, triplet: syntax_tree.Triplet) -> ir.Range:
    parts = (None if part is None else resolve(ctx, part) for part in (triplet.lower, triplet.upper, triplet.step))
    return ir.Range(*parts)


def arguments(ctx: Context, args: Sequence[syntax_tree.Arg]) -> tuple[ir.Argument, ...]:
    """Actual arguments, resolved in order."""
    found: list[ir.Argument] = []
    for arg in args:
        if isinstance(arg.value, syntax_tree.Triplet):
            raise NotUnderstoodError("a section of what is not an array")
        found.append(ir.Argument(resolve(ctx, arg.value), arg.keyword))
    return tuple(found)


def _statement_function(ctx: Context, name: str, args: tuple[ir.Argument, ...]) -> ir.Expr:
    """The body with actual for dummy arguments; a large actual is evaluated first."""
    function = ctx.scope.statement_functions[name]
    if name in ctx.inlining or len(args) != len(function.params):
        raise NotUnderstoodError(f"statement function `{name}`")
    ctx.count_inlining()
    outer = {word: _of_host(ctx, name, word, variable) for word, variable in function.hidden.items()}
    names, inlining = ctx.names, ctx.inlining
    actuals = {param: _small(ctx, param, arg.value) for param, arg in zip(function.params, args, strict=True)}
    ctx.names, ctx.inlining = {**names, **outer, **actuals}, (*inlining, name)
    value = resolve(ctx, function.body)
    ctx.names, ctx.inlining = names, inlining
    return _converted(ctx, name, _small(ctx, name, value))


def _of_host(ctx: Context, function: str, word: str, variable: ir.Variable | None) -> ir.Expr:
    """What a name in a host's statement function is, where it means something else in the procedure that uses it."""
    if variable is None:
        what = f"statement function `{function}` of the host, with `{word}`, which is another name here"
        raise NotUnderstoodError(what)
    if variable.value is not None:
        return variable.value
    name = f"{word}@host"
    ctx.variables.setdefault(name, replace(variable, name=name))
    return ir.Ref((ir.PartRef(name),), variable.type, variable.shape.rank)


def _small(ctx: Context, name: str, value: ir.Expr) -> ir.Expr:
    """``value``, or where it is large a fresh variable that is given it first."""
    if not larger_than(value, _SMALL):
        return value
    target = ctx.fresh(name, type_of(value), rank_of(value))
    ctx.before.append(ir.Assign(span=ctx.span, target=target, value=value))
    return target


def _converted(ctx: Context, name: str, value: ir.Expr) -> ir.Expr:
    """A statement function's value in its declared type: an integer one truncates."""
    want = declared_type(ctx, name).kind
    if want == type_of(value).kind or want not in ("integer", "real"):
        return value
    return intrinsic("int" if want == "integer" else "real", (ir.Argument(value),), ctx.world.kinds)


# ---------------------------------------------------------------- implied DO


def _constructor_item(ctx: Context, item: syntax_tree.Raw) -> ir.Expr:
    return implied_do(ctx, item, scoped=True) if isinstance(item, syntax_tree.Implied) else resolve(ctx, item)


def implied_do(ctx: Context, node: syntax_tree.Implied, *, scoped: bool) -> ir.Expr:
    """``(items, var = ...)``. ``scoped``: the variable is the constructor's own, else the procedure's.

    ``(f(i), i = 1, n)``: function references run once per item, so a loop before the statement makes an array of the
    items, which stands in their place.
    """
    start, stop = resolve(ctx, node.start), resolve(ctx, node.stop)
    step = None if node.step is None else resolve(ctx, node.step)
    outer, names = ctx.before, ctx.names
    ctx.before = []
    var = resolve_ref(ctx, syntax_tree.Name((syntax_tree.NameLink(node.var),)))
    if scoped:
        var = ctx.fresh(node.var, var.type)
        ctx.names = {**names, node.var: var}
    items = tuple(
        implied_do(ctx, item, scoped=scoped) if isinstance(item, syntax_tree.Implied) else resolve(ctx, item)
        for item in node.items
    )
    calls, ctx.before, ctx.names = tuple(ctx.before), outer, names
    if not calls:
        return ir.ImpliedDo(items, var.name, start, stop, step)
    return _collected(ctx, ir.ImpliedDo(items, var.name, start, stop, step), calls, var, scoped)


def _collected(ctx: Context, node: ir.ImpliedDo, calls: ir.Block, var: ir.Ref, scoped: bool) -> ir.Ref:
    """A fresh array that grows by the items of an implied DO, in a loop before the statement.

    Loops inside one that is not ``scoped`` become loops, too, which leave their variables behind. Raises
    NotUnderstoodError where the items are not of one known type.
    """
    types = {type_of(item) for item in node.items}
    if len(types) != 1 or types & {ir.UNKNOWN}:
        raise NotUnderstoodError("an implied DO of items of several types, with function references")
    made = ctx.fresh("items", types.pop(), 1)
    ctx.variables[made.name] = replace(ctx.variables[made.name], allocatable=True)
    outer, ctx.before = ctx.before, [*calls]
    items = tuple(_collected(ctx, item, (), base(ctx, item.var), scoped)
                  if isinstance(item, ir.ImpliedDo) and not scoped else item for item in node.items)
    grown = ir.ArrayConstructor((made, *items), made.type)
    body, ctx.before = (*ctx.before, ir.Assign(span=ctx.span, target=made, value=grown)), outer
    empty = ir.Assign(span=ctx.span, target=made, value=ir.ArrayConstructor((), made.type))
    loop = ir.Do(span=ctx.span, var=var, start=node.start, stop=node.stop, step=node.step, body=body, end=ctx.span)
    ctx.before.append(ir.ScopeBlock(span=ctx.span, body=(empty, loop)))  # as one construct, which no WHERE masks
    return made
