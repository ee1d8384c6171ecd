"""Heads in Tapenade's notation: ``name(x, u)>(cost)``, ``name(x)\\(cost)``, ``name(cost)/(x)``, ``module%name``.

What the backslash means is not the same everywhere: Tapenade 3.16 reads ``name(ins)\\(outs)`` (measured,
as it reads ``name(outs)/(ins)``), other documents say ``name(outs)\\(ins)``. We follow 3.16, and turn the
lists round when only that makes sense (nothing of the first list is read, or nothing of the second written).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, set_of
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest

if TYPE_CHECKING:  # a head is parsed long before there is a model
    from snapset.analysis.memory.locations import Info, Location
    from snapset.analysis.procedures.procedure_model import ProcedureModel
    from snapset.frontend.ir import Area, Procedure, Program


@frozen
class Head:
    """What is differentiated: ``burgers(u)>(cost)`` is cost, of the procedure burgers, by u.

    ``independents`` and ``dependents`` are names of the procedure (``c%p`` for a component).

    None: all real arguments (and the function result, for dependents). ``turnable``: written with a
    backslash, so the two lists may have to be turned round.
    """

    procedure: str
    module: str | None
    independents: tuple[str, ...] | None
    dependents: tuple[str, ...] | None
    turnable: bool = False

    @property
    def text(self) -> str:
        """The canonical text, as reports show it."""
        name = f"{self.module}%{self.procedure}" if self.module else self.procedure
        ins = "" if self.independents is None else f"({','.join(self.independents)})"
        outs = "" if self.dependents is None else f">({','.join(self.dependents)})"
        return name + ins + outs


_NAME = r"[a-z_][\w]*(?:\s*%\s*[a-z_]\w*)*"
_LIST = r"\(([^()]*)\)"
_HEAD = pattern_of(rf"\s*({_NAME})\s*(?:{_LIST})?\s*(?:(>|\\|/)\s*{_LIST})?\s*", re.IGNORECASE)


def parse_heads(text: str) -> tuple[Head, ...]:
    """All heads in one string, separated by blanks.

    Raises:
        InputError: what is not a head, quoted, with an example of one.
    """
    heads: list[Head] = []
    at = 0
    while at < len(text.rstrip()):
        match = _HEAD.match(text, at)
        if match is None or match.end() == at:
            raise InputError(f"cannot read head '{text.strip()}'; write it as 'name(x, u)>(cost)'")
        heads.append(_head(match, text))
        at = match.end()
        if at < len(text) and not (text[at].isalpha() or text[at] == "_"):
            raise InputError(f"cannot read head '{text.strip()}' at '{text[at:]}'; write it as 'name(x, u)>(cost)'")
    if not heads:
        raise InputError("the head is empty; write it as 'name(x, u)>(cost)'")
    return tuple(heads)


def _head(match: re.Match[str], text: str) -> Head:
    path = [p.strip().lower() for p in match[1].split("%")]
    if len(path) > 2:
        raise InputError(f"cannot read '{match[1]}' in head '{text.strip()}'; a procedure is name or module%name")
    first, second = _names(match[2], text), _names(match[4], text)
    if match[3] == "/":
        first, second = second, first
    return Head(path[-1], path[0] if len(path) == 2 else None, first, second, match[3] == "\\")


def _names(text: str | None, whole: str) -> tuple[str, ...] | None:
    if text is None:
        return None
    if not text.strip():
        return None
    parts = re.split(r"\s*,\s*|(?<![\s%.])\s+(?![\s%.])", text.strip().lower())
    names = tuple(dict.fromkeys(re.sub(r"\s*[%.]\s*", "%", part) for part in parts))
    for name in names:
        if not re.fullmatch(r"[a-z_]\w*(%[a-z_]\w*)*", name):
            raise InputError(f"'{name}' in head '{whole.strip()}' is no name")
    return names


def find_procedure(program: Program, head: Head) -> Procedure:
    """The procedure a head names.

    Raises:
        InputError: none of that name, or several (name its module then).
    """
    found = [p for p in program.procedures.values() if p.name == head.procedure and p.host is None
             and (head.module is None or p.module == head.module)]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"{p.module or 'external'}%{p.name}" for p in found)
        raise InputError(f"several procedures are called '{head.procedure}': {places}; name the module in the head")
    names = sorted(p.name for p in program.procedures.values() if p.host is None)
    name = head.text.split("(")[0].split(">")[0]
    raise InputError(f"no procedure '{name}' in the given files; they hold: {', '.join(names[:12]) or 'none'}"
                     + (nearest(head.procedure, names) or _no_module(program, head)))


def _no_module(program: Program, head: Head) -> str:
    """What to do about a head in a module that was not given."""
    held = {p.module for p in program.procedures.values()} | {module for module, _ in program.module_variables}
    missing = head.module is not None and head.module not in held
    return f"; none holds module '{head.module}': add the file that does" if missing else ""


def orient(head: Head, model: ProcedureModel) -> Head:
    """The head with the lists of a backslash the right way round."""
    if not head.turnable:
        return head
    turned = replace(head, independents=head.dependents, dependents=head.independents)
    return turned if _possible(turned, model) and not _possible(head, model) else head


def _possible(head: Head, model: ProcedureModel) -> bool:
    independents, dependents = independents_and_dependents(head, model)
    return bool(independents & model.summary.use and dependents & model.summary.out)


def independents_and_dependents(head: Head, model: ProcedureModel) -> tuple[Exact, Exact]:
    """The head's arguments as locations.

    Raises:
        InputError: a name that the procedure does not know or that is not real.
    """
    defaults = [n for n in model.procedure.formals if n in model.procedure.variables]
    outs = defaults + ([model.procedure.result] if model.procedure.result else [])
    return _bits(head, head.independents, defaults, model), _bits(head, head.dependents, outs, model)


def _bits(head: Head, names: tuple[str, ...] | None, defaults: list[str], model: ProcedureModel) -> Exact:
    total = EMPTY
    for name in defaults if names is None else names:
        found = _leaves(name, model, head)
        if names is not None and not found:
            raise InputError(f"procedure '{head.procedure}' has no argument or variable '{name.replace('%', '.')}' "
                             f"(head '{head.text}'){nearest(name, model.procedure.variables)}", model.procedure.span)
        if names is not None and _is_local(name.partition("%")[0], model):
            raise InputError(f"'{name}' in head '{head.text}' is a local variable of '{head.procedure}', which nothing "
                             "outside sees; name arguments, its result, or module and COMMON variables",
                             model.procedure.span)
        if names is not None and not any(info.type.differentiable for info in found.values()):
            raise InputError(f"'{name}' in head '{head.text}' is not real: nothing can be differentiated with respect "
                             "to it", model.procedure.span)
        total |= set_of(i for i in map(model.space.find, found) if i is not None) & model.smooth
    return total


def _is_local(name: str, model: ProcedureModel) -> bool:
    """A main program has nothing else, so there locals will do."""
    variable = model.procedure.variables.get(name)
    return (variable is not None and variable.area.kind == "local" and model.procedure.kind != "program"
            and name != model.procedure.result)


def _leaves(name: str, model: ProcedureModel, head: Head) -> dict[Location, Info]:
    """The locations of a name, those among them that neither the procedure nor its callees touch too."""
    base, *path = name.split("%")
    if base not in model.procedure.variables and base == head.procedure and model.procedure.result:
        base = model.procedure.result
    variable = model.procedure.variables.get(base)
    if variable is None or variable.value is not None:
        return _global(base, path, model)
    leaves = model.refs.cut(base, model.refs.storage.leaves(variable))
    return _at({leaf.location: leaf.info for leaf in leaves}, tuple(path), model)


def _global(base: str, path: list[str], model: ProcedureModel) -> dict[Location, Info]:
    """A global variable that only callees name; none where several have that name."""
    every: dict[Area, dict[Location, Info]] = {}
    for location, info in zip(model.space.locations, model.space.infos, strict=True):
        name = info.name.rsplit("::", 1)[-1].rsplit("/", 1)[-1].partition("%")[0]
        if location.area.kind in ("module", "common") and name == base:
            every.setdefault(location.area, {})[location] = info
    found = [one for one in (_at(leaves, tuple(path), model) for leaves in every.values()) if one]
    return found[0] if len(found) == 1 else {}


def _at(leaves: dict[Location, Info], path: tuple[str, ...], model: ProcedureModel) -> dict[Location, Info]:
    """Of a variable's locations those of a component: those in it, else the one that it is a part of, ``all`` of
    ``all%c%u`` where an object of too many components is one location."""
    found = {place: info for place, info in leaves.items() if place.path[:len(path)] == path}
    if found:
        return found
    for place, info in leaves.items():
        depth = len(place.path)
        if place.path == path[:depth] and info.type.derived is not None:
            part = model.refs.storage.part(info.type.derived, path[depth:])
            if part is not None:
                return {place: info if part.type.derived is not None else replace(info, type=part.type)}
    return {}
