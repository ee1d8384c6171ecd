"""Statement adjoints: from the adjoint of a value to those of what it was computed from.

Exact partial derivatives of the expression tree. Code is made only for what can carry a derivative to a
reference that ``moves``, so nothing else is read: exactly use(I') of the analysis.
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.derivative_rules import Derivative, carrying, derivatives, is_number, transposed
from snapset.analysis.memory.references import operands
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsics import bound, record

SMOOTH = ("real", "complex")
Moves = Callable[[ir.Ref], bool]


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
        self._first = 0  # of the sides of the operation at work

    def moving(self, expr: ir.Expr) -> bool:
        """Can a derivative pass through the expression to something that moves?"""
        match expr:
            case ir.Ref():
                return expr.type.kind in SMOOTH and self.moves(expr)
            case ir.Intrinsic() | ir.Unary() | ir.Binary():
                args = operands(expr)
                return expr.type.kind in SMOOTH and any(self.moving(args[place]) for place in carrying(expr))
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
            case ir.Unary() | ir.Binary() | ir.Intrinsic():
                self.operation(expr, t, rank)
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
        if code not in self.sides[self._first:]:  # two operands of one operation share a side
            self.sides.append(code)
        return f"f.sides[{self.sides.index(code, self._first)}]"

    def times(self, expr: ir.Expr, t: str, partial: str, rank: int, value: ir.Expr) -> None:
        """Through a partial derivative of ``value`` by ``expr``."""
        if self.moving(expr):
            partial = f"np.conj({partial})" if type_of(value).kind == "complex" else partial
            self.push(expr, self.hold(f"mul({t}, {partial})"), rank)

    def operation(self, expr: ir.Unary | ir.Binary | ir.Intrinsic, t: str, rank: int) -> None:
        """Through the derivatives by the operands that move: products with factors, or one transposed map."""
        first = len(self.sides)
        for one in derivatives(expr):
            if not self.moving(one.operand):
                continue
            self._first = first
            if one.factor is None:
                self.transposed(expr, t, rank)
                return
            if is_number(one.factor, 1):
                self.push(one.operand, t, rank)
            elif is_number(one.factor, -1):
                self.push(one.operand, self.hold(f"-{t}"), rank)
            elif one.sided:
                self.chosen(expr, one, t, rank)
            else:
                self.times(one.operand, t, self.values.value(one.factor), rank, expr)

    def chosen(self, expr: ir.Expr, one: Derivative, t: str, rank: int) -> None:
        """Through a derivative that tells a side: 1 or 0, perhaps with a sign."""
        assert one.factor is not None
        factor, minus = (one.factor.operand, "-") if isinstance(one.factor, ir.Unary) else (one.factor, "")
        if not isinstance(factor, ir.Intrinsic) or factor.name != "merge":
            self.times(one.operand, t, self.side(self.values.value(one.factor)), rank, expr)
            return
        yes, no, mask = (argument.value for argument in factor.args)
        code = self.winning(expr, one.place) if self.sided and isinstance(expr, ir.Intrinsic) and record(
            expr).extreme else self.side(self.values.value(mask))
        pair = (f"{minus}{t}", "0") if is_number(yes, 1) and is_number(no, 0) else ("0", f"{minus}{t}")
        self.push(one.operand, self.hold(f"np.where({code}, {', '.join(pair)})[()]"), rank)

    def winning(self, expr: ir.Intrinsic, place: int) -> str:
        """Code of whether this argument of MAX or MIN was the one: the place of that one has been recorded."""
        codes = ", ".join(self.values.operand(a.value, expr.type) for a in expr.args)
        return f"np.equal({self.side(f'which({expr.name!r}, ({codes},))')}, {place})"

    # ------------------------------------------------------------ transposed maps

    def transposed(self, expr: ir.Expr, t: str, rank: int) -> None:
        """From the adjoint of a value to those of its operands, where that is no product."""
        kind = transposed(expr) if isinstance(expr, ir.Intrinsic) else ""
        if not isinstance(expr, ir.Intrinsic) or not kind or not record(expr).machine:
            what = f"the intrinsic {expr.name}" if isinstance(expr, ir.Intrinsic) else "this expression"
            raise refuse(f"the derivative of {what}", self.values.span)
        args = [a.value for a in expr.args]
        value = self.values.value
        match kind:
            case "direction":
                self.push(args[0], self.hold(f"mul(np.real({t}), {value(args[0])} / {value(expr)})"), rank)
            case "real part":
                self.push(args[0], self.hold(f"np.real({t})"), rank)
            case "imaginary part":
                self.push(args[0], self.hold(f"1j * np.real({t})"), rank)
            case "conjugate":
                self.push(args[0], self.hold(f"np.conj({t})"), rank)
            case "complex":
                for name, arg in bound(expr).items():
                    if self.moving(arg):
                        self.push(arg, t if name == "x" else self.hold(f"np.imag({t})"), rank)
            case "sum" | "product" | "extreme":
                self.reduction(expr, t)
            case _:
                self.of_arrays(kind, expr, t)

    def reduction(self, expr: ir.Intrinsic, t: str) -> None:
        given = bound(expr)
        array = given["array"]
        # The shape of the argument is asked of the value; a sum of references reads nothing of it.
        x, along, where = self.values.value(array), *(self.values.optional(given.get(name)) for name in ("dim", "mask"))
        wide = self.hold(f"like({t}, {x}, {along})")
        if expr.name == "sum":
            if where != "None":
                wide = self.hold(f"np.where({where}, {wide}, 0)")
            self.push(array, wide, rank_of(array))
            return
        partial = f"others({x}, {along}, {where})" if expr.name == "product" else \
            f"first_extreme('{expr.name}', {x}, {along}, {where})"
        self.times(array, wide, partial, rank_of(array), expr)

    def of_arrays(self, kind: str, expr: ir.Intrinsic, t: str) -> None:
        given = bound(expr)
        args = [a.value for a in expr.args]
        value = self.values.value
        match kind:
            case "dot product":
                conjugated = type_of(args[0]).kind == "complex"  # the first one is, in the product
                for arg, other, is_first in ((args[0], args[1], True), (args[1], args[0], False)):
                    if self.moving(arg):
                        into = f"np.conj({t})" if conjugated and is_first else t
                        by = f"np.conj({value(other)})" if self.complex and not conjugated else value(other)
                        self.push(arg, self.hold(f"({into} * {by})"), 1)
            case "matrix product":
                self.matmul(args, t)
            case "transpose":
                self.push(args[0], self.hold(f"np.transpose({t})"), rank_of(args[0]))
            case "spread":
                dim = value(given["dim"])
                self.push(given["source"], self.hold(f"np.sum({t}, axis=int({dim}) - 1)"), rank_of(given["source"]))
            case "movement":
                self.movement(expr, t)
            case "shift":
                self.shift(expr, t)
            case "norm":
                x, dim = value(given["x"]), self.values.optional(given.get("dim"))
                wide = self.hold(f"like({t} / {value(expr)}, {x}, {dim})")
                self.times(given["x"], wide, x, rank_of(given["x"]), expr)

    def matmul(self, args: list[ir.Expr], t: str) -> None:
        for place, function in enumerate(("outer_left", "outer_right")):
            if not self.moving(args[place]):
                continue
            codes = [f"np.conj({self.values.value(a)})" if type_of(a).kind == "complex" else self.values.value(a)
                     for a in args]
            codes[place] = f"np.zeros(np.shape({codes[place]}))"
            self.push(args[place], self.hold(f"{function}({t}, {', '.join(codes)})"), rank_of(args[place]))

    def shift(self, expr: ir.Intrinsic, t: str) -> None:
        given = bound(expr)
        array, boundary = given["array"], given.get("boundary")
        by, dim = self.values.value(given["shift"]), self.values.optional(given.get("dim"))
        if self.moving(array):
            back = f"cshift({t}, -({by}), {dim})" if expr.name == "cshift" else f"eoshift({t}, -({by}), None, {dim})"
            self.push(array, self.hold(back), rank_of(array))
        if boundary is not None and self.moving(boundary):
            self.push(boundary, self.hold(f"shifted_in({t}, {by}, {dim})"), rank_of(array) - 1)

    def movement(self, expr: ir.Intrinsic, t: str) -> None:
        """Elements moved about: each one's adjoint goes back where it came from."""
        given = bound(expr)
        names = record(expr).arguments
        codes = [self.values.optional(given.get(name)) for name in names]
        for place, name in enumerate(names):
            arg = given.get(name)
            if arg is None or place not in (0, 2) or not self.moving(arg):  # array, VECTOR; vector, FIELD; source, PAD
                continue
            origins = list(codes)
            for other in (0, 2):
                origins[other] = f"ids({codes[other]})" if other == place else f"nowhere({codes[other]})"
            places = f"{expr.name}({', '.join(origins)})"
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
