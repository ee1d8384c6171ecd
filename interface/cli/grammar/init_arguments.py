"""The command line of ``snapset init``. Imports nothing but argparse."""

from __future__ import annotations

from snapset.cli.grammar.arguments import DEBUG, EXIT_CODES, Parser, command_parser

_INIT = """\
Looks through the current directory and writes a first project file, snapset.toml: the Fortran files, the heads that
a makefile or script gives Tapenade, the directories of included files, what has to be preprocessed. After that
`snapset report` and `snapset check` need no arguments. Nothing that exists is overwritten."""

_INIT_MORE = f"""\
examples:
  snapset init            write snapset.toml
  snapset init --print    only show it
  snapset init --print --format json | jq .heads

{EXIT_CODES}"""


def init_parser() -> Parser:
    """``snapset init``"""
    parser = command_parser("init", _INIT, _INIT_MORE)
    parser.usage = "snapset init [options]"
    parser.add_argument("--print", action="store_true", dest="only_print", help="print the file instead of writing it")
    parser.add_argument("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, "
                        "or a page for a browser of what was found")
    parser.add_argument(DEBUG, action="store_true", help="should snapset itself fail, print the traceback")
    return parser
