"""Constructs of derived types: default initialisation, CLASS, operators, values as arguments, components that grow."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

TYPES = """  type :: base
    real(8) :: u = 0.5d0
    real(8) :: v(5) = 0.25d0
  contains
    procedure :: scaled => scaled_base
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.75d0
  contains
    procedure :: scaled => scaled_wide
  end type wide
  type :: heap
    real(8) :: u = 0.4d0
    real(8), allocatable :: w(:)
  end type heap"""
BINDINGS = """subroutine scaled_base(o, s)
  class(base), intent(inout) :: o
  real(8), intent(in) :: s
  o%u = sin(o%u*s)
end subroutine scaled_base
subroutine scaled_wide(o, s)
  class(wide), intent(inout) :: o
  real(8), intent(in) :: s
  o%w = 0.6d0*o%w*s
  o%u = 0.5d0*o%u + o%w*o%v(2)
end subroutine scaled_wide
"""


def types(unit: Unit) -> None:
    unit.module.types["base"] = TYPES
    unit.module.procedures["scaled"] = BINDINGS


def item(unit: Unit, kind: str = "") -> str:
    """A local object; its components are variables like any other."""
    types(unit)
    kind = kind or unit.pick("base", "base", "wide")
    name = f"o{kind[0]}{unit.random.randint(1, 2)}"
    if name not in unit.locals:
        unit.local(name, f"type({kind}) :: {name}", f"{name}%u = 0.6d0*{unit.first[0]}")
        if unit.chance(50):
            unit.setup.append(f"{name}%v = 0.3d0*{unit.first[1]}")
        unit.know(name, (f"{name}%u", *([f"{name}%w"] if kind == "wide" else [])), (f"{name}%v",))
    return name


def around(unit: Unit, scalars: list[str], arrays: list[str], count: int) -> Unit:
    """A procedure's beginnings, whose statements are random ones. ``scalars``, ``arrays``: its arguments."""
    inner = Unit(unit.module, unit.level + 1)
    for one in (*scalars, *arrays):
        inner.know(one.partition("%")[0], *(((), (one,)) if one in arrays else ((one,), ())))
    inner.local("i", "integer :: i, j, k, m, ix(5)", "k = 2", "m = 3", "ix = [3, 1, 5, 2, 4]")
    inner.local("own", "real(8) :: own(5)", f"own = 0.5d0*{inner.scalars[0]}")
    inner.know("own", (), ("own",))
    inner.first = scalars[0], "own"
    inner.scalars += unit.module.scalars
    inner.arrays += unit.module.arrays
    if unit.level > 1:
        for _ in range(count):
            inner.add(f"{inner.scalar()} = {inner.expression()}")
    else:
        block(inner, count, 1)
    return inner


def select_type(unit: Unit) -> None:
    """A procedure that does one thing or another by its argument's type."""
    o = item(unit)
    name = unit.fresh("act")
    inner = around(unit, ["t", "o%u"], ["o%v"], unit.random.randint(0, 1))
    with inner.nested("select type (o)", "end select"):
        for clause in ("type is (wide)", unit.pick("class default", "class is (base)")):
            inner.indent -= 1
            inner.add(clause)
            inner.indent += 1
            extra = ("o%w",) if "wide" in clause else ()
            with inner.scope("o", extra):
                if extra:
                    inner.add(f"o%w = {inner.expression()}")
                if unit.level < 1:
                    block(inner, 1, 0)
                inner.add(f"{inner.pick('t', 'o%u')} = {inner.expression()}")
    unit.module.procedures[name] = inner.text(
        f"subroutine {name}(o, t)", ["class(base), intent(inout) :: o", "real(8), intent(inout) :: t"],
        f"end subroutine {name}")
    unit.mark("select_type")
    unit.add(f"call {name}({o}, {unit.passed_scalar(o)})")


def polymorphic(unit: Unit) -> None:
    """An allocatable of CLASS, whose type is found when it runs."""
    if unit.parts and not unit.chance(15):  # a second run of the part would allocate again
        type_bound(unit)
        return
    types(unit)
    name = unit.fresh("q")
    unit.local(name, f"class(base), allocatable :: {name}")
    unit.mark("polymorphic")
    unit.add(f"if (allocated({name})) deallocate({name})")
    unit.add(f"allocate({unit.pick('wide', 'base')} :: {name})")
    unit.add(f"{name}%u = {unit.expression()}", f"call {name}%scaled({unit.scalar()})")
    with unit.nested(f"select type ({name})", "end select"):
        unit.indent -= 1
        unit.add("type is (wide)")
        unit.indent += 1
        unit.add(f"{unit.scalar()} = 0.5d0*{name}%w + 0.3d0*{name}%u")
        unit.indent -= 1
        unit.add("class default")
        unit.indent += 1
        unit.add(f"{unit.scalar()} = 0.5d0*{name}%u*{name}%v(2)")


