"""What variables hold when the program starts: initialisers in declarations and DATA statements.

Only for running a program: the analyses ask no more than whether a variable is initialised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import masked, split_top
from snapset.frontend.declarations.table import DataList, Entity
from snapset.frontend.ir.constant_folding import fold_binary, fold_unary
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.real_folding import folded_real

_WORD = pattern_of(r"[a-z_$][\w$]*")
_REPEATED = pattern_of(r"(\d+)\s*\*\s*(?=[-+.\d'\"a-z])(.*)", re.S)
_MOST = 1000  # elements written out one by one; a longer list is not read


def data_values(text: str, entities: Mapping[str, Entity]) -> Iterator[tuple[str, str] | DataList]:
    """What a DATA statement (its text after ``data``) gives to whole variables: names and initialisers.

    A list for several variables is taken apart only where all are scalars. Any other one, for elements or for several
    arrays, is given as it is.
    """
    ends = list(_slashes(masked(text)))
    begin = 0
    for opened, closed in zip(ends[::2], ends[1::2], strict=False):
        names = [name for name in split_top(text[begin:opened].strip().removeprefix(",")) if name]
        begin = closed + 1
        given = split_top(text[opened + 1:closed])
        values = _expanded(given)
        if not values or not all(_WORD.fullmatch(name) and name in entities for name in names):
            yield DataList(tuple(names), given)
        elif len(names) == 1:
            alike = len(set(values)) == 1
            yield names[0], values[0] if alike else f"(/ {', '.join(values)} /)"
        elif len(names) == len(values) and all(entities[name].dims is None for name in names):
            yield from zip(names, values, strict=True)
        else:
            yield DataList(tuple(names), given)


def _slashes(mask: str) -> Iterator[int]:
    depth = 0
    for at, char in enumerate(mask):
        depth += (char == "(") - (char == ")")
        if char == "/" and depth == 0:
            yield at


def _expanded(items: tuple[str, ...]) -> list[str]:
    """``2*0.5, 1.0`` as three values; [] where it is too long, or repeats as often as a named constant says. One
    repeated value stays one."""
    found: list[str] = []
    for item in items:
        repeated = _REPEATED.fullmatch(item)
        count, value = (int(repeated[1]), repeated[2].strip()) if repeated else (1, item.strip())
        if not repeated and "*" in masked(item):
            return []
        if len(items) == 1:
            return [value]
        if len(found) + count > _MOST:
            return []
        found += [value] * count
    return found


def procedure_of(entity: Entity, procedures: Mapping[str, str | None]) -> ir.ProcedureRef | None:
    """What a procedure pointer points at when the program starts; None: nothing."""
    name = (entity.init or "").strip().lower()
    return ir.ProcedureRef(name, procedures.get(name)) if _WORD.fullmatch(name) else None


def target_of(entity: Entity) -> ir.OpaqueExpr | None:
    """What a pointer leads to when the program starts, as text; None: nothing."""
    text = (entity.init or "").strip()
    return None if not text or text.lower().startswith("null") else ir.OpaqueExpr(text, ())


def start_of(entity: Entity, type_: ir.Type, value_of: Callable[[str], ir.Expr]) -> ir.Expr | None:
    """The start value of a variable, where it is a constant that is understood."""
    if entity.init is None or "pointer" in entity.flags or type_.kind not in (
            "real", "integer", "logical", "complex", "character", "derived"):
        return None
    try:
        found = value_of(entity.init)
    except InputError:
        return None
    if isinstance(found, ir.Intrinsic) and found.name == "reshape" and _in_element_order(found):
        found = found.args[0].value  # what is laid down is the same
    found = _each_element(found)
    if type_.kind == "real" and isinstance(found, ir.ArrayConstructor):
        found = ir.ArrayConstructor(tuple(folded_real(item, type_) for item in found.items), type_)
    elif type_.kind == "real":
        found = folded_real(found, type_)
    items = found.items if isinstance(found, ir.ArrayConstructor) else (found,)
    return found if all(_is_known(item, type_) for item in items) else None


def element_value(value: ir.Expr, type_: ir.Type) -> ir.Expr | None:
    """A constant of DATA as the start value of an element of this type, where it is understood."""
    found = folded_real(value, type_) if type_.kind == "real" else value
    return found if _is_known(found, type_) else None


def _each_element(value: ir.Expr) -> ir.Expr:
    """``2*[a, b] + 1`` as ``[2*a + 1, 2*b + 1]``."""
    lengths = {len(one.items) for one in walk(value) if isinstance(one, ir.ArrayConstructor)}
    if not isinstance(value, ir.Binary | ir.Unary) or len(lengths) != 1:
        return value
    return ir.ArrayConstructor(tuple(_element(value, at) for at in range(*lengths)), value.type)


def _element(value: ir.Expr, at: int) -> ir.Expr:
    match value:
        case ir.ArrayConstructor():
            return value.items[at]
        case ir.Binary():
            return fold_binary(value.op, _element(value.left, at), _element(value.right, at), value.type)
        case ir.Unary():
            return fold_unary(value.op, _element(value.operand, at))
        case _:
            return value


def _in_element_order(value: ir.Intrinsic) -> bool:
    """Is it ``reshape([...], shape)``, without PAD or ORDER?"""
    first, *others = value.args
    return isinstance(first.value, ir.ArrayConstructor) and first.keyword in (None, "source") and len(others) == 1


def _is_known(item: ir.Expr, type_: ir.Type) -> bool:
    if type_.kind == "derived":
        return isinstance(item, ir.Structure) and not any(isinstance(one, ir.Ref | ir.OpaqueExpr) for one in walk(item))
    return isinstance(item, ir.Literal_) and item.value is not None
