"""The command line of ``snapset explain``: of diagnostics, and of what is saved. Imports nothing but argparse."""

from __future__ import annotations

from snapset.cli.grammar.arguments import EXIT_CODES, Parser, command_parser, common, output

_EXPLAIN = """\
Why a variable is saved at a checkpointed part, or why it is not: which statement overwrites it, which adjoint
statement reads its old value and by which partial derivative, the way from one to the other, what the other choice
would cost, and what the source would have to be like. With codes instead of files: what a remark of a report means,
with a program that is given it, and the same cured."""

_EXPLAIN_MORE = f"""\
PART is a part's id in the report (burgers@13), a line in it (burgers.f90:14, or 14), or the procedure that it calls.
VARIABLE is named as the part's procedure names it; an object of derived type is all its components.

examples:
  snapset explain burgers.f90 --head 'burgers(u)>(cost)' --at burgers@13 u
  snapset explain burgers.f90 --head 'burgers(u)>(cost)' --at burgers.f90:14 flux --strategy eager
  snapset explain src/*.f90 --head 'ocean%step(temp)>(misfit)' --at advance 'grid%area' --format json
  snapset explain SN105
  snapset explain SN101 SN104

{EXIT_CODES}"""


def explain_parser() -> Parser:
    """``snapset explain``"""
    parser = command_parser("explain", _EXPLAIN, _EXPLAIN_MORE)
    parser.usage = "snapset explain FILE... --head HEAD --at PART VARIABLE [options]\n       snapset explain CODE..."
    parser.add_argument("--at", nargs=2, metavar=("PART", "VARIABLE"), help="which part, and what there")
    parser.add_argument("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or "
                        "a page for a browser")
    output(parser)
    common(parser)
    return parser
