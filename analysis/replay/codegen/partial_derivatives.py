"""Statement adjoints: from the adjoint of a value to those of what it was computed from.

Exact partial derivatives of the expression tree. Code is made only for what can carry a derivative to a
reference that ``moves``, so nothing else is read: exactly use(I') of the analysis.
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.memory.references import FLAT, INQUIRIES, SIGNS, magnitude
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.codegen.intrinsic_names import arguments, named, plain_name, reduction_arguments
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, type_of

SMOOTH = ("real", "complex")
Moves = Callable[[ir.Ref], bool]

# The derivative of f at x, v being f(x).
_FIRST = {
    "sqrt": "0.5 / {v}", "exp": "{v}", "log": "1.0 / {x}", "log10": "1.0 / ({x} * 2.302585092994046)",
    "sin": "np.cos({x})", "cos": "-np.sin({x})", "tan": "1.0 + {v} * {v}",
    "asin": "1.0 / np.sqrt(1.0 - {x} * {x})", "acos": "-1.0 / np.sqrt(1.0 - {x} * {x})",
    "atan": "1.0 / (1.0 + {x} * {x})", "sinh": "np.cosh({x})", "cosh": "np.sinh({x})", "tanh": "1.0 - {v} * {v}",
    "asinh": "1.0 / np.sqrt({x} * {x} + 1.0)", "acosh": "1.0 / np.sqrt({x} * {x} - 1.0)",
    "atanh": "1.0 / (1.0 - {x} * {x})", "abs": "gt0({x})", "erf": "1.1283791670955126 * np.exp(-{x} * {x})",
    "erfc": "-1.1283791670955126 * np.exp(-{x} * {x})",
}  # fmt: skip
# Of f(x, y) by x and by y.
_SECOND = {
    "atan2": ("{y} / ({x} * {x} + {y} * {y})", "-{x} / ({x} * {x} + {y} * {y})"),
    "hypot": ("{x} / {v}", "{y} / {v}"),
    "sign": ("sign(1.0, {y}) * gt0({x})", None),
    "mod": ("1.0", "-np.trunc({x} / {y})"),
    "modulo": ("1.0", "-np.floor({x} / {y})"),
    "dprod": ("{y}", "{x}"),
}


class Partials:
    """Generates the statements of one adjoint.

    The adjoint of a complex z = x + iy is dJ/dx + i dJ/dy: through a holomorphic function goes the conjugate of its
    derivative. ``complex``: there are complex values in what is differentiated; to real variables goes the real part.
    ``sided``: which side MAX, MIN ... take comes from ``f.sides``; ``sides`` collects the code that records it.
    """

    def __init__(self, values: ExpressionCode, moves: Moves, sided: bool = False) -> None:
        self.sided = sided
        self.complex = False
        self.sides: list[str] = []
        self.values = values
        self.moves = moves
        self.lines: list[str] = []
        self._count = 0

    def moving(self, expr: ir.Expr) -> bool:
        """Can a derivative pass through the expression to something that moves?"""
        match expr:
            case ir.Ref():
                return expr.type.kind in SMOOTH and self.moves(expr)
            case ir.Intrinsic() if expr.name in INQUIRIES or expr.name in FLAT or expr.type.kind not in SMOOTH:
                return False
            case ir.Intrinsic() if expr.name == "merge":
                return any(self.moving(a.value) for a in expr.args[:2])
            case ir.Intrinsic() if expr.name in SIGNS:
                return self.moving(magnitude(expr))
            case ir.Intrinsic():
                return any(self.moving(a.value) for a in expr.args)
            case ir.Unary():
                return self.moving(expr.operand)
            case ir.Binary():
                return expr.type.kind in SMOOTH and (self.moving(expr.left) or self.moving(expr.right))
            case ir.ArrayConstructor() | ir.ImpliedDo():
                return any(map(self.moving, expr.items))
            case _:
                return False

    def push(self, expr: ir.Expr, t: str, rank: int) -> None:
        """Add code that gives the adjoint ``t`` (the value's, of the given rank) to the operands of ``expr``."""
        if not self.moving(expr):
            return
        if rank_of(expr) == 0 and rank > 0:
            t, rank = self.hold(f"total({t})"), 0
        match expr:
            case ir.Ref():
                place = self.values.slot(expr)
                t = f"np.real({t})" if self.complex and expr.type.kind == "real" else t
                self.lines.append(f"acc({place.code}, {self.values.index(expr, place)}, {t})")
            case ir.Unary():
                self.push(expr.operand, t if expr.op == "+" else self.hold(f"-{t}"), rank)
            case ir.Binary():
                self.binary(expr, t, rank)
            case ir.Intrinsic():
                self.intrinsic(expr, t, rank)
            case ir.ArrayConstructor():
                self.constructor(expr, t)
            case _:
                raise refuse("the derivative of this expression", self.values.span)

    def hold(self, code: str) -> str:
        """A temporary that holds the value of ``code``."""
        name = f"t{self._count}"
        self._count += 1
        self.lines.append(f"{name} = {code}")
        return name

    def side(self, code: str) -> str:
        """Code for what ``code`` gave in the forward sweep, where sides are recorded; else ``code`` itself."""
        if not self.sided:
            return code
        self.sides.append(code)
        return f"f.sides[{len(self.sides) - 1}]"

    def times(self, expr: ir.Expr, t: str, partial: str, rank: int, value: ir.Expr) -> None:
        """Through a partial derivative of ``value`` by ``expr``."""
        if self.moving(expr):
            partial = f"np.conj({partial})" if type_of(value).kind == "complex" else partial
            self.push(expr, self.hold(f"mul({t}, {partial})"), rank)

    def binary(self, expr: ir.Binary, t: str, rank: int) -> None:
        left, right, of = expr.left, expr.right, self.values.operand
        match expr.op:
            case "+" | "-":
                self.push(left, t, rank)
                if self.moving(right):
                    self.push(right, t if expr.op == "+" else self.hold(f"-{t}"), rank)
            case "*":
                if self.moving(left):
                    self.times(left, t, of(right, expr.type), rank, expr)
                if self.moving(right):
                    self.times(right, t, of(left, expr.type), rank, expr)
            case "/":
                if self.moving(left):
                    self.times(left, t, f"(1.0 / {of(right, expr.type)})", rank, expr)
                if self.moving(right):
                    x, y = of(left, expr.type), of(right, expr.type)
                    self.times(right, t, f"(-({x} / {y}) / {y})", rank, expr)
            case "**":
                self.power(expr, t, rank)
            case _:
                raise refuse(f"the derivative of {expr.op}", self.values.span)

    def power(self, expr: ir.Binary, t: str, rank: int) -> None:
        left, right, of = expr.left, expr.right, self.values.operand
        if self.moving(left):
            match right:
                case ir.Literal_(value=1):
                    self.push(left, t, rank)
                case ir.Literal_(value=2):
                    self.times(left, t, f"(2.0 * {of(left, expr.type)})", rank, expr)
                case _ if type_of(right).kind == "integer":
                    n = self.values.value(right)
                    self.times(left, t, f"({n} * rpow({of(left, expr.type)}, {n} - 1))", rank, expr)
                case _:
                    x, y = of(left, expr.type), of(right, expr.type)
                    self.times(left, t, f"({y} * np.power({x}, {y} - 1.0))", rank, expr)
        if self.moving(right):
            x, y = of(left, expr.type), of(right, expr.type)
            self.times(right, t, f"(np.power({x}, {y}) * np.log({x}))", rank, expr)

    # ------------------------------------------------------------ intrinsics

    def intrinsic(self, expr: ir.Intrinsic, t: str, rank: int) -> None:
        name = plain_name(expr.name)
        args = [a.value for a in expr.args]
        value = self.values.value
        if name == "abs" and type_of(args[0]).kind == "complex":
            if self.moving(args[0]):
                self.push(args[0], self.hold(f"mul(np.real({t}), {value(args[0])} / {value(expr)})"), rank)
        elif name in _FIRST:
            code = "(" + _FIRST[name].format(x=value(args[0]), v=value(expr)) + ")"
            self.times(args[0], t, self.side(code) if name == "abs" else code, rank, expr)
        elif name in _SECOND:
            for arg, partial in zip(args, _SECOND[name], strict=True):
                if partial is not None and self.moving(arg):
                    code = partial.format(x="{x}", y="{y}", v="{v}")
                    if partial == "1.0":
                        self.push(arg, t, rank)
                        continue
                    code = "(" + code.format(x=value(args[0]), y=value(args[1]), v=value(expr)) + ")"
                    self.times(arg, t, self.side(code) if name == "sign" else code, rank, expr)
        elif name == "dim":
            more = self.side(f"(np.greater({value(args[0])}, {value(args[1])}) * 1.0)")
            self.times(args[0], t, more, rank, expr)
            self.times(args[1], t, f"(-{more})", rank, expr)
        elif name in ("real", "dble"):
            self.push(args[0], self.hold(f"np.real({t})") if self.complex else t, rank)
        elif name in ("aimag", "conjg"):
            self.push(args[0], self.hold(f"1j * np.real({t})" if name == "aimag" else f"np.conj({t})"), rank)
        elif name == "cmplx":
            self.push(args[0], t, rank)
            if len(args) > 1 and expr.args[1].keyword != "kind" and self.moving(args[1]):
                self.push(args[1], self.hold(f"np.imag({t})"), rank)
        elif name in ("max", "min"):
            codes = ", ".join(self.values.operand(a, type_of(args[0])) for a in args)
            side = self.side(f"which('{name}', ({codes},))")
            for place, arg in enumerate(args):
                won = f"np.equal({side}, {place}) * 1.0" if self.sided else f"winner('{name}', {place}, ({codes},))"
                self.times(arg, t, won, rank, expr)
        elif name in ("sum", "product", "maxval", "minval"):
            self.reduction(name, expr, t)
        else:
            self.special(name, expr, t, rank)

    def reduction(self, name: str, expr: ir.Intrinsic, t: str) -> None:
        array, dim, mask = reduction_arguments(expr)
        # The shape of the argument is asked of the value; a sum of references reads nothing of it.
        x, along, where = self.values.value(array), self.values.optional(dim), self.values.optional(mask)
        wide = self.hold(f"like({t}, {x}, {along})")
        if name == "sum":
            if mask is not None:
                wide = self.hold(f"np.where({where}, {wide}, 0)")
            self.push(array, wide, rank_of(array))
            return
        partial = f"others({x}, {along}, {where})" if name == "product" else \
            f"first_extreme('{name}', {x}, {along}, {where})"
        self.times(array, wide, partial, rank_of(array), expr)

    def special(self, name: str, expr: ir.Intrinsic, t: str, rank: int) -> None:
        args = [a.value for a in expr.args]
        value = self.values.value
        match name:
            case "merge":
                mask = self.side(value(args[2]))
                if self.moving(args[0]):
                    self.push(args[0], self.hold(f"np.where({mask}, {t}, 0)[()]"), rank)
                if self.moving(args[1]):
                    self.push(args[1], self.hold(f"np.where({mask}, 0, {t})[()]"), rank)
            case "dot_product":
                conjugated = type_of(args[0]).kind == "complex"  # the first one is, in the product
                for arg, other, is_first in ((args[0], args[1], True), (args[1], args[0], False)):
                    if self.moving(arg):
                        into = f"np.conj({t})" if conjugated and is_first else t
                        by = f"np.conj({value(other)})" if self.complex and not conjugated else value(other)
                        self.push(arg, self.hold(f"({into} * {by})"), 1)
            case "matmul":
                self.matmul(args, t)
            case "transpose":
                self.push(args[0], self.hold(f"{t}.T"), rank)
            case "spread":
                found = arguments(expr, "source", "dim", "ncopies")
                dim = value(found["dim"])
                self.push(found["source"], self.hold(f"np.sum({t}, axis=int({dim}) - 1)"), rank - 1)
            case "reshape" | "cshift" | "eoshift" | "pack" | "unpack":
                self.movement(name, expr, t)
            case "norm2":
                x, dim = map(self.values.optional, named(expr))
                wide = self.hold(f"like({t} / {value(expr)}, {x}, {dim})")
                self.times(args[0], wide, x, rank_of(args[0]), expr)
            case _:
                raise refuse(f"the derivative of the intrinsic {name}", self.values.span)

    def matmul(self, args: list[ir.Expr], t: str) -> None:
        for place, function in enumerate(("outer_left", "outer_right")):
            if not self.moving(args[place]):
                continue
            codes = [f"np.conj({self.values.value(a)})" if type_of(a).kind == "complex" else self.values.value(a)
                     for a in args]
            codes[place] = f"np.zeros(np.shape({codes[place]}))"
            self.push(args[place], self.hold(f"{function}({t}, {', '.join(codes)})"), rank_of(args[place]))

    def movement(self, name: str, expr: ir.Intrinsic, t: str) -> None:
        """Elements moved about: each one's adjoint goes back where it came from."""
        given = named(expr)
        codes = [self.values.optional(arg) for arg in given]
        if name in ("cshift", "eoshift"):
            by, dim = codes[1], codes[-1]
            assert given[0] is not None
            back = f"cshift({t}, -({by}), {dim})" if name == "cshift" else f"eoshift({t}, -({by}), None, {dim})"
            if self.moving(given[0]):
                self.push(given[0], self.hold(back), rank_of(given[0]))
            if name == "eoshift" and given[2] is not None and self.moving(given[2]):
                self.push(given[2], self.hold(f"shifted_in({t}, {by}, {dim})"), rank_of(given[0]) - 1)
            return
        for place in (0, 2):  # array and VECTOR, vector and FIELD, source and PAD
            arg = given[place]
            if arg is None or not self.moving(arg):
                continue
            origins = list(codes)
            for other in (0, 2):
                origins[other] = f"ids({codes[other]})" if other == place else f"nowhere({codes[other]})"
            places = f"{name}({', '.join(origins)})"
            self.push(arg, self.hold(f"scattered({t}, {places}, {codes[place]})"), rank_of(arg))

    def constructor(self, expr: ir.ArrayConstructor, t: str) -> None:
        self.items(expr.items, t, self.hold("0"))

    def items(self, items: tuple[ir.Expr, ...], t: str, at: str) -> None:
        """The items of a constructor from element ``at`` on; an implied DO is a loop."""
        for item in items:
            if isinstance(item, ir.ImpliedDo):
                before = len(self.lines)
                with self.values.implied_loop(item) as loop:
                    self.items(item.items, t, at)
                inner = self.lines[before:]
                self.lines[before:] = [f"{loop}:", *("    " + line for line in inner)]
                continue
            x = self.values.value(item)
            if rank_of(item) == 0:
                self.push(item, self.hold(f"{t}[{at}]"), 0)
                self.lines.append(f"{at} += 1")
            else:
                if self.moving(item):
                    piece = self.hold(f"reshaped({t}[{at}:{at} + np.size({x})], np.shape({x}))")
                    self.push(item, piece, rank_of(item))
                self.lines.append(f"{at} += np.size({x})")
