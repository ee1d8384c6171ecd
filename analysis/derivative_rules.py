"""The partial derivatives of every operator and intrinsic, as expressions of the program's own kind.

The derivative of ``a*sin(b)`` by its operands: ``sin(b)`` and ``a``; of ``sin(b)`` by b: ``cos(b)``. What the adjoint
of a statement reads (use(I')), the code that the replay machine runs for it, and the edges of the DAG method are all
made from these; so what is simplified away here (``x**1``, ``1*x``) is read by none of them. The rules of intrinsics
stand in :mod:`snapset.frontend.ir.intrinsic_table`, as texts.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import binary_type, rank_of, type_of
from snapset.frontend.ir.intrinsics import names_of, record

_OPERATORS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "+": ("1.0", "1.0"), "-": ("1.0", "-1.0"), "*": ("y", "x"), "/": ("1.0/y", "-(x/y)/y"),
    "**": ("y*x**(y - 1)", "x**y*log(x)"),
})  # fmt: skip
_SIGNS: Final[Mapping[str, str]] = MappingProxyType({"+": "1.0", "-": "-1.0"})
_FLAT: Final = frozenset((
    "==", "/=", "<", "<=", ">", ">=", ".and.", ".or.", ".eqv.", ".neqv.", ".not.", "//",
))  # their value carries no derivative
_PYTHON: Final[Mapping[type, str]] = MappingProxyType({
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.Gt: ">", ast.Lt: "<", ast.GtE: ">=",
    ast.LtE: "<=",
})  # fmt: skip


@frozen(quick=True)
class Derivative:
    """By one operand, at its ``place``. ``factor``: the adjoint of the value times this goes to the operand; None where
    that is no product, but a transposed map (:func:`transposed`), or unknown. ``reads``: the expressions whose values
    that takes. ``sided``: it only tells which side was taken."""

    place: int
    operand: ir.Expr
    factor: ir.Expr | None
    reads: tuple[ir.Expr, ...]
    sided: bool = False


def derivatives(expr: ir.Unary | ir.Binary | ir.Intrinsic, value: ir.Expr | None = None) -> tuple[Derivative, ...]:
    """By each operand that a derivative passes through, except where it is zero.

    ``value``: stands for the expression's own value; the expression itself unless another one is given.
    """
    own = expr if value is None else value
    match expr:
        case ir.Unary(op="+" | "-"):
            return _products(expr, {"x": expr.operand}, {"x": _SIGNS[expr.op]}, own)
        case ir.Binary() if expr.op in _OPERATORS:
            return _products(expr, {"x": expr.left, "y": expr.right},
                             dict(zip("xy", _OPERATORS[expr.op], strict=True)), own)
        case ir.Intrinsic() if carrying(expr):
            return _of_intrinsic(expr, own)
        case ir.Unary() | ir.Binary() if carrying(expr):
            return _unknown(_operands(expr))
        case _:
            return ()


def carrying(expr: ir.Expr) -> tuple[int, ...]:
    """The operands that a derivative may pass through, by their places: of SIGN's second one only the sign counts."""
    match expr:
        case ir.Unary():
            return () if expr.op in _FLAT else (0,)
        case ir.Binary():
            return () if expr.op in _FLAT else (0, 1)
        case ir.Intrinsic():
            known = record(expr)
            if known.inquiry or known.flat:
                return ()
            if not _has_rule(expr):
                return tuple(range(len(expr.args)))
            partials = known.partials
            return tuple(n for n, name in enumerate(names_of(expr)) if partials is None or name in partials)
        case _:
            return ()


def transposed(expr: ir.Intrinsic) -> str:
    """The name of the transposed map that takes the adjoint of the value to those of the operands; empty where there
    is none. For ABS of a complex number it is the product with its direction."""
    if record(expr).sided and not is_sided(expr):
        return "direction"
    name = record(expr).transposed
    return "" if name == "real part" and type_of(expr.args[0].value).kind != "complex" else name


def is_sided(expr: ir.Intrinsic) -> bool:
    """Is its derivative told by a side? ABS of a complex number has its direction instead."""
    return record(expr).sided and not (expr.name == "abs" and type_of(expr.args[0].value).kind == "complex")


