"""References to intrinsic functions: lowered, specific names made generic, with the type and rank of the result.

What is known of each function stands in :mod:`snapset.frontend.ir.intrinsic_table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.ir.constant_lengths import Declared, length
from snapset.frontend.ir.expression_queries import binary_type, rank_of, type_of
from snapset.frontend.ir.intrinsic_table import FUNCTIONS, NAMES, SPECIFIC, IntrinsicFunction, ResultRule

__all__ = ["NAMES", "STOPPING", "SUBROUTINES", "bound", "intrinsic", "names_of", "record"]

_SUBROUTINES = """random_number random_seed random_init date_and_time system_clock cpu_time mvbits move_alloc
    get_command get_command_argument get_environment_variable execute_command_line atomic_define atomic_ref
    co_sum co_max co_min co_broadcast co_reduce event_query c_f_pointer c_f_procpointer
    getarg getcwd getenv getlog gerror hostnm idate itime ltime gmtime srand second etime dtime system sleep fseek
    ftell fdate ctime perror rename unlink flush backtrace
    ieee_set_flag ieee_get_flag ieee_set_status ieee_get_status ieee_set_halting_mode ieee_get_halting_mode
    ieee_set_rounding_mode ieee_get_rounding_mode ieee_set_underflow_mode ieee_get_underflow_mode"""
SUBROUTINES: Final = frozenset(_SUBROUTINES.split())
STOPPING: Final = frozenset({"exit", "abort"})



def record(reference: ir.Intrinsic) -> IntrinsicFunction:
    """What is known of the function that is referred to."""
    return FUNCTIONS[reference.name]


def intrinsic(name: str, args: tuple[ir.Argument, ...], kinds: DefaultKinds,
              declared: Declared = lambda _: None) -> ir.Intrinsic:
    """The reference ``name(args)`` with its type and rank; ``name`` is one of :data:`NAMES`. ``declared``: the bounds
    that the last part of a reference is declared with, where they are known.

    Arguments come in the standard's order: ``merge(mask=m, tsource=a, fsource=b)`` is ``merge(a, b, m)``. A specific
    name becomes the generic one: ``dsqrt(x)`` is ``sqrt(x)``, ``amax0(i, j)`` is ``real(max(i, j))``.
    """
    specific = SPECIFIC.get(name)
    if specific is None:
        return _reference(FUNCTIONS[name], args, kinds, declared)
    if specific.inside:
        args = (ir.Argument(_reference(FUNCTIONS[specific.inside], args, kinds)),)
    if specific.kind is not None:
        args = (*args, ir.Argument(ir.Literal_(specific.kind, ir.INTEGER), "kind"))
    return _reference(replace(FUNCTIONS[specific.generic], result=specific.result, kinded=False), args, kinds)


def _reference(function: IntrinsicFunction, args: tuple[ir.Argument, ...], kinds: DefaultKinds,
               declared: Declared = lambda _: None) -> ir.Intrinsic:
    args = _in_order(function, args)
    rank = _rank(function, args)
    if function.name in ("bessel_jn", "bessel_yn") and len(args) > len(function.arguments):
        rank = 1  # those of several orders
    if function.shape == "reshape" and (shape := _argument(args, "shape", 1)) is not None:
        rank = length(shape, declared) or rank
    return ir.Intrinsic(function.name, args, _type(function, args, kinds), rank)


def _in_order(function: IntrinsicFunction, args: tuple[ir.Argument, ...]) -> tuple[ir.Argument, ...]:
    if all(argument.keyword is None for argument in args):
        return args
    order = function.arguments
    placed = [(order.index(one.keyword) if one.keyword in order else place, place) for place, one in enumerate(args)]
    return tuple(args[place] for _, place in sorted(placed))


def names_of(reference: ir.Intrinsic) -> tuple[str, ...]:
    """The names of its arguments, as they stand; those of MAX and MIN are ``a1``, ``a2``, ... A second argument that
    is a mask is no DIM: ``sum(x, x > 0)``."""
    known = FUNCTIONS[reference.name].arguments
    found = [argument.keyword or (known[place] if place < len(known) else f"a{place + 1}")
             for place, argument in enumerate(reference.args)]
    if "dim" in found and "mask" in known and "mask" not in found:
        place = found.index("dim")
        if type_of(reference.args[place].value).kind == "logical":
            found[place] = "mask"
    return tuple(found)


def bound(reference: ir.Intrinsic) -> dict[str, ir.Expr]:
    """The arguments by their names."""
    return {name: argument.value for name, argument in zip(names_of(reference), reference.args, strict=True)}


def _argument(args: tuple[ir.Argument, ...], keyword: str, position: int) -> ir.Expr | None:
    for place, argument in enumerate(args):
        if argument.keyword == keyword or (argument.keyword is None and place == position):
            return argument.value
    return None


def _with_kind(type_: ir.Type, kind: ir.Expr | None) -> ir.Type:
    """``type_`` in the kind a KIND argument asks for (kind numbers are byte sizes)."""
    if kind is None:
        return type_
    if not isinstance(kind, ir.Literal_) or not isinstance(kind.value, int):
        return ir.Type(type_.kind)
    return ir.Type(type_.kind, kind.value * (2 if type_.kind == "complex" else 1))


_FIXED: Final[Mapping[ResultRule, ir.Type]] = {
    "double": ir.DOUBLE, "double complex": ir.Type("complex", 16), "one character": ir.Type("character", 1),
    "long integer": ir.Type("integer", 8),
    "text": ir.Type("character"), "unknown": ir.UNKNOWN,
}  # fmt: skip
_BY_DEFAULT: Final[Mapping[ResultRule, ir.Kind]] = {
    "default real": "real", "default integer": "integer", "default logical": "logical", "default complex": "complex",
}  # fmt: skip


def _type(function: IntrinsicFunction, args: tuple[ir.Argument, ...], kinds: DefaultKinds) -> ir.Type:
    types = [type_of(argument.value) for argument in args if argument.keyword not in ("dim", "mask", "kind", "back")]
    first = types[0] if types else ir.UNKNOWN
    rule = function.result
    if rule in _FIXED:
        return _FIXED[rule]
    kind = _argument(args, "kind", function.arguments.index("kind")) if function.kinded else None
    if first.kind == "complex" and (rule == "real part" or (rule == "default real" and function.name == "real")):
        return _with_kind(ir.Type("real", first.bytes // 2 if first.bytes else None), kind)
    if rule in _BY_DEFAULT:
        return _with_kind(ir.default_type(kinds, _BY_DEFAULT[rule]), kind)
    if rule == "real part" and function.name == "aimag":
        return ir.default_type(kinds, "real")
    if rule == "product" and len(types) > 1:
        return binary_type("*", types[0], types[1])
    if rule == "last":
        return types[-1] if types else ir.UNKNOWN
    if rule == "mold":
        return types[1] if len(types) > 1 else ir.UNKNOWN
    if function.extreme and len(types) > 1:
        return max(types, key=lambda one: one.bytes or 0)
    return first


def _rank(function: IntrinsicFunction, args: tuple[ir.Argument, ...]) -> int:
    ranks = [rank_of(argument.value) for argument in args]
    first = ranks[0] if ranks else 0
    match function.shape:
        case "scalar":
            return 0
        case "reduction" | "location":
            return _reduced_rank(function, args, first)
        case "bound":
            return 0 if _argument(args, "dim", 1) is not None else 1
        case "vector":
            return 1
        case "first":
            return first
        case "spread":
            return first + 1
        case "product" if len(ranks) > 1:
            return ranks[0] + ranks[1] - 2
        case "unpack":
            return ranks[1] if len(ranks) > 1 else 1
        case "reshape":
            return max(first, 1)
        case "transfer":
            return 1 if _argument(args, "size", 2) is not None or (len(ranks) > 1 and ranks[1]) else 0
        case _:
            return max(ranks, default=0)


def _reduced_rank(function: IntrinsicFunction, args: tuple[ir.Argument, ...], first: int) -> int:
    """SUM and the like lose one dimension with DIM, all without; the second positional one may be DIM or MASK."""
    dim = _argument(args, "dim", function.arguments.index("dim"))
    if dim is not None and type_of(dim).kind != "logical":
        return max(first - 1, 0)
    return 1 if function.shape == "location" else 0
