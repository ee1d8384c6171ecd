"""The command lines of ``snapset check`` and ``snapset diff``. Imports nothing but argparse."""

from __future__ import annotations

from snapset.cli.grammar.arguments import (
    EXIT_CODES,
    FORMAT_HELP,
    FORMATS,
    Parser,
    command_parser,
    common,
    executor,
    output,
)

_CHECK = """\
Compares what every part saves and tapes with the lock file that is committed beside the source. Each cause comes
first, the statement that changed in whatever procedure, with the bytes it costs; beneath it what follows from it. A
smaller snapshot is a change too, a name that is another one now is none. Budgets of the project file are held to."""

_CHECK_MORE = f"""\
Files and heads come from [tool.snapset] in pyproject.toml, or from snapset.toml, here or above; what is given
here replaces them. With --head only these heads are compared and updated.

examples:
  snapset check             compare; exit code 1 if there is a change
  snapset check --update    accept: write snapset.lock, to be committed
  snapset check --format sarif > snapset.sarif
  snapset check --format json | jq -r '.causes[] | "\\(.file):\\(.line) \\(.title)"'

{EXIT_CODES}"""

_DIFF = """\
Compares what every part saves and tapes in two revisions of the git repository, each with its own project file. Its
files are written to a temporary directory: neither the work tree nor the index is touched."""

_DIFF_MORE = f"""\
A revision is what git takes for one: HEAD~3, main, v1.2, a commit. As the second one, . stands for the files as they
lie there. FILE and --head take the place of the project file's in both.

examples:
  snapset diff HEAD~1 HEAD
  snapset diff main .
  snapset diff v1.0 main src/ocean.f90 --head 'ocean%step(temp)>(misfit)' --assume n=1000 --format markdown

{EXIT_CODES}"""


def check_parser() -> Parser:
    """``snapset check``"""
    parser = command_parser("check", _CHECK, _CHECK_MORE)
    parser.add_argument("--update", action="store_true", help="accept what is found: write the lock")
    parser.add_argument("--baseline", metavar="FILE", help="the lock file (default: snapset.lock by the project file)")
    parser.add_argument("--format", choices=FORMATS, default="text", help=FORMAT_HELP)
    output(parser)
    executor(parser)
    common(parser)
    return parser


def diff_parser() -> Parser:
    """``snapset diff``"""
    parser = command_parser("diff", _DIFF, _DIFF_MORE)
    parser.usage = "snapset diff REV1 REV2 [FILE...] [options]"
    parser.add_argument("revisions", nargs=2, metavar="REV", help="the older and the newer revision")
    parser.add_argument("--format", choices=FORMATS, default="text", help=FORMAT_HELP)
    output(parser)
    executor(parser)
    common(parser)
    return parser
