"""The library's :func:`replay`, and what ``--set`` says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from snapset.frontend.base.collection_arguments import collections, nested
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.analysis import Choices, Region, analysis_options, load, parse_heads, parse_strategies

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.analysis.replay.experiment.measurements import Comparison
    from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
    from snapset.analysis.replay.timeloop.schedule_results import LoopReplay
    from snapset.frontend.ir import Program

_NAME = pattern_of(r"[a-z_]\w*(%[a-z_]\w*)*")
_SIZE = pattern_of(r"size\((.*)\)")
_RANDOM = pattern_of(r"random(?:\((.*),(.*)\))?")
_TEXT = pattern_of(r"'[^']*'|\"[^\"]*\"")
_TEXTS = pattern_of(rf"(?:{_TEXT.pattern})(?:\s*,\s*(?:{_TEXT.pattern}))*")  # of CHARACTER variables
_TYPE = pattern_of(r"type\((\w+)\)")  # of a CLASS object
_TRUTH = {"true": True, ".true.": True, "t": True, "false": False, ".false.": False, "f": False}


def replay(
    paths: Iterable[str],
    head: str,
    choices: Choices | None = None,
    *,
    values: Mapping[str, Any] | None = None,
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    seed: int = 1,
    poison: bool = True,
    necessity: bool = False,
    profile: bool = False,
    read: ReadOptions | None = None,
    regions: Iterable[Region] = (),
) -> Comparison:
    """Execute one head's adjoint under each strategy, and compare its gradient with the store-all adjoint's.

    ``values``: inputs by name (``n``, ``x``, ``c%p``), a number or a sequence in array element order; the rest are
    random reals, integers 5. ``sizes``: extents of arrays that the declaration leaves open. ``poison``: destroy what
    the analysis says nobody needs any more. ``necessity``: lose each saved location in turn and see whether it
    matters. ``profile``: record the stack's height over time.

    Raises InputError for what :func:`snapset.report` refuses, for code that cannot be executed (by line), and for
    inputs that do not fit the program or send it out of its bounds.
    """
    from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions
    from snapset.analysis.replay.experiment.inputs import Inputs

    collections("replay", paths=paths, regions=regions)
    nested("replay", values=values, sizes=sizes)
    _no_numbers(sizes or {})
    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted; call snapset.replay for each")
    given = {name.lower(): value for name, value in (values or {}).items()}
    extents = {name.lower(): tuple(size) for name, size in (sizes or {}).items()}
    effects = (choices or Choices()).effects
    program = load(paths, read, regions=regions, heads=[head], effects=effects)
    wanted = ExperimentOptions(poison, necessity, profile)
    return replay_head(program, heads[0], choices or Choices(), Inputs(given, seed, extents), wanted)


def _no_numbers(sizes: Mapping[str, object]) -> None:
    """Raises TypeError for a number in place of extents."""
    for name, size in sizes.items():
        if not isinstance(size, Iterable):
            raise TypeError(f"replay: sizes[{name!r}] is {size!r} where an array's extents are wanted, ({size!r},); "
                            "a variable's value goes to values")


def replay_head(
    program: Program,
    head: Head,
    choices: Choices,
    inputs: Inputs,
    wanted: ExperimentOptions,
    heard: Callable[[str], None] = lambda doing: None,
) -> Comparison:
    """As :func:`replay`, for a program that was read; ``heard`` is told what is being done."""
    from snapset.analysis.replay.experiment.compare_strategies import compare

    strategies = parse_strategies(choices.strategies)
    return compare(program, head, strategies, inputs, analysis_options(choices), wanted, heard)


def replay_loops(
    program: Program,
    head: Head,
    choices: Choices,
    inputs: Inputs,
    wanted: SchedulesWanted,
    loops: Sequence[tuple[str, int]],
    limits: ExperimentOptions,
    heard: Callable[[str], None] = lambda doing: None,
) -> tuple[LoopReplay, ...]:
    """A head's adjoint with each of its time loops under schedules."""
    from snapset.analysis.loops.loop_analysis import analyse_loop
    from snapset.analysis.replay.experiment.compare_strategies import standard
    from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
    from snapset.frontend.interprocedural.marked_loops import mark_loop, wanted_loops

    found = []
    for file, line in wanted_loops(program, loops):
        heard(f"analysing the loop of {file}:{line}")
        marked, place = mark_loop(program, file, line)
        for one in analyse_loop(marked, head, place, analysis_options(choices)):
            with_ = standard(one.analysis.prepared(), inputs, limits, heard)
            found.append(compare_schedules(one, with_, wanted, heard))
    return tuple(found)


def parse_inputs(texts: Iterable[str], seed: int = 1) -> Inputs:
    """``n=50``, ``x=3.5``, ``x=1,2,3``, ``x=random``, ``x=random(-1,1)``, ``on=false``, ``size(x)=10,20``.

    Raises InputError for a malformed one, and for one name set twice.
    """
    from snapset.analysis.replay.experiment.inputs import Inputs

    given: dict[str, Any] = {}
    sizes: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, equals, value = (piece.strip() for piece in text.partition("="))
        name = name.lower()
        name = re.sub(r"\s+|(?<=\w)\.(?=[a-z_])", lambda found: "" if found[0].isspace() else "%", name)
        sized = _SIZE.fullmatch(name)
        bare = sized[1] if sized else name
        if not equals or not value or not _NAME.fullmatch(bare):
            raise InputError(f"--set {text}: not NAME=VALUE, such as n=50, x=random or c%p=3.5")
        if bare in (sizes if sized else given):
            raise InputError(f"--set gives {name} two values")
        if sized:
            sizes[bare] = _extents(text, value)
        else:
            given[bare] = _value(text, value)
    return Inputs(given, seed, sizes)


def _extents(text: str, value: str) -> tuple[int, ...]:
    pieces = [piece.strip() for piece in value.split(",")]
    if not all(piece.isdecimal() and len(piece) < 19 for piece in pieces):
        raise InputError(f"--set {text}: a size is a whole number for each dimension, such as size(x)=10,20")
    return tuple(int(piece) for piece in pieces)


def _value(text: str, value: str) -> Any:
    from snapset.analysis.replay.experiment.inputs import Uniform

    if _TEXTS.fullmatch(value):
        texts = [one[1:-1] for one in _TEXT.findall(value)]
        return texts[0] if len(texts) == 1 else texts
    value = value.lower()
    random = _RANDOM.fullmatch(value)
    if random is not None:
        if random[1] is None:
            return Uniform()
        low, high = _number(text, random[1]), _number(text, random[2])
        if not low <= high:
            raise InputError(f"--set {text}: {random[1].strip()} is above {random[2].strip()}")
        return Uniform(low, high)
    if value in _TRUTH:
        return _TRUTH[value]
    if (named := _TYPE.fullmatch(value)) is not None:
        return named[1].lower()
    numbers = [_number(text, piece) for piece in value.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


def _number(text: str, value: str) -> float | int:
    """Fortran's spelling of a number; exponents with d and kinds (1.0_8) too."""
    plain = re.sub(r"_\w+$", "", value.strip()).replace("d", "e")
    if re.fullmatch(r"[+-]?\d{1,400}", plain):
        return int(plain)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", plain):
        return float(plain)
    raise InputError(f"--set {text}: '{value.strip()}' is no number; write 50, 3.5, 1e-3, random, true, false or a "
                     "text in quotes")
