"""Options that say opposite things, or of which one leaves the other nothing to do: one line, exit code 2.

    snapset report a.f90 --no-cache --cache-dir kept      where, if nothing is kept?

Of what is given more than once with other values the last one counts. What needs bytes, ranks or a division that is not
asked for is said by the commands themselves.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import Final

from snapset.cli.grammar.arguments import Parser, UsageError
from snapset.frontend.base.frozen_records import frozen


@frozen
class Contradiction:
    """``option`` goes with none of ``others``; ``why``: what it does instead. ``values``: where it has one of these."""

    option: str
    others: tuple[str, ...]
    why: str
    values: tuple[str, ...] = ()


_SERVICES: Final = ("sarif", "github", "junit", "markdown", "pushes", "taf")

EVERYWHERE: Final = (
    Contradiction("--no-cache", ("--cache-dir",), "keeps nothing"),
    Contradiction("--executor", ("--jobs",), "leaves the work to a scheduler's workers"),
)

CONTRADICTIONS: Final[Mapping[str, tuple[Contradiction, ...]]] = {
    "report": (
        Contradiction("--format", ("--sets",), "has a form of its own", _SERVICES),
        Contradiction("--format", ("--pareto",), "has no place for it", _SERVICES),
        Contradiction("--format", ("--pareto-picture", "--top", "--brief", "--sort"), "draws and shortens nothing",
                      ("pushes", "taf")),
    ),
    "replay": (
        Contradiction("--ranks", ("--schedule", "--loop", "--memory", "--disk", "--period"),
                      "runs all ranks without schedules"),
        Contradiction("--divide", ("--loop", "--disk", "--period"), "splits the run anywhere"),
        Contradiction("--schedule", ("--necessity", "--verbose"), "runs one loop"),
    ),
    "divide": (
        Contradiction("--at", ("--plan", "--loop", "--verbose", "--mid", "--space", "--time", "--log", "--memory",
                               "--leaf", "--leaf-plan"), "shows one capsule, and divides nothing"),
    ),
    "messages": (
        Contradiction("--proved", ("--set", "--seed", "--ranks", "--sends", "--messages-plan", "--nested-log",
                                   "--max-bytes", "--max-steps", "--picture", "--wildcards", "--messages"),
                      "runs nothing"),
        Contradiction("--messages", ("--sends", "--ranks"), "judges a run that has been"),
    ),
    "dag": (
        Contradiction("--method", ("--seconds",), "solves no integer program", ("biclique", "search")),
        Contradiction("--method", ("--search-seed", "--delta"), "searches nothing", ("biclique",)),
    ),
}
"""By command."""


NEEDED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "replay": (("--step-time", "--disk"),),
    "schedule": (("--step-time", "--disk"),),
    "dag": (("--seed", "--replay"),),
}
"""By command, options that mean nothing without another."""


def refuse(command: str, parser: Parser, parsed: Namespace) -> None:
    """Raises UsageError for the first contradiction, and for what lacks the option that it belongs to."""
    for one in (*EVERYWHERE, *CONTRADICTIONS.get(command, ())):
        if not _given(one.option, parser, parsed):
            continue
        value = getattr(parsed, parser.destination(one.option))
        if one.values and value not in one.values:
            continue
        said = f"{one.option} {value}" if one.values else one.option
        for other in one.others:
            if _given(other, parser, parsed):
                raise UsageError(f"{said} {one.why}: leave {other} out, or {said}")
    for option, other in NEEDED.get(command, ()):
        if _given(option, parser, parsed) and not _given(other, parser, parsed):
            raise UsageError(f"{option} is for {other}: give that too, or leave it out")


def _given(option: str, parser: Parser, parsed: Namespace) -> bool:
    name = parser.destination(option)
    return name != "" and getattr(parsed, name, None) != parser.get_default(name)
