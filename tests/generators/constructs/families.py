"""Constructs of types whose objects are constants, are moved about, or are of types that are found when it runs."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

POINTS = """  type :: spot
    real(8) :: u = 0.5d0
    real(8) :: v(2) = 0.25d0
  end type spot
  type :: crate
    type(spot) :: lo = spot(0.1d0), hi
    real(8) :: w = 0.9d0
  end type crate
  type(spot), parameter :: spot_0 = spot(0.3d0, [0.6d0, 0.7d0])
  type(spot), parameter :: spots_0(2) = [spot(0.3d0), spot(u=0.9d0, v=0.1d0)]
  type(crate), parameter :: crate_0 = crate(hi=spot_0, w=0.4d0)"""


def points(unit: Unit) -> None:
    unit.module.types["spot"] = POINTS


def object_constants(unit: Unit) -> None:
    """Constants and start values of derived type, of the module and of a procedure."""
    points(unit)
    module = unit.module
    module.variables.setdefault("gspot", "type(spot) :: gspot = spot(0.8d0, [0.2d0, 0.4d0])")
    module.variables.setdefault("gcrate", "type(crate) :: gcrate = crate(hi=spot(0.33d0)), gcrates(3) = crate(w=0.7d0)")
    if "ghot" not in module.variables:  # the others keep their start values, because the head runs several times
        module.variable("ghot", "type(spot) :: ghot", "ghot = gspot")
        module.scalars += ["ghot%u", "ghot%v(2)"]
    if "ghot%u" not in unit.scalars:
        unit.scalars += ["ghot%u", "ghot%v(2)"]
    unit.local("crt", "type(crate) :: crt, crts(2)")
    unit.values += [one for one in ("gcrate%hi%u", "gcrates(2)%lo%v(1)", "gspot%v(2)") if one not in unit.values]
    unit.mark("object_constants")
    unit.add(unit.pick("crt = crate_0", "crt%hi = spots_0(1 + k/3)", "crt%lo = spot_0", "crts = crate_0",
                       "crts%hi = spots_0", "crt%lo = gspot", "ghot = spot_0", "crts(2) = gcrates(3)", "crt = gcrate"))
    t = unit.read()
    unit.add(f"{unit.scalar()} = 0.4d0*{t}*" + unit.pick(
        "crate_0%hi%v(2)", "spots_0(1 + k/3)%u", "sum(spots_0%u)", "crt%hi%u", "crt%lo%v(1)", "crts(2)%w",
        "crts(1 + k/3)%hi%v(2)"))
    unit.add(unit.pick(f"crt%lo%u = {unit.expression()}", f"crts(2)%hi%v = 0.5d0*{unit.read()}",
                       f"ghot%v = 0.6d0*{unit.read()}"))


def moved_objects(unit: Unit) -> None:
    """RESHAPE, MERGE, CSHIFT and their like of objects."""
    points(unit)
    unit.module.types["grain"] = "  type :: grain\n    real(8) :: u = 0.5d0, w = 0.3d0\n  end type grain"
    kind = unit.pick("spot", "grain", "grain")
    a, c, e = f"m{kind[0]}a", f"m{kind[0]}c", f"m{kind[0]}e"
    unit.local(a, f"type({kind}) :: {a}(4), {c}(2, 2), {e}", f"{a}%u = 0.5d0*{unit.first[1]}(1:4)",
               f"{e}%u = 0.4d0*{unit.first[0]}")
    if f"{a}(2)%u" not in unit.scalars:
        unit.know(a, (f"{a}(2)%u", f"{a}(k)%u"))
        unit.know(c, (f"{c}(1, 2)%u",))
    unit.mark("moved_objects")
    options = [f"{a} = cshift({a}, {unit.pick('1', '-1', 'k')})", f"{a} = eoshift({a}, 1, {e})",
               f"{a} = spread({e}, 1, 4)", f"{e} = merge({e}, {a}(k), {unit.condition()})", f"{a}(2:3) = {a}(1:2)",
               f"{c}(:, 1) = {c}(2:1:-1, 1)", f"{a}(1:2) = {c}(:, 2)", f"{a} = [{a}(2:4), {e}]"]
    if kind == "grain":
        options += [f"{c} = reshape({a}, [2, 2])", f"{c} = transpose({c})", f"{a} = reshape({c}, [4])",
                    f"{c} = reshape([{a}(3:4), {a}(1:2)], shape({c}), order=[2, 1])",
                    f"{a} = merge({a}, {e}, {a}%u > 0.31d0)", f"{a} = unpack({a}, {a}%u > 0.27d0, {e})",
                    f"{a}(1:2) = pack({a}, [.true., .false., .false., .true.])"]
    unit.add(unit.pick(*options), f"{unit.scalar()} = 0.2d0*sum({a}%u) + 0.3d0*{c}(k/3 + 1, 1)%u")


FLUXES = """  type, abstract :: flux
    real(8) :: u = 0.5d0
  contains
    procedure(flux_step), deferred :: step
    procedure(flux_value), deferred :: val
    procedure :: twice => flux_twice
  end type flux
  type, extends(flux) :: upwind
    real(8) :: w = 0.7d0
  contains
    procedure :: step => upwind_step
    procedure :: val => upwind_value
  end type upwind
  type, extends(flux) :: central
    real(8) :: w(3) = 0.6d0
  contains
    procedure :: step => central_step
    procedure :: val => central_value
  end type central
  type, extends(central) :: limited
    real(8) :: z = 0.9d0
  contains
    procedure :: val => limited_value
  end type limited
  type :: scheme
    class(flux), allocatable :: f
  end type scheme
  abstract interface
    subroutine flux_step(this, v, s)
      import :: flux
      class(flux), intent(inout) :: this
      real(8), intent(inout) :: v(:), s
    end subroutine flux_step
    function flux_value(this, s) result(r)
      import :: flux
      class(flux), intent(in) :: this
      real(8), intent(in) :: s
      real(8) :: r
    end function flux_value
  end interface"""
FLUX_PROCEDURES = """subroutine flux_twice(this, s)
  class(flux), intent(inout) :: this
  real(8), intent(inout) :: s
  s = 0.5d0*this%val(s) + 0.4d0*this%val(0.3d0*s)
  this%u = sin(s*this%u)
