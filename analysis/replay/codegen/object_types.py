"""The code of questions about the types of objects: which one a value has, what an object of it has, what asks for it.

``x`` of CLASS has a tag in memory, a variable of TYPE and a constructor have the type they are declared of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.analysis.replay.codegen.derived_values import NOTHING
from snapset.analysis.replay.memory.dynamic_types import extension_table
from snapset.analysis.replay.memory.variable_slots import LeafPlace, refuse
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of
from snapset.frontend.ir.intrinsic_table import IS_OF_TYPE

if TYPE_CHECKING:
    from snapset.analysis.replay.codegen.expression_code import ExpressionCode

INQUIRIES = (IS_OF_TYPE, "same_type_as", "extends_type_of")


def kind(expr: ir.Expr, values: ExpressionCode) -> str:
    """Code of the number of a value's dynamic type."""
    if isinstance(expr, ir.Unary) and expr.op == "+":
        return kind(expr.operand, values)
    known = tag(expr, values) if isinstance(expr, ir.Ref) else None
    if known is not None:
        return f"kind_of({known})"
    key = type_of(expr).derived
    if key is None or key not in values.layout.types:
        raise refuse("the type of this expression", values.span)
    return str(values.layout.number(key))


def tag(ref: ir.Ref, values: ExpressionCode) -> str | None:
    """Code of the memory that holds the dynamic type of an object; None where its type is known."""
    if ref.exact or ref.type.kind != "derived":
        return None
    return next((one.code for one in values.followed(ref, through=True)
                 if one.leaf.is_tag and one.leaf.path[:-1] == one.rest), None)


def tag_for(expr: ir.Expr, values: ExpressionCode) -> str:
    """Code of memory that holds the dynamic type of a value."""
    found = tag(expr, values) if isinstance(expr, ir.Ref) else None
    return found or f"typed({kind(expr, values)})"


def declared(expr: ir.Expr, values: ExpressionCode) -> str:
    """The type that an object is declared of. Raises InputError for what may be of any type."""
    key = type_of(expr).derived
    if key is None or key not in values.layout.types:
        raise refuse("an object of CLASS(*)", values.span)
    return key


def has(value: ir.Expr, leaf: LeafPlace, above: int, values: ExpressionCode) -> bool:
    """May a value of derived type have this leaf? ``above``: how many components of its path lead to the value."""
    if not leaf.having:
        return True
    if isinstance(value, ir.Unary):
        return has(value.operand, leaf, above, values)
    if isinstance(value, ir.Ref):
        return any(one.leaf.path[len(one.rest):] == leaf.path[above:]
                   for place in values.below(value) for one in values.opened(place))
    return leaf.is_in(above, type_of(value).derived)


def given(slot: str, piece: ir.Assign, values: ExpressionCode) -> str:
    """Gives an object, whose type's memory is ``slot``, the type of its value; a component, allocated or not, that of
    the other object's."""
    if type_of(piece.value).kind != "derived":  # of a component
        if isinstance(piece.value, ir.Ref):
            return f"{slot}.a = {values.slot(piece.value).code}.a"
        return f"deallocate({slot}, False)"
    return f"retyped({slot}, {kind(piece.value, values)})"


def there(value: ir.Expr, leaf: LeafPlace, values: ExpressionCode) -> ir.Expr:
    """A value of a leaf that not all types have; none where the variable that it is of can never have it."""
    if leaf.having and isinstance(value, ir.Ref) and not values.followed(value, through=True):
        return NOTHING
    return value


def asked(name: str, expr: ir.Intrinsic, values: ExpressionCode) -> str:
    """SAME_TYPE_AS, EXTENDS_TYPE_OF, and whether an object is of one type."""
    one, other = (argument.value for argument in expr.args)
    if name == IS_OF_TYPE:
        assert isinstance(other, ir.Literal_)
        return f"({kind(one, values)} == {values.layout.number(str(other.value))})"
    if name == "same_type_as":
        return f"({kind(one, values)} == {kind(other, values)})"
    values.constants["extensions"] = extension_table(values.layout.types)
    return f"({kind(one, values)} in extensions[{kind(other, values)}])"
