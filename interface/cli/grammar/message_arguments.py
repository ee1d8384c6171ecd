"""The command line of ``snapset messages``, and the options that it shares with ``snapset replay --ranks``."""

from __future__ import annotations

import argparse

from snapset.cli.grammar import divide_arguments
from snapset.cli.grammar.arguments import (
    EXIT_CODES,
    Parser,
    UsageError,
    command_parser,
    common,
    output,
    seed,
    size,
)

PLANS = ("log", "resend", "popular")
EVERY_PLAN = ("log", "resend", "least", "popular")
MOST_RANKS = 64
REAL = 0
"""As many ranks as mpiexec has started."""

_MESSAGES = """\
Runs the head's program on simulated ranks in one process, and tells for each checkpointed part what its messages
allow: may its second run communicate again (self-contained), send again what lies wholly inside and log the rest
(right-tight), or must it log all it receives (an arrow of the communication graph leads back into it). Then each of
these ways is executed: does it end, is the gradient equal bit for bit, what does it log and send again?"""

_MESSAGES_MORE = f"""\
The answers hold for this run: these inputs, as many ranks, these choices of wildcards.

  store-all  no second run: the reference. Where it is stuck, the program itself is at fault
  log        second runs communicate nothing; what is received is logged, first in, first out: right for any part
  resend     messages wholly inside right-tight parts are sent again, other receives logged
  popular    second runs do all again, as AD tools do it

Inputs are as for snapset replay; random reals differ from rank to rank.

examples:
  snapset messages halo.f90 --head 'model(u)>(cost)' --ranks 4 --set n=20
  snapset messages halo.f90 --head 'model(u)>(cost)' --ranks 3 --sends buffered --picture graph.svg
  snapset messages halo.f90 --head 'model(u)>(cost)' --messages trace.jsonl
  snapset messages halo.f90 --head 'model(u)>(cost)' --proved
  snapset replay halo.f90 --head 'model(u)>(cost)' --ranks 4 --messages-plan log,resend

{EXIT_CODES}"""


def replay_parser() -> Parser:
    """``snapset replay``, on ranks too"""
    parser = divide_arguments.replay_parser()
    add_rank_options(parser, None)
    return parser


def check_replay(parsed: argparse.Namespace) -> None:
    """Raises UsageError for options that ranks have no use for, or that mean nothing without them."""
    divide_arguments.check_replay(parsed)
    if parsed.ranks is None:
        if parsed.messages_plan != PLANS or parsed.sends != "synchronous" or parsed.nested_log != "again":
            raise UsageError("--messages-plan, --sends and --nested-log say what ranks do: give --ranks N too")
    elif parsed.divide or parsed.necessity:
        raise UsageError("--ranks goes with neither --divide nor --necessity: leave them out")


def messages_parser() -> Parser:
    """``snapset messages``"""
    parser = command_parser("messages", _MESSAGES, _MESSAGES_MORE)
    add = parser.add_argument
    add("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or a page for a "
        "browser")
    output(parser)
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an input; see snapset replay --help")
    add("--seed", type=seed, default=1, metavar="N", help="which random numbers (default 1)")
    add("--max-bytes", type=size, metavar="N", help="give up where a rank's store-all adjoint keeps more than N bytes")
    add("--max-steps", type=size, metavar="N", help="give up after so many steps of one rank")
    add("--picture", metavar="FILE.svg", help="draw the communication graph: a column for each rank, parts shaded, "
        "arrows back in red")
    add("--messages", metavar="FILE", help="judge the messages of a real run instead: the JSON lines that the wrapper "
        "of docs/messages.md writes, FILE or FILE.0, FILE.1 ...; each part's verdict beside what is proved of it")
    add("--proved", action="store_true", help="run nothing: what is proved of each call that communicates and of each "
        "part, and how many parts are unknown")
    add("--wildcards", metavar="FILE.json", help="what --format json wrote of an earlier run, simulated or real: "
        "wildcards, tests and probes take what they took there, so that both have the same bits")
    add_rank_options(parser, 4)
    common(parser)
    return parser


def add_rank_options(parser: Parser, default: int | None) -> None:
    """``--ranks`` and what belongs to it."""
    add = parser.add_argument_group("ranks").add_argument
    said = f" (default {default})" if default is not None else ""
    add("--ranks", type=_ranks, default=default, metavar="N", help=f"run N ranks that send each other messages{said}; "
        "mpi: this process is one of those that mpiexec has started (pip install 'snapset[mpi]')")
    add("--messages-plan", type=_plans, default=PLANS, metavar="PLAN,...",
        help="what second runs do: log, resend, least (of each part the one that takes fewer bytes), popular (default "
        "log,resend,popular)")
    add("--sends", type=_sends, default="synchronous", metavar="HOW", help="synchronous: a send waits for its receive, "
        "which a program must survive; buffered: it never waits; a number: each does one or the other, by this seed "
        "(default synchronous)")
    add("--nested-log", choices=("again", "keep"), default="again", help="what an inner part's second run needs is "
        "logged anew in the outer one's, or kept to the outer one's end (default again)")


def _ranks(text: str) -> int:
    if text == "mpi":
        return REAL
    if not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= MOST_RANKS:
        raise argparse.ArgumentTypeError(f"{text[:30]}: not a number of ranks, 1 to {MOST_RANKS}, or mpi")
    return int(text)


def _plans(text: str) -> tuple[str, ...]:
    found = tuple(one.strip() for one in text.split(","))
    wrong = [one for one in found if one not in EVERY_PLAN]
    if wrong:
        raise argparse.ArgumentTypeError(f"'{wrong[0][:30]}': no plan; there are {', '.join(EVERY_PLAN)}")
    return tuple(dict.fromkeys(found))


def _sends(text: str) -> str | int:
    if text in ("synchronous", "buffered"):
        return text
    if not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text[:30]}: not synchronous, buffered or a number")
    return int(text)