def reads_value(expr: ir.Expr) -> bool:
    """Does a derivative of the expression read its value, as that of EXP does?"""
    stands = ir.Ref((ir.PartRef("#value"),), type_of(expr))
    return isinstance(expr, ir.Intrinsic) and any(stands in d.reads or _contains(d.factor, stands)
                                                  for d in derivatives(expr, stands))


def _contains(expr: ir.Expr | None, wanted: ir.Ref) -> bool:
    if expr is None or expr == wanted:
        return expr is not None
    return any(_contains(one, wanted) for one in _operands(expr))


def _operands(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    match expr:
        case ir.Unary():
            return (expr.operand,)
        case ir.Binary():
            return (expr.left, expr.right)
        case ir.Intrinsic():
            return tuple(argument.value for argument in expr.args)
        case _:
            return ()


# ---------------------------------------------------------------- rules


def _has_rule(expr: ir.Intrinsic) -> bool:
    """Is there a rule, and are all arguments those that it names?"""
    known = record(expr)
    if known.extreme:
        return True
    return known.partials is not None and all(name in known.arguments for name in names_of(expr))


def _of_intrinsic(expr: ir.Intrinsic, own: ir.Expr) -> tuple[Derivative, ...]:
    known, names = record(expr), names_of(expr)
    args = {name: argument.value for name, argument in zip(names, expr.args, strict=True)}
    if not _has_rule(expr):
        return _unknown(tuple(args.values()))
    if known.extreme:
        return tuple(_won(expr, place, known.extreme) for place in range(len(expr.args)))
    assert known.partials is not None
    if not transposed(expr):
        return _products(expr, args, known.partials, own, known.sided)
    if transposed(expr) == "direction":
        return (Derivative(0, expr.args[0].value, None, (expr.args[0].value,)),)
    return tuple(Derivative(n, args[name], None, _listed(known.partials[name], args, expr.type))
                 for n, name in enumerate(names) if name in known.partials)


def _unknown(args: tuple[ir.Expr, ...]) -> tuple[Derivative, ...]:
    """There is no rule: by each operand, which reads all of them."""
    return tuple(Derivative(place, one, None, args) for place, one in enumerate(args))


def _products(expr: ir.Expr, args: Mapping[str, ir.Expr], partials: Mapping[str, str], own: ir.Expr,
              sided: bool = False) -> tuple[Derivative, ...]:
    """Where each derivative is a factor."""
    type_ = type_of(expr)
    given = {name: one if name == "n" or (name == "y" and _is_power(expr)) else _converted(one, type_)
             for name, one in args.items()}  # the order of a Bessel function stays an integer
    found: list[Derivative] = []
    for place, (name, operand) in enumerate(args.items()):
        if name in partials:
            factor = _made(_parsed(partials[name]), {**given, "v": own}, type_)
            if not _is(factor, 0):
                found.append(Derivative(place, operand, factor, (factor,), sided))
    return tuple(found)


def _is_power(expr: ir.Expr) -> bool:
    """A power with an integer exponent, which stays one."""
    return isinstance(expr, ir.Binary) and expr.op == "**" and type_of(expr.right).kind == "integer"


def _converted(expr: ir.Expr, type_: ir.Type) -> ir.Expr:
    """An operand in the type of the result, as the operator has it."""
    own = type_of(expr)
    name = {"real": "real", "complex": "cmplx"}.get(type_.kind)
    if own == type_ or own.kind not in ("integer", "real", "complex") or name is None:
        return expr
    kind = _real(type_).bytes
    given = (ir.Argument(expr),) if kind is None else (
        ir.Argument(expr), ir.Argument(ir.Literal_(kind, ir.INTEGER), "kind"))
    return ir.Intrinsic(name, given, type_, rank_of(expr))


def _won(expr: ir.Intrinsic, place: int, better: str) -> Derivative:
    """Of MAX or MIN: 1 for the first of the greatest (least) arguments, else 0."""
    args = [argument.value for argument in expr.args]
    won: ir.Expr | None = None
    for other, one in enumerate(args):
        if other != place:
            test = ir.Binary(better if other < place else better + "=", args[place], one, ir.LOGICAL)
            won = test if won is None else ir.Binary(".and.", won, test, ir.LOGICAL)
    factor = _number(1.0, expr.type) if won is None else _call("merge", [
        _number(1.0, expr.type), _number(0.0, expr.type), won])
    return Derivative(place, args[place], factor, (factor,), sided=True)


# ---------------------------------------------------------------- texts to expressions


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _listed(text: str, args: Mapping[str, ir.Expr], type_: ir.Type) -> tuple[ir.Expr, ...]:
    """The expressions of a list; those of arguments that are left out are left out."""
    nodes = [_parsed(one.strip()) for one in text.split(",") if one.strip()]
    return tuple(_made(node, args, type_) for node in nodes if _named(node) <= args.keys())


def _named(node: ast.expr) -> set[str]:
    """The arguments that a rule's text names: `size` of `transfer(source, mold, size)` is one, not of `size(pad)`."""
    called = {one.func.id for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} - called


def _made(node: ast.expr, args: Mapping[str, ir.Expr], type_: ir.Type) -> ir.Expr:
    """The expression that a rule's text stands for; numbers are of the result's type, or of that of an integer they
    are added to."""
    match node:
        case ast.Constant(value=float() | int() as value):
            return _number(value, type_)
        case ast.Name(id=name):
            return args[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _negative(_made(inner, args, type_))
        case ast.BinOp(left=left, op=op, right=right):
            first = _made(left, args, type_)
            if isinstance(right, ast.Constant) and type_of(first).kind == "integer":
                type_ = type_of(first)
            return _combined(_PYTHON[type(op)], first, _made(right, args, type_))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return ir.Binary(_PYTHON[type(op)], _made(left, args, type_), _made(right, args, type_), ir.LOGICAL)
        case ast.Call(func=ast.Name(id=name), args=given):
            return _call(name, [_made(one, args, type_) for one in given])
    raise ValueError(f"no rule: {ast.unparse(node)}")


def _call(name: str, args: list[ir.Expr]) -> ir.Expr:
    if name == "size":
        return ir.Intrinsic(name, (ir.Argument(args[0]),), ir.INTEGER)
    type_ = type_of(args[1] if name in ("sign", "bessel_jn", "bessel_yn") else args[0])
    return ir.Intrinsic(name, tuple(map(ir.Argument, args)), type_, max(map(rank_of, args)))


def _real(type_: ir.Type) -> ir.Type:
    """The real type of the numbers in an expression of a type."""
    return ir.Type("real", type_.bytes // 2 if type_.bytes else None) if type_.kind == "complex" else type_


def _number(value: float, type_: ir.Type) -> ir.Literal_:
    return ir.Literal_(int(value) if type_.kind == "integer" else value, _real(type_))


def is_number(expr: ir.Expr | None, value: float) -> bool:
    """Is it a literal with that value?"""
    return expr is not None and _is(expr, value)


def _is(expr: ir.Expr, value: float) -> bool:
    return isinstance(expr, ir.Literal_) and not isinstance(expr.value, bool) and expr.value == value


def _negative(expr: ir.Expr) -> ir.Expr:
    if isinstance(expr, ir.Literal_) and isinstance(expr.value, int | float):
        return ir.Literal_(-expr.value, expr.type)
    return expr.operand if isinstance(expr, ir.Unary) and expr.op == "-" else ir.Unary("-", expr, type_of(expr))


def _combined(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """``left op right``, without what changes nothing, and nothing where it is zero."""
    if op == "*":
        if _is(left, 0) or _is(right, 1):
            return left
        if _is(right, 0) or _is(left, 1):
            return right
    if op == "**" and _is(right, 0):
        return _number(1.0, type_of(left))
    if op in ("**", "/") and _is(right, 1):
        return left
    if op in ("+", "-") and isinstance(left, ir.Literal_) and isinstance(right, ir.Literal_):
        return _sum(op, left, right)
    return ir.Binary(op, left, right, binary_type(op, type_of(left), type_of(right)))


def _sum(op: str, left: ir.Literal_, right: ir.Literal_) -> ir.Expr:
    if isinstance(left.value, int | float) and isinstance(right.value, int | float):
        return ir.Literal_(left.value + (right.value if op == "+" else -right.value), left.type)
    return ir.Binary(op, left, right, binary_type(op, left.type, right.type))
