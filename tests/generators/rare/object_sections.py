"""Sections of arrays of objects in all shapes that a reference has: `o(:)%v(k)`, `q(1, :)%u`, `o(i)%ar(2)%w(2:4)`."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

INNER = """  type :: os_inner
    real(8) :: s, w(5)
  end type os_inner
"""
CELL = """  type :: os_cell
    real(8) :: u, v(5)
    type(os_inner) :: in, ar(2)
  end type os_cell
"""
CALLED = """subroutine os_taken(v, s)
  real(8), intent(inout) :: v(:), s
  v(2) = 0.6d0*sin(v(2)*s) + 0.3d0*v(1)
  s = 0.5d0*s + 0.2d0*cos(v(2))
end subroutine os_taken
subroutine os_given(v, s)
  real(8), intent(inout) :: v(5), s
  v(2:4) = 0.7d0*sin(v(1:3)*s)
  s = 0.5d0*s + 0.3d0*v(3)
end subroutine os_given
subroutine os_any(v, n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n), s
  v(n) = 0.6d0*v(1)*s + 0.2d0
  s = 0.6d0*s + 0.2d0*v(n)*v(2)
end subroutine os_any
subroutine os_rest(v, s)
  real(8), intent(inout) :: v(*), s
  v(2) = 0.5d0*v(1)*v(2) + 0.1d0*s
  s = 0.7d0*s + 0.2d0*sin(v(2))
end subroutine os_rest
subroutine os_handed(v, w, s)
  real(8), intent(inout) :: v(:), w(:), s
  call os_given(w, s)
  call os_taken(v(2:), s)
  call os_any(v, size(v), s)
end subroutine os_handed
subroutine os_object(c, s)
  type(os_cell), intent(inout) :: c
  real(8), intent(inout) :: s
  c%u = 0.6d0*c%u*s + 0.2d0
  c%ar(2)%w(2:3) = 0.7d0*c%v(3:4)*c%u
  s = 0.6d0*s + 0.2d0*c%in%s*c%u
end subroutine os_object
subroutine os_objects(c, s)
  type(os_cell), intent(inout) :: c(:)
  real(8), intent(inout) :: s
  c(2)%u = 0.6d0*c(1)%u*s + 0.2d0
  c%in%s = 0.7d0*c%v(2)*s
  s = 0.6d0*s + 0.2d0*c(2)%in%s
end subroutine os_objects
subroutine os_pair(c, s)
  type(os_cell), intent(inout) :: c(2)
  real(8), intent(inout) :: s
  c(2)%v(1:2) = 0.6d0*c(1)%v(2:3)*s
  s = 0.6d0*s + 0.2d0*c(2)%v(1)*c(1)%u
end subroutine os_pair
elemental subroutine os_each(u, w)
  real(8), intent(inout) :: u
  real(8), intent(in) :: w
  u = 0.6d0*sin(u*w) + 0.2d0*w
end subroutine os_each
elemental real(8) function os_value(u, s)
  real(8), intent(in) :: u, s
  os_value = 0.5d0*u*s + 0.1d0*u
