"""Which objects code that is not here may have made: the procedure pointers in them may be anything.

``type(solver) :: s`` in a procedure of the head's run is made in that run, and what no statement of the program lets
``s%report`` be it is not. But a head's dummy argument was made by the head's caller, and a module's variable, a SAVEd
one or one of COMMON may have been set before the head was called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from snapset.frontend import ir

_OLDER = ("module", "common", "saved")  # areas that may be older than the head's run


@dataclass(slots=True)
class ForeignObjects:
    """The types of such objects, with the types of what they hold and may be. ``any_type``: one is not known."""

    program: ir.Program
    types: set[str] = field(default_factory=set)
    any_type: bool = False

    def start(self, head: str) -> None:
        """With what is older than a run of the head."""
        for procedure in self.program.procedures.values():
            for variable in procedure.variables.values():
                if is_older(variable.area) or (procedure.key == head and variable.area.kind == "formal"):
                    self.add(variable.type)

    def add(self, type_: ir.Type) -> bool:
        """Take objects of a type in. Was that new?"""
        before = len(self.types), self.any_type
        work = [type_]
        for one in work:
            work += self._taken(one)
        return before != (len(self.types), self.any_type)

    def _taken(self, type_: ir.Type) -> Iterator[ir.Type]:
        """One type, and what its objects hold and may be."""
        if type_.kind not in ("derived", "unknown") or type_.derived in self.types:
            return
        found = self.program.types.get(type_.derived or "")
        if found is None:
            self.any_type = True
            return
        self.types.add(found.key)
        yield from (component.type for component in found.components)
        yield from (ir.Type("derived", derived=other.key) for other in self.program.types.values()
                    if other.extends == found.key)

    def hold(self, component: str) -> bool:
        """May such an object have a procedure pointer component of this name?"""
        return self.any_type or any(one.name == component and one.type.kind == "procedure"
                                    for key in self.types for one in self.program.types[key].components)


def is_older(area: ir.Area) -> bool:
    """May a variable be older than the head's run?"""
    return area.kind in _OLDER
