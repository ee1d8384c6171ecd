"""Names given in options or in the project file that nothing has: they are said, with the nearest one that there is.

A name of the program that no formula contains is worth a word only where it was given for this run: a project file's
``assume`` serves many heads. A name that nothing has at all is a slip of the pen wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest

if TYPE_CHECKING:
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program

_FIRST = pattern_of(r"(?:size|trips|ubound|lbound|len)\((.*)", re.DOTALL)  # of size(x, 1), trips(march:12)


def notes(settings: Settings, program: Program, used: Collection[str] | None, contains: Iterable[str] = (),
          what: str = "no formula contains it", diagnosed: bool = False) -> tuple[str, ...]:
    """One line for each name. ``used``: the assumed names that made a difference, None where that is not known;
    ``contains``: names that formulas contain, which are proposed first; ``what`` to say of one that made none;
    ``diagnosed``: the diagnostics are shown, which say what is split for nothing."""
    found = [*_assumed(settings, program, used, tuple(contains), what)]
    if not settings.explicit_heads:
        found += _effects(settings, program)
    if settings.choices.split and not diagnosed:
        from snapset.analysis.activity.adjoint_codes import unknown_names

        found += (one.message for one in unknown_names(program, settings.choices.split, Span("-", 1, 1)))
    return tuple(found)


def _assumed(settings: Settings, program: Program, used: Collection[str] | None, contains: tuple[str, ...],
             what: str) -> Iterator[str]:
    unused = sorted(settings.assume.keys() - (used or ()))
    names = _names(program) if unused else frozenset()
    for name in unused:
        asked = name in settings.asked
        there = _base(name) in names
        if there and asked and used is not None:
            yield f"--assume {name}: {what}{nearest(name, contains)}"
        elif not there and (asked or not settings.explicit_heads):
            where = "--assume" if asked else f"{settings.project}: assume:"
            near = nearest(name, contains) or nearest(name, names)
            yield f"{where} {name}: {what if asked and used is not None else 'nothing has that name'}{near}"


def _effects(settings: Settings, program: Program) -> Iterator[str]:
    """Declared effects of what nobody calls, or of what has source, which comes before them."""
    from snapset.frontend.interprocedural.lazy_procedures import body_facts_of

    effects = settings.choices.effects
    if not effects:
        return
    called = {call.name for procedure in program.procedures.values() for call in body_facts_of(procedure).outside}
    sources = {procedure.name for procedure in program.procedures.values()}
    for name in sorted(effects.keys() - called):
        said = "its source is there and counts" if name in sources else f"no call of it{nearest(name, called)}"
        yield f"{settings.project}: effects: {name}: {said}"


def _base(name: str) -> str:
    """The variable or procedure that a name begins with: ``c`` of ``c%p``, ``x`` of ``size(x, 1)``."""
    inner = _FIRST.fullmatch(name)
    path = (inner[1] if inner else name).split("%")[0].split("(")[0]
    return re.split(r"[,:)]", path.rpartition("::")[2])[0].strip()


def _names(program: Program) -> frozenset[str]:
    """Of all variables and procedures."""
    found = {name for procedure in program.procedures.values() for name in (procedure.name, *procedure.variables)}
    found |= {name for _, name in program.module_variables}
    return frozenset(found)
