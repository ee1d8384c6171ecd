"""Loops over arrays whose planes take turns, told by remainders, by `4 - now`, by exchanged indices, or by an array."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

WAYS = {
    "mod": ((), ("{old} = mod({k}, 3) + 1", "{new} = mod({k} + 1, 3) + 1", "{now} = mod({k} + 2, 3) + 1"), ()),
    "other": (("{now} = 1", "{new} = 3"), ("{old} = 3 - {now}",), ("{now} = {old}",)),
    "exchanged": (("{old} = 1", "{now} = 2", "{new} = 3"), (),
                  ("{spare} = {old}", "{old} = {now}", "{now} = {new}", "{new} = {spare}")),
    "turned": (("{old} = 1", "{now} = 2", "{new} = 3"), (), ("at = at([3, 1, 2])",)),
}


def planes(unit: Unit) -> None:
    """`f(ix(i), at(new)) = f(i, at(old))`: the plane, the element, or both by index arrays."""
    unit.local("at", "integer :: at(3)", "at = [2, 3, 1]")
    unit.local("pl", "real(8) :: pl(5, 3), lp(3, 5)", f"pl = 0.4d0*{unit.first[0]}", f"lp = 0.3d0*{unit.first[0]}")
    if "pl(2, at(1))" not in unit.values:
        unit.know("pl", ("pl(2, 3)", "lp(at(2), k)"), ("pl(:, 2)",)[:0], ("pl(2, at(1))", "lp(1, 4)"))
    old, now, new, spare, k, e = (unit.fresh(stem) for stem in ("old", "now", "new", "sp", "kt", "e"))
    unit.local(old, f"integer :: {old}, {now}, {new}, {spare}, {k}, {e}")
    names = {"old": old, "now": now, "new": new, "spare": spare, "k": k}
    before, first, last = ([line.format(**names) for line in lines] for lines in WAYS[unit.pick(*WAYS)])
    unit.mark("planes")
    unit.add(*before)
    with unit.nested(f"do {k} = {unit.pick('1, m', '1, 5', '4, 2, -1')}", "end do"):
        unit.add(*first)
        if unit.chance(30):
            block(unit, 1, 0)
        write = (_whole, _whole, _elements, _elements, _part)
        for target in (unit.pick(new, new, old), unit.pick(old, now))[:1 + unit.chance(30)]:
            write[unit.random.randrange(len(write))](unit, target, (old, now, new), e)
        if unit.chance(60):
            s = unit.pick(*unit.free_scalars("pl")) if unit.free_scalars("pl") else unit.scalar("pl")
            unit.add(f"{s} = 0.5d0*{s} + 0.3d0*sin({_element(unit, unit.pick('pl', 'lp'), '2', (old, now, new))})")
        if unit.chance(20):
            unit.add(f"if ({unit.condition()}) {unit.pick('exit', 'cycle')}")
        unit.add(*last)
    if unit.chance(50):
        unit.add(f"{unit.scalar('pl')} = 0.2d0*sum(pl(:, at({new}))*lp({old}, :))")


def _plane(unit: Unit, one: str) -> str:
    return unit.pick(one, f"at({one})", f"at({one})", f"at(at({one}))")


def _element(unit: Unit, array: str, e: str, indices: tuple[str, ...]) -> str:
    plane, place = _plane(unit, unit.pick(*indices)), unit.pick(e, e, f"ix({e})")
    return f"pl({place}, {plane})" if array == "pl" else f"lp({plane}, {place})"


def _value(unit: Unit, array: str, e: str, indices: tuple[str, ...]) -> str:
    one, two = _element(unit, array, e, indices), _element(unit, unit.pick("pl", "lp"), e, indices)
    return unit.pick(f"0.4d0*sin({one}) + 0.3d0*{two}", f"0.6d0*{one}*{unit.read()}", f"0.3d0*{one}*{two} + 0.1d0",
                     f"0.5d0*cos({two})*{unit.array()}({e})")


def _whole(unit: Unit, target: str, indices: tuple[str, ...], e: str) -> None:
    array, plane = unit.pick("pl", "lp"), _plane(unit, target)
    whole = f"pl(:, {plane})" if array == "pl" else f"lp({plane}, :)"
    other = f"pl(:, {_plane(unit, unit.pick(*indices))})" if unit.chance(50) else unit.array()
    place = unit.pick(":", ":", "ix")
    target_text = whole.replace(":", place)
    unit.add(f"{target_text} = {unit.pick(f'0.6d0*{other}*{unit.read()}', f'0.5d0*sin({other})', f'0.3d0*{whole}')}")


def _elements(unit: Unit, target: str, indices: tuple[str, ...], e: str) -> None:
    """All elements of a plane one by one, in one order or another, or some of them."""
    array = unit.pick("pl", "lp")
    plane, place = _plane(unit, target), unit.pick(e, e, f"ix({e})")
    left = f"pl({place}, {plane})" if array == "pl" else f"lp({plane}, {place})"
    with unit.nested(f"do {e} = {unit.pick('1, 5', '5, 1, -1', '1, 5', '2, 4')}", "end do"):
        unit.add(f"{left} = {_value(unit, array, e, indices)}")


def _part(unit: Unit, target: str, indices: tuple[str, ...], e: str) -> None:
    """A marked part that writes the plane."""
    unit.parts += 1
    with unit.nested("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END"):
        _elements(unit, target, indices, e)
        _whole(unit, unit.pick(*indices), indices, e)
    unit.parts -= 1


FEATURES = (Feature("planes", planes, 4),)
