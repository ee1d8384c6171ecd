"""The command line of ``snapset dag``. Imports nothing but argparse."""

from __future__ import annotations

import argparse
import math

from snapset.cli.grammar.arguments import EXIT_CODES, Parser, command_parser, common, output, seed

_DAG = """\
Store or recompute? Inside straight-line code the tape need not hold what To Be Recorded asks for: a partial
derivative, a product of them or an intermediate can be stored instead, or computed again from values that are
there anyway (Cole-Mullen, Lyons, Utke). For every region (a procedure's own code, and every marked part) of the
head's call tree: the places S whose overwritten values are stored, the values U that are stored themselves, what
is recomputed from them, and the cost |S| + |U| beside its bounds and the exact optimum."""

_DAG_MORE = f"""\
names in the answer:
  t at 5     the value that line 5 reads in t
  t from 6   the value that line 6 computes for t; t from 6.2 a part of line 6's expression
  ∂t from 6/∂x at 5   a partial derivative, or a product of several along the way
  t@8        a place: line 8 overwrites t; in S, t's old value is stored there

what bounds what:
  U = ∅            store old values only, of all that the graphs begin with (S = all their places)
  S = ∅            store every required partial and value itself (U = R)
  by statement     To Be Recorded: each statement's own operands, as adjoint tools do
  lower bound      no choice costs less: the gap is what may be missing to the optimum

methods:
  biclique   the paper's heuristic: bicliques of the use-overwrite graph are added to S or removed, best ratio first
  search     the same moves under seeded annealing, which can leave a local minimum
  optimum    an integer program (HiGHS), for --seconds a region; where it proves nothing by then, the search too

examples:
  snapset dag model.f90 --head 'step(q)>(q)'
  snapset dag model.f90 --head 'step(q)>(q)' --replay --set n=50
  snapset dag model.f90 --head 'step(q)>(q)' --graph step.svg        G* with the cut, and the bicliques
  snapset dag model.f90 --head 'step(q)>(q)' --weights bytes --assume nx=360
  snapset dag model.f90 --head 'step(q)>(q)' --counts step.gcov.json.gz --price 1 --format json

{EXIT_CODES}"""


def dag_parser() -> Parser:
    """``snapset dag``"""
    parser = command_parser("dag", _DAG, _DAG_MORE)
    add = parser.add_argument
    add("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or a page for a "
        "browser")
    output(parser)
    add("--graph", metavar="FILE", action="append", default=[], help="draw G* with the cut and G_b with its bicliques: "
        "FILE.svg, or FILE.dot for Graphviz; may be repeated")
    add("--at", metavar="REGION", action="append", default=[], help="only this region (its id); may be repeated")
    add("--replay", action="store_true", help="execute it: are all required values found again, is the gradient right?")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an input of --replay, as in snapset replay")
    add("--seed", type=seed, default=1, metavar="N", help="of random inputs (default 1)")
    add("--verbose", action="store_true", help="every region and graph, and all names, also where they are many")
    group = parser.add_argument_group("how hard to look")
    add = group.add_argument
    add("--method", choices=("biclique", "search", "optimum"), default="optimum",
        help="how far to go (default optimum)")
    add("--seconds", type=_seconds, default=60.0, metavar="S", help="for the integer program, each region (default 60)")
    add("--search-seed", type=seed, default=0, metavar="N", help="of the search (default 0)")
    add("--delta", type=_delta, default="0", metavar="D",
        help="the heuristic ends below ratio 1 - D, 0 to 1 (default 0)")
    add("--order", choices=("markowitz", "forward", "reverse"), default="markowitz",
        help="which vertices preaccumulation eliminates first (default markowitz: the fewest multiplications)")
    add = parser.add_argument_group("what is counted").add_argument
    add("--weights", choices=("count", "bytes"), default=None, help="count: |S| + |U|, one for each (default); bytes: "
        "sizes times executions, by trip counts (--assume; 100 where not known), each way of a branch equally often")
    add("--counts", metavar="FILE", action="append", default=[], help="bytes of a run that was counted, from gcov's "
        "JSON (gfortran --coverage; run; gcov --json-format), plain or gzipped; may be repeated")
    add("--price", type=seed, default=0, metavar="N", help="what one recomputed operation costs, in the same unit "
        "(default 0: only storing costs)")
    common(parser, strategies=False)
    return parser


def _seconds(text: str) -> float:
    value = _number(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text}: not a number of seconds, 0 or more")
    return value


def _delta(text: str) -> str:
    """The text itself: decimals are exact fractions later."""
    if not 0 <= _number(text) <= 1:
        raise argparse.ArgumentTypeError(f"{text}: not a number from 0 to 1")
    return text


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text}: not a number")
    return value
