"""Constructs of calls: procedure pointers, elemental calls, COMMON blocks seen in two layouts, internal procedures."""

from __future__ import annotations

from tests.generators.constructs.objects import around
from tests.generators.constructs.writing import COMMON, Feature, Unit

STEPPER = """  abstract interface
    subroutine stepper(v, s)
      real(8), intent(inout) :: v(5), s
    end subroutine stepper
  end interface"""
STEPPERS = """subroutine step_a(v, s)
  real(8), intent(inout) :: v(5), s
  v(2:4) = 0.6d0*v(1:3)*s
  s = 0.5d0*s + 0.2d0*v(3)
end subroutine step_a
subroutine step_b(v, s)
  real(8), intent(inout) :: v(5), s
  v = sin(v)*s
end subroutine step_b
subroutine step_c(v, s)
  real(8), intent(inout) :: v(5), s
  s = v(1)*v(5)*0.7d0
end subroutine step_c
function fun_a(s) result(r)
  real(8), intent(in) :: s
  real(8) :: r
  r = sin(s)
end function fun_a
function fun_b(s) result(r)
  real(8), intent(in) :: s
  real(8) :: r
  r = 0.6d0*s*s
end function fun_b
subroutine run_it(f, v, s)
  procedure(stepper) :: f
  real(8), intent(inout) :: v(5), s
  call f(v, s)
  s = 0.9d0*s
end subroutine run_it
subroutine run_twice(f, v, s)
  procedure(stepper), pointer, intent(in) :: f
  procedure(stepper), pointer :: g
  real(8), intent(inout) :: v(5), s
  call f(v, s)
  g => f
  call run_it(g, v, s)
end subroutine run_twice
function value_of(f, s) result(r)
  procedure(fun_a) :: f
  real(8), intent(in) :: s
  real(8) :: r
  r = 0.5d0*f(s) + f(0.3d0*s)
end function value_of
"""


def steppers(unit: Unit) -> None:
    unit.module.procedures["steppers"] = STEPPERS
    unit.module.interfaces["stepper"] = STEPPER
    unit.local("act", "procedure(stepper), pointer :: act, other", f"act => {unit.pick('step_a', 'step_b')}",
               "other => step_c")
    unit.local("fun", "procedure(fun_a), pointer :: fun", f"fun => {unit.pick('fun_a', 'fun_b')}")


def procedure_pointer(unit: Unit) -> None:
    steppers(unit)
    change_pointer(unit, "act")
    unit.mark("procedure_pointer")
    if unit.chance(60):
        v = unit.passed(1)[0]
        unit.add(f"call {unit.pick('act', 'act', 'other')}({v}, {unit.passed_scalar(v)})")
    else:
        unit.add(f"{unit.scalar()} = fun({unit.read()})")


def change_pointer(unit: Unit, name: str) -> None:
    if not unit.guarded and unit.chance(60):
        unit.add(unit.pick(f"{name} => step_a", f"{name} => step_b", f"{name} => other",
                           f"if ({unit.condition()}) {name} => step_c", "fun => fun_a", "fun => fun_b"))


def procedure_argument(unit: Unit) -> None:
    """A procedure pointer, or a procedure, as an actual argument."""
    steppers(unit)
    change_pointer(unit, "act")
    unit.mark("procedure_argument")
    v = unit.passed(1)[0]
    s = unit.passed_scalar(v)
    unit.add(unit.pick(f"call run_it(act, {v}, {s})", f"call run_it(act, {v}, {s})", f"call run_twice(act, {v}, {s})",
                       f"call run_it(step_b, {v}, {s})", f"{unit.scalar()} = value_of(fun, {unit.read()})",
                       f"{unit.scalar()} = value_of(fun_b, {unit.read()})"))


def module_pointer(unit: Unit) -> None:
    """A procedure pointer of the module, and one in a component."""
    steppers(unit)
    module = unit.module
    module.before["gact"] = f"""module q{module.number}
  implicit none
{STEPPER}
  procedure(stepper), pointer :: gact
end module q{module.number}
"""
    module.uses["gact"] = f"use q{module.number}, only: gact"
    if "gact => step_b" not in module.setup:
        module.setup.append("gact => step_b")
    module.types["holder"] = "  type :: holder\n    procedure(stepper), pointer, nopass :: f\n  end type holder"
    unit.local("hold", "type(holder) :: hold", "hold%f => step_a")
    unit.mark("module_pointer")
    change_pointer(unit, unit.pick("gact", "gact", "hold%f"))
    v = unit.passed(1)[0]
    s = unit.passed_scalar(v)
    unit.add(unit.pick(f"call gact({v}, {s})", f"call hold%f({v}, {s})", f"call run_it(gact, {v}, {s})",
                       f"call run_it(hold%f, {v}, {s})"))


