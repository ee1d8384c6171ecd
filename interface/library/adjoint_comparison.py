"""A generated adjoint against what is needed: the library's function, which ``snapset compare`` calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Pragma, ReadOptions, Unit
from snapset.library.analysis import Choices, Region, analysis_options, load, parse_heads, parse_strategies, read_files
from snapset.library.explanation import FIRST

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.comparison.verdicts.compared_head import ComparedHead
    from snapset.frontend.ir import Program


ANALYSED = 0.35
"""How much of a comparison is done once the source's head is analysed."""


def compare(adjoints: Iterable[str], sources: Iterable[str], head: str, choices: Choices | None = None, *,
            read: ReadOptions | None = None, regions: Iterable[Region] = ()) -> ComparedHead:
    """What the adjoint that an AD tool made of a head saves too much, and what is missing.

    ``adjoints``: the generated files, with Tapenade's PUSH and POP calls. ``sources``: the original ones.

    Raises InputError for files that cannot be read, an unknown head, or a head whose adjoint is not there.
    """
    collections("compare", adjoints=adjoints, sources=sources, regions=regions)
    choices, adjoints, sources = choices or Choices(strategies=FIRST), tuple(adjoints), tuple(sources)
    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted")
    read = read or ReadOptions()
    program = load(sources, read, regions=regions, heads=[head], effects=choices.effects)
    return comparison(program, heads[0], choices, adjoint_program(adjoints, sources, read))


def comparison(program: Program, head: Head, choices: Choices, adjoint: Program,
               share: Callable[[float], None] = lambda done: None) -> ComparedHead:
    """The same of programs that are loaded. ``share`` hears how much is done, from 0 to 1."""
    from snapset.analysis.comparison.verdicts.compared_head import compared_head
    from snapset.analysis.evidence.part_explanation import HeadExplainer

    strategy = parse_strategies(choices.strategies)[0]
    options = analysis_options(replace(choices, tape_scalars=True))  # what the tool computes again is seen in its text
    explainer = HeadExplainer(program, head, strategy, options)
    share(ANALYSED)
    return compared_head(program, adjoint, explainer, choices.effects)


def adjoint_program(adjoints: Sequence[str], sources: Sequence[str], read: ReadOptions) -> Program:
    """The generated files, with what they use of the original ones. Raises InputError for what cannot be read."""
    from snapset.frontend.load import load_units

    generated = [_without_directives(one) for one in read_files(adjoints, read)]
    names = {(one.kind == "module", one.name) for one in generated}
    originals = [one for one in read_files(sources, read)
                 if (one.kind == "module", one.name) not in names and one.kind != "program"]
    return load_units([*generated, *originals], (*adjoints, *sources), kinds=read.kinds)


def _without_directives(unit: Unit) -> Unit:
    """What a tool leaves of the source's directives is not balanced, and marks no part of its own."""
    items = tuple(one for one in unit.items if not isinstance(one, Pragma))
    return replace(unit, items=items, contains=tuple(map(_without_directives, unit.contains)))


def without_superfluous(adjoints: Sequence[str], found: ComparedHead, directory: str,
                        read: ReadOptions) -> tuple[tuple[str, int], ...]:
    """Write the generated files without what is superfluous, under their names in ``directory``; what there is to know:
    each file's path, and how many PUSHes fewer it has.

    A PUSH goes with its POP, and where a POP may take what one of several PUSHes has put there, all go or none does.
    Raises InputError, before anything is written, where a file of that name is there already, two have one name, or the
    directory is none.
    """
    from snapset.analysis.comparison.adjoint_rewriter import removable, without_calls
    from snapset.atomic_file import save
    from snapset.frontend.sources.files import form_of

    targets = _targets(adjoints, directory)
    texts = {path: Path(path).read_bytes().decode("latin-1") for path in adjoints}
    fixed = {path: form_of(path, read) == "fixed" for path in adjoints}
    gone: dict[str, dict[int, str]] = {path: {} for path in adjoints}
    fewer = dict.fromkeys(adjoints, 0)
    for one in found.superfluous:
        calls = {(call.span.file, call.span.line, call.name) for pair in one.pairs for call in (pair.push, pair.pop)}
        if all(file in texts and removable(texts[file], fixed[file], [(line, name)]) for file, line, name in calls):
            for file, line, name in calls:
                gone[file][line] = name
                fewer[file] += name.startswith("push")
    Path(directory).mkdir(parents=True, exist_ok=True)
    for path, target in targets.items():
        save(target, without_calls(texts[path], fixed[path], gone[path]), "adjoint", "latin-1")
    return tuple((str(targets[path]), fewer[path]) for path in adjoints)


def _targets(adjoints: Sequence[str], directory: str) -> dict[str, Path]:
    """Where each file goes. Raises InputError where something is there already."""
    place = Path(directory)
    if place.exists() and not place.is_dir():
        raise InputError(f"--patch {directory}: not a directory")
    targets = {path: place / Path(path).name for path in adjoints}
    if len(set(targets.values())) != len(targets):
        raise InputError(f"--patch {directory}: two of the adjoint's files have one name, and would be one file there")
    for target in targets.values():
        if os.path.lexists(target):
            raise InputError(f"--patch {directory}: {target} is there already; nothing is overwritten: give a "
                             "directory that holds no file of that name")
    return targets
