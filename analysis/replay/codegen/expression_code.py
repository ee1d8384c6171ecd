"""Expressions as Python source over a frame's slots ``s``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from snapset.analysis.replay.codegen import inquiry_code
from snapset.analysis.replay.codegen.operator_names import COMPARISONS, POWERS
from snapset.analysis.replay.codegen.reached_memory import ReachedMemory, below, halves, is_array, selected
from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.variable_slots import Layout, LeafPlace, dtype_of, refuse
from snapset.analysis.replay.texts.character_values import INTRINSICS
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsics import bound, record


def cast(code: str, type_: ir.Type) -> str:
    name = dtype_of(type_)
    if type_.kind == "character":
        return code if name is None else f"fitted({code}, {type_.bytes})"
    return f"np.dtype('{name}').type({code})" if name is None else f"{_CASTS[name]}({code})"


_CASTS = {"f8": "np.float64", "f4": "np.float32", "i1": "np.int8", "i2": "np.int16", "i4": "np.int32",
          "i8": "np.int64", "c8": "np.complex64", "c16": "np.complex128"}  # fmt: skip


def fits(value: complex, dtype: str) -> bool:
    """Has an element type this value, as NumPy would say?"""
    try:
        if dtype[0] == "i" and not isinstance(value, complex):
            half = 1 << 8*int(dtype[1:]) - 1
            return -half <= int(value) < half
        complex(value)
    except OverflowError:
        return False
    return True


class ExpressionCode:
    """Generates code that evaluates expressions of one procedure.

    ``span``: of the statement, for errors. ``touched``: the slots that the code made so far names. ``executed``: will
    it run, and so need its constants?
    """

    def __init__(self, layout: Layout, constants: dict[str, object], executed: bool = True) -> None:
        self.layout = layout
        self.constants = constants
        self.executed = executed
        self.span = layout.procedure.span
        self._known: dict[tuple[str, object], str] = {}
        self.implied: dict[str, str] = {}
        self.touched: set[int] = set()

    def at(self, span: Span) -> ExpressionCode:
        self.span = span
        return self

    def constant(self, value: object, type_: ir.Type) -> str:
        """The name of a typed constant in the generated code's namespace."""
        if isinstance(value, str):
            name = self._known.setdefault(("S", value), f"k{len(self.constants)}")
            self.constants[name] = value.encode()
            return name
        dtype = dtype_of(type_)
        if value is None or dtype is None or not isinstance(value, int | float | complex):
            raise refuse(f"a constant of type {type_.kind} of a kind or value that is not known", self.span)
        key = dtype, repr(value)
        if key not in self._known:
            name = f"k{len(self.constants)}"
            if type_.kind != "logical" and not fits(value, dtype):
                raise refuse(f"a constant that does not fit {type_.kind}({type_.bytes})", self.span)
            made = bool(value) if type_.kind == "logical" or not self.executed else np.dtype(dtype).type(value)
            self.constants[name] = made
            self._known[key] = name
        return self._known[key]

    def text(self, value: str | tuple[str, ...]) -> str:
        """The name of a text of the program's (a procedure's key, a component's path): itself it is in no code."""
        key = "", repr(value)
        if key not in self._known:
            self._known[key] = f"k{len(self.constants)}"
            self.constants[self._known[key]] = value
        return self._known[key]

    # ------------------------------------------------------------ references

    def slot(self, ref: ir.Ref) -> ReachedMemory:
        """The one slot of a reference to a leaf."""
        found = self.below(ref)
        if len(found) != 1 or found[0].leaf.path != found[0].rest:
            raise refuse(f"the derived-type value `{ref.name}` here", self.span)
        return found[0]

    def below(self, ref: ir.Ref) -> tuple[ReachedMemory, ...]:
        """The memory a reference leads to: one slot for a leaf, several for a derived-type value."""
        found = self.followed(ref, through=True)
        if not found and not self.is_empty(ref.type):
            raise refuse(f"the reference `{'%'.join(p.name for p in ref.parts)}`", self.span)
        return found

    def is_empty(self, type_: ir.Type) -> bool:
        """Is it a type without components?"""
        declared = self.layout.types.get(type_.derived or "")
        return declared is not None and not declared.components

    def pointer(self, ref: ir.Ref) -> ReachedMemory | None:
        """The memory of the pointer itself that a reference ends in; None where it ends in none."""
        found = self.followed(ref, through=False)
        one = found[0] if len(found) == 1 and found[0].leaf.path == found[0].rest else None
        return one if one is not None and one.leaf.is_pointer else None

    def followed(self, ref: ir.Ref, through: bool) -> tuple[ReachedMemory, ...]:
        """The leaves a reference leads to. ``through``: at its end through a pointer too."""
        places = self.layout.places(ref.name, self.span)
        parts = ref.parts
        if len(places) == len(parts) == 1 and places[0].leaf.behind is None and not places[0].leaf.path:
            self.touched.add(places[0].number)  # most are like this
            return (ReachedMemory(f"s[{places[0].number}]", places[0].leaf, parts, places[0]),)
        rest = tuple(part.name for part in parts[1:])
        found = tuple(ReachedMemory(f"s[{place.number}]", place.leaf, parts, place)
                      for place in self.layout.along(ref.name, rest, self.span))
        while True:
            rest = tuple(part.name for part in parts[1:])
            way = next((one for one in found if one.leaf.behind is not None and one.leaf.path == rest[:len(
                one.leaf.path)] and (through or one.leaf.owned or len(one.leaf.path) < len(rest))), None)
            if way is None:
                break
            self.touched.add(way.number)
            parts = parts[len(way.leaf.path):]
            before = self.before(way)
            found = tuple(ReachedMemory(self.inside(way, before, leaf), leaf, parts, way.place)
                          for leaf in self.layout.pointed(way.leaf, self.span))
        if rest and rest[-1] in ("re", "im"):
            found = (*found, *halves(found, rest))
        own = self.layout.types.get(ref.type.derived or "") if ref.exact else None
        names = None if own is None else {TAG, *(component.name for component in own.components)}
        kept = tuple(one for one in found if one.leaf.path[:len(rest)] == rest and (
            names is None or len(one.leaf.path) == len(rest) or one.leaf.path[len(rest)] in names))
        self.touched.update(one.number for one in kept)
        return kept

    def inside(self, way: ReachedMemory, index: str, leaf: LeafPlace) -> str:
        """The slot of one leaf of what a pointer, or an element's allocatable component, leads to."""
        if way.leaf.owned is None:
            return f"to({way.code}, {index}, {self.text(leaf.path)})"
        if is_array(way):
            raise refuse(f"an operation on arrays whose elements have the allocatable component "
                         f"`{way.leaf.owned.name}`", self.span)
        kind = TAG if leaf.is_tag else leaf.dtype
        return f"own({way.code}, {index}, {self.text(leaf.path)}, '{kind}', {len(leaf.dims)})"

    def opened(self, place: ReachedMemory) -> tuple[ReachedMemory, ...]:
        """The leaves of an element's allocatable component, with their paths from where the reference begins."""
        if place.leaf.owned is None:
            return (place,)
        names = place.leaf.path[len(place.rest):]
        parts = (*place.parts, *map(ir.PartRef, names))
        way = replace(place, parts=parts)
        index = self.before(way)
        return tuple(below(place, leaf, self.inside(way, index, leaf)) for leaf in self.layout.pointed(
            place.leaf, self.span))

    def before(self, way: ReachedMemory) -> str:
        """The index of a pointer on the way, whose own subscripts are those of what it leads to."""
        last = len(way.leaf.path)
        parts = (*way.parts[:last], ir.PartRef(way.parts[last].name))
        return selected(way.code, self.subscripts(ReachedMemory(way.code, way.leaf, parts, way.place)))

    def subscripts(self, place: ReachedMemory, there: bool = False) -> list[str]:
        """One code per dimension that the parts have, trailing whole dimensions left out. ``there``: sections end with
        the array, whatever they say."""
        found: list[str] = []
        slot = place.code
        for part, rank in zip(place.parts, place.leaf.ranks, strict=False):
            if part.subscripts is None:
                found += ["slice(None)"] * rank
                continue
            if len(part.subscripts) != rank:
                raise refuse(f"the subscripts of `{part.name}`", self.span)
            for sub in part.subscripts:
                if isinstance(sub, ir.Range):
                    ends = [self.optional(e) for e in (sub.lower, sub.upper, sub.step)]
                    found.append("slice(None)" if sub == ir.Range() else f"rg({slot}, {len(found)}, {', '.join(ends)}"
                                 f"{', True' if there else ''})")
                else:
                    found.append(self.value(sub))
        while found and found[-1] == "slice(None)":
            found.pop()
        return found

    def index(self, ref: ir.Ref, place: ReachedMemory) -> str:
        subs = self.subscripts(place)
        if ref.rank == 0 and 0 < len(subs) == len(place.leaf.dims) <= 3:
            return f"at{len(subs)}({place.code}, {', '.join(subs)})"
        return selected(place.code, subs)

    def reference(self, ref: ir.Ref) -> str:
        if len(ref.parts) == 1 and ref.name in self.implied and not ref.parts[0].subscripts:
            return self.implied[ref.name]
        variable = self.layout.variable(ref.name, self.span)
        if variable.value is not None and not variable.shape.dims and len(ref.parts) == 1:
            whole = self.value(variable.value)
            whole = whole if variable.type.kind == "logical" else cast(whole, variable.type)
            return whole if ref.substring is None else f"cut({whole}, {self.ends(ref.substring)})"
        place = self.slot(ref)
        subs = self.subscripts(place)
        slot = place.code
        if not subs:
            passed = variable.area.kind == "formal" and variable.shape.kind == "explicit"
            code = f"entire({slot})" if passed else f"{slot}.values[()]"
        elif len(subs) == 1 and len(place.leaf.dims) == 1 and not subs[0].startswith(("slice", "rg")) \
                and ref.rank == 0:
            code = f"one1({slot}, {subs[0]})"
        else:
            code = f"load({slot}, {self.index(ref, place)})"
        if ref.substring is not None:
            return f"cut({code}, {self.ends(ref.substring)})"
        return f"({code} != 0)" if ref.type.kind == "logical" else code

    def ends(self, sub: ir.Range) -> str:
        """Of a substring."""
        return f"{self.optional(sub.lower)}, {self.optional(sub.upper)}"

    def stored(self, ref: ir.Ref, place: ReachedMemory, index: str, value: str) -> str:
        """What an assignment of characters stores."""
        slot = place.code
        if ref.substring is None:
            return f"fitted_like({value}, {slot})"
        return f"replaced({slot}, {index}, {self.ends(ref.substring)}, {value})"

    # ------------------------------------------------------------ expressions

    def optional(self, expr: ir.Expr | None) -> str:
        return "None" if expr is None else self.value(expr)

    def value(self, expr: ir.Expr) -> str:
        """Code whose value is the expression's, in the expression's type."""
        match expr:
            case ir.Literal_():
                return self.constant(expr.value, expr.type)
            case ir.Ref():
                return self.reference(expr)
            case ir.Unary():
                inner = self.value(expr.operand)
                match expr.op:
                    case "-" | "+":
                        return f"({expr.op}{inner})"
                    case ".not.":
                        return f"np.logical_not({inner})"
                raise refuse(f"the operator {expr.op}", self.span)
            case ir.Binary():
                return self.binary(expr)
            case ir.Intrinsic():
                return self.intrinsic(expr)
            case ir.ArrayConstructor():
                items = ", ".join(map(self.item, expr.items))
                code = f"constructed({items})"
                return f"({code} != 0)" if expr.type.kind == "logical" else cast(code, expr.type)
            case _:
                raise refuse("this expression", self.span)

    def item(self, expr: ir.Expr) -> str:
        """An item of an array constructor; an implied DO is a comprehension."""
        if not isinstance(expr, ir.ImpliedDo):
            return self.value(expr)
        with self.implied_loop(expr) as loop:
            items = ", ".join(map(self.item, expr.items))
        return f"constructed(*[constructed({items}) {loop}])"

    @contextmanager
    def implied_loop(self, expr: ir.ImpliedDo) -> Iterator[str]:
        """``for ... in ...`` of an implied DO, whose variable has its value inside."""
        name = f"i{len(self.implied)}"
        start, stop, step = self.value(expr.start), self.value(expr.stop), self.optional(expr.step)
        by = "1" if step == "None" else f"int({step})"
        outer = dict(self.implied)
        self.implied[expr.var] = f"np.int32({name})"
        yield f"for {name} in range(int({start}), int({stop}) + (1 if {by} > 0 else -1), {by})"
        self.implied = outer

    def operand(self, expr: ir.Expr, type_: ir.Type) -> str:
        code = self.value(expr)
        own = type_of(expr)
        return code if own == type_ or dtype_of(type_) is None else cast(code, type_)

    def binary(self, expr: ir.Binary) -> str:
        op = expr.op
        if op == "//" or (op in COMPARISONS and type_of(expr.left).kind == "character"):
            left, right = self.value(expr.left), self.value(expr.right)
            return f"joined({left}, {right})" if op == "//" else f"compared('{op}', {left}, {right})"
        if op in COMPARISONS:
            return f"({self.value(expr.left)} {COMPARISONS[op]} {self.value(expr.right)})"
        if op in (".and.", ".or."):
            if rank_of(expr) == 0:
                return f"({self.value(expr.left)} {op.strip('.')} {self.value(expr.right)})"
            function = "np.logical_and" if op == ".and." else "np.logical_or"
            return f"{function}({self.value(expr.left)}, {self.value(expr.right)})"
        if op == "**":
            return self.power(expr)
        if op not in ("+", "-", "*", "/"):
            raise refuse(f"the operator {op}", self.span)
        left, right = self.operand(expr.left, expr.type), self.operand(expr.right, expr.type)
        if op == "/" and expr.type.kind == "integer":
            return f"idiv({left}, {right})"
        return f"({left} {op} {right})"

    def power(self, expr: ir.Binary) -> str:
        left = self.operand(expr.left, expr.type)
        exponent = type_of(expr.right).kind
        if expr.type.kind == "integer":
            return f"ipow({left}, {self.value(expr.right)})"
        match expr.right:
            case ir.Literal_(value=int(n)) if n in POWERS:
                return f"{POWERS[n]}({left})"
        if exponent == "integer":
            return f"rpow({left}, {self.value(expr.right)})"
        return f"np.power({left}, {self.operand(expr.right, expr.type)})"

    # ------------------------------------------------------------ intrinsics

    def intrinsic(self, expr: ir.Intrinsic) -> str:
        name, function = expr.name, record(expr).machine
        args = [a.value for a in expr.args]
        if not function:
            raise refuse(f"the intrinsic {name}", self.span)
        if record(expr).shape == "reduction" and name != "norm2":
            return f"reduced('{name}', {', '.join(self.given(expr, record(expr).arguments[0], 'dim', 'mask'))})"
        if name in INTRINSICS:
            kept = [a.value for a in expr.args if a.keyword != "kind"]
            code = f"text('{name}', {', '.join(map(self.value, kept))})"
            return code if expr.type.kind in ("character", "logical") else cast(code, expr.type)
        if name in ("max", "min") and expr.type.kind != "character":
            code = ", ".join(self.operand(a, type_of(args[0])) for a in args)
            return cast(f"fold('{name}', ({code},))", expr.type)
        if name in ("real", "dble"):
            return cast(self.real(args[0]), expr.type)
        if name in ("int", "cmplx") and type_of(args[0]).kind == "complex":
            return cast(f"to_int({self.real(args[0])})" if name == "int" else self.value(args[0]), expr.type)
        if name == "cmplx":
            parts = [self.value(a.value) for a in expr.args[:2] if a.keyword != "kind"]
            return cast(f"complex_of({', '.join(parts)})", expr.type)
        if function != "generated":
            wanted = [a.value for a in expr.args if a.keyword != "kind"]
            wanted = wanted[:1] if name in ("int", "nint", "floor", "ceiling", "aint", "anint") else wanted
            code = f"{function}({', '.join(map(self.value, wanted))})"
            same = function.startswith("np.") and all(type_of(arg) == expr.type for arg in wanted)
            return code if same or expr.type.kind == "logical" else cast(code, expr.type)
        return self.special(name, expr)

    def real(self, expr: ir.Expr) -> str:
        """The real part of a number."""
        code = self.value(expr)
        return f"np.real({code})" if type_of(expr).kind == "complex" else code

    def given(self, expr: ir.Intrinsic, *names: str) -> list[str]:
        """Code of the arguments of these names, ``None`` for those left out."""
        found = bound(expr)
        return [self.optional(found.get(name)) for name in names]

    def special(self, name: str, expr: ir.Intrinsic) -> str:
        args = [a.value for a in expr.args]
        match name:
            case "dim":
                x, y = self.value(args[0]), self.value(args[1])
                return f"np.maximum({x} - {y}, 0)"
            case "dprod":
                return f"({cast(self.value(args[0]), ir.DOUBLE)} * {cast(self.value(args[1]), ir.DOUBLE)})"
            case "merge":
                one, other, mask = map(self.value, args)
                return f"np.where({mask}, {one}, {other})[()]"
            case "dot_product":
                return f"dotted({self.value(args[0])}, {self.value(args[1])})"
            case "matmul":
                return f"np.matmul({self.value(args[0])}, {self.value(args[1])})"
            case "transpose":
                return f"{self.value(args[0])}.T"
            case "reshape" | "cshift" | "eoshift" | "pack" | "unpack" | "findloc":
                names = [one for one in record(expr).arguments if one != "kind"]
                return f"{name}({', '.join(self.given(expr, *names))})"
            case "maxloc" | "minloc":
                return f"located('{name}', {', '.join(self.given(expr, 'array', 'dim', 'mask', 'back'))})"
            case "spread":
                return f"spread({', '.join(self.given(expr, 'source', 'dim', 'ncopies'))})"
            case "norm2":
                x, dim = self.given(expr, "x", "dim")
                return f"np.sqrt(reduced('sum', {x} * {x}, {dim}, None))"
            case _:
                return inquiry_code.inquiry(name, expr, self)
