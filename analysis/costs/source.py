"""Integer expressions as Fortran text."""

from __future__ import annotations

from collections.abc import Iterable

from snapset.frontend.ir import Binary, Expr, Intrinsic, Literal_, Range, Ref, Unary


def source(expr: Expr | Range) -> str | None:
    """An integer expression as Fortran text; None for what has no short one."""
    match expr:
        case Literal_(value=bool()):
            return None
        case Literal_(value=int(number)):
            return str(number)
        case Ref(parts=parts):
            links = [_call(part.name, part.subscripts) for part in parts]
            return None if None in links else "%".join(link for link in links if link)
        case Intrinsic(name=name, args=args):
            return _call(name, tuple(argument.value for argument in args))
        case Unary(op=op, operand=operand):
            inner = source(operand)
            return None if inner is None else f"{op}{inner}"
        case Binary(op=op, left=left, right=right):
            sides = source(left), source(right)
            return None if None in sides else f"({sides[0]}{op}{sides[1]})"
        case Range(lower=lower, upper=upper, step=None):
            ends = [source(end) if end else "" for end in (lower, upper)]
            return None if None in ends else f"{ends[0]}:{ends[1]}"
        case _:
            return None


def _call(name: str, args: Iterable[Expr | Range] | None) -> str | None:
    if args is None:
        return name
    texts = [source(argument) for argument in args]
    return None if None in texts else f"{name}({', '.join(text for text in texts if text is not None)})"
