"""The command line of ``snapset schedule``. Imports nothing but argparse."""

from __future__ import annotations

from snapset.cli.grammar.arguments import EXIT_CODES, Parser, command_parser, common, output, seed, storage

_SCHEDULE = """\
A time loop: what has to be kept to run it again from some step (restart data), and what the adjoint of a step
reads (its dependencies), in locations and bytes. What feeds no derivative is not kept, and neither is what nothing
in the loop overwrites (parameters)."""

_SCHEDULE_MORE = f"""\
The loop is that of --loop, of `loops` in the project file, or what stands behind !$AD BINOMIAL-CKP: a DO or DO WHILE,
in the head's procedure or in one that it calls. --period 3 makes three iterations one step. With --memory, and
numbers for all sizes, the table tells how many steps are run forward under each schedule, and which one is best.
Numbers are those of --assume, or of a plain run: --set gives its inputs. It also counts what differs from step to
step (an adaptive grid), and beside the schedules stands what divide and conquer takes.

examples:
  snapset schedule burg.f90 --head 'burg(u,nu)>(cost)' --loop burg.f90:12
  snapset schedule burg.f90 --head 'burg(u,nu)>(cost)' --loop burg.f90:12 --assume n=1000 --assume nt=100
  snapset schedule burg.f90 --head 'burg(u,nu)>(cost)' --loop burg.f90:12 --assume n=1000 --assume nt=100 --memory 80KB
  snapset schedule grid.f --head 'f(x)>(y)' --loop grid.f:11 --set n=100 --set l=53 --set phi=3 --memory 200KB
  snapset schedule model.f90 --head 'run(x)>(y)' --format json

{EXIT_CODES}"""


def schedule_parser() -> Parser:
    """``snapset schedule``"""
    parser = command_parser("schedule", _SCHEDULE, _SCHEDULE_MORE)
    add = parser.add_argument
    add("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or a page for a "
        "browser")
    output(parser)
    add("--loop", action="append", default=[], metavar="FILE:LINE", help="the line where the loop's DO stands; may be "
        "repeated")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an input, as in snapset replay: a plain run "
        "counts what no formula tells")
    add("--seed", type=seed, default=1, metavar="N", help="which random numbers (default 1)")
    add("--actions", metavar="SCHEDULE", help="list its actions: best, or a name in the table")
    add("--emit", choices=("tapenade",), help="the pragma for the loop that takes no more memory, and what it costs")
    add("--picture", metavar="FILE.svg", help="draw the best schedule: which steps run when, and what is held")
    storage(parser)
    common(parser, strategies=False)
    return parser

