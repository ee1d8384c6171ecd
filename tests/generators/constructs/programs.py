"""Whole random programs: ``program(number)`` is one module with a head ``p(x)>(y)``, decided by its number alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.generators.constructs import control, failures, families, layouts, memory, objects, procedures, shapes
from tests.generators.constructs.objects import around
from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import EXTENT, Feature, Module, Unit

HEAD = "p(x)>(y)"
FEATURES = (*shapes.FEATURES, *objects.FEATURES, *memory.FEATURES, *procedures.FEATURES, *control.FEATURES,
            *layouts.FEATURES, *families.FEATURES, *failures.FEATURES)


@dataclass(frozen=True, slots=True)
class Generated:
    """A program. ``names``: what a partition may name. ``procedures``: what may be in split mode."""

    number: int
    text: str
    x: tuple[float, ...]
    names: tuple[str, ...]
    procedures: tuple[str, ...]


def program(number: int, features: Sequence[Feature] = FEATURES) -> Generated:
    """The program of this number: some of the ``features``, everything combined at random."""
    random = Random(number)
    some = random.sample(list(features), min(len(features), random.randint(3, 9)))
    module = Module(random, number, some)
    if random.randrange(2):
        module.variable("g", "real(8) :: g", "g = 0.5d0*x(2)")
        module.variable("ga", "real(8) :: ga(5)", "ga = 0.4d0*x")
        module.scalars.append("g")
        module.arrays.append("ga")
    head = Unit(module)
    for _ in range(random.randint(0, 2)):
        callee(module, head)
    head_body(head)
    text = whole(module, head)
    names = (*sorted(module.names), f"m{number}::g", f"m{number}::ga", f"/blk{number}/cs", "k", "ix", "t", "u", "x",
             "y",
             "ob1%u", "ob1%v", "ow1%v", "ca", "tb", "list%u", "hp_a%w")
    called = tuple(line.split("(")[0].split()[-1] for line in text.splitlines() if line.startswith("subroutine "))
    return Generated(number, text, tuple(round(random.uniform(0.5, 1.5), 6) for _ in range(EXTENT)), names, called)


def callee(module: Module, head: Unit) -> None:
    """A procedure of random statements, which the head may call."""
    name = module.fresh("sub")
    inner = around(head, ["t"], ["u"], module.random.randint(2, 4))
    module.procedures[name] = inner.text(
        f"subroutine {name}(u, t)", ["real(8), intent(inout) :: u(5), t"], f"end subroutine {name}")

    def call(unit: Unit) -> None:
        array = unit.passed(1)[0]
        unit.mark("call")
        unit.add(f"call {name}({array}, {unit.passed_scalar(array)})")

    head.callees.append(call)


def head_body(head: Unit) -> None:
    random = head.random
    head.first = "s1", "a"
    for at, name in enumerate(("s1", "s2", "s3"), 1):
        head.local(name, f"real(8) :: {name}", f"{name} = 0.7d0*x({at})")
        head.know(name, (name,))
    for name, start in (("a", "x"), ("b", "0.6d0*x*x"), ("c", "0.5d0 + 0.2d0*sin(x)")):
        head.local(name, f"real(8) :: {name}({head.pick('5', 'n')})", f"{name} = {start}")
        head.know(name, (), (name,))
    head.local("i", "integer :: i, j, k, ix(5)", "k = 2", "ix = [3, 1, 5, 2, 4]")
    head.know("x", (), (), ("x(1)", "x(k)"))
    head.scalars += head.module.scalars
    head.arrays += head.module.arrays
    block(head, random.randint(4, 9), 3)
    scalars = random.sample(head.scalars, min(len(head.scalars), 5))
    arrays = random.sample(head.arrays, min(len(head.arrays), 3))
    head.add("y = " + " + ".join((*(f"0.{i + 3}d0*{name}" for i, name in enumerate(scalars)),
                                  *(f"0.{i + 2}d0*sum({name}*x)" for i, name in enumerate(arrays)))))


def whole(module: Module, head: Unit) -> str:
    """The module's text. The head's name is the same in all programs, the module's is not."""
    name = f"m{module.number}"
    head.setup[:0] = module.setup
    dummies = ["integer, intent(in) :: n, m", "real(8), intent(in) :: x(n)", "real(8), intent(out) :: y"]
    if module.pointers:
        dummies[1:] = ["real(8), pointer, intent(in) :: x(:), y"]
    return "".join(module.before.values()) + "\n".join((
        f"module {name}", *(f"  {line}" for line in module.uses.values()), "  implicit none",
        *module.interfaces.values(), *module.types.values(),
        *(f"  {line}" for line in module.variables.values()), "contains", "")) + head.text(
        "subroutine p(x, n, m, y)", dummies, "end subroutine p") + "".join(
        module.procedures.values()) + f"end module {name}\n"
