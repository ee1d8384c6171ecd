"""What is known of an array that has no more elements than a section of it."""

from __future__ import annotations

from dataclasses import replace

from snapset.analysis.memory.locations import Info
from snapset.frontend import ir


def bounded(info: Info, section: ir.Ref) -> Info:
    """An array that has no more elements than a section of it: of ``u(2:n-1, now)`` the bounds are 2 and n - 1, now
    and now."""
    given = iter([one for part in section.parts for one in part.subscripts or ()])
    shapes = []
    for shape in info.shapes:
        dims = [_limits(next(given), dim, info.name, number) for number, dim in enumerate(shape.dims, 1)]
        kind = "explicit" if shape.dims else shape.kind
        shapes.append(replace(shape, kind=kind, dims=tuple(dims)))
    return replace(info, shapes=tuple(shapes))


def _limits(subscript: ir.Subscript, dim: ir.Dim, name: str, number: int) -> ir.Dim:
    if subscript == ir.Range():
        if dim.upper is not None or "%" in name:
            return dim
        args = (ir.Argument(ir.Ref((ir.PartRef(name),), ir.INTEGER)), ir.Argument(ir.Literal_(number, ir.INTEGER)))
        return replace(dim, upper=ir.Intrinsic("size", args, ir.INTEGER)) if dim.lower is None else dim
    if isinstance(subscript, ir.Range):
        return ir.Dim(subscript.lower, subscript.upper)
    return ir.Dim(subscript, subscript)
