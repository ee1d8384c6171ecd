"""How a caller's formulas call what only its callee has: ``step::n``, ``size(step::w)``, ``grid::n`` of a module."""

from __future__ import annotations

from snapset.analysis.symbolic.atoms import Sym
from snapset.frontend import ir


def foreign(sym: Sym, callee: ir.Procedure) -> Sym:
    """A callee's variable that its caller cannot name."""
    if "::" in sym.name:
        return Sym(sym.name, what=sym.what or "value")
    area = sym.area
    owner = area.owner if area is not None and area.kind == "module" else callee.name
    inner, call = (sym.name[5:], "size(") if sym.name.startswith("size(") else (sym.name, "")
    kept = area if area is not None and area.kind in ("module", "common", "saved") else None
    return Sym(f"{call}{owner}::{inner}", kept, sym.path if kept else (), sym.what or ("" if kept else "value"))
