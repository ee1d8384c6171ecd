"""The command line of ``snapset compare``. Imports nothing but argparse."""

from __future__ import annotations

from argparse import Namespace

from snapset.cli.grammar.arguments import (
    EXIT_CODES,
    FORMAT_HELP,
    FORMATS,
    Parser,
    UsageError,
    command_parser,
    common,
    output,
)

_COMPARE = """\
Reads an adjoint that Tapenade has made (its PUSH and POP calls) beside the original source, and judges what it saves:
which PUSHes are superfluous, with their bytes, because nothing reads what the POP gives back or nothing has changed it
before; and what a part's adjoint reads and finds changed, so that the gradient is wrong. The plan that is judged is the
adjoint's own: what it restores, and where."""

_COMPARE_MORE = f"""\
ADJOINT is what Tapenade writes with -b; --source names the original files, which else come from the project file. The
adjoint of the head `burgers` is its procedure burgers_b. --patch writes the adjoint without what is superfluous: files
of the same names, in a directory that is new or holds none of them. Its gradient is the same to the last bit.

examples:
  snapset compare burgers_b.f90 --source burgers.f90 --head 'burgers(u)>(cost)'
  snapset compare burgers_b.f90 --source burgers.f90 --head 'burgers(u)>(cost)' --patch smaller
  snapset compare ad/*_b.f90 --format sarif > adjoint.sarif
  snapset compare ad/*_b.f90 --format json | jq -r '.saved[] | select(.why != "") | "\\(.file):\\(.line) \\(.location)"'

exit code 1: something is missing. What is superfluous is no failure.

{EXIT_CODES}"""


def compare_parser() -> Parser:
    """``snapset compare``"""
    parser = command_parser("compare", _COMPARE, _COMPARE_MORE)
    parser.usage = "snapset compare ADJOINT... --source FILE... --head HEAD [options]"
    add = parser.add_argument
    add("--source", nargs="+", action="extend", default=[], metavar="FILE", help="the original files (default: those "
        "of the project file)")
    add("--patch", metavar="DIR", help="write the adjoint without what is superfluous into DIR; nothing that is "
        "there is overwritten")
    add("--all", action="store_true", help="list every PUSH, those that are needed too")
    add("--format", choices=FORMATS, default="text", help=FORMAT_HELP)
    output(parser)
    common(parser)
    parser.set_defaults(no_files="no original files given (--source FILE...)")
    return parser


def adjoints(parsed: Namespace) -> tuple[str, ...]:
    """The generated files; what is ``files`` from then on are the original ones. Raises UsageError for none."""
    given = tuple(dict.fromkeys(parsed.files))
    if not given and len(parsed.source) > 1:
        raise UsageError(f"no adjoint given: --source has taken {' and '.join(parsed.source[-2:])}; write the adjoint "
                         "before --source, or another option between them")
    if not given:
        raise UsageError("no adjoint given: name the files that Tapenade has written, burgers_b.f90")
    parsed.files = parsed.source
    return given
