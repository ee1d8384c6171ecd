"""``snapset report --dump``: one data-flow problem as it was solved, beside the source."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.grammar.arguments import UsageError

if TYPE_CHECKING:
    from snapset.config.settings import Settings
    from snapset.frontend.ir.statements import Program


def names_only(parsed: Namespace) -> str | None:
    """The list of all problems, where that is asked for.

    Raises UsageError for a name that no problem has, and for options that are about the report.
    """
    from snapset.analysis.problems import PROBLEMS
    from snapset.render.pages import dataflow_dump

    _alone(parsed)
    if parsed.dump == "list":
        return dataflow_dump.listing_json() if parsed.format == "json" else dataflow_dump.listing()
    if parsed.dump not in PROBLEMS:
        raise UsageError(f"--dump {parsed.dump}: no such analysis; there are {', '.join(PROBLEMS)}, and list")
    return None


def _alone(parsed: Namespace) -> None:
    """--dump takes the report's place: what shapes a report has nothing to shape."""
    others = {"--sets": parsed.sets, "--part": parsed.part, "--changed-since": parsed.changed_since,
              "--brief": parsed.brief, "--sort": parsed.sort, "--top": parsed.top, "--pareto": parsed.pareto,
              "--pareto-picture": parsed.pareto_picture, "--picture": parsed.picture, "--counts": parsed.counts,
              "--executor": parsed.executor, "--set": parsed.set}
    given = [option for option, there in others.items() if there]
    if parsed.format not in ("text", "json"):
        raise UsageError(f"--dump is text or JSON; --format {parsed.format} is of the report")
    if given:
        raise UsageError(f"{given[0]} is about the report, which --dump replaces: leave one of the two out")


def run(settings: Settings, parsed: Namespace, no_head: Callable[[Program], Exception]) -> str:
    """What to print. Raises InputError for whatever is unusable."""
    from snapset.analysis.problems import PROBLEMS
    from snapset.cli.running.command_session import session_for
    from snapset.documents.json_text import dumps
    from snapset.library.dataflow import solved_problems
    from snapset.render.pages import dataflow_dump

    problem = PROBLEMS[parsed.dump]
    with session_for(settings, no_head) as session:
        program = session.program()
        session.stage(f"solving {parsed.dump}")
        solved = solved_problems(program, session.heads, settings.choices, parsed.dump, session.after_reading())
    if parsed.format == "json":
        return dumps([dataflow_dump.document(problem, solved)])
    return dataflow_dump.text(problem, solved)