end subroutine flux_twice
subroutine upwind_step(this, v, s)
  class(upwind), intent(inout) :: this
  real(8), intent(inout) :: v(:), s
  v(2) = v(1)*this%u
  this%w = 0.8d0*this%w*cos(s)
  s = sin(s)*this%w
end subroutine upwind_step
function upwind_value(this, s) result(r)
  class(upwind), intent(in) :: this
  real(8), intent(in) :: s
  real(8) :: r
  r = this%w*sin(s*s)
end function upwind_value
subroutine central_step(this, v, s)
  class(central), intent(inout) :: this
  real(8), intent(inout) :: v(:), s
  v(3) = 0.3d0*v(2)*sum(this%w)
  this%w(2) = this%w(1)*cos(s)
end subroutine central_step
function central_value(this, s) result(r)
  class(central), intent(in) :: this
  real(8), intent(in) :: s
  real(8) :: r
  r = this%w(2)*cos(s)
end function central_value
function limited_value(this, s) result(r)
  class(limited), intent(in) :: this
  real(8), intent(in) :: s
  real(8) :: r
  r = this%z*sin(s) + 0.3d0*this%central%val(s)
end function limited_value
"""


def deferred(unit: Unit) -> None:
    """Abstract types with deferred bindings, whose extensions have different components of one name."""
    unit.module.types["flux"] = FLUXES
    unit.module.procedures["flux"] = FLUX_PROCEDURES
    kinds = ("upwind", "central", "limited")
    unit.local("schemes", "type(scheme) :: schemes(3)", *(
        f"if (.not. allocated(schemes({k})%f)) allocate ({unit.pick(*kinds)} :: schemes({k})%f)" for k in (1, 2, 3)),
        f"schemes(2)%f%u = 0.4d0*{unit.first[0]}")
    unit.local("kf", "integer :: kf")
    at = unit.pick("1", "2", "3", "kf")  # gfortran 12 runs wild where a procedure is bound to `schemes(min(k, 3))%f`
    v, s = unit.passed(1)[0], unit.scalar()
    unit.mark("deferred")
    if at == "kf":
        unit.add("kf = min(k, 3)")
    unit.add(unit.pick(f"call schemes({at})%f%step({v}, {unit.passed_scalar(v)})",
                       f"call schemes({at})%f%twice({unit.passed_scalar()})",
                       f"{s} = 0.6d0*schemes({at})%f%val({unit.read()})",
                       f"schemes({at})%f%u = {unit.expression()}"))
    if unit.chance(40):
        with unit.nested(f"select type (fx => schemes({at})%f)", "end select"):
            for clause, line in (("type is (upwind)", f"fx%w = {unit.expression()}"),
                                 (unit.pick("class is (central)", "type is (limited)"),
                                  f"fx%w(2:3) = 0.6d0*{unit.read()}*fx%w(1:2)")):
                unit.indent -= 1
                unit.add(clause)
                unit.indent += 1
                unit.add(line)


NOTED = """elemental function noted(u, s) result(r)
  real(8), intent(in) :: u, s
  real(8) :: r
  r = u/(1.0d0 + s*s)
  if (r > 0.42d0) r = 0.3d0 + 0.3d0*r
