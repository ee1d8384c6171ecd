"""Integer expressions as Fortran text."""

from __future__ import annotations

from collections.abc import Iterable

from snapset.frontend.ir import Binary, Expr, Intrinsic, Literal_, PartRef, Range, Ref, Unary


def source(expr: Expr | Range) -> str | None:
    """An integer expression as Fortran text; None for what has no short one."""
    match expr:
        case Literal_(value=bool()):
            return None
        case Literal_(value=int(number)):
            return str(number)
        case Literal_(value=float(number), type=type_):
            return repr(number) if type_.bytes == 4 else f"{number!r}d0" if "e" not in repr(number) else (
                repr(number).replace("e", "d"))
        case Ref(parts=parts):
            links = [_call(part.name, None if _whole(part) else part.subscripts) for part in parts]
            return None if None in links else "%".join(link for link in links if link)
        case Intrinsic(name=name, args=args):
            return _call(name, tuple(argument.value for argument in args))
        case Unary(op=op, operand=operand):
            inner = source(operand)
            return None if inner is None else f"{op}{inner}"
        case Binary():
            inner = bare(expr)
            return None if inner is None else f"({inner})"
        case Range(lower=lower, upper=upper, step=step):
            ends = [bare(end) if end else "" for end in (lower, upper, *((step,) if step else ()))]
            return None if None in ends else ":".join(end for end in ends if end is not None)
        case _:
            return None


def _whole(part: PartRef) -> bool:
    """Does ``a(:, :)`` say no more than ``a``?"""
    return part.subscripts is not None and all(subscript == Range() for subscript in part.subscripts)


def bare(expr: Expr | Range) -> str | None:
    """An expression that stands alone: without parentheses around it, or around a sum's first operand."""
    if not isinstance(expr, Binary):
        return source(expr)
    sum_ = expr.op in ("+", "-") and isinstance(expr.left, Binary) and expr.left.op in ("+", "-", "*", "/")
    sides = bare(expr.left) if sum_ else source(expr.left), source(expr.right)
    product = isinstance(expr.right, Binary) and expr.right.op == "*" and expr.op in ("+", "-")
    right = bare(expr.right) if product else sides[1]
    return None if None in sides else f"{sides[0]}{expr.op}{right}"


def _call(name: str, args: Iterable[Expr | Range] | None) -> str | None:
    if args is None:
        return name
    texts = [bare(argument) for argument in args]
    return None if None in texts else f"{name}({', '.join(text for text in texts if text is not None)})"
