"""Names for parts and for values: selectors in parentheses, substrings of ASSOCIATE names, CLASS in parentheses."""

from __future__ import annotations

from tests.generators.constructs.objects import item
from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit


def parenthesised(unit: Unit) -> None:
    """``associate (z => (a))`` names a value: what a is afterwards is nothing to z."""
    z, a, s = unit.fresh("z"), unit.array(), unit.scalar()
    unit.mark("parenthesised")
    value, names = unit.pick(f"({a})|{z}(2)", f"({s})|{z}", f"({a}(2:4))|{z}(1)", f"(({s}))|{z}",
                             f"({a}(k))|{z}", f"({a}*{s})|{z}(3)").split("|")
    with unit.nested(f"associate ({z} => {value})", "end associate"), unit.scope(z, (), (), (names,)):
        unit.add(unit.pick(f"{a} = {unit.whole()}", f"{s} = {unit.expression()}", f"{a}(2) = 0.6d0*{names}"))
        block(unit, 1, 1)
        unit.add(f"{unit.scalar()} = 0.5d0*{names} + 0.3d0*{unit.read()}")


def parenthesised_type(unit: Unit) -> None:
    """SELECT TYPE of a value in parentheses, with a name of its own."""
    o, name, q = item(unit), unit.fresh("seen"), unit.fresh("q")
    # gfortran 12 makes no copy for (o): what is o's afterwards is not changed as long as the name is used.
    unit.module.procedures[name] = "\n".join((
        f"subroutine {name}(o, t)", "  class(base), intent(inout) :: o", "  real(8), intent(inout) :: t",
        f"  select type ({q} => (o))", "  type is (wide)",
        f"    t = 0.6d0*{q}%w*{q}%u + 0.2d0*t", "    o%u = 0.5d0*o%u + 0.2d0*t", "  class is (base)",
        f"    t = 0.5d0*{q}%v(2)*{q}%u + 0.3d0*t", f"    {unit.pick('o%v(2) = 0.5d0*o%v(2)*t', 't = 0.8d0*t*o%u')}",
        "  end select", f"end subroutine {name}", ""))
    unit.mark("parenthesised_type")
    unit.add(f"call {name}({o}, {unit.passed_scalar(o)})")


def named_substrings(unit: Unit) -> None:
    """Letters by an ASSOCIATE name, that decide what is computed."""
    unit.local("np_w", "character(8) :: np_w, np_l(3)", "np_w = 'abcabcab'",
               "np_l = ['xyzxyzxy', 'zyxzyxzy', 'yyyyzzzz']")
    z = unit.fresh("z")
    unit.mark("named_substrings")
    selector = unit.pick("np_w", "np_w(2:7)", "np_l(2)", "np_l(min(k, 3))", "np_l", "np_w(k:)", "np_l(2)(:6)")
    name = f"{z}({unit.pick('1', '2', 'min(k, 3)')})" if selector == "np_l" else z
    s, t = unit.scalar(), unit.scalar()
    with unit.nested(f"associate ({z} => {selector})", "end associate"):
        for _ in range(unit.random.randint(1, 2)):
            unit.add(unit.pick(
                f"if ({name}(2:2) == '{unit.pick('b', 'y', 'c')}') {s} = {unit.expression()}",
                f"{name}(1:k) = '{unit.pick('bbbb', 'cazy')}'", f"{name}(k:k + 1) = {name}(1:2)",
                f"{t} = (0.01d0*ichar({name}(k:k)) - 0.5d0)*{unit.read()}",
                f"if ({name}(:2)//'c' == '{unit.pick('abc', 'bbc', 'xyc')}') {t} = 0.6d0*{unit.read()}",
                f"k = mod(index({name}(1:4), 'b'), 4) + 1"))
    unit.add(f"if (np_w(2:2) == 'b' .or. np_l(1)(3:3) == 'z') {s} = 0.7d0*{unit.read()}")


FEATURES = (Feature("parenthesised", parenthesised, 3), Feature("parenthesised_type", parenthesised_type, 2),
            Feature("named_substrings", named_substrings, 3))
