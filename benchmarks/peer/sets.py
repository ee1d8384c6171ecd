"""Both tools' sets of every checkpointed part of a head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import snapset
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.results import Part, Solution
from snapset.frontend.ir import Program
from snapset.library.analysis import parse_heads

from benchmarks.peer.figures import Sizes
from benchmarks.peer.texts.fortran_text import Unit, statements, units
from benchmarks.peer.texts.generated import is_control
from benchmarks.peer.texts.pairing import (
    Call,
    Found,
    Names,
    Outer,
    calls_of,
    find_outer,
    forward_calls,
    pair_calls,
    pair_region,
    words,
)

STRATEGIES = ("lazy", "optimal")
Relation = Literal["equal", "smaller", "larger", "other"]


@dataclass(frozen=True)
class Saved:
    """Names and bytes of what is saved before a part."""

    names: frozenset[str]
    bytes: int


@dataclass(frozen=True)
class Row:
    """One part. ``peer``: None where no part of its code was found to be this one.

    ``run``: the peer's forward sweep runs the part (otherwise it saves nothing for it).
    """

    part: str
    callee: str
    peer: Saved | None
    run: bool
    ours: Mapping[str, Saved]

    def relation(self, strategy: str) -> Relation | None:
        """Our set to the peer's; of the same locations the bytes decide (of some only sections are saved)."""
        if self.peer is None:
            return None
        ours, peer = self.ours[strategy], self.peer
        if ours.names == peer.names:
            return "equal" if ours.bytes == peer.bytes else "smaller" if ours.bytes < peer.bytes else "larger"
        if ours.bytes > peer.bytes:
            return "larger"
        return "smaller" if ours.names < peer.names else "other"


def compared(program: Program, paths: Sequence[str], head: str, generated: str,
             choices: snapset.Choices | None = None) -> list[Row]:
    """Both tools' sets, part by part.

    Args:
        paths: the program's files.
        generated: the text of the peer's adjoint; fixed form if that of the first file is.
        choices: how to analyse (with :data:`STRATEGIES`).

    Raises:
        InputError: what snapset raises.
    """
    choices = replace(choices or snapset.Choices(), strategies=",".join(STRATEGIES))
    result = snapset.analyse(program, head, choices)
    models = _models(program, head, choices)
    spaces = {m.procedure.name: Sizes(m, choices.assume) for m in models.by_key.values()}
    sources = {path: units(statements(Path(path).read_text(errors="replace"), is_fixed(path))) for path in paths}
    names = _names(models, sources)
    adjoints = units(statements(generated, is_fixed(paths[0])))
    rows = []
    for procedure, file in dict.fromkeys((p.procedure, p.file) for p in result.parts):
        parts = [p for p in result.parts if (p.procedure, p.file) == (procedure, file)]
        source = next(unit for unit in sources[file] if unit.holds(parts[0].first_line))
        candidates = [unit for unit in adjoints if unit.name == f"{procedure}_b"]
        found = _found(parts, source, candidates, names)
        rows += [_row(p, found.get(i), spaces[procedure]) for i, p in enumerate(parts)]
    return rows


def is_fixed(path: str) -> bool:
    return Path(path).suffix.lower() in (".f", ".for", ".ftn")


def _models(program: Program, head: str, choices: snapset.Choices) -> Models:
    """Of all procedures that the head reaches."""
    root = find_procedure(program, parse_heads([head])[0]).key
    return Models(program, choices.effects, root, choices.distinct_pointers)


def _names(models: Models, sources: Mapping[str, Sequence[Unit]]) -> Names:
    """What every called name may mean."""
    found = {unit.name: {unit.name} for file in sources.values() for unit in file}
    for model in models.by_key.values():
        for site in model.calls.values():
            meant = {models.program.procedures[t.key].name for t in site.targets}
            found.setdefault(site.stmt.name, set()).update(meant or {site.stmt.name})
    return {name: frozenset(meant) for name, meant in found.items()}


