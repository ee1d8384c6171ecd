"""What every random program has: assignments, loops, branches, marked parts, and the choice among constructs."""

from __future__ import annotations

from collections.abc import Callable

from tests.generators.constructs.writing import Feature, Unit


def block(unit: Unit, count: int, depth: int = 1) -> None:
    """``count`` statements, each of which may hold ``depth`` others."""
    for _ in range(count):
        statement(unit, depth)


def statement(unit: Unit, depth: int) -> None:
    """A construct, something that holds others, a call, or an assignment."""
    kind = unit.random.randrange(100)
    if kind < 38 and unit.module.features and unit.indent < 7:
        feature(unit).write(unit)
    elif kind < 62 and depth > 0 and unit.indent < 7:
        nesting: tuple[Callable[[Unit, int], None], ...] = (part, part, part, loop, loop, branch, while_loop)
        nesting[unit.random.randrange(len(nesting))](unit, depth - 1)
    elif kind < 72 and unit.callees:
        unit.callees[unit.random.randrange(len(unit.callees))](unit)
    else:
        assignment(unit)


def feature(unit: Unit) -> Feature:
    """One of the program's constructs, by weight."""
    options = unit.module.features
    return unit.random.choices(options, [one.weight for one in options])[0]


def assignment(unit: Unit) -> None:
    kind = unit.random.randrange(10)
    if kind < 5:
        target = unit.scalar()
        unit.add(f"{target} = {unit.expression()}" if unit.chance(90) else f"{target} = 0.45d0")
    elif kind < 7:
        unit.add(f"{unit.array()} = {unit.whole()}")
    elif kind < 8:
        a, b = unit.array(), unit.array()
        unit.add(unit.pick(f"{a}(1:3) = 0.6d0*{b}(3:5)*{unit.scalar()}", f"{a}(5:1:-2) = sin({b}(2:4))",
                           f"{a}(k:) = 0.7d0*{b}(k:)", f"{a} = 0.35d0"))
    else:
        unit.add(unit.pick("k = mod(k, 4) + 1", f"if ({unit.read()} > 0.41d0) k = {unit.pick('1', '3')}",
                           "k = min(ix(k), 4)", "k = 2"))


def part(unit: Unit, depth: int) -> None:
    unit.mark("part")
    unit.parts += 1
    with unit.nested("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END"):
        block(unit, unit.random.randint(1, 3), depth)
    unit.parts -= 1


def loop(unit: Unit, depth: int) -> None:
    """Up or down, full or empty; its variable stays between 1 and 4."""
    if len(unit.loops) > 1:
        assignment(unit)
        return
    var = "ij"[len(unit.loops)]
    unit.mark("loop")
    bounds = unit.pick("1, m", "1, 4", "4, 2, -1", "2, m", "k, 4", "1, 4, 2")
    with unit.nested(f"do {var} = {bounds}", "end do"):
        unit.loops.append(var)
        block(unit, unit.random.randint(1, 3), depth)
        if unit.chance(15):
            unit.add(f"if ({unit.condition()}) {unit.pick('exit', 'cycle')}")
            assignment(unit)
        unit.loops.pop()


def branch(unit: Unit, depth: int) -> None:
    unit.mark("branch")
    with unit.nested(f"if ({unit.condition()}) then", "end if"):
        block(unit, unit.random.randint(1, 2), depth)
        if unit.chance(50):
            unit.indent -= 1
            unit.add("else")
            unit.indent += 1
            block(unit, 1, depth)


def while_loop(unit: Unit, depth: int) -> None:
    count = unit.fresh("w")
    unit.local(count, f"integer :: {count}")
    unit.mark("while_loop")
    unit.add(f"{count} = {unit.pick('0', '1')}")
    with unit.nested(f"do while ({count} < m)", "end do"):
        unit.add(f"{count} = {count} + 1")
        block(unit, unit.random.randint(1, 2), depth)
