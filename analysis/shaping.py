"""Assignments that may give an allocatable variable another shape (Fortran 2003's automatic reallocation)."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.frontend import ir
from snapset.frontend.exprs import rank_of

# Of these only the first argument, or none, has the value's shape.
_RESHAPING = frozenset((
    "sum", "product", "maxval", "minval", "any", "all", "count", "matmul", "transpose", "reshape", "spread", "pack",
    "unpack", "maxloc", "minloc", "findloc", "shape", "lbound", "ubound", "transfer", "dot_product", "norm2",
))


def may_reallocate(stmt: ir.Assign, variables: Mapping[str, ir.Variable], types: Mapping[str, ir.DerivedType]) -> bool:
    """Can the assignment change what is allocated? Not where its value has the target's own shape: ``h = h + dt*f``."""
    target = stmt.target
    if target.parts[-1].subscripts is not None or target.substring is not None:
        return target.type.kind == "derived" and _holds_allocatable(target.type, types)
    declared = _declared(target, variables, types)
    if declared is not None and declared.allocatable and (rank_of(stmt.value) > 0 or target.rank == 0):
        return not _like(stmt.value, target)
    return target.type.kind == "derived" and _holds_allocatable(target.type, types)


def _declared(ref: ir.Ref, variables: Mapping[str, ir.Variable],
              types: Mapping[str, ir.DerivedType]) -> ir.Variable | None:
    """The declaration of a reference's last part."""
    found = variables.get(ref.name)
    for part in ref.parts[1:]:
        type_ = types.get(found.type.derived or "") if found is not None else None
        found = next((c for c in type_.components if c.name == part.name), None) if type_ is not None else None
    return found


def _holds_allocatable(type_: ir.Type, types: Mapping[str, ir.DerivedType]) -> bool:
    work, seen = [type_.derived], set[str]()
    while work:
        key = work.pop()
        if key is None or key in seen or key not in types:
            continue
        seen.add(key)
        if any(component.allocatable for component in types[key].components):
            return True
        work += [component.type.derived for component in types[key].components if not component.pointer]
    return False


def _like(value: ir.Expr, target: ir.Ref) -> bool:
    """Has an expression the shape of a variable, being computed from it element by element?"""
    work = [value]
    while work:
        one = work.pop()
        match one:
            case ir.Ref() if one == target:
                return True
            case ir.Unary():
                work.append(one.operand)
            case ir.Binary():
                work += [one.left, one.right]
            case ir.Intrinsic() if one.name not in _RESHAPING:
                work += [argument.value for argument in one.args]
    return False