def _found(parts: Sequence[Part], source: Unit, adjoints: Sequence[Unit], names: Names) -> dict[int, Found]:
    """By index of the part. Of several units of that name the one that fits best."""
    best: dict[int, Found] = {}
    for adjoint in adjoints:
        one = _in_unit(parts, source, adjoint, names)
        if len(one) > len(best):
            best = one
    return best


def _in_unit(parts: Sequence[Part], source: Unit, adjoint: Unit, names: Names) -> dict[int, Found]:
    calls = calls_of(source, names)
    known = frozenset().union(*(words(s.text) for s in source.statements))
    forward = forward_calls(adjoint, names, known)
    outer = _outer(parts, source, adjoint)
    pairs = dict(pair_calls(calls, forward))
    for one in outer.values():
        inside = [i for i, call in enumerate(calls) if one.first <= call.line <= one.last]
        behind = [call for call in forward if call.line > one.behind]
        again = pair_calls([calls[i] for i in inside], behind)
        pairs = {i: call for i, call in pairs.items() if i not in inside} | {inside[i]: c for i, c in again.items()}
    backward = {name.removesuffix("_b") for s in adjoint.statements for name in words(s.text) if name.endswith("_b")}
    reversed_ = frozenset().union(*(names.get(name, ()) for name in backward))
    found: dict[int, Found] = {}
    taken: set[int] = set()
    for number, part in enumerate(parts):
        if part.kind != "call":
            region = pair_region(source, part.first_line, part.last_line, adjoint, outer.get(part.parent or ""))
            found[number] = region or Found(None, ())
            continue
        at = next((i for i, call in enumerate(calls) if i not in taken and _is(call, part)), None)
        if at is None:
            continue
        taken.add(at)
        if at in pairs and pairs[at].step is not None:
            step = pairs[at].step
            found[number] = Found(step, step.pushes)
        elif calls[at].names & reversed_:
            found[number] = Found(None, ())
    return found


def _outer(parts: Sequence[Part], source: Unit, adjoint: Unit) -> dict[str, Outer]:
    """The marked parts that hold others, by id, outermost first, where their first runs are found."""
    holding = {part.parent for part in parts}
    found: dict[str, Outer] = {}
    for part in parts:
        if part.kind != "call" and part.id in holding:
            one = find_outer(source, part.first_line, part.last_line, adjoint, found.get(part.parent or ""))
            if one is not None:
                found[part.id] = one
    return found


def _is(call: Call, part: Part) -> bool:
    callees = frozenset((part.callee or "").split(", "))
    return part.first_line <= call.line <= part.last_line and bool(call.names & callees)


def _row(part: Part, found: Found | None, sizes: Sizes) -> Row:
    ours = {name: _ours(solution, sizes) for name, solution in part.solutions.items()}
    peer = None if found is None else _peer(part, found, sizes)
    return Row(part.id, part.callee or "", peer, found is not None and found.step is not None, ours)


def _ours(solution: Solution, sizes: Sizes) -> Saved:
    return Saved(frozenset((*solution.snp, *solution.sbk)),
                 sum(sizes.amount(amount) or 0 for amount in solution.sizes.values()))


def _peer(part: Part, found: Found, sizes: Sizes) -> Saved:
    """What is pushed for the part.

    ``y = f(x)``: a PUSH of y is the assignment's tape, which snapset lists apart; a temporary in y's place is the
    function's result.
    """
    text = found.step.statement.text if found.step is not None else ""
    target = text.split("=")[0].strip() if part.kind == "call" and not text.startswith("call") else ""
    pushes = {p.designator: p for p in found.pushes}
    names: set[str] = set()
    total = 0
    for push in pushes.values():
        name = push.name
        if is_control(name) and not sizes.infos(name):
            continue
        if push.designator == target:
            if sizes.infos(push.name):
                continue
            name = f"{part.callee}@{part.first_line}"
        names |= sizes.canonical(name)
        total += sizes.push(push)
    return Saved(frozenset(names), total)
