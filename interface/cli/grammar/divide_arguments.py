"""The command line of ``snapset divide``, and its options in ``snapset replay``. Imports nothing but argparse."""

from __future__ import annotations

import argparse
import re

from snapset.cli.grammar import arguments
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

_DIVIDE = """\
Divide and conquer: the adjoint of the whole run, split at any step of it, wherever that is: inside a loop, a call of a
call, a recursion. What is taken at a split point is a capsule: the control stack, and of the data what is read later
(liveness); everything else is undefined in a run that is resumed from it. Tells for each choice of split points whether
the gradient is store-all's, bit for bit, and what it took: bytes at once, the tape of the largest leaf, the capsules,
the steps that were run again. No word of this stands in the program."""

_DIVIDE_MORE = f"""\
A step is a statement, a test or a call; an operation on arrays counts its elements (--steps statements: as one).

which split points (--mid; default all three):
  bisection   the middle
  binomial    where d snapshots and t reruns reach equally far: (d*sigma + t*phi)/(d + t)
  optimal     the least recomputation that d snapshots allow (revolve's split)

when to stop (eta(d, t) = C(d+t, t) leaves of so many steps):
  --leaf A            with --log, or alone: d = t, the least        space and time logarithmic in the run
  --space D --leaf A  d snapshots, the least t                      fixed space
  --time T --leaf A   t reruns, the least d                         fixed time
  --space D --time T  the shortest leaves that d and t reach
  --leaf 4MB          the longest leaves that tape at most that
  --memory 20MB       what reruns least of all that keeps within so many bytes, capsules and tape together

examples:
  snapset divide grid.f --head 'f(x)>(y)' --set n=100 --set l=401 --leaf 10000
  snapset divide grid.f --head 'f(x)>(y)' --leaf 10000 --plan            the tree, no adjoint
  snapset divide grid.f --head 'f(x)>(y)' --at 123456                    one capsule: control stack, what is live
  snapset divide grid.f --head 'f(x)>(y)' --memory 1MB --mid optimal --picture tree.svg

{EXIT_CODES}"""

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def divide_parser() -> Parser:
    """``snapset divide``"""
    parser = command_parser("divide", _DIVIDE, _DIVIDE_MORE)
    add = parser.add_argument
    add("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or a page for a "
        "browser")
    output(parser)
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an input, as in snapset replay")
    add("--seed", type=seed, default=1, metavar="N", help="which random numbers (default 1)")
    add("--plan", action="store_true", help="the tree with its bytes; no adjoint runs")
    add("--at", type=seed, metavar="STEP", help="one capsule: the control stack with its lines, what is live, what not")
    dividing(parser, "binary")
    add("--loop", dest="beside", type=loop, metavar="LINE[:S]", help="beside it, the binomial schedule over the "
        "iterations of the DO that begins at this line, in the head's procedure or in one that it calls, with S "
        "snapshots (default 40)")
    add("--max-bytes", type=size, metavar="N", help="give up where the store-all adjoint keeps more than N bytes "
        "(default 1000000000)")
    add("--max-steps", type=size, metavar="N", help="give up after so many steps of the program, an endless loop "
        "perhaps (default 1000000)")
    add("--picture", metavar="FILE.svg", help="draw the tree: runs, leaves, capsules, from top to bottom")
    add("--verbose", action="store_true", help="every capsule, also where they are many")
    common(parser, strategies=False)
    return parser


def replay_parser() -> Parser:
    """``snapset replay``, which can divide the run too."""
    parser = arguments.replay_parser()
    dividing(parser, None)
    return parser


def check_replay(parsed: argparse.Namespace) -> None:
    """Raises UsageError for options of a division that is not asked for, or that it has no use for."""
    given = [flag for flag, value in (("--mid", parsed.mid), ("--space", parsed.space), ("--time", parsed.time),
                                      ("--log", parsed.log or None), ("--leaf", parsed.leaf),
                                      ("--leaf-plan", parsed.leaf_plan or None),
                                      ("--memory", None if parsed.schedule else parsed.memory)) if value is not None]
    if given and not parsed.divide:
        raise UsageError(f"{given[0]} says how to divide: give --divide binary or --divide treeverse too")
    if parsed.divide and parsed.schedule:
        raise UsageError("--divide splits the run by its length, --schedule by steps of a loop: leave one of them out")
    if parsed.divide and parsed.memory is not None:
        try:
            parsed.memory = memory(parsed.memory)
        except argparse.ArgumentTypeError as error:
            raise UsageError(f"argument --memory: {error}") from error
    if parsed.divide and (parsed.strategy or parsed.necessity or not parsed.poison):
        raise UsageError("--divide takes no strategy: leave out --strategy, --necessity and --no-poison")


def dividing(parser: Parser, default: str | None) -> None:
    """The options that say how to divide. ``default``: of --divide."""
    add = parser.add_argument_group("dividing").add_argument
    add("--divide", choices=("binary", "treeverse"), default=default, help="the driver; both make the same leaves" + (
        f" (default {default})" if default else ": split the whole run, and leave the strategies out"))
    add("--mid", choices=("bisection", "binomial", "optimal"), help="where to split (default: each in turn)")
    add("--space", type=seed, metavar="D", help="hold at most D capsules beside that of the beginning")
    add("--time", type=seed, metavar="T", help="run no step again more than T times")
    add("--log", action="store_true", help="as many capsules as reruns: the least that the leaf allows (default)")
    add("--leaf", type=leaf, metavar="STEPS|BYTES", help="differentiate at once so many steps, or what tapes so many "
        "bytes: 10000, 4MB (default a thousandth of the run)")
    add("--leaf-plan", action="store_true", help="leaves tape what their adjoint needs (split mode's sets), not all "
        "that is overwritten; where the program does not allow it they store all, and it is said why")
    if default:  # replay has it for time loops, too
        add("--memory", type=memory, metavar="BYTES", help="keep capsules and tape within so many bytes: 2000000, 2MB")
    add("--steps", choices=("elements", "statements"), default="elements", help="what an array operation counts "
        "(default elements)")


def leaf(text: str) -> tuple[int | None, int | None]:
    """Steps, or bytes: a number with a unit."""
    if text.isdecimal() and len(text) <= 18 and int(text):
        return int(text), None
    if text and text[-1] in "bB":
        return None, memory(text)
    raise argparse.ArgumentTypeError(f"{text[:30]}: not a number of steps, 1 or more, or of bytes such as 4MB")


def loop(text: str) -> tuple[int, int]:
    """A line, and how many snapshots."""
    line, colon, snapshots = text.partition(":")
    if not all(one.isdecimal() and len(one) < 10 and int(one) for one in ((line, snapshots) if colon else (line,))):
        raise argparse.ArgumentTypeError(f"{text[:30]}: not a line, or a line and snapshots such as 11:40")
    return int(line), int(snapshots) if colon else 40


def memory(text: str) -> int:
    """A number of bytes, with a unit or without: 2000000, 2MB, 64KiB."""
    found = re.fullmatch(r"(\d{1,15})\s*([kmg]?i?b|)", text.lower())
    if found is None or found[2] not in _UNITS or not int(found[1]):
        raise argparse.ArgumentTypeError(f"{text[:30]}: not a number of bytes, 1 or more, such as 2000000 or 2MB")
    return int(found[1]) * _UNITS[found[2]]