def type_bound(unit: Unit) -> None:
    o = item(unit)
    unit.mark("type_bound")
    unit.add(f"call {o}%scaled({unit.pick('0.8d0', unit.passed_scalar(o))})")


def operators(unit: Unit) -> None:
    types(unit)
    unit.module.interfaces["operators"] = """  interface operator(+)
    module procedure added
  end interface
  interface operator(.mix.)
    module procedure mixed
  end interface
  interface assignment(=)
    module procedure from_real
  end interface"""
    first, second = unit.pick("0.6d0*a%u + sin(b%u)", "a%u*b%u"), unit.pick("0.5d0*(a%v + b%v)", "0.6d0*a%v*b%u")
    unit.module.procedures.setdefault("operators", f"""function added(a, b) result(c)
  type(base), intent(in) :: a, b
  type(base) :: c
  c%u = {first}
  c%v = {second}
end function added
function mixed(a, s) result(c)
  type(base), intent(in) :: a
  real(8), intent(in) :: s
  type(base) :: c
  c%u = sin(a%u*s)
  {unit.pick("c%v = 0.4d0*a%v*s", "c%v(2:3) = 0.4d0*a%v(1:2)")}
end function mixed
subroutine from_real(a, s)
  type(base), intent(out) :: a
  real(8), intent(in) :: s
  a%u = 0.7d0*s
  {unit.pick("a%v = s*s*0.5d0", "a%v(1) = 0.3d0*s")}
end subroutine from_real
""")


def defined_operator(unit: Unit) -> None:
    operators(unit)
    a, b, c = item(unit, "base"), item(unit, "base"), item(unit, "base")
    unit.mark("defined_operator")
    unit.add(unit.pick(f"{a} = {b} + {c}", f"{a} = {b} .mix. {unit.scalar()}", f"{a} = {a} + {b}",
                       f"{a} = ({b} .mix. {unit.scalar()}) + {c}"))


def defined_assignment(unit: Unit) -> None:
    operators(unit)
    unit.mark("defined_assignment")
    o = item(unit, "base")
    value = unit.scalar(o)  # gfortran 12 makes no copy of the value where it is the object's by an ASSOCIATE name
    unit.add(f"{o} = {unit.pick(value, '0.8d0*' + unit.scalar())}")


def energy(unit: Unit) -> str:
    name = unit.fresh("energy")
    how = unit.pick("intent(in)", "value")
    unit.module.procedures[name] = "\n".join((
        f"function {name}(o) result(e)", f"  type(base), {how} :: o", "  real(8) :: e",
        *(["  o%u = 0.5d0*sin(o%u)"] if how == "value" else []),
        f"  e = {unit.pick('o%u*o%v(2)', '0.3d0*sum(o%v) + o%u', 'sin(o%u)*o%v(5)')}", f"end function {name}", ""))
    return name


def derived_value(unit: Unit) -> None:
    """Values of derived type as arguments: results of functions and operators, constructors, VALUE."""
    operators(unit)
    a, b, name, s = item(unit, "base"), item(unit, "base"), energy(unit), unit.scalar()
    unit.mark("derived_value")
    unit.add(unit.pick(f"{s} = {name}({a})*0.5d0", f"{s} = 0.5d0*{name}({a} + {b})",
                       f"{s} = {name}({a} .mix. {unit.scalar()})",
                       f"{s} = {name}(base({unit.scalar()}, {unit.array()}))",
                       f"{s} = {name}(base(u={unit.scalar()}))", f"{a} = base({unit.scalar()}, 0.5d0*{b}%v)",
                       f"{a} = {b}", f"{a} = base(v={unit.array()})"))


def value_subroutine(unit: Unit) -> None:
    o, name = item(unit, "base"), unit.fresh("shaken")
    inner = around(unit, ["o%u", "t"], ["o%v"], unit.random.randint(1, 2))
    inner.add("t = 0.5d0*t + 0.3d0*o%u*o%v(3)")
    unit.module.procedures[name] = inner.text(
        f"subroutine {name}(o, t)", ["type(base), value :: o", "real(8), intent(inout) :: t"],
        f"end subroutine {name}")
    unit.mark("value_argument")
    unit.add(f"call {name}({o}, {unit.passed_scalar()})")


