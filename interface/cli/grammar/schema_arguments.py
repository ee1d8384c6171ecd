"""The command line of ``snapset schema``. Imports nothing but argparse."""

from __future__ import annotations

from snapset.cli.grammar.arguments import DEBUG, EXIT_CODES, Parser, command_parser

COMMANDS = ("report", "replay", "dag", "divide", "schedule", "loop-replay", "check", "diff", "verify", "dataflow",
            "explain", "messages", "messages-proved", "compare", "init", "codes")
_SCHEMA = """\
Prints the JSON Schema (draft 2020-12) of what a command writes with --format json, made from the types it is written
from, or with --format text or html its fields as tables. docs/schema/ holds the same files."""

_SCHEMA_MORE = f"""\
examples:
  snapset schema report > report.schema.json
  snapset schema report --format text          what each field means
  snapset report burgers.f90 --head 'burgers(u)>(cost)' --format json > burgers.json
  check-jsonschema --schemafile report.schema.json burgers.json

{EXIT_CODES}"""


def schema_parser() -> Parser:
    """``snapset schema``"""
    parser = command_parser("schema", _SCHEMA, _SCHEMA_MORE)
    parser.usage = f"snapset schema {{{','.join(COMMANDS)}}} [options]"
    parser.add_argument("command", choices=COMMANDS, help="whose document: of several heads, an array of it is "
                        "printed; dataflow is that of report --dump, "
                        "codes that of explain CODE")
    parser.add_argument("--format", choices=("json", "text", "html"), default="json", help="the schema itself "
                        "(default), or its fields as text for people or a page for a browser")
    parser.add_argument(DEBUG, action="store_true", help="should snapset itself fail, print the traceback")
    return parser