end function os_value
"""
ROWS = {"u": ("{o}%u", "{o}(:)%u", "{o}(5:1:-1)%u"), "v": ("{o}%v({i})", "{o}(:)%v({i})", "{e}%v", "{e}%v(:)"),
        "in%s": ("{o}%in%s", "{o}(:)%in%s"), "in%w": ("{o}%in%w({i})", "{o}(:)%in%w({i})", "{e}%in%w"),
        "ar": ("{o}%ar({b})%w({i})", "{o}(:)%ar({b})%s", "{e}%ar({b})%w")}
"""Five elements of one component, by component."""
SHORT = {"u": ("{o}(2:4)%u", "{o}(1:5:2)%u"), "v": ("{o}(3:1:-1)%v({i})", "{e}%v(3:5)"),
         "in%s": ("{o}(1:3)%in%s",), "in%w": ("{e}%in%w(1:3)", "{o}(2:4)%in%w({i})"),
         "ar": ("{e}%ar({b})%w(2:4)", "{o}(1:5:2)%ar({b})%w({i})")}
ELEMENTS = {"u": ("{e}%u",), "v": ("{e}%v({i})",), "in%s": ("{e}%in%s",), "in%w": ("{e}%in%w({i})",),
            "ar": ("{e}%ar({b})%w({i})", "{e}%ar({b})%s")}


def object_sections(unit: Unit) -> None:
    """One to three statements that read, write and pass such sections."""
    module, (scalar, array) = unit.module, unit.first
    module.types["os_inner"], module.types["os_cell"] = INNER, CELL
    module.procedures["os_called"] = CALLED
    start = "os_cell(0.5d0, 0.3d0, os_inner(0.4d0, 0.6d0), os_inner(0.2d0, 0.5d0))"
    if "os" not in unit.locals:
        unit.local("os", "type(os_cell) :: os(5), oq(2, 5)", f"os = {start}", f"oq = {start}", f"os%u = 0.4d0*{array}",
                   f"os%v(2) = 0.3d0*{array}", f"oq(1, :)%u = {array}*{scalar}", f"os%ar(2)%w(3) = 0.2d0*{array}")
        unit.know("os", ("os(2)%u", "os(k)%v(3)", "os(3)%ar(2)%w(k)"), (), ("os(1)%in%s",))
    unit.mark("object_sections")
    for _ in range(unit.random.randint(1, 3)):
        (_assign, _assign, _call, _call, _objects)[unit.random.randrange(5)](unit)


def _ref(unit: Unit, forms: dict[str, tuple[str, ...]], *without: str) -> tuple[str, str]:
    """A reference of one of these forms, and its component."""
    component = unit.pick(*(one for one in forms if one not in without))
    i, b = unit.index(), unit.pick("1", "2", "min(k, 2)", "mod(k, 2) + 1")
    whole = unit.pick("os", "os", "oq")
    element = f"os({unit.index()})" if whole == "os" else f"oq({b}, {unit.index()})"
    form = unit.pick(*forms[component])
    text = form.format(o=whole, e=element, i=i, b=b)
    if whole == "oq" and "{o}" in form:  # one of its rows
        text = text.replace("oq(", f"oq({b}, ", 1) if text.startswith("oq(") else text.replace("oq", f"oq({b}, :)", 1)
    return text, component


def _assign(unit: Unit) -> None:
    if unit.chance(40):
        target, _ = _ref(unit, ELEMENTS)
        unit.add(f"{target} = 0.4d0*{_ref(unit, ELEMENTS)[0]}*{unit.scalar()} + 0.2d0*{_ref(unit, ELEMENTS)[0]}")
        return
    forms = ROWS if unit.chance(60) else SHORT
    target, first, second = (_ref(unit, forms)[0] for _ in range(3))
    other = unit.array("os") if forms is ROWS else f"{unit.array('os')}(2:4)"
    unit.add(f"{target} = " + unit.pick(
        f"0.6d0*sin({first}) + 0.2d0*{second}*{unit.scalar()}", f"0.5d0*{first}*{other}",
        f"os_value({first}, {unit.scalar()})", f"0.3d0*{first} + 0.4d0*{other}"))


def _call(unit: Unit) -> None:
    scalar = unit.pick(*unit.free_scalars("os"))
    (row, component), (short, _), (element, _) = _ref(unit, ROWS), _ref(unit, SHORT), _ref(unit, ELEMENTS)
    other, _ = _ref(unit, ROWS, component)
    unit.add("call " + unit.pick(
        f"os_taken({row}, {scalar})", f"os_given({row}, {scalar})", f"os_any({short}, 3, {scalar})",
        f"os_any({row}, {unit.pick('3', '5', 'k + 1')}, {scalar})", f"os_taken({short}, {scalar})",
        f"os_handed({row}, {other}, {scalar})", f"os_each({row}, {other})", f"os_each({element}, {scalar})",
        f"os_rest(os({unit.index()})%v({unit.pick('1', '3', 'k')}), {scalar})"))


def _objects(unit: Unit) -> None:
    i, scalar = unit.index(), unit.pick(*unit.free_scalars("os"))
    unit.add(unit.pick(
        f"call os_object(os({i}), {scalar})", f"call os_object(oq(2, {i}), {scalar})",
        f"call os_objects(os(2:4), {scalar})", f"call os_objects(os(5:1:-2), {scalar})",
        f"call os_objects(oq(1, :), {scalar})", f"call os_pair(os(k), {scalar})", f"call os_pair(oq(1, k), {scalar})",
        f"os({i}) = os(k)", "oq(2, :) = os", "os(1:2) = oq(1, 3:4)", f"os({i})%in = os(k)%ar(1)",
        f"os%ar(2) = oq(1, {i})%in"))


def left_constructs(unit: Unit) -> None:
    """IF, BLOCK, ASSOCIATE, SELECT or a loop is left before its end; an array that it writes part by part is read
    behind it."""
    name = unit.fresh("lc")
    v, s = unit.array(), unit.scalar()
    lines = [f"{v}(1) = 0.5d0*{s}", f"{v}(2) = 0.4d0*{v}(1) + 0.2d0*{unit.read()}"]
    others = [f"{v}(1) = 0.3d0*{s}", f"{v}(2) = {unit.pick('0.6d0', unit.read())}*0.5d0"]
    unit.mark("left_constructs")
    kind = unit.pick("if", "if", "if", "block", "associate", "select", "do")
    first = {"if": f"{name}: if ({unit.condition()}) then", "block": f"{name}: block",
             "associate": f"{name}: associate ({name}_a => k)", "select": f"{name}: select case (k)",
             "do": f"{name}: do"}[kind]
    unit.add(first)
    unit.indent += 1
    unit.inner += 1
    if kind == "select":
        unit.add("case (1:2)")
    unit.add(lines[0])
    if unit.chance(50):
        block(unit, 1, 0)
    unit.add(f"if ({unit.condition()}) exit {name}", lines[1])
    if kind in ("if", "select"):
        unit.add("else" if kind == "if" else "case default", *others)
    if kind == "do":
        unit.add("exit")
    unit.inner -= 1
    unit.indent -= 1
    unit.add(f"end {kind} {name}")
    unit.add(f"{v}(3:5) = {unit.pick(f'0.7d0*sin({v}(1:3))', f'0.3d0*{s}', '0.4d0')}",
             f"{s} = 0.4d0*{s} + 0.3d0*{v}(2)*{v}(4)")


FEATURES = (Feature("object_sections", object_sections, 4), Feature("left_constructs", left_constructs, 3))