ENTRIES = """function loaded(u, s) result(r)
  real(8), intent(in) :: u, s
  real(8) :: r, r2
  r = 0.7d0*u*s
  return
entry pressed(s) result(r2)
  r2 = s/(1.0d0 + s*s)
  if (r > 0.3d0) r = 0.6d0*sin(r2)
end function loaded
"""


def elemental_call(unit: Unit) -> None:
    unit.module.procedures["elemental"] = """elemental subroutine soften(u, s)
  real(8), intent(inout) :: u
  real(8), intent(in) :: s
  if (u > 0.37d0) u = 0.6d0*u + 0.2d0*sin(s)
  u = 0.8d0*u
end subroutine soften
elemental function squashed(u, s) result(r)
  real(8), intent(in) :: u, s
  real(8) :: r
  r = u/(1.0d0 + s*s)
  if (r > 0.63d0) r = 0.4d0 + 0.3d0*r
end function squashed
"""
    unit.mark("elemental")
    if unit.chance(25):
        unit.module.procedures["entries"] = ENTRIES
        unit.mark("entry_function")
        s, other = unit.scalar(), unit.read()
        unit.add(f"{s} = " + unit.pick(f"pressed({other})", f"0.5d0*loaded({s}, {other})*pressed({s})",
                                       f"loaded({other}, {s})"))
        return
    a, b, s = *unit.passed(2), unit.scalar()
    unit.add(unit.pick(f"call soften({a}, {b})", f"call soften({a}, 0.3d0)", f"call soften({a}(1:3), {b}(3:5))",
                       f"{a} = squashed({b}, {s})", f"{a} = 0.5d0*squashed({a}, {b}) + {b}",
                       f"{s} = squashed({s}, 0.4d0)",
                       f"call soften({a}(2), {b}(k))", f"{a}(2:4) = squashed({b}(1:3), {a}(3:5))",
                       f"{s} = sum(squashed({a}, {b}))*0.2d0", f"call soften({a}, {unit.passed_scalar(a)})"))


LAYOUTS = (
    "real(8) :: c1, c2, c3(3), c4, c5, c6\n  integer :: c7, c8\n  common /{b}/ c1, c2, c3, c4, c5, c6, c7, c8",
    "real(8) :: c1, c3(6)\n  integer :: skipped(4)\n  common /{b}/ c1, c3, skipped",
    "real(8) :: c3(8)\n  integer :: c9(2)\n  common /{b}/ c3, c9",
)  # fmt: skip


def common_layout(unit: Unit) -> None:
    """A COMMON block that one procedure sees as scalar, array, integer; the other in other pieces, some unused."""
    block_name = f"blk{unit.module.number}"
    if unit.level:
        see_common(unit)
        return
    view = f"real(8) :: cs, ca(5), cu, cv\n  integer :: ci, cj\n  common /{block_name}/ cs, ca, cu, cv, ci, cj"
    unit.local("cs", view, f"cs = 0.5d0*{unit.first[0]}", f"ca = 0.6d0*{unit.first[1]}", "cu = 0.2d0", "cv = 0.3d0",
               "ci = 2", "cj = 1")
    if "cs" not in unit.scalars:
        unit.know(COMMON, ("cs", "cv"), ("ca",))
    name = unit.fresh("blocks")
    view = unit.pick(*LAYOUTS).format(b=block_name)
    scalars = ["c3(2)", "c3(k)" if "c3(3)" not in view else "c3(1)", *(["c1"] if "c1" in view else [])]
    inner = around(unit, ["t"], [], 0)
    inner.local("c3", view)
    inner.know(COMMON, scalars)
    inner.add(f"{inner.pick(*scalars)} = {inner.expression()}")
    if unit.chance(50):
        inner.add(f"t = {inner.expression()}")
    if unit.chance(40) and "c7" in view:
        inner.add("c7 = mod(c7, 4) + 1", "k = c7", "t = 0.5d0*t*c3(min(k, 3))")
    inner.add(f"{inner.pick('t', *scalars)} = {inner.expression()}")
    unit.module.procedures[name] = inner.text(f"subroutine {name}(t)", ["real(8), intent(inout) :: t"],
                                              f"end subroutine {name}")
    unit.mark("common_layout")
    unit.add(f"call {name}({unit.passed_scalar()})")
    if unit.chance(40):
        unit.add("k = min(4, max(1, ci))")


def see_common(unit: Unit) -> None:
    """The same block in a procedure that is passed other things."""
    unit.local("cs", f"real(8) :: cq(7), cw\n  integer :: ci, cj\n  common /blk{unit.module.number}/ cq, cw, ci, cj")
    head_sees_it(unit)
    unit.mark("common_layout")
    unit.add(unit.pick(f"cq(3) = {unit.expression()}", f"{unit.scalar()} = 0.4d0*cq(1)*cq(k)",
                       "cq(2:6) = 0.7d0*cq(1:5)"))


