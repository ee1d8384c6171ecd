"""Constructs of memory: names for other variables, variables of a block, what grows, pointers and lists."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

TARGETS = "@targets"  # one root: two pointers may lead to the same memory


def associate(unit: Unit) -> None:
    z = unit.fresh("z")
    kind = unit.random.randrange(4)
    unit.mark("associate")
    if kind == 0:
        target = unit.array()
        with unit.nested(f"associate ({z} => {target})", "end associate"), unit.scope(unit.root(target), (), (z,)):
            block(unit, unit.random.randint(1, 2), 1)
    elif kind == 1:
        target = unit.array()
        with unit.nested(f"associate ({z} => {target}({unit.pick('2:4', 'k:', '5:1:-1')}))", "end associate"), \
                unit.scope(unit.root(target), (f"{z}(1)", f"{z}(2)")):
            block(unit, unit.random.randint(1, 2), 1)
    elif kind == 2:
        with unit.nested(f"associate ({z} => {unit.expression()})", "end associate"), unit.scope(z, (), (), (z,)):
            block(unit, unit.random.randint(1, 2), 1)
    else:
        target = unit.scalar()
        with unit.nested(f"associate ({z} => {target})", "end associate"), unit.scope(unit.root(target), (z,)):
            unit.add(f"{z} = {unit.expression()}")
            block(unit, unit.random.randint(1, 2), 1)


def associate_vector(unit: Unit) -> None:
    """An array that is no variable, what a vector subscript selects for example, may be read."""
    z, target = unit.fresh("z"), unit.array()
    unit.mark("associate_vector")
    value = unit.pick(f"{target}(ix)", f"{target}(ix(1:3))", f"{target}(ix(:k + 1))", f"0.7d0*sin({target})")
    with unit.nested(f"associate ({z} => {value})", "end associate"), \
            unit.scope(unit.root(target), (), (), (f"{z}(2)",)):
        block(unit, 1, 1)


def block_automatic(unit: Unit) -> None:
    """A BLOCK whose array has the extent that an integer has when the block is entered."""
    z = unit.fresh("z")
    unit.mark("block_automatic")
    size = unit.pick("k + 1", "k + m", "2*k", "size(ix)")
    with unit.nested("block", "end block"):
        unit.add(f"real(8) :: {z}({size})", f"{z} = 0.6d0*{unit.scalar()}")
        with unit.scope(z, (f"{z}(1)", f"{z}(2)")):
            block(unit, unit.random.randint(1, 2), 1)
        unit.add(f"{unit.scalar()} = 0.1d0*sum({z}) + 0.3d0*{unit.read()}")


def grown(unit: Unit) -> str:
    """An allocatable of three elements or more, at most eight."""
    unit.local("grow", "real(8), allocatable :: grow(:), spare(:)", f"grow = 0.5d0*{unit.first[1]}(1:3)")
    if "grow(1)" not in unit.scalars:
        unit.know("grow", ("grow(1)", "grow(2)"))
    return "grow"


def still(unit: Unit, name: str) -> bool:
    """What has another name, or is passed, keeps its shape meanwhile."""
    if "grow" not in unit.held:
        return False
    unit.mark(name)
    unit.add(unit.pick(f"grow = {unit.expression()}", f"{unit.scalar()} = 0.3d0*sum(grow)",
                       "grow(2:3) = sin(grow(1:2))"))
    return True


def growing(unit: Unit) -> None:
    w = grown(unit)
    if still(unit, "growing"):
        return
    unit.mark("growing")
    unit.add(f"if (size({w}) > 6) {w} = {w}(2:4)")
    unit.add(unit.pick(f"{w} = [{w}, {unit.scalar()}]", f"{w} = [{unit.scalar()}, 0.8d0*{w}]",
                       f"{w} = {unit.array()}(1:k + 1)",
                       f"{w} = [{w}(1:2), sin({w}(2:))]", f"{w} = [{w}(2:3), {unit.read()}, {w}(1)]"))
    if unit.chance(50):
        unit.add(f"if (size({w}) < 3) {w} = [{w}, {w}]", f"{unit.scalar()} = 0.2d0*sum({w})")
    else:
        unit.add(f"if (size({w}) < 3) {w} = [{w}, {unit.scalar()}]")


def move_alloc(unit: Unit) -> None:
    w = grown(unit)
    if still(unit, "move_alloc"):
        return
    unit.mark("move_alloc")
    unit.add(f"allocate(spare(size({w}) + 1))", f"spare(1:size({w})) = 0.9d0*{w}",
             f"spare(size({w}) + 1) = {unit.read()}",
             f"call move_alloc(spare, {w})", f"if (size({w}) > 6) {w} = {w}(3:5)")
    if unit.chance(60):
        unit.add(f"{unit.scalar()} = 0.2d0*sum({w})")


def heap(unit: Unit) -> None:
    """ALLOCATE and DEALLOCATE around some statements."""
    h = unit.fresh("h")
    unit.local(h, f"real(8), allocatable :: {h}(:)")
    unit.mark("heap")
    how = unit.pick(f"allocate({h}(5))", f"allocate({h}, source={unit.array()})", f"allocate({h}(k + 4), source=0.3d0)",
                    f"allocate({h}, mold={unit.first[1]})")
    unit.add(how)
    if "source" not in how:
        unit.add(f"{h} = 0.5d0*{unit.scalar()}")
    with unit.scope(h, (f"{h}(2)", f"{h}(5)")):
        block(unit, unit.random.randint(1, 2), 1)
    unit.add(f"{unit.scalar()} = 0.2d0*sum({h})", f"deallocate({h})")


def targets(unit: Unit) -> None:
    unit.local("ta", "real(8), target :: ta(5), tb(5)", f"ta = 0.6d0*{unit.first[1]}", "tb = 0.4d0 + 0.3d0*ta")
    unit.local("pa", "real(8), pointer :: pa(:), pb(:), pt(:), ps", "pa => ta", "pb => tb", "ps => ta(2)")
    if "ta" not in unit.arrays:
        for name in ("pa", "pb", "ta", "tb", "ps"):
            unit.know(TARGETS, *(((name,),) if name == "ps" else ((), (name,))))


def pointer(unit: Unit) -> None:
    """Associated anew, in loops, branches and parts too; two fields that change places."""
    targets(unit)
    unit.mark("pointer")
    kind = unit.random.randrange(6)
    if kind == 0:
        unit.add("pt => pa", "pa => pb", "pb => pt")
    else:
        unit.add(unit.pick("pa => tb", "pa => ta", "pb => ta", "pb => pa", f"if ({unit.condition()}) pa => tb",
                           "ps => tb(k)", "ps => pa(2)",
                           f"if (associated(pa, ta)) {unit.scalar()} = 0.5d0*{unit.read()}"))
    unit.add(unit.pick(f"pa = {unit.whole()}", f"ps = {unit.expression()}", f"pb(k) = {unit.expression()}",
                       f"{unit.scalar()} = 0.2d0*sum(pa)"))


def bounds_remapping(unit: Unit) -> None:
    targets(unit)
    unit.local("p2", "real(8), pointer :: p2(:, :), p0(:)", "p2(1:2, 1:2) => ta(1:4)", "p0(0:) => tb")
    if "p2(2, 1)" not in unit.scalars:
        unit.know(TARGETS, ("p2(2, 1)", "p2(1, 2)", "p0(0)", "p0(k)"))
    # gfortran 12 misses that a pointer and a pointer component may overlap (test_overlapping_pointers.py): the value
    # is a target itself, or memory of its own.
    other = unit.pick("ta", "tb", unit.array("p2(2, 1)"))
    unit.mark("bounds_remapping")
    unit.add(unit.pick("p2(1:2, 1:2) => tb(2:5)", "p0(0:) => ta", "p0(0:4) => tb",
                       "p2(1:2, 1:2) => ta(1:4)"))
    unit.add(unit.pick(f"p2 = 0.7d0*p2*{unit.scalar()}", f"p2(2, :) = {other}(1:2)*0.6d0", "p0(0) = sin(p0(4))",
                       f"{unit.scalar()} = 0.2d0*sum(p2(:, 1))", f"p0(1:3) = {other}(2:4)"))


def pointer_component(unit: Unit) -> None:
    targets(unit)
    unit.module.types["view"] = """  type :: view
    real(8), pointer :: p(:) => null()
    real(8) :: u
  end type view"""
    unit.local("vw", "type(view) :: vw, vx", "vw%p => tb", "vw%u = 0.3d0", "vx = vw")
    if "vw%u" not in unit.scalars:
        unit.know(TARGETS, ("vw%u", "vw%p(2)", "vx%p(k)"), ("vw%p",))
    unit.mark("pointer_component")
    unit.add(unit.pick("vw%p => ta", "vx%p => vw%p", "vw = vx", "vx%p => tb", f"if ({unit.condition()}) vw%p => pa"))
    unit.add(unit.pick(f"vw%p = {unit.whole()}", f"vx%p(3) = {unit.expression()}",
                       f"{unit.scalar()} = 0.3d0*vw%p(1)*vw%u"))


def pointer_function(unit: Unit) -> None:
    targets(unit)
    name = "chosen"
    unit.module.procedures[name] = "\n".join((
        f"function {name}(one, two, k) result(p)", "  real(8), target, intent(in) :: one(:), two(:)",
        "  integer, intent(in) :: k", "  real(8), pointer :: p(:)", "  if (k > 2) then", "    p => one", "  else",
        "    p => two", "  end if", f"end function {name}", ""))
    unit.mark("pointer_function")
    unit.add(unit.pick(f"pa => {name}(ta, tb, k)", f"pb => {name}(pb, ta, k + 1)",
                       f"{unit.array()} = 0.6d0*{name}(ta, tb, k)"))
    unit.add(unit.pick(f"pa = {unit.whole()}", f"{unit.scalar()} = 0.2d0*sum(pb)"))


def linked_list(unit: Unit) -> None:
    """Nodes from ALLOCATE, passed through from the first to the last."""
    unit.module.types["node"] = """  type :: node
    real(8) :: u = 0.3d0
    type(node), pointer :: next => null()
  end type node"""
    unit.local("head_", "type(node), pointer :: head_, cur", "nullify(head_)",
               "do i = 1, m", "  allocate(cur)", f"  cur%u = 0.5d0*{unit.first[1]}(i)", "  cur%next => head_",
               "  head_ => cur", "end do")
    kind = unit.random.randrange(5)
    unit.mark("linked_list")
    if kind == 0:
        unit.add(f"head_%next%u = {unit.expression()}", f"{unit.scalar()} = head_%u*head_%next%next%u")
    elif kind == 1 and not unit.parts:
        unit.add("allocate(cur)", f"cur%u = {unit.expression()}", "cur%next => head_%next", "head_%next => cur")
    elif kind == 2:
        name = unit.fresh("walk")
        unit.module.procedures[name] = "\n".join((
            f"recursive subroutine {name}(c, t)", "  type(node), intent(inout) :: c", "  real(8), intent(inout) :: t",
            "  c%u = sin(c%u)*0.8d0 + 0.1d0*t", f"  if (associated(c%next)) call {name}(c%next, t)",
            "  t = 0.4d0*t + 0.3d0*c%u", f"end subroutine {name}", ""))
        unit.add(f"call {name}(head_, {unit.passed_scalar()})")
    else:
        unit.add("cur => head_")
        with unit.nested("do while (associated(cur))", "end do"):
            unit.add(unit.pick(f"cur%u = 0.5d0*cur%u + 0.3d0*sin(cur%u*{unit.scalar()})",
                               "if (associated(cur%next)) cur%u = 0.6d0*cur%u*cur%next%u + 0.1d0"))
            unit.add(f"{unit.scalar()} = 0.4d0*cur%u + 0.3d0*{unit.read()}", "cur => cur%next")


FEATURES = (
    Feature("associate", associate, 5), Feature("associate_vector", associate_vector, 1),
    Feature("block_automatic", block_automatic, 3), Feature("growing", growing, 3),
    Feature("move_alloc", move_alloc), Feature("heap", heap), Feature("pointer", pointer, 3),
    Feature("bounds_remapping", bounds_remapping), Feature("pointer_component", pointer_component),
    Feature("pointer_function", pointer_function), Feature("linked_list", linked_list, 3),
)  # fmt: skip