def intent_out(unit: Unit) -> None:
    o, name = item(unit, "base"), unit.fresh("made")
    body = unit.pick("o%u = 0.6d0*t", "o%v(2:4) = 0.5d0*t", "t = 0.5d0*t + o%u*o%v(1)", "o%v = o%v*t")
    unit.module.procedures[name] = "\n".join((
        f"subroutine {name}(o, t)", "  type(base), intent(out) :: o", "  real(8), intent(inout) :: t", f"  {body}",
        "  t = 0.8d0*t", f"end subroutine {name}", ""))
    unit.mark("intent_out")
    unit.add(f"call {name}({o}, {unit.passed_scalar(o)})")


def default_initialisation(unit: Unit) -> None:
    types(unit)
    kind = unit.random.randrange(3)
    if kind == 0:
        name = unit.fresh("begun")
        unit.module.procedures[name] = "\n".join((
            f"subroutine {name}(t)", "  real(8), intent(inout) :: t", "  type(base) :: q", "  type(wide) :: r(2)",
            "  t = 0.5d0*t + q%u*q%v(2)", "  q%u = t", "  r(2)%w = r(2)%w*t", "  q%v(3) = q%v(3)*q%u",
            "  t = 0.6d0*q%v(3) + r(2)%w + 0.2d0*r(1)%v(2)", f"end subroutine {name}", ""))
        unit.mark("default_initialisation")
        unit.add(f"call {name}({unit.passed_scalar()})")
    elif kind == 1:
        name = unit.fresh("start")
        unit.module.procedures[name] = "\n".join((
            f"function {name}(t) result(o)", "  real(8), intent(in) :: t", "  type(base) :: o",
            f"  {unit.pick('o%u = 0.5d0*t', 'o%v(2) = t*o%u', 'if (t > 0.37d0) o%v = t*o%v')}",
            f"end function {name}", ""))
        unit.mark("default_initialisation")
        unit.add(f"{item(unit, 'base')} = {name}({unit.scalar()})")
    else:
        unit.mark("default_initialisation")
        q = unit.fresh("q")
        with unit.nested("block", "end block"):
            unit.add(f"type(base) :: {q}", f"{q}%v(2) = {q}%v(2)*{unit.scalar()}")
            with unit.scope(q, (f"{q}%u",), (f"{q}%v",)):
                block(unit, 1, 0)
            unit.add(f"{unit.scalar()} = 0.5d0*{q}%u + 0.3d0*{q}%v(2)")


def array_of_types(unit: Unit) -> None:
    types(unit)
    if "list" not in unit.locals:
        unit.local("list", "type(base) :: list(4)", f"list%u = 0.5d0*{unit.first[0]}")
        unit.setup.append("list(2)%v = 0.35d0")
        unit.know("list", ("list(2)%u", "list(k)%u", "list(k)%v(2)"), ("list(3)%v",))
    a = unit.array()
    unit.mark("array_of_types")
    unit.add(unit.pick(f"list%u = 0.6d0*sin({a}(1:4))", f"{a}(1:3) = list(2:4)%u*0.7d0", "list(k) = list(2)",
                       "list(2:3) = list(1:2)", f"list%v(3) = {a}(2:5)",
                       f"{unit.scalar()} = 0.2d0*sum(list%u)"))


def allocatable_component(unit: Unit) -> None:
    types(unit)
    one, other = "hp_a", "hp_b"
    for name in (one, other):
        unit.local(name, f"type(heap) :: {name}", f"{name}%w = 0.5d0*{unit.first[1]}(1:3)")
    if unit.parts and not unit.chance(15):
        unit.mark("allocatable_component")
        unit.add(unit.pick(f"hp_a%w(2) = {unit.expression()}", f"{unit.scalar()} = 0.3d0*sum(hp_b%w)",
                           "hp_b%u = sin(hp_a%w(1))"))
        return
    kind = unit.random.randrange(4)
    unit.mark("allocatable_component")
    if kind == 0:
        name = unit.fresh("filled")
        unit.module.procedures[name] = "\n".join((
            f"subroutine {name}(o, t)", "  type(heap), intent(out) :: o", "  real(8), intent(in) :: t",
            "  allocate(o%w(3))", "  o%w = 0.5d0*t*o%u", f"end subroutine {name}", ""))
        unit.add(f"call {name}(hp_a, {unit.passed_scalar()})")
    else:
        unit.add(unit.pick("hp_b = hp_a", f"hp_a%w = {unit.array()}(1:4)*0.6d0",
                           f"hp_a%w = [hp_a%w(1:2), {unit.scalar()}]",
                           f"hp_b%w(1) = {unit.expression()}"))
    unit.add(f"{unit.scalar()} = 0.3d0*sum(hp_a%w) + 0.2d0*hp_b%w(1)*hp_b%u")


