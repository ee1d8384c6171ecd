"""Scalar expressions as plain Python: floats, ints and bools where the node functions use NumPy scalars.

Same values, bit for bit: IEEE doubles are Python's floats, single precision stays NumPy's, elementary functions
are the node functions' own. Where Python raises an error instead (a division by zero, an integer that leaves
its type, a subscript out of bounds) the node function takes over.
"""

from __future__ import annotations

import math

from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.codegen.operator_names import COMPARISONS, POWERS
from snapset.analysis.replay.fused.subscript_ranges import Linear, LoopScopes
from snapset.analysis.replay.memory.variable_slots import LeafPlace, SlotPlace, dtype_of
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsics import record

PLAIN = ("real", "integer", "logical")  # types of which Python has the values


class NotFusableError(Exception):
    """There is no plain Python for this; the node function does it."""


@frozen
class Value:
    """Code of a value. ``low`` to ``high``: of integers, before they are reduced to the range of their type."""

    code: str
    low: int = 0
    high: int = 0

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None


def limits(type_: ir.Type) -> tuple[int, int]:
    """The range of an integer type."""
    half = 1 << (8 * (type_.bytes or 4) - 1)
    return -half, half - 1


def is_cached(place: SlotPlace) -> bool:
    """Does a Python variable hold the value of this slot while a procedure runs?"""
    variable = place.variable
    return place.leaf.type.kind in PLAIN and not (
        place.leaf.dims or place.leaf.allocatable or variable.optional or variable.allocatable
        or variable.pointer or variable.target or variable.value is not None)


def static_low(leaf: LeafPlace, variable: ir.Variable, dim: int) -> int | None:
    """The lower bound of a dimension where it is known without running."""
    if leaf.allocatable or variable.allocatable or variable.pointer or variable.shape.kind == "deferred" \
            or variable.value is not None:
        return None
    lower = leaf.dims[dim].lower
    if lower is None:
        return 1
    sign = 1
    if isinstance(lower, ir.Unary) and lower.op == "-":
        lower, sign = lower.operand, -1
    return sign * lower.value if isinstance(lower, ir.Literal_) and isinstance(lower.value, int) else None


