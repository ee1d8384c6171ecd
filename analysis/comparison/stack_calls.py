"""The calls by which a generated adjoint saves values: PUSHREAL8(x), POPREAL8ARRAY(u, n), PUSHCONTROL1B(0).

They are those of Tapenade 3.x. ``CALL PUSHREAL8ARRAY(u, n)`` puts n elements of ``u`` on the stack, the
``CALL POPREAL8ARRAY(u, n)`` that takes them off again gives ``u`` the values it had.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.ir.statement_walk import statements

Role = Literal["push", "pop", "push control", "pop control", "other"]

_CALL = pattern_of(r"(push|pop)(real|integer|complex|boolean|character|pointer)(\d*)(array)?")
_CONTROL = pattern_of(r"(push|pop)control(\d+)b")
_OTHER = pattern_of(r"adstack_\w+|look(real|integer|complex|boolean|character|pointer|control)\w*|adcontext\w+"
                    r"|(push|pop)nd?array\w*|advance_ckp\w*|adbinomial\w*")
_TYPES: Final = ("real4", "real8", "real16", "integer4", "integer8", "complex8", "complex16", "complex32", "boolean",
                 "character", "pointer4", "pointer8")


@frozen
class StackCall:
    """One such call. ``type``: real8, integer4 ...; ``array``: of several elements, as many as the second argument
    says. ``bytes``: of one element. ``value``: what a control is pushed with, None where it is no number.

    ``other``: it moves the stack in another way, which nothing here follows.
    """

    role: Role
    type: str = ""
    array: bool = False
    bytes: int = 0
    value: int | None = None

    @property
    def saves(self) -> bool:
        """Does it save a value, or give one back?"""
        return self.role in ("push", "pop")


def stack_call(stmt: ir.Stmt) -> StackCall | None:
    """None for any other statement, and for a procedure of such a name that has source."""
    if not isinstance(stmt, ir.Call) or stmt.targets or stmt.result is not None:
        return None
    found = _CALL.fullmatch(stmt.name)
    if found is not None:
        if len(stmt.args) != (2 if found[4] else 1):
            return StackCall("other")
        size = int(found[3] or (4 if found[2] == "boolean" else 1))
        return StackCall("push" if found[1] == "push" else "pop", found[2] + found[3], bool(found[4]), size)
    control = _CONTROL.fullmatch(stmt.name)
    if control is not None:
        if control[1] == "pop":
            return StackCall("pop control", f"control{control[2]}")
        given = stmt.args[0].value if stmt.args else None
        value = given.value if isinstance(given, ir.Literal_) and isinstance(given.value, int) else None
        return StackCall("push control", f"control{control[2]}", value=value)
    return StackCall("other") if _OTHER.fullmatch(stmt.name) else None


def saved_place(stmt: ir.Call) -> ir.Ref | None:
    """What is saved: ``u`` of ``PUSHREAL8ARRAY(u, n)``; None for a value that is no variable's.

    Of ``PUSHPOINTER8(C_LOC(p))`` it is the address, so nothing.
    """
    given = stmt.args[0].value
    return given if isinstance(given, ir.Ref) else None


def _effects() -> dict[str, str]:
    found = {}
    for type_ in _TYPES:
        for array, more in (("", ""), ("array", "in ")):
            found[f"push{type_}{array}"] = f"in {more}skippable"
            found[f"pop{type_}{array}"] = f"out {more}skippable"
    for bits in range(1, 9):
        found[f"pushcontrol{bits}b"] = "in skippable"
        found[f"popcontrol{bits}b"] = "out skippable"
    for name in ("startrepeat", "resetrepeat", "endrepeat"):
        found[f"adstack_{name}"] = "skippable"
    return found


STACK_EFFECTS: Final[Mapping[str, str]] = MappingProxyType(_effects())
"""What these procedures read and write, as a project file would declare it."""


def moves_addresses(body: ir.Block) -> bool:
    """Does an adjoint give pointers back by their addresses? What they lead to then is not followed."""
    return any(isinstance(stmt, ir.Call) and stmt.name.startswith("poppointer") for stmt in statements(body))
