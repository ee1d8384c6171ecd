"""Integer expressions of one procedure as formulas: sizes at entry, values at a node, trip counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from snapset.analysis.costs.allocated_shapes import Extents, Object, find_extents
from snapset.analysis.costs.callee_names import foreign
from snapset.analysis.memory.affine_forms import gap
from snapset.analysis.memory.locations import Info, Location
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.atoms import Atom, Counter, Sym
from snapset.analysis.symbolic.extrema import clamp, extreme, quotient
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.polynomials import ONE, Quantity, number, of, product
from snapset.analysis.symbolic.substitution import Substitution
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import rank_of

Named = Callable[[ir.Ref], Quantity | None]
Given = Callable[[Sym], int | None]


@frozen
class Trips:
    """How often a loop runs its body, each time the loop is reached; ``counter`` counts the iterations."""

    count: Quantity
    counter: Counter


class CountScope:
    """Counts how often the nodes of one procedure run, as formulas: ``n - 1`` times in ``do i = 2, n``.

    ``deciding``: for each node the tests that decide whether it runs. ``given``: numbers for names.
    ``procedures``: those of the program, by which more shapes are known; ``in_modules``: the shapes of modules' arrays
    that are known."""

    def __init__(self, model: ProcedureModel, deciding: Mapping[int, frozenset[int]], given: Given | None = None,
                 procedures: Mapping[str, ir.Procedure] | None = None,
                 in_modules: Callable[[], Mapping[Object, Extents]] | None = None) -> None:
        self.model = model
        self.procedures = procedures
        self.in_modules = in_modules
        self._allocated: dict[Object, Extents] | None = None
        self.given = given
        self.deciding = deciding
        self.variables = model.procedure.variables
        self._writers: dict[int, list[int]] = {}
        self._names: dict[ir.Area, str] = {}
        for name, variable in self.variables.items():
            if variable.value is None and variable.offset == 0:
                self._names.setdefault(variable.area, name)
        self._trips: dict[int, Trips] = {}

    def named(self, sym: Sym) -> Quantity:
        """A name, or the number it is given."""
        found = None if self.given is None else self.given(sym)
        return of(sym) if found is None else number(found)

    # ------------------------------------------------------------ expressions

    def entry(self, expr: ir.Expr) -> Quantity:
        """The value when the procedure is entered; what is no formula stands under its own text."""
        return self._formula(expr, self._entered) or self._text(expr)

    def at(self, expr: ir.Expr, node: int) -> Quantity | None:
        """The value at a node, the counters of the DO loops around it included; None where it is not known."""
        return self._formula(expr, lambda ref: self._known_at(ref, node))

    def _formula(self, expr: ir.Expr, named: Named) -> Quantity | None:
        match expr:
            case ir.Literal_(value=bool()):
                return None
            case ir.Literal_(value=int() as value):
                return number(value)
            case ir.Ref():
                return named(expr)
            case ir.Unary(op="+" | "-" as op, operand=operand):
                inner = self._formula(operand, named)
                return inner if inner is None or op == "+" else inner.scaled(-1)
            case ir.Binary():
                return self._binary(expr, named)
            case ir.Intrinsic(name="size", args=args) if isinstance(args[0].value, ir.Ref):
                return self._size(args[0].value, args[1].value if len(args) > 1 else None)
            case ir.Intrinsic(name="max" | "min" | "max0" | "min0" as name, args=args):
                values = [self._formula(a.value, named) for a in args]
                known = [v for v in values if v is not None]
                return extreme("max" if name[:3] == "max" else "min", known) if len(known) == len(values) else None
            case ir.Intrinsic(name="int", args=(only,)):
                return self._formula(only.value, named)
            case _:
                return None

    def _binary(self, expr: ir.Binary, named: Named) -> Quantity | None:
        left, right = self._formula(expr.left, named), self._formula(expr.right, named)
        if left is None or right is None or expr.type.kind != "integer":
            return None
        match expr.op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return quotient(left, right)
            case "**" if isinstance(power := right.constant, int) and 0 <= power <= 9:
                return product([left] * power)
            case _:
                return None

    def _entered(self, ref: ir.Ref) -> Quantity | None:
        return self._plain(ref) or self._constant(ref)

    def _plain(self, ref: ir.Ref) -> Quantity | None:
        """An integer scalar under its own name; None for anything else."""
        variable = self.variables.get(ref.name)
        if variable is None or variable.value is not None or ref.rank or ref.type.kind not in ("integer", "unknown") \
                or any(p.subscripts is not None for p in ref.parts):
            return None
        path = tuple(p.name for p in ref.parts[1:])
        return self.named(Sym("%".join((ref.name, *path)), variable.area, path, "" if variable.offset == 0 else "view"))

    def _constant(self, ref: ir.Ref) -> Quantity | None:
        """Of a PARAMETER."""
        variable = self.variables.get(ref.name)
        if variable is None or variable.value is None or len(ref.parts) > 1 or ref.rank or ref.parts[0].subscripts:
            return None
        return self._formula(variable.value, self._entered)

    def _text(self, expr: ir.Expr) -> Quantity:
        return self.named(Sym(source(expr) or f"unknown({self.model.procedure.name})", what="text"))

    def _known_at(self, ref: ir.Ref, node: int) -> Quantity | None:
        constant = self._constant(ref)
        if constant is not None:
            return constant
        bits = self.model.refs.touch(ref).bits | self.model.refs.touch(ref).subscripts
        written = bits & self.model.written
        if not written:
            return self._plain(ref) or (None if ref.rank else self._text(ref))
        if self._plain(ref) is None:
            return None
        return self._loop_variable(ref, node, bits) or self._assigned_once(ref, node, bits)

    def _loop_variable(self, ref: ir.Ref, node: int, bits: int) -> Quantity | None:
        flow, effects = self.model.flow, self.model.effects
        for index in reversed(flow.nodes[node].loops):
            loop = flow.loops[index]
            if isinstance(loop.stmt, ir.Do) and loop.init >= 0 and effects[loop.step].kill & bits:
                if any(effects[n].out & bits for n in loop.body if n != loop.step):
                    return None
                start = self.at(loop.stmt.start, loop.init)
                step = ONE if loop.stmt.step is None else self.at(loop.stmt.step, loop.init)
                return None if start is None or step is None else start + step * of(self.counter(loop))
        return None

    def _assigned_once(self, ref: ir.Ref, node: int, bits: int) -> Quantity | None:
        """What a variable got before: the value it was assigned, or its name where only that is steady."""
        if bits not in self._writers:
            self._writers[bits] = [n for n in self.model.graph.order if self.model.effects[n].out & bits]
        writers, nodes = self._writers[bits], self.model.flow.nodes
        if any(nodes[n].loops or n >= node for n in writers) or self._may_return(node, writers):
            return None
        if len(writers) == 1 and not self.deciding.get(writers[0]) and self._plain(ref) is not None:
            stmt = nodes[writers[0]].stmt
            if isinstance(stmt, ir.Assign) and nodes[writers[0]].kind == "simple":
                found = self.at(stmt.value, writers[0])
                if found is not None:
                    return found
        name = "%".join(p.name for p in ref.parts)
        return self.named(Sym(name, ir.Area("local", self.model.procedure.key, name), what=""))

    def _may_return(self, node: int, writers: Sequence[int]) -> bool:
        """May control come from the node to one of the writers (by a jump backwards)?"""
        succs, seen, work = self.model.flow.succs, {node}, [node]
        while work:
            for target in succs[work.pop()]:
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return not seen.isdisjoint(writers)

    # ------------------------------------------------------------ loops

    def counter(self, loop: Loop) -> Counter:
        name = loop.stmt.var.name if isinstance(loop.stmt, ir.Do) else "pass"
        return Counter(name, f"{self.model.procedure.key}:{loop.index}")

    def names_lines(self) -> bool:
        """Is there a loop whose trip count has its line's number for a name?"""
        return any(self._counted(loop) is None for loop in self.model.flow.loops)

    def trips(self, loop: Loop) -> Trips:
        """The trip count; ``trips(procedure:line)`` where it is not known."""
        if loop.index not in self._trips:
            count = self._counted(loop)
            if count is None:
                count = self.unknown_trips(loop.stmt.span.line)
            self._trips[loop.index] = Trips(count, self.counter(loop))
        return self._trips[loop.index]

    def unknown_trips(self, line: int) -> Quantity:
        return self.named(Sym(f"trips({self.model.procedure.name}:{line})", what="trips"))

    def deeper(self, line: int) -> Quantity:
        """The bytes of a recursive call, which are as many as the recursion is deep."""
        return self.named(Sym(f"recursion({self.model.procedure.name}:{line})", what="bytes"))

    def _counted(self, loop: Loop) -> Quantity | None:
        stmt = loop.stmt
        if not isinstance(stmt, ir.Do) or loop.init < 0 or stmt.var.type.kind != "integer":
            return None
        start, stop = self.at(stmt.start, loop.init), self.at(stmt.stop, loop.init)
        step = ONE if stmt.step is None else self.at(stmt.step, loop.init)
        if start is None or stop is None or step is None:
            return None
        if step == ONE:
            return clamp(stop - start + ONE)
        if step.constant == -1:
            return clamp(start - stop + ONE)
        found = quotient(stop - start + step, step)
        return None if found is None else clamp(found)

    # ------------------------------------------------------------ sizes

    def location(self, location: Location, info: Info) -> Quantity:
        """The bytes of a location; ``size(name)`` and ``bytes(name)`` stand for what no declaration gives."""
        if info.bytes is not None:
            return number(info.bytes)
        size = info.type.bytes
        if size is None:
            return self.named(Sym(f"bytes({info.name})", what="bytes"))
        return self.elements(location, info).scaled(size)

    def elements(self, location: Location, info: Info) -> Quantity:
        """How many elements a location has, those of all objects that it is of."""
        dims = info.dims()
        own = "::" not in info.name and not info.name.startswith("/")
        lengths = [self.extent(dim, own) for dim in dims]
        known = [x for x in lengths if x is not None]
        if len(known) < len(lengths):
            if location.is_allocation:  # of each element of an array: as many as there are
                location = location._replace(path=location.path[:info.depths[-1]])
                info = replace(info, name="%".join(info.name.split("%")[:info.depths[-1] + 1]))
            made = self.allocated((location.area, location.path)) if len(dims) == info.shapes[-1].rank else None
            if made is not None:
                return product(made)
            return self.named(Sym(f"size({info.name})", location.area, location.path, "size"))
        return product(known)

    def extent(self, dim: ir.Dim, own: bool = True) -> Quantity | None:
        """The length of a dimension as declared; None where it is not (or not in this procedure's names)."""
        if dim.upper is None:
            return None
        found = self.entry(dim.upper) - (ONE if dim.lower is None else self.entry(dim.lower)) + ONE
        return clamp(found) if own or found.constant is not None else None

    def allocated(self, at: Object) -> Extents | None:
        """The extents that the only ALLOCATE of an object gives it, or all of a module's; None where that is not
        known."""
        if at[0].kind == "module":
            made = None if self.in_modules is None else self.in_modules().get(at)
            return None if made is None else tuple(map(Substitution(self._of_module).lifted, made))
        if self._allocated is None:
            self._allocated = {}  # what is asked for meanwhile is not known, or found already
            if self.procedures is not None:
                find_extents(self, self.procedures, self._allocated)
        return self._allocated.get(at)

    def _of_module(self, atom: Atom) -> Quantity | None:
        """A module's integer under this procedure's name for it, ``n`` for ``grid::n``, where it has one."""
        if not isinstance(atom, Sym) or atom.area is None:
            return None
        name = self._names.get(atom.area)
        return self.named(atom if name is None else Sym("%".join((name, *atom.path)), atom.area, atom.path))

    def _size(self, ref: ir.Ref, dim: ir.Expr | None) -> Quantity | None:
        which = dim.value if isinstance(dim, ir.Literal_) and isinstance(dim.value, int) else None
        if (dim is not None and which is None) or any(p.subscripts is not None for p in ref.parts):
            return None
        return self.size(ref.name, tuple(p.name for p in ref.parts[1:]), which)

    def size(self, name: str, path: tuple[str, ...], dim: int | None) -> Quantity | None:
        """size(name%path[, dim]) of a variable of this procedure."""
        variable = self.variables.get(name)
        if variable is None:
            return None
        if not path:
            dims = variable.shape.dims if dim is None else variable.shape.dims[dim - 1:dim]
            lengths = [self.extent(d) for d in dims]
            known = [x for x in lengths if x is not None]
            if len(known) == len(lengths):
                return product(known)
        made = self.allocated((variable.area, path))
        if made is not None:
            return product(made if dim is None else made[dim - 1:dim])
        text = "%".join((name, *path))
        shown = f"size({text})" if dim is None else f"size({text}, {dim})"
        return self.named(Sym(shown, variable.area, path, "size" if dim is None else f"size:{dim}"))

    # ------------------------------------------------------------ calls

    def lifter(self, stmt: ir.Call, node: int, callee: ir.Procedure) -> Callable[[Quantity], Quantity]:
        """Turns a callee's formulas into this procedure's, at one call."""
        try:
            actuals = dict(zip(callee.formals, bind(stmt, callee), strict=True))
        except BindError:
            actuals = {}
        formals = {callee.variables[f].area: actual for f, actual in actuals.items() if f in callee.variables}
        arrays = {one.area for one in map(callee.variables.get, actuals) if one is not None and one.shape.dims}

        def change(atom: Atom) -> Quantity | None:
            if not isinstance(atom, Sym) or atom.area is None:
                return None
            found = self._shared(atom, callee) if atom.area not in formals else self._actual(
                atom, formals[atom.area], node, atom.area in arrays)
            return found or self.named(foreign(atom, callee))

        return Substitution(change).lifted

    def _actual(self, sym: Sym, actual: ir.Expr | None, node: int, array: bool) -> Quantity | None:
        """What a dummy argument's value or size is here; ``array``: it has elements of its own."""
        if actual is None:
            return None
        if not sym.what and not sym.path:
            return self.at(actual, node)
        if not isinstance(actual, ir.Ref) or any(p.subscripts is not None for p in actual.parts[:-1]):
            return None
        path = tuple(p.name for p in actual.parts[1:]) + sym.path
        if sym.what.startswith("size"):
            dim = int(sym.what[5:]) if ":" in sym.what else None
            if actual.parts[-1].subscripts is None:
                return self.size(actual.name, path, dim)
            of_one = None if array else self._of_one(actual, path, dim)
            return of_one if sym.path else self._section(actual, dim, node)
        if actual.parts[-1].subscripts is None:
            parts = tuple(ir.PartRef(p) for p in (actual.name, *path))
            return self.at(ir.Ref(parts, ir.INTEGER), node)
        return None

    def _of_one(self, ref: ir.Ref, path: tuple[str, ...], dim: int | None) -> Quantity | None:
        """The size of a component of ``cells(k)``: ``size(cells%air)`` counts those of all cells."""
        every, all_ = self.size(ref.name, (), None), self.size(ref.name, path, dim)
        if every is None or all_ is None or len(ref.parts) > 1 or ref.rank or dim is not None:
            return None
        return all_ if self.allocated((self.variables[ref.name].area, path)) else quotient(all_, every)

    def _section(self, ref: ir.Ref, dim: int | None, node: int) -> Quantity | None:
        """The extents of a section."""
        variable = self.variables.get(ref.name)
        subscripts = ref.parts[-1].subscripts or ()
        if variable is None or len(ref.parts) > 1:
            return None
        lengths = []
        for sub, declared in zip(subscripts, variable.shape.dims, strict=False):
            if isinstance(sub, ir.Range):
                lengths.append(self.range(sub, declared, node))
            elif rank_of(sub):
                return None
        if dim is not None:
            lengths = lengths[dim - 1:dim]
        known = [x for x in lengths if x is not None]
        return product(known) if len(known) == len(lengths) else None

    def range(self, sub: ir.Range, dim: ir.Dim, node: int) -> Quantity | None:
        """How many elements a subscript triplet selects."""
        if sub.step is None and (fixed := gap(sub.lower, sub.upper)) is not None:
            return number(max(0, fixed + 1))
        low = self._bound(sub.lower, dim.lower or ir.Literal_(1, ir.INTEGER), node)
        high = self._bound(sub.upper, dim.upper, node)
        if low is None or high is None:
            return None
        if sub.step is None:
            return clamp(high - low + ONE)
        step = self.at(sub.step, node)
        found = None if step is None else quotient(high - low + step, step)
        return None if found is None else clamp(found)

    def _bound(self, given: ir.Expr | None, declared: ir.Expr | None, node: int) -> Quantity | None:
        if given is not None:
            return self.at(given, node)
        return None if declared is None else self.entry(declared)

    def _shared(self, sym: Sym, callee: ir.Procedure) -> Quantity | None:
        """A module's or COMMON's variable, or one of the host: under this procedure's own name for it."""
        assert sym.area is not None
        if sym.area.kind not in ("module", "common", "saved") and sym.area.owner == callee.key:
            return None
        name = self._names.get(sym.area)
        if name is None or sym.what == "view":
            return self.named(sym) if "::" in sym.name or sym.area.kind != "module" else None
        if sym.what.startswith("size"):
            return self.size(name, sym.path, int(sym.what[5:]) if ":" in sym.what else None)
        return self.named(Sym("%".join((name, *sym.path)), sym.area, sym.path, sym.what))
