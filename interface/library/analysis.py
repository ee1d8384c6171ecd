"""The library's functions: files in, frozen dataclasses out. The command line is a caller of these."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from snapset.analysis.analysis_options import AnalysisOptions
from snapset.frontend.base.collection_arguments import collections, nested
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.choosing.strategy_objects import ByPart, NamedStrategy, OptSides, spelt
from snapset.library.head_runs import Entries, HeadRun

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.pipeline import HeadAnalysis
    from snapset.analysis.recording.strategies import Strategy
    from snapset.analysis.results import HeadResult
    from snapset.frontend.base.source_model import Unit
    from snapset.frontend.interprocedural.unit_reachability import Roots
    from snapset.frontend.ir import Call, Program
    from snapset.frontend.persistence.disk_cache import Cache

Region: TypeAlias = tuple[str, int, int]
STRATEGIES = "lazy,eager"


@frozen
class Choices(AnalysisOptions):
    """How to analyse a head, and which solutions: what the command line's options of the same names mean.

    ``strategies``: names or partitions, with commas (``lazy,eager``, ``all``, ``Opt1+=a;Opt3-=b``, and by part
    ``eager;relax@17:Opt3+=v``), or several of :class:`NamedStrategy`, :class:`OptSides`, :class:`ByPart` and such
    texts; it is one text from then on.
    """

    strategies: str | Iterable[NamedStrategy | OptSides | ByPart | str] = STRATEGIES

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategies", spelt(self.strategies))
        collections("Choices", split=self.split, assume=self.assume, counts=self.counts, effects=self.effects)


def load(
    paths: Iterable[str],
    read: ReadOptions | None = None,
    *,
    regions: Iterable[Region] = (),
    heads: Iterable[str] = (),
    cache: Cache | None = None,
    effects: Mapping[str, str] = MappingProxyType({}),
) -> Program:
    """Read Fortran files into one program.

    ``regions``: further checkpointed parts as (file, first line, last line). ``heads``: what these cannot reach is
    not parsed, and not in the program. ``cache``: from :func:`snapset.frontend.persistence.disk_cache.open_cache`, to
    be closed by the caller; without one nothing is kept. ``effects``: those of :class:`Choices`, by which more need
    not be read.
    Raises InputError for files that cannot be read as Fortran, or parts that cannot be marked; TypeError, as all
    here, for a plain text in place of a collection.
    """
    from snapset.frontend.load import load_program, mark_lines

    collections("load", paths=paths, regions=regions, heads=heads, effects=effects)
    regions, wanted = tuple(regions), parse_heads(heads)
    nested("load", regions=regions)
    program = load_program(tuple(paths), read, roots(wanted, regions) if wanted else None, cache, known(effects))
    for file, first, last in regions:
        program = mark_lines(program, file, first, last)
    return program


def roots(heads: Iterable[Head], regions: Iterable[Region]) -> Roots:
    """Where what these heads reach begins."""
    from snapset.frontend.interprocedural.unit_reachability import Roots

    return Roots(frozenset(head.procedure for head in heads), tuple(regions))


def known(effects: Mapping[str, str]) -> Callable[[Call], bool]:
    """Tells whether a call without source is known to touch nothing but its arguments."""
    from snapset.analysis.external.declared_effects import Declarations

    declarations = Declarations(effects)

    def touches_only_arguments(call: Call) -> bool:
        found = declarations.find(call)
        return found is not None and not found.everything_global

    return touches_only_arguments


def read_files(paths: Sequence[str], read: ReadOptions, jobs: int = 1, cache: Cache | None = None) -> tuple[Unit, ...]:
    """The program units of files, those of ``cache`` where their text is as it was; preprocessors run ``jobs`` at a
    time.

    Raises InputError for a file that is not there; one that cannot be read is a unit with a problem.
    """
    from snapset.frontend.persistence.disk_cache import no_cache
    from snapset.frontend.persistence.remembered_units import RememberedUnits
    from snapset.frontend.reading.read import read_units
    from snapset.frontend.sources.files import is_preprocessed

    if jobs == 1 or sum(is_preprocessed(path, read) for path in paths) < 2:
        remembered = RememberedUnits(cache or no_cache())
        return tuple(unit for path in paths for unit in remembered.of_file(path, read))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        return tuple(unit for units in pool.map(read_units, paths, [read] * len(paths)) for unit in units)


def analyse(program: Program, head: str, choices: Choices | None = None) -> HeadResult:
    """The checkpointed parts of one head's call tree, their sets and solutions.

    ``head``: procedure, independents, dependents in Tapenade's notation, ``burgers(u)>(cost)``.
    Raises InputError for a head or a strategy that is malformed or does not fit the program.
    """
    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted; use snapset.reports")
    return analyse_all(program, heads, choices or Choices())[0]


def report(
    paths: Iterable[str],
    head: str,
    choices: Choices | None = None,
    *,
    read: ReadOptions | None = None,
    regions: Iterable[Region] = (),
) -> HeadResult:
    """:func:`load` and :func:`analyse` in one."""
    collections("report", paths=paths, regions=regions)
    choices = choices or Choices()
    return analyse(load(paths, read, regions=regions, heads=[head], effects=choices.effects), head, choices)


def reports(
    paths: Iterable[str],
    heads: Iterable[str],
    choices: Choices | None = None,
    *,
    read: ReadOptions | None = None,
    regions: Iterable[Region] = (),
    executor: Executor | None = None,
) -> tuple[HeadResult, ...]:
    """The same for several heads, each text holding one or more; ``executor`` runs them side by side.

    Any :class:`concurrent.futures.Executor` will do that can pickle: a process pool, Dask's, mpi4py's.
    """
    collections("reports", paths=paths, heads=heads, regions=regions)
    texts = tuple(heads)
    choices = choices or Choices()
    program = load(paths, read, regions=regions, heads=texts, effects=choices.effects)
    return analyse_all(program, parse_heads(texts), choices, executor)


def parse_heads(texts: Iterable[str]) -> tuple[Head, ...]:
    """All heads of all texts, each once, in order. Raises InputError for a malformed one."""
    from snapset.analysis.activity.differentiation_head import parse_heads as parse

    found = {head.text: head for text in texts for head in parse(text)}
    return tuple(found.values())


def parse_loop(text: str, files: Sequence[str] = ()) -> tuple[str, int]:
    """``FILE:LINE``, FILE spelt as in ``files`` where it is one of them. Raises InputError for anything else."""
    match = re.fullmatch(r"(.*[^:]):(\d{1,9})", text)
    if match is None:
        raise InputError(f"--loop {text}: not FILE:LINE, such as model.f90:12, the line of its DO")
    same = [file for file in files if os.path.realpath(file) == os.path.realpath(match[1])]
    return (same or [match[1]])[0], int(match[2])


def parse_strategies(given: str | Iterable[NamedStrategy | OptSides | ByPart | str]) -> tuple[Strategy, ...]:
    """``lazy,eager``, ``all``, partitions. Raises InputError for a malformed one."""
    from snapset.analysis.recording.strategy_texts import parse_strategies as parse

    return parse(spelt(given))


def analyse_all(
    program: Program,
    heads: Sequence[Head],
    choices: Choices,
    executor: Executor | None = None,
    done: Callable[[HeadResult], None] = lambda result: None,
    entries: Entries | None = None,
    name: str = "",
) -> tuple[HeadResult, ...]:
    """Results in the order of ``heads``; ``done`` hears of each as it comes. ``entries``: what earlier runs remember of
    these heads, under ``name``."""
    results: list[HeadResult] = []
    for result in head_run(choices, name).each(program, heads, whole_result, entries, executor):
        results.append(result)
        done(result)
    return tuple(results)


def whole_result(found: HeadAnalysis) -> HeadResult:
    """All of a head."""
    return found.result()


def head_run(choices: Choices, name: str = "") -> HeadRun:
    """How to analyse heads; ``name``: under which earlier runs are remembered."""
    return HeadRun(parse_strategies(choices.strategies), analysis_options(choices), name)


def analysis_options(choices: Choices) -> AnalysisOptions:
    """The analysis's own options."""
    given = {one.name: getattr(choices, one.name) for one in fields(AnalysisOptions)}
    return AnalysisOptions(**{**given, "split": frozenset(choices.split)})
