"""Constructs of arrays: functions whose value is an array, WHERE, subscripts that are vectors, array intrinsics."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

TABLE = "c34"


def table(unit: Unit) -> str:
    """A local array of two dimensions, whose elements are scalars like any other."""
    if TABLE not in unit.locals:
        unit.local(TABLE, f"real(8) :: {TABLE}(3, 4)", f"{TABLE} = 0.3d0*{unit.first[0]}", f"{TABLE}(2, :) = 0.4d0")
        unit.know(TABLE, (f"{TABLE}(2, 3)", f"{TABLE}(1, k)", f"{TABLE}(3, k)"))
    return TABLE


FUNCTIONS = {
    "assumed": ("r(size(v))", "r = sin(v)*s", "r = v*v*0.5d0 + s", "r = 0.4d0*v(size(v):1:-1)*s"),
    "counted": ("r(k)", "r = 0.6d0*v(1:k)*s", "r = cos(v(1:k)) + s", "r(1) = s; r(2:) = 0.5d0*v(2:k)"),
    "constant": ("r(5)", "r = v(1)*s; r(2:5) = sin(v(1:4))", "r = cos(v(1:5))*s"),
    "allocated": ("r(:)", "r = sin(v)*s", "r = [v(2:), s]"),
}


def function(unit: Unit, kind: str) -> str:
    """An array function of the module; its second argument is a real scalar."""
    result, *bodies = FUNCTIONS[kind]
    name = unit.fresh("fa")
    last = ", k" if kind == "counted" else ""
    unit.module.procedures[name] = "\n".join((
        f"function {name}(v, s{last}) result(r)", "  real(8), intent(in) :: v(:), s",
        *(["  integer, intent(in) :: k"] if last else []),
        f"  real(8){', allocatable' if kind == 'allocated' else ''} :: {result}",
        *("  " + line for line in unit.pick(*bodies).split("; ")), f"end function {name}", ""))
    return name


def array_function(unit: Unit) -> None:
    kind = unit.pick(*FUNCTIONS)
    name = function(unit, kind)
    target, source, s = unit.array(), unit.array(), unit.read()
    unit.mark("array_function")
    if kind == "counted":
        unit.add(unit.pick(f"{target}(1:k) = {name}({source}, {s}, k)",
                           f"{unit.scalar()} = sum({name}({source}, {s}, k))*0.3d0",
                           f"{target}(2:4) = 0.5d0*{name}({source}(2:5), {s}, 3)"))
    elif kind == "assumed":
        unit.add(unit.pick(f"{target} = {name}({source}, {s})", f"{target}(2:4) = {name}({source}(1:3), {s})",
                           f"{target} = 0.5d0*{name}({source}, {s}) + {name}({target}, 0.3d0)",
                           f"{unit.scalar()} = sum({name}({source}(1:k), {s}))*0.2d0",
                           f"{target} = {name}({name}({source}, {s}), 0.4d0)"))
    else:
        unit.add(unit.pick(f"{target} = {name}({source}, {s})", f"{unit.scalar()} = 0.2d0*sum({name}({source}, {s}))"))


def masked_elsewhere(unit: Unit) -> None:
    a, b = unit.array(), unit.array()
    unit.mark("masked_elsewhere")
    with unit.nested(f"where ({a} > 0.53d0)", "end where"):
        unit.add(f"{a} = {unit.whole()}")
        unit.add(f"elsewhere ({unit.pick(a, b)} > 0.17d0)", f"  {unit.pick(a, b)} = {unit.whole()}")
        if unit.chance(60):
            unit.add("elsewhere", f"  {a} = {unit.pick('0.4d0', '0.7d0*' + b)}")


def nested_where(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), unit.array()
    unit.mark("nested_where")
    with unit.nested(f"where ({unit.pick(a, b)} < 0.71d0)", "end where"):
        if unit.chance(50):
            unit.add(f"{b} = {unit.whole()}")
        with unit.nested(f"where ({unit.pick(a, b, c)} > 0.11d0)", "end where"):
            unit.add(f"{a} = 0.6d0*sin({b})*{c}")
            if unit.chance(50):
                unit.add("elsewhere", f"  {a} = 0.5d0*{a}")
        if unit.chance(50):
            unit.add(f"{c} = 0.8d0*{a}")


def vector_subscript(unit: Unit) -> None:
    a, b = unit.array(), unit.array()
    unit.mark("vector_subscript")
    kind = unit.random.randrange(8)
    if kind > 5:
        c = table(unit)
        unit.add(unit.pick(f"{c}(:, [4, 1]) = 0.7d0*{c}(:, ix(4:5))*{unit.scalar()}", f"{c}([3, 1], k) = {b}(ix(2:3))",
                           f"{c}([2, 3], [k, 5 - k + k/4]) = 0.4d0*{c}(2:3, [2, 2]) + {unit.scalar()}",
                           f"where ({a} > 0.31d0) {a}([5, 3, 1, 4, 2]) = 0.6d0*{b}",
                           f"{unit.scalar()} = 0.2d0*sum({c}([1, 3, 3], ix(4:5) - 1))"))
    elif kind == 0:
        name = unit.fresh("taken")
        unit.module.procedures[name] = "\n".join((
            f"subroutine {name}(v, s)", "  real(8), intent(in) :: v(:)", "  real(8), intent(inout) :: s",
            f"  s = 0.3d0*s + {unit.pick('v(1)*v(2)', 'sum(sin(v))*0.2d0')}", f"end subroutine {name}", ""))
        one = unit.passed(1)[0]
        unit.add(f"call {name}({one}({unit.pick('ix', 'ix(2:4)')}), {unit.passed_scalar(one)})")
    else:
        unit.add(unit.pick(f"{a}(ix) = 0.7d0*{b}", f"{a} = sin({b}(ix))",
                           f"{a}(ix(1:3)) = {b}(ix(3:5))*{unit.scalar()}",
                           f"{a}(ix(2:4)) = {a}(ix(2:4))*{b}(1:3)", "ix = ix(ix)", "ix(1:2) = ix(2:1:-1)",
                           f"{unit.scalar()} = sum({b}(ix(1:3)))*0.3d0", f"{a}([2, 4]) = 0.5d0*{b}([k, 1])"))


def merge_(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), unit.array()
    unit.mark("merge")
    unit.add(unit.pick(f"{a} = merge({b}, 0.5d0*{c}, {c} > 0.43d0)", f"{a} = merge({b}, {unit.scalar()}, {a} > {b})",
                       f"{unit.scalar()} = merge({unit.scalar()}, 0.6d0*{unit.scalar()}, {unit.condition()})"))


def reshape_(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), table(unit)
    unit.mark("reshape")
    unit.add(unit.pick(f"{c} = reshape([{a}, {b}, {a}(1:2)], [3, 4])", f"{a} = reshape({c}(1:2, :), [5])",
                       f"{c} = reshape({b}, [3, 4], pad=[{unit.scalar()}, 0.3d0])",
                       f"{c} = reshape({b}, shape({c}), pad=[{unit.scalar()}])",
                       f"{c}(1:2, 1:2) = reshape({b}(2:5), [2, 2], order=[2, 1])"))


def spread_(unit: Unit) -> None:
    a, c = unit.array(), table(unit)
    unit.mark("spread")
    unit.add(unit.pick(f"{c} = spread(0.8d0*{a}(1:4), 1, 3)", f"{c} = 0.5d0*{c} + spread({a}(2:4), dim=2, ncopies=4)",
                       f"{a} = spread({unit.scalar()}, 1, 5)*0.7d0"))


def pack_(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), unit.array()
    unit.mark("pack")
    unit.add(unit.pick(f"{a} = pack(0.9d0*{b}, {c} > 0.33d0, {c})",
                       f"{unit.scalar()} = sum(pack({b}, {b} > 0.2d0))*0.2d0",
                       f"{a}(1:count({c} > 0.4d0)) = pack({b}, {c} > 0.4d0)",
                       f"{a}(1:4) = pack([{b}(1:2), {c}(1:2)], [{b}(1:2), {c}(1:2)] > 0.25d0, {a}(2:5))"))


def unpack_(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), unit.array()
    unit.mark("unpack")
    unit.add(unit.pick(f"{a} = unpack({b}, {c} > 0.33d0, 0.5d0*{c})",
                       f"{a} = unpack(pack({b}, {c} > 0.3d0), {c} > 0.3d0, {unit.scalar()})"))


def shifts(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), table(unit)
    kind = unit.pick("cshift", "eoshift")
    unit.mark(kind)
    by = unit.pick("1", "-1", "2", "k")
    if kind == "cshift":
        unit.add(unit.pick(f"{a} = 0.9d0*cshift({b}, {by})", f"{c} = cshift({c}, {unit.pick('1', '-1')}, dim=2)*0.9d0",
                           f"{a} = 0.5d0*({b} + cshift({a}, shift={by}))"))
    else:
        unit.add(unit.pick(f"{a} = 0.9d0*eoshift({b}, {by})", f"{a} = eoshift({b}, {by}, {unit.scalar()})",
                           f"{c} = eoshift({c}, 1, boundary={unit.scalar()}, dim=2)*0.9d0"))


def products(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), table(unit)
    unit.mark("matmul")
    unit.add(unit.pick(f"{a}(1:3) = 0.4d0*matmul({c}, {b}(1:4))", f"{a}(2:5) = 0.4d0*matmul({b}(1:3), {c})",
                       f"{c}(:, 1:3) = 0.4d0*matmul({c}(:, 2:4), transpose({c}(:, 1:3)))"))


def reductions(unit: Unit) -> None:
    a, b, c = unit.array(), unit.array(), table(unit)
    unit.mark("reduction")
    s = unit.scalar()
    unit.add(unit.pick(f"{s} = sum({a}, mask={b} > 0.29d0)*0.3d0", f"{a}(1:4) = 0.4d0*sum({c}, dim=1)",
                       f"{s} = maxval({a})*0.6d0", f"{s} = 0.7d0*minval({a}({unit.pick('2:4', '1:k')}))",
                       f"{s} = product({a}(1:3))*0.5d0", f"{a}(1:3) = 0.5d0*maxval({c}, dim=2)",
                       f"k = min(4, count({a} > 0.31d0) + 1)", f"k = min(4, maxloc({a}, 1))",
                       f"if (any({a} > 0.92d0)) {s} = 0.6d0*{unit.read()}"))


def implied_do(unit: Unit) -> None:
    a, b = unit.array(), unit.array()
    unit.local("ido", "integer :: ido")
    unit.mark("implied_do")
    s = unit.scalar()
    unit.add(unit.pick(f"{a} = [({b}(ido)*{s}, ido = 1, 5)]", f"{a} = [{s}, (sin({b}(ido)), ido = 1, 4)]",
                       f"{a}(1:4) = [({b}(ido), 0.5d0*{s}, ido = 2, 3)]",
                       f"{a} = [(0.3d0*real(ido, 8)*{b}(6 - ido), ido = 1, 5)]",
                       f"{s} = sum([(({b}(ido)*{b}(k), ido = 1, 2), k = 1, 2)])*0.2d0"))


FEATURES = (
    Feature("array_function", array_function, 4), Feature("masked_elsewhere", masked_elsewhere),
    Feature("nested_where", nested_where), Feature("vector_subscript", vector_subscript, 3),
    Feature("merge", merge_), Feature("reshape", reshape_), Feature("spread", spread_), Feature("pack", pack_),
    Feature("unpack", unpack_), Feature("shifts", shifts), Feature("matmul", products),
    Feature("reduction", reductions), Feature("implied_do", implied_do),
)  # fmt: skip