def head_sees_it(unit: Unit) -> None:
    """The head gives the block its first values even where it does not use it."""
    first = "call common_first"
    if first not in unit.module.setup:
        unit.module.setup.append(first)
        unit.module.procedures["common_first"] = "\n".join((
            "subroutine common_first", "  real(8) :: cq(8)", "  integer :: ci, cj",
            f"  common /blk{unit.module.number}/ cq, ci, cj", "  cq = 0.4d0", "  ci = 2", "  cj = 1",
            "end subroutine common_first", ""))


def internal(unit: Unit) -> None:
    """An internal procedure that reads and writes its host's variables."""
    name = unit.fresh("within")
    own = [one for one in unit.scalars if one in ("s1", "s2", "s3", "t")
           or (one.endswith("%u") and one.partition("%")[0] in unit.locals)]
    arrays = [one for one in unit.arrays if one in ("a", "b", "c", "own")]
    if not own or not arrays:
        return
    one, two, array = unit.pick(*own), unit.pick(*own), unit.pick(*arrays)
    unit.contained += [f"subroutine {name}(v)", "  real(8), intent(inout) :: v",
                       f"  if ({one} > 0.43d0) v = 0.5d0*v*{two}", f"  {unit.pick(one, two)} = 0.6d0*sin(v)",
                       f"  {array}(k) = 0.7d0*v*{array}(2)", f"end subroutine {name}"]
    unit.mark("internal")
    free = unit.free_scalars(one, two, array)
    run = run_internal(unit, name, unit.pick(*free) if free else "tmp")
    if free:
        unit.add(*run)
    else:
        with unit.nested("block", "end block"):
            unit.add("real(8) :: tmp", f"tmp = {unit.read()}", *run, f"{unit.scalar()} = tmp")


APPLYING = """subroutine {name}(g, v)
  interface
    subroutine g(z)
      real(8), intent(inout) :: z
    end subroutine g
  end interface
  real(8), intent(inout) :: v
  integer :: i
  do i = 1, 2
    {call}
    v = 0.7d0*v + 0.1d0
  end do
end subroutine {name}
"""


def run_internal(unit: Unit, name: str, v: str) -> tuple[str, ...]:
    """The call of an internal procedure: by its name, as an argument, handed on twice, behind a procedure pointer."""
    way = unit.pick("by name", "by name", "passed", "handed on", "pointer")
    if way == "by name":
        return (f"call {name}({v})",)
    unit.mark("passed_internal")
    if way == "pointer":
        unit.module.interfaces["changing"] = """abstract interface
  subroutine changing(z)
    real(8), intent(inout) :: z
  end subroutine changing
end interface"""
        unit.module.variable("hook", "procedure(changing), pointer :: hook => null()")
        unit.module.procedures["hooked"] = """subroutine hooked(v)
  real(8), intent(inout) :: v
  call hook(v)
  v = 0.8d0*v*v
  call hook(v)
end subroutine hooked
"""
        return (f"hook => {name}", f"call hooked({v})")
    unit.module.procedures["applied"] = APPLYING.format(name="applied", call="call g(v)")
    unit.module.procedures["handed_on"] = APPLYING.format(name="handed_on", call="call applied(g, v)")
    return (f"call {'applied' if way == 'passed' else 'handed_on'}({name}, {v})",)


def optional_argument(unit: Unit) -> None:
    unit.module.procedures["optional"] = """subroutine maybe(u, s, o)
  real(8), intent(inout) :: u(:), s
  real(8), intent(inout), optional :: o
  u(2) = 0.7d0*u(1)*s
  if (present(o)) then
    o = 0.5d0*o + 0.3d0*u(2)
  else
    s = 0.6d0*s
  end if
end subroutine maybe
"""
    u = unit.passed(1)[0]
    s = unit.passed_scalar(u)
    unit.mark("optional")
    if unit.chance(50):
        if unit.chance(50):
            unit.local("nowhere", "real(8), pointer :: nowhere", "nullify (nowhere)")
            unit.add(f"call maybe({u}, {s}, nowhere)")
        else:
            unit.add(f"call maybe({u}, {s})")
    else:
        others = unit.free_scalars(u, s)
        unit.add(f"call maybe(o={unit.pick(*others)}, s={s}, u={u})" if others else f"call maybe(s={s}, u={u})")


FEATURES = (
    Feature("procedure_pointer", procedure_pointer, 3), Feature("procedure_argument", procedure_argument, 3),
    Feature("module_pointer", module_pointer), Feature("elemental", elemental_call, 3),
    Feature("common_layout", common_layout, 3), Feature("internal", internal), Feature("optional", optional_argument),
)  # fmt: skip