end function noted
"""


def elemental_mask(unit: Unit) -> None:
    """Elemental functions in the masks and the values of WHERE."""
    unit.module.procedures["noted"] = NOTED
    a, b, c = unit.array(), unit.array(), unit.array()
    unit.mark("elemental_mask")
    with unit.nested(f"where (noted({a}, {unit.pick(b, '0.6d0', unit.read())}) > 0.31d0)", "end where"):
        unit.add(f"{a} = {unit.pick(f'0.8d0*noted({b}, {a})', unit.whole(), f'noted({a}, {unit.read()}) + 0.1d0*{c}')}")
        if unit.chance(50):
            unit.add(f"elsewhere (noted({unit.pick(a, b)}, 0.2d0) > 0.17d0)", f"  {unit.pick(a, b)} = noted({c}, {b})")
        if unit.chance(40):
            unit.add("elsewhere", f"  {a} = 0.7d0*{unit.pick(b, c)}")


def where_in_forall(unit: Unit) -> None:
    """WHERE within FORALL and DO CONCURRENT, with masks of both."""
    if "wf4" not in unit.locals:
        unit.local("wf4", "real(8) :: wf4(5, 4), wg4(0:4, 4)", f"wf4 = 0.4d0*spread({unit.first[1]}, 2, 4)",
                   f"wg4 = 0.5d0*{unit.first[0]}", "wf4(:, 2) = 0.3d0")
        unit.local("if2", "integer :: if2")
        unit.know("wf4", ("wf4(2, 3)", "wf4(k, 2)"))
        unit.know("wg4", ("wg4(0, 2)", "wg4(k, k)"))
    kind = unit.pick("forall", "forall", "concurrent")
    unit.mark("where_in_forall")
    mask = unit.pick("", "", f", {unit.array()}(if2) > 0.33d0", ", if2 /= k")
    first = (f"forall (if2 = {unit.pick('1:4', '4:1:-1', '1:k', '2:4:2')}{mask})" if kind == "forall" else
             f"do concurrent (if2 = 1:{unit.pick('4', 'k')}{mask})")
    other = "5 - if2" if kind == "forall" else "if2"
    s = unit.read()
    with unit.nested(first, "end forall" if kind == "forall" else "end do"):
        with unit.nested(f"where (wf4(:, if2) > {unit.pick('0.23d0', '0.41d0', '0.2d0*wg4(:, if2)')})", "end where"):
            unit.add(unit.pick(f"wg4(:, if2) = 0.6d0*wf4(:, if2)*wg4(:, {other})",
                               f"wf4(:, if2) = 0.7d0*wf4(:, {other}) + 0.1d0*{s}",
                               f"wf4(:, if2) = 0.5d0*sin(wg4(:, {other}))"))
            if unit.chance(30):
                with unit.nested(f"where (wg4(:, if2) > {unit.pick('0.2d0', '0.35d0')})", "end where"):
                    unit.add(f"wg4(:, if2) = 0.8d0*wf4(:, {other})")
            if unit.chance(50):
                unit.add(f"elsewhere (wg4(:, if2) > {unit.pick('0.15d0', '0.3d0')})",
                         f"  wf4(:, if2) = {unit.pick(f'wg4(:, {other})*0.8d0', s)}")
            if unit.chance(50):
                unit.add("elsewhere", f"  wg4(:, if2) = {unit.pick('0.4d0', f'0.3d0*{s}', f'wf4(:, {other})')}")
        if unit.chance(30):
            unit.add(f"wf4(2, if2) = 0.5d0*wf4(3, {other})")
    unit.add(f"{unit.scalar()} = 0.05d0*sum(wf4*wg4) + 0.4d0*{unit.read()}")


def fixed_text(unit: Unit) -> None:
    """A substring of a constant."""
    unit.mark("constant_substring")
    text = unit.pick("'abcdef'(k:k)", "'abcdef'(:k)", "'abcabc'(k:5)")
    test = f"{text} {unit.pick('==', '/=', '>')} {unit.pick(repr('b'), repr('ab'), repr('c'))}"
    with unit.nested(f"if ({test}) then", "end if"):
        block(unit, 1, 0)


FEATURES = (
    Feature("object_constants", object_constants, 3), Feature("moved_objects", moved_objects, 3),
    Feature("deferred", deferred, 3), Feature("elemental_mask", elemental_mask, 3),
    Feature("where_in_forall", where_in_forall, 3), Feature("constant_substring", fixed_text, 1),
)  # fmt: skip