class Scalars:
    """Generates the code of scalar expressions.

    ``inlined``: slots that inlined node code reads from memory. ``views``: slots whose elements are indexed.
    ``lows``: lower bounds that are asked for at run time.
    """

    def __init__(self, values: ExpressionCode, scopes: LoopScopes) -> None:
        self.values = values
        self.scopes = scopes
        self.inlined: set[int] = set()
        self.views: set[int] = set()
        self.lows: set[tuple[int, int]] = set()
        self._names = 0

    def name(self) -> str:
        self._names += 1
        return f"x{self._names}"

    # ------------------------------------------------------------ types

    def narrow(self, value: Value, type_: ir.Type) -> str:
        """The code of an integer that is certain to be in the range of its type."""
        low, high = limits(type_)
        if low <= value.low and value.high <= high:
            return value.code
        name = self.name()
        return f"({name} if {low} <= ({name} := {value.code}) <= {high} else over())"

    def inline(self, expr: ir.Expr) -> Value:
        """The node functions' own code for a scalar expression."""
        before, self.values.touched = self.values.touched, set()
        code = self.values.value(expr)
        self.inlined |= self.values.touched
        self.values.touched = before
        type_ = type_of(expr)
        match type_.kind, type_.bytes:
            case "real", 8:
                return Value(f"float({code})")
            case "integer", _:
                return Value(f"int({code})", *limits(type_))
            case "logical", _:
                return Value(f"bool({code})")
            case "real", 4:
                return Value(code)
        raise NotFusableError

    def converted(self, value: Value, own: ir.Type, type_: ir.Type) -> Value:
        """A value in another type."""
        if own == type_ or dtype_of(own) == dtype_of(type_):
            return value
        match own.kind, type_.kind:
            case "integer", "integer":
                return value if (own.bytes or 4) > (type_.bytes or 4) else Value(self.narrow(value, own), value.low,
                                                                                value.high)
            case "integer", "real" if type_.bytes == 8:
                constant = value.constant
                return Value(f"float({self.narrow(value, own)})" if constant is None else repr(float(constant)))
            case "integer", "real":
                code = self.narrow(value, own)
                return Value(f"np.float32({code})" if own.bytes != 8 else f"np.float32(np.int64({code}))")
            case "real", "real":
                return Value(f"float({value.code})" if type_.bytes == 8 else f"np.float32({value.code})")
            case "real", "integer":
                return Value(f"int({value.code})", -(1 << 70), 1 << 70)
            case "logical", "logical":
                return value
        raise NotFusableError

    def operand(self, expr: ir.Expr, type_: ir.Type) -> Value:
        return self.converted(self.value(expr), type_of(expr), type_)

    # ------------------------------------------------------------ expressions

    def value(self, expr: ir.Expr) -> Value:
        """Code of a scalar expression.

        Raises:
            NotDirectError: it is none, or of a type that Python has not.
        """
        if rank_of(expr) > 0 or type_of(expr).kind not in PLAIN:
            raise NotFusableError
        match expr:
            case ir.Literal_():
                return self.literal(expr)
            case ir.Ref():
                return self.reference(expr)
            case ir.Unary(op="-" | "+"):
                inner = self.value(expr.operand)
                return inner if expr.op == "+" else Value(f"(-{inner.code})", -inner.high, -inner.low)
            case ir.Unary(op=".not."):
                return Value(f"(not {self.value(expr.operand).code})")
            case ir.Binary():
                return self.binary(expr)
            case ir.Intrinsic():
                return self.intrinsic(expr)
        return self.inline(expr)

    def literal(self, expr: ir.Literal_) -> Value:
        value, type_ = expr.value, expr.type
        if isinstance(value, bool):
            return Value(repr(value))
        if isinstance(value, int) and type_.kind == "integer":
            return Value(repr(value), value, value)
        if isinstance(value, int | float) and type_.kind == "real" and type_.bytes == 8 and math.isfinite(value):
            return Value(repr(float(value)))
        return Value(self.values.constant(value, type_))

    def reference(self, ref: ir.Ref) -> Value:
        variable = self.values.layout.variable(ref.name, self.values.span)
        if ref.substring is not None:
            return self.inline(ref)
        if variable.value is not None and not variable.shape.dims and len(ref.parts) == 1:
            return self.operand(variable.value, variable.type)
        reached = self.values.slot(ref)
        place = reached.place
        if reached.leaf is not place.leaf:  # z%re
            return self.inline(ref)
        if is_cached(place):
            value = Value(f"v{place.number}", *limits(ref.type))
        else:
            if not place.leaf.dims:
                return self.inline(ref)
            value = Value(self.element(ref, place), *limits(ref.type))
        return Value(f"({value.code} != 0)") if ref.type.kind == "logical" else value

    def element(self, ref: ir.Ref, place: SlotPlace) -> str:
        """An element as the target or source of an assignment."""
        subs = [sub for part in ref.parts for sub in part.subscripts or ()]
        if not subs or len(subs) != len(place.leaf.dims) or place.variable.optional:
            raise NotFusableError
        codes = [self.subscript(place, dim, sub) for dim, sub in enumerate(subs)]
        self.views.add(place.number)
        return f"m{place.number}[{', '.join(codes)}]"

    # ------------------------------------------------------------ subscripts

    def subscript(self, place: SlotPlace, dim: int, sub: ir.Subscript) -> str:
        """A position from zero. What is too high shows by itself; what is negative would wrap, so it is checked."""
        if isinstance(sub, ir.Range) or rank_of(sub) > 0 or type_of(sub).kind != "integer":
            raise NotFusableError
        linear = self.linear(sub)
        low = static_low(place.leaf, place.variable, dim)
        if low is None:
            self.lows.add((place.number, dim))
            linear = linear.plus(Linear(0, {f"o{place.number}_{dim}": 1}), -1)
        else:
            linear = linear.plus(Linear(low), -1)
        code = linear.code()
        if self.scopes.never_negative(linear):
            return code
        name = code if code.isidentifier() else self.name()
        return f"{name} if {name if name == code else f'({name} := {code})'} >= 0 else low()"

    def linear(self, expr: ir.Expr) -> Linear:
        """An integer expression as a sum."""
        match expr:
            case ir.Unary(op="-" | "+"):
                return Linear().plus(self.linear(expr.operand), -1 if expr.op == "-" else 1)
            case ir.Binary(op="+" | "-"):
                return self.linear(expr.left).plus(self.linear(expr.right), -1 if expr.op == "-" else 1)
            case ir.Binary(op="*"):
                left, right = self.linear(expr.left), self.linear(expr.right)
                if not left.terms:
                    return Linear().plus(right, left.constant)
                if not right.terms:
                    return Linear().plus(left, right.constant)
                return Linear(0, {f"({left.code()})*({right.code()})": 1})
        value = self.value(expr)
        if value.constant is not None:
            return Linear(value.constant)
        return Linear(0, {self.narrow(value, type_of(expr)): 1})

    # ------------------------------------------------------------ operators

    def binary(self, expr: ir.Binary) -> Value:
        op, type_ = expr.op, expr.type
        if op in COMPARISONS:
            return self.comparison(expr)
        if op in (".and.", ".or."):
            left = self.value(expr.left).code
            with self.scopes.conditional():
                return Value(f"({left} {op.strip('.')} {self.value(expr.right).code})")
        if op == "**":
            return self.power(expr)
        if op not in ("+", "-", "*", "/"):
            raise NotFusableError
        if type_.kind == "integer":
            return self.integer(op, expr)
        kinds = {type_of(expr.left).kind, type_of(expr.right).kind}
        if type_.bytes == 8 and kinds == {"real", "integer"}:  # Python converts an integer operand itself
            codes = [self.narrow(self.value(e), type_of(e)) if type_of(e).kind == "integer"
                     else self.operand(e, type_).code for e in (expr.left, expr.right)]
            return Value(f"({codes[0]} {op} {codes[1]})")
        return Value(f"({self.operand(expr.left, type_).code} {op} {self.operand(expr.right, type_).code})")

    def integer(self, op: str, expr: ir.Binary) -> Value:
        left, right = self.operand(expr.left, expr.type), self.operand(expr.right, expr.type)
        if op == "/":
            a, b = self.narrow(left, expr.type), self.narrow(right, expr.type)
            low, high = limits(expr.type)
            if left.low >= 0 and right.low > 0:
                return Value(f"({a} // {b})", 0, left.high)
            return Value(f"truncated({a}, {b})", low, high + 1)
        if op == "+":
            return Value(f"({left.code} + {right.code})", left.low + right.low, left.high + right.high)
        if op == "-":
            return Value(f"({left.code} - {right.code})", left.low - right.high, left.high - right.low)
        ends = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
        return Value(f"({left.code} * {right.code})", min(ends), max(ends))

    def comparison(self, expr: ir.Binary) -> Value:
        codes = []
        types = type_of(expr.left), type_of(expr.right)
        if any(one.kind not in PLAIN for one in types):
            return self.inline(expr)
        mixed = dtype_of(types[0]) != dtype_of(types[1])
        for e, type_ in zip((expr.left, expr.right), types, strict=True):
            code = self.value(e).code if type_.kind != "integer" else self.narrow(self.value(e), type_)
            if mixed and (type_ == ir.REAL or (type_.bytes == 8 and type_.kind == "integer"
                                               and "real" in (types[0].kind, types[1].kind))):
                code = f"float({code})"
            codes.append(code)
        code = f"({codes[0]} {COMPARISONS[expr.op]} {codes[1]})"
        return Value(f"bool{code}" if types == (ir.REAL, ir.REAL) else code)

    def power(self, expr: ir.Binary) -> Value:
        if expr.type.kind == "integer":
            return self.inline(expr)
        left = self.operand(expr.left, expr.type).code
        match expr.right:
            case ir.Literal_(value=int(n)) if n in POWERS:
                name = left if left.isidentifier() else self.name()
                first = left if name == left else f"({name} := {left})"
                square = f"({first} * {name})"
                return Value({2: square, 3: f"({square} * {name})"}[n])
        right = self.operand(expr.right, expr.type).code
        code = f"np.power({left}, {right})"
        return Value(f"float({code})" if expr.type.bytes == 8 else code)

    # ------------------------------------------------------------ intrinsics

    def intrinsic(self, expr: ir.Intrinsic) -> Value:
        known, name, args, type_ = record(expr), expr.name, [a.value for a in expr.args if a.keyword is None], expr.type
        if any(a.keyword not in (None, "kind") for a in expr.args) or any(
                rank_of(a) > 0 or type_of(a).kind not in PLAIN for a in args):
            return self.inline(expr)
        kinds = [(type_of(a).kind, type_of(a).bytes) for a in args]
        doubles = all(kind == ("real", 8) for kind in kinds) and type_ == ir.DOUBLE
        integers = all(type_of(a) == type_ for a in args) and type_.kind == "integer"
        match name:
            case "max" | "min" if doubles or integers:
                return self.extreme(name, args, type_)
            case "real" | "dble" if type_.kind == "real":
                return self.operand(args[0], type_)
            case "int" | "nint" | "floor" | "ceiling" if kinds[0] == ("real", 8) and type_ == ir.INTEGER:
                return Value(f"{known.python}({self.value(args[0]).code})", -(1 << 70), 1 << 70)
            case "mod" if integers:
                return self.remainder(args, type_)
            case "abs" if integers:
                value = self.value(args[0])
                return Value(f"abs({value.code})", 0, max(abs(value.low), abs(value.high)))
            case "dprod" if len(args) == 2:
                return Value(f"({self.operand(args[0], ir.DOUBLE).code} * {self.operand(args[1], ir.DOUBLE).code})")
        if doubles and (known.python or known.machine.startswith("np.")):
            codes = ", ".join(self.value(a).code for a in args)
            return Value(f"{known.python}({codes})" if known.python else f"float({known.machine}({codes}))")
        return self.inline(expr)

    def extreme(self, name: str, args: list[ir.Expr], type_: ir.Type) -> Value:
        """MAX or MIN: the first of the greatest (least) wins."""
        best = self.value(args[0])
        code = self.narrow(best, type_) if type_.kind == "integer" else best.code
        low, high = best.low, best.high
        for arg in args[1:]:
            value = self.value(arg)
            other = self.narrow(value, type_) if type_.kind == "integer" else value.code
            a, b = self.name(), self.name()
            code = f"({a} if ({a} := {other}) {'>' if name == 'max' else '<'} ({b} := {code}) else {b})"
            low, high = min(low, value.low), max(high, value.high)
        bounds = limits(type_) if type_.kind == "integer" else (0, 0)
        return Value(code, max(low, bounds[0]), min(high, bounds[1]))

    def remainder(self, args: list[ir.Expr], type_: ir.Type) -> Value:
        left, right = self.value(args[0]), self.value(args[1])
        a, b = self.narrow(left, type_), self.narrow(right, type_)
        most = max(abs(right.low), abs(right.high)) - 1
        if right.low > 0 and left.low >= 0:
            return Value(f"({a} % {b})", 0, most)
        if right.low > 0 and b.isdigit():
            name = self.name()
            return Value(f"({name} % {b} if ({name} := {a}) >= 0 else -(-{name} % {b}))", -most, most)
        return Value(f"remainder({a}, {b})", -most, most)