def ragged(unit: Unit) -> None:
    """Arrays whose elements each have an allocatable component of a size of their own."""
    types(unit)
    if "rag" not in unit.locals:
        unit.local("rag", "type(heap) :: rag(3)", *(
            line for k in (1, 2, 3) for line in (f"allocate(rag({k})%w({k + 1}))",
                                                 f"rag({k})%w = 0.{k + 2}d0*{unit.first[0]}")))
        unit.know("rag", ("rag(2)%u", "rag(2)%w(1)", "rag(3)%w(k)", "rag(1)%w(2)"))
    unit.mark("ragged")
    options = [f"rag(2)%w = 0.6d0*rag(3)%w(2:4)*{unit.scalar()}", f"{unit.scalar()} = 0.2d0*sum(rag(3)%w)",
               f"rag(1)%w(:) = sin({unit.array()}(k:k + 1))", "rag%u = 0.5d0*rag%u + 0.1d0*rag(1)%w(1)"]
    if not unit.parts:
        options += [f"rag(1)%w = [rag(2)%w(1), {unit.scalar()}]", "rag(3) = heap(rag(2)%u, 0.9d0*rag(3)%w)"]
    unit.add(unit.pick(*options))
    if unit.chance(40):
        name = unit.fresh("mixed")
        inner = around(unit, ["t", "o%u"], [], 1)
        inner.add("o%w(1) = 0.5d0*o%w(2) + 0.3d0*sin(t)", f"{inner.scalar()} = 0.4d0*sum(o%w)*t")
        unit.module.procedures[name] = inner.text(
            f"subroutine {name}(o, t)", ["type(heap), intent(inout) :: o", "real(8), intent(inout) :: t"],
            f"end subroutine {name}")
        unit.add(f"call {name}(rag({unit.pick('1', '2', '3')}), {unit.passed_scalar('rag')})")


def several_elements(unit: Unit) -> None:
    """Several elements with an allocatable component, assigned at once."""
    types(unit)
    unit.local("hp", "type(heap) :: hp(3), hq", f"hq%w = 0.5d0*{unit.first[1]}(1:3)", f"hq%u = {unit.first[0]}",
               "hp = hq")
    if "hq%u" not in unit.scalars:
        unit.know("hp", ("hp(2)%u", "hp(1)%w(1)", "hp(3)%w(2)"))
        unit.know("hq", ("hq%u", "hq%w(2)"))
    unit.mark("several_elements")
    unit.add(unit.pick("hp(2:3) = hq", "hp(1:2) = hp(2:3)", "hq = hp(min(k, 3))", "hp = hp(3:1:-1)",
                       f"hp(min(k, 3)) = heap({unit.read()}, [{unit.read()}, 0.7d0*{unit.read()}, 0.2d0])",
                       f"hp(2:3) = [hq, heap({unit.read()}, 0.6d0*hp(1)%w)]", "hp(1) = heap(hq%u, hp(2)%w)"))
    unit.add(f"{unit.scalar()} = 0.2d0*sum(hp({unit.pick('1', '2', '3')})%w) + 0.5d0*{unit.read()}")


FEATURES = (
    Feature("select_type", select_type, 3), Feature("polymorphic", polymorphic), Feature("type_bound", type_bound),
    Feature("defined_operator", defined_operator, 3), Feature("defined_assignment", defined_assignment),
    Feature("derived_value", derived_value, 3), Feature("value_argument", value_subroutine),
    Feature("intent_out", intent_out, 3), Feature("default_initialisation", default_initialisation, 3),
    Feature("array_of_types", array_of_types), Feature("allocatable_component", allocatable_component),
    Feature("ragged", ragged, 3), Feature("several_elements", several_elements, 3),
)  # fmt: skip
