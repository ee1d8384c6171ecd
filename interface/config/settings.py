"""What a run is about: the command line over the project file."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Mapping
from glob import glob
from pathlib import Path
from typing import Any

from snapset.analysis.analysis_options import joined, records, unset
from snapset.config.budget_table import Budget
from snapset.config.gcov_counts import read_counts
from snapset.config.project_file import Project, discover
from snapset.frontend.base.default_kinds import STANDARD, DefaultKinds
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.persistence.disk_cache import default_directory
from snapset.library.analysis import STRATEGIES, Choices, Region, parse_loop

_PATTERN = pattern_of(r"[*?\[]")
_PLACE = pattern_of(r"(.*[^:]):(\d{1,9})")
_REGION = pattern_of(r"(.+):(\d{1,9})-(\d{1,9})")


@frozen
class Settings:
    """Everything a command needs. ``heads`` are texts; ``explicit_heads``: given on the command line.

    ``assume`` gives values to names; ``asked`` are those of them from the command line. ``project``: the project
    file, empty without one.
    ``loops``: time loops by file and line. ``budgets``: what heads and parts may cost. ``select``, ``ignore``: codes of
    diagnostics that alone are shown, or are not.
    ``cache``: its directory. ``jobs`` None: as many as pay.
    """

    files: tuple[str, ...]
    heads: tuple[str, ...]
    explicit_heads: bool
    read: ReadOptions
    regions: tuple[Region, ...]
    choices: Choices
    assume: Mapping[str, int]
    asked: frozenset[str]
    baseline: Path
    jobs: int | None
    quiet: bool
    executor: str | None = None
    cache: Path | None = None
    project: str = ""
    loops: tuple[tuple[str, int], ...] = ()
    budgets: tuple[Budget, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def settle(options: argparse.Namespace, directory: Path) -> Settings:
    """The command line's options over those of the project file found from ``directory`` upwards.

    Raises InputError for what is malformed or contradicts itself.
    """
    found = discover(directory)
    project = found or Project(file="")
    files = once(matched(options.files) or project.sources)
    if not files:
        lack = getattr(options, "no_files", "no Fortran files given")
        if found:
            raise InputError(f"{lack}; {found.file} names no sources: name files, or set sources there")
        raise InputError(f"{lack}, and no project file here or above: name files, or write one with snapset init")
    for one in options.include:
        if not os.path.isdir(one):
            raise InputError(f"-I {one}: no such directory; leave it out, or correct it")
    assume = assumptions(options.assume)
    return Settings(
        files=files,
        heads=tuple(options.head) or project.heads,
        explicit_heads=bool(options.head),
        read=ReadOptions(
            include_dirs=(*options.include, *project.include_paths),
            macros=macros(project.macros, tuple(options.macro)),
            form=options.form or project.form,
            preprocess=True if options.cpp else project.preprocess,
            kinds=DefaultKinds(
                integer=options.integer_kind or project.integer_kind or STANDARD.integer,
                real=options.real_kind or project.real_kind or STANDARD.real,
            ),
        ),
        regions=tuple(dict.fromkeys(parse_region(text, files) for text in (*options.region, *project.regions))),
        choices=Choices(
            strategies=_strategies(options) or project.strategy or STRATEGIES,
            **_options(options, project, files, assume),
        ),
        assume={**project.assume, **assume},
        asked=frozenset(assume),
        baseline=Path(getattr(options, "baseline", None) or project.baseline),
        jobs=options.jobs,
        quiet=options.quiet,
        executor=getattr(options, "executor", None),
        cache=None if options.no_cache else Path(options.cache_dir) if options.cache_dir else default_directory(),
        project=project.file,
        loops=tuple(parse_loop(text, files) for text in getattr(options, "loop", None) or project.loops),
        budgets=project.budgets,
        select=project.select,
        ignore=project.ignore,
    )


def _strategies(options: argparse.Namespace) -> str:
    """What the command line says of strategies, those in files behind the others."""
    files = getattr(options, "strategy_file", None) or []
    if options.strategy is not None and not options.strategy.strip():
        raise InputError("--strategy names none; use lazy, eager, optimal or all, or leave it out")
    if not files:
        return options.strategy or ""
    from snapset.config.strategy_file import read_strategy

    return ",".join([*filter(None, [options.strategy]), *map(read_strategy, files)])


def _options(options: argparse.Namespace, project: Project, files: tuple[str, ...],
             assume: Mapping[str, int]) -> dict[str, Any]:
    """Each option of the analysis, from the command line and the project file; ``assume``: that of the command line."""
    given = {name: joined(name, getattr(options, name, unset(name)), getattr(project, name))
             for name in records() if name not in ("assume", "counts")}
    given["split"] = tuple(parse_split(text, files) for text in given["split"])
    given["pareto"] = given["pareto"] or bool(getattr(options, "pareto_picture", None))
    return {**given, "assume": joined("assume", assume, project.assume),
            "counts": read_counts(getattr(options, "counts", None) or [], files)}


def matched(names: Iterable[str]) -> tuple[str, ...]:
    """``src/*.f90`` that the shell has left as it is, as where it stands in quotes: the files it means, sorted. Raises
    InputError where there is none."""
    found: list[str] = []
    for name in names:
        if not _PATTERN.search(name) or os.path.lexists(name):
            found.append(name)
            continue
        matches = sorted(one for one in glob(name, recursive=True) if os.path.isfile(one))
        if not matches:
            raise InputError(f"{name}: no file matches")
        found += matches
    return tuple(found)


def once(files: tuple[str, ...]) -> tuple[str, ...]:
    """Each file once, however it is spelt or linked to, as first named."""
    found: dict[str, str] = {}
    for file in files:
        found.setdefault(os.path.realpath(file), file)
    return tuple(found.values())


def assumptions(texts: list[str]) -> dict[str, int]:
    """Raises InputError for a malformed one, and for one name with two values."""
    if not texts:
        return {}
    from snapset.render.layout.byte_figures import parse_assumption

    values: dict[str, int] = {}
    for text in texts:
        name, value = parse_assumption(text)
        if values.setdefault(name, value) != value:
            raise InputError(f"--assume gives {name} two values, {values[name]} and {value}")
    return values


def macros(of_project: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """The command line's definition of a macro replaces the project's.

    Raises InputError for what is not NAME or NAME=VALUE.
    """
    for text in given:
        if not re.fullmatch(r"[A-Za-z_]\w*(=.*)?", text, re.DOTALL):
            raise InputError(f"-D {text}: not NAME or NAME=VALUE")
    values = {text.partition("=")[0]: text for text in (*of_project, *given)}
    return tuple(values.values())


def parse_split(text: str, files: tuple[str, ...] = ()) -> str:
    """A procedure's name in lower case, or ``FILE:LINE``, FILE spelt as in ``files`` where it is one of them."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return text.strip().lower()
    same = [file for file in files if os.path.realpath(file) == os.path.realpath(match[1])]
    return f"{(same or [match[1]])[0]}:{int(match[2])}"


def parse_region(text: str, files: tuple[str, ...] = ()) -> Region:
    """``FILE:FIRST-LAST``, FILE spelt as in ``files`` where it is one of them.

    Raises InputError for anything else, and when FIRST comes after LAST.
    """
    match = _REGION.fullmatch(text)
    if match is None:
        raise InputError(f"--region {text}: not FILE:FIRST-LAST, such as model.f90:12-19")
    first, last = int(match[2]), int(match[3])
    if first < 1 or first > last:
        raise InputError(f"--region {text}: line {first} is not before line {last}; write FILE:FIRST-LAST")
    same = [file for file in files if os.path.realpath(file) == os.path.realpath(match[1])]
    return (same or [match[1]])[0], first, last
