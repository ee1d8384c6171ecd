"""The command line's grammar and its help. Imports little more than argparse: ``snapset --help`` is immediate."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from snapset.analysis.analysis_options import records
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest

EXIT_CODES = """\
exit codes:
  0  done, nothing to complain of
  1  findings: a change (check, diff), a gradient that differs (replay), another verdict than the recorded one (verify),
     a value that an adjoint needs and does not save (compare)
  2  the input or the command line is unusable: one line on stderr says where and what to do
  3  a bug in snapset: one line on stderr says what was being done, in which line of the Fortran, and where the
     traceback was written; --debug prints it"""

DEBUG = "--debug"

TOP = f"""\
snapset reads Fortran and tells what a reverse-mode adjoint (algorithmic differentiation) must save at each
checkpoint: the snapshot taken before a part runs, and what is taped meanwhile.

usage: snapset COMMAND FILE... [options]

commands:
  report   every checkpointed part: its sets, the lazy and the eager solution, what is taped where, bytes
  check    the same against the committed snapset.lock: for pre-commit and CI
  diff     the same between two revisions of git: snapset diff main HEAD
  replay   runs the adjoint with these sets: is its gradient right to the last bit, what does its stack hold?
  schedule a time loop: what restarts it at a step, what the adjoint of a step needs, in bytes
  divide   the adjoint of the whole run, split at any step: capsules of what is live, within a budget of bytes
  messages what the messages in a part allow: communicate again, send again or log; deadlocks shown, on simulated ranks
  dag      store or recompute: which values and partials of straight-line code the tape holds, against the optimum
  verify   the claims about the equations behind it all, proved or refuted with counterexamples (no FILE)
  explain  why a variable is saved at a part, or why not; what a diagnostic means: snapset explain SN105
  compare  an adjoint that Tapenade made: what it saves too much, what is missing; written anew without the former
  init     a first project file, of what lies here: files, and the heads a makefile gives Tapenade (no FILE)
  schema   the JSON Schema of a command's --format json: snapset schema report (no FILE)
  completion  a script that completes commands and options in bash, zsh or fish (no FILE)

  snapset report burgers.f90 --head 'burgers(u)>(cost)'
  snapset check --update
  snapset replay burgers.f90 --head 'burgers(u)>(cost)' --set n=50

`snapset COMMAND --help` has every option and examples; `snapset --version` the version.

{EXIT_CODES}
"""

FORMATS = ("text", "json", "sarif", "github", "junit", "markdown", "html")
"""How findings can be written."""
FORMAT_HELP = ("text for people; JSON; SARIF 2.1.0; GitHub's annotations; JUnit's XML; a Markdown page for a comment; "
               "HTML for a browser, of report with source, call tree, evidence and pictures (default text)")

_REPORT = """\
For every checkpointed part that the head's adjoint runs: what a lazy, an eager or the cheapest adjoint saves before
it (Snp), keeps to the end (Sbk) and tapes afterwards (Req_D, Req_C), and the bytes, as formulas. First a summary:
totals, the dearest parts and locations, what is not known, what makes gradients wrong. --sets shows what each part
reads and overwrites, and every statement that tapes; `snapset explain` says why something is saved."""

_REPORT_MORE = f"""\
A part is what stands between !$AD CHECKPOINT-START and !$AD CHECKPOINT-END, every call (not after
!$AD NOCHECKPOINT), and every --region. Files and heads may come from [tool.snapset] in pyproject.toml, or from
snapset.toml, here or above.

examples:
  snapset report burgers.f90 --head 'burgers(u)>(cost)'
  snapset report src/*.F90 -I include -D REAL8 --head 'ocean%step(temp)>(misfit)' --assume nx=360 --assume ny=180
  snapset report relax.f90 --head 'relax(x)>(y)' --strategy 'lazy,Opt1+=a;Opt3+=*' --format json
  snapset report relax.f90 --head 'relax(x)>(y)' --strategy 'lazy,eager;relax@17:Opt3+=a'
  snapset report relax.f90 --head 'relax(x)>(y)' --strategy all --assume n=1000 --pareto-picture relax.svg
  snapset report src/*.F90 --head 'ocean%step(temp)>(misfit)' --brief --top 20
  snapset report relax.f90 --head 'relax(x)>(y)' --part relax@17
  snapset report relax.f90 --head 'relax(x)>(y)' --changed-since main
  snapset report relax.f90 --head 'relax(x)>(y)' --format pushes
  snapset report relax.f90 --head 'relax(x)>(y)' --dump to-be-recorded
  snapset report relax.f90 --head 'relax(x)>(y)' --format html --set n=100 -o relax.html

{EXIT_CODES}"""

_VERIFY = """\
Proves or refutes the published claims about the data-flow equations of checkpointing (Dauvergne & Hascoet, "DH"),
and those snapset relies on. Set formulas are read as logic over one location, and sympy looks for a location
that breaks the claim. For a refuted claim: the sets that location is in, the choice (Sbk, Snp, Req_D, Req_C)
that shows it, and a small Fortran program with such a location. No Fortran is read."""

_VERIFY_MORE = f"""\
The verdict of every claim is on record; `as recorded` says whether this run found the same.

examples:
  snapset verify                          all claims, then the counterexamples
  snapset verify --claim dh7-complete     one claim: does (7) list every minimal choice? (it does not)
  snapset verify --format json

{EXIT_CODES}"""


_REPLAY = """\
Executes the head's program and its adjoint: once storing everything, which is the reference, and once for each
strategy, saving only what the report says. Tells whether the gradients are equal, bit for bit, and what the
stack held: its highest point (peak), all that was ever pushed (traffic), and by whom."""

_REPLAY_MORE = f"""\
Inputs: reals are random between 0.5 and 1.5, integers 5, index arrays permutations, logicals true; open extents
of arrays, as in x(:), are 5. --set gives others, by the names the procedure has for them:
  --set n=50                an integer, a real, or one value for all elements of an array
  --set x=1,2.5,1d-3        all elements, in Fortran's order
  --set 'x=random(-1,1)'    random reals of that range; x=random is the default one; --seed draws others
  --set c%p=0.1             a component; module and COMMON variables go by their own names
  --set "uplo='U'"          characters; blank where they are not given
  --set 'size(x)=20,10'     extents that the declaration of x leaves open
  --set 's=type(worn)'      which type the CLASS object s is of; else the first that has objects

Poison: whatever the analysis says nobody needs any more is overwritten with NaN at that moment, so that a
location that should have been saved shows even where its old value happens to be still there.

examples:
  snapset replay burgers.f90 --head 'burgers(u)>(cost)' --set n=100 --set nsteps=20
  snapset replay burgers.f90 --head 'burgers(u)>(cost)' --necessity
  snapset replay relax.f90 --head 'relax(x)>(y)' --strategy 'lazy,Opt3+=a' --picture stack.svg
  snapset replay burg.f90 --head 'burg(u,nu)>(cost)' --loop burg.f90:12 --schedule best,revolve --memory 1600

{EXIT_CODES}"""


_STRATEGY = """\
lazy, eager, optimal, or a partition such as 'Opt1+=a,b;Opt2-=c;Opt3+=*' (the rest: lazy); 'all' for the named ones;
'eager;relax@17:Opt3+=v' chooses otherwise for one part, 'Sbk+=w' keeps w in Sbk alone where that is valid (default
lazy,eager)"""


_UNKNOWN = pattern_of(r"unrecognized arguments: (--?\S+)")
_CHOICE = pattern_of(r"invalid choice: '([^']*)' \(choose from (.*)\)", re.DOTALL)
_NO_VALUE = pattern_of(r"ignored explicit argument (.*)")
_QUOTED = pattern_of(r"'([^']*)'")
_EXPECTED = pattern_of(r"expected \d+ arguments")


class UsageError(Exception):
    """The command line is unusable; its text is one line."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print and exit, in words that say what to type instead."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(" ".join(self._said(message).split()))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """``--picture "$unset"`` and ``report "$unset"`` are mistakes, not left out."""
        if "" in arg_strings:
            raise argparse.ArgumentError(action, "nothing is given; write a value, or leave it out")
        return super()._get_values(action, arg_strings)

    def destination(self, option: str) -> str:
        """The name of an option's value; "" where there is no such option."""
        found = self._option_string_actions.get(option)
        return "" if found is None else found.dest

    def _said(self, message: str) -> str:
        """argparse's message, with the nearest name there is, and what an option takes by name."""
        if (found := _UNKNOWN.match(message)) is not None:
            return f"{message}{nearest(found[1].partition('=')[0], self._option_string_actions)}"
        if (found := _CHOICE.search(message)) is not None:
            return message + nearest(found[1], _QUOTED.findall(found[2]))
        if message.startswith("the following arguments are required"):
            return f"too little is given; write {(self.usage or '').partition(chr(10))[0]}"
        message = _NO_VALUE.sub(r"takes no value, but \1 is given", message)
        for action in self._actions:
            if isinstance(action.metavar, tuple) and message.startswith(f"argument {'/'.join(action.option_strings)}:"):
                return _EXPECTED.sub(f"expected {' '.join(action.metavar)}", message)
        return message


def report_parser() -> Parser:
    """``snapset report``"""
    parser = command_parser("report", _REPORT, _REPORT_MORE)
    parser.add_argument("--format", choices=(*FORMATS, "pushes", "taf"), default="text", help=f"{FORMAT_HELP}; the "
                        "PUSH and POP calls of a hand-written adjoint; TAF's STORE directives, to be pasted")
    output(parser)
    add = parser.add_argument
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="with --format html: run the adjoint too, on "
        "such inputs as snapset replay takes, and draw its stack")
    add("--sets", action="store_true", help="all of every part: the sets it follows from, each statement that tapes")
    add("--part", action="append", default=[], metavar="PART", help="that for this part only: its id (burgers@13), a "
        "line in it (burgers.f90:14), or the procedure it calls; may be repeated")
    add("--changed-since", metavar="REV", help="that for the parts in which, or in what they call, a statement is "
        "another than in this revision of git's")
    add("--brief", action="store_true", help="only the summary")
    add("--sort", choices=("bytes", "source"), help="the parts with the largest snapshots first, or as they stand "
        "(default)")
    add("--top", type=_places, metavar="N",
        help="how many parts and locations the summary names (default 10), and how many parts at least are listed")
    _option(add, "pareto")
    add("--pareto-picture", metavar="FILE.svg", help="draw that, with lazy, eager and optimal marked")
    add("--picture", metavar="FILE.svg", help="draw the sweeps around each part: what is saved, restored and taped "
        "where (of the dearest parts, or of those of --part)")
    add("--dump", metavar="ANALYSIS", help="instead of the report, one data-flow analysis: what holds before and "
        "behind each statement; 'list' names them all")
    _option(add, "counts")
    executor(parser)
    common(parser)
    return parser


def verify_parser() -> Parser:
    """``snapset verify``"""
    parser = command_parser("verify", _VERIFY, _VERIFY_MORE)
    parser.usage = "snapset verify [options]"
    parser.add_argument("--claim", action="append", metavar="ID", help="only this claim; may be repeated")
    parser.add_argument("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or "
                        "a page for a browser")
    output(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    _debug(parser.add_argument)
    return parser


def replay_parser() -> Parser:
    """``snapset replay``"""
    parser = command_parser("replay", _REPLAY, _REPLAY_MORE)
    add = parser.add_argument
    add("--format", choices=("text", "json", "html"), default="text", help="text for people, JSON, or a page for a "
        "browser")
    output(parser)
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an input; see below")
    add("--seed", type=seed, default=1, metavar="N", help="which random numbers (default 1)")
    add(
        "--necessity",
        action="store_true",
        help="lose each saved location in turn: how many of them does the gradient really need?",
    )
    poison = parser.add_mutually_exclusive_group()
    poison.add_argument("--no-poison", dest="poison", action="store_false", help="leave values alone that nobody "
                        "should need")
    poison.add_argument("--poison", dest="poison", action="store_true", default=True, help="destroy them (default)")
    add("--max-bytes", type=size, metavar="N", help="give up where the store-all adjoint keeps more than N bytes "
        "(default 1000000000)")
    add("--max-steps", type=size, metavar="N", help="give up after so many steps of the program, an endless loop "
        "perhaps (default 1000000)")
    add("--loop", action="append", default=[], metavar="FILE:LINE", help="with --schedule: a time loop's DO")
    add("--schedule", metavar="S,...", help="run that loop under schedules: best, all (that fit), store-all, mixed, "
        "equal, revolve, none, online, online mixed ... (snapset schedule lists them)")
    storage(parser)
    add("--picture", metavar="FILE.svg", help="draw the stack's height over the run, a panel for each strategy")
    add("--verbose", action="store_true", help="list every place that saves something, also where they are many")
    common(parser)
    return parser


def output(parser: Parser) -> None:
    """Where the result goes."""
    parser.add_argument("-o", "--output", metavar="FILE", help="write it there, whole or not at all, instead of to "
                        "stdout")


def storage(parser: Parser) -> None:
    """The bytes there are for a time loop's checkpoints, and what is a step."""
    add = parser.add_argument_group("time loops").add_argument
    add("--memory", metavar="B[+step]", help="bytes for checkpoints, such as 80KB, beside the working storage of one "
        "step; with +step that is taken from them too; with --divide: for capsules and tape")
    add("--disk", metavar="B@B/s", help="a second storage and its speed, such as 200GB@1.5GB/s")
    add("--step-time", type=float, default=1.0, metavar="S", help="seconds that a step takes, to weigh a disk "
        "(default 1)")
    add("--period", type=_iterations, default=1, metavar="K", help="iterations that make a step (default 1)")


def command_parser(command: str, description: str, epilog: str) -> Parser:
    """An empty parser that prints nothing by itself."""
    return Parser(
        prog=f"snapset {command}",
        description=description,
        epilog=epilog,
        usage=f"snapset {command} [FILE...] [options]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def executor(parser: Parser) -> None:
    parser.add_argument("--executor", metavar="dask:ADDRESS", help="analyse the heads on the workers of a Dask "
        "scheduler")


def _debug(add: Callable[..., argparse.Action]) -> None:
    add(DEBUG, action="store_true", help="should snapset itself fail, print the traceback instead of writing a file")


def _running(parser: Parser) -> None:
    add = parser.add_argument_group("running").add_argument
    add("--jobs", type=_count, metavar="N", help="use N processes (default: one for each core, where that pays)")
    add("--cache-dir", metavar="DIR", help="keep what is computed in DIR (default: $SNAPSET_CACHE_DIR, else "
        "~/.cache/snapset)")
    add("--no-cache", action="store_true", help="compute everything anew, and keep nothing")
    _debug(add)


def common(parser: Parser, strategies: bool = True) -> None:
    """What every command takes that reads Fortran."""
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="Fortran files, in any order; a pattern in quotes, "
        "'src/*.f90', means those it matches")
    add(
        "--head",
        action="append",
        default=[],
        metavar="HEAD",
        help="what to differentiate, in Tapenade's notation: 'procedure(independents)>(dependents)', "
        "'module%%procedure' for one in a module; may be repeated, and hold several",
    )
    reading = parser.add_argument_group("reading")
    add = reading.add_argument
    add("-I", dest="include", action="append", default=[], metavar="DIR", help="look for included files in DIR")
    add("-D", dest="macro", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro")
    add("--cpp", action="store_true", help="preprocess every file (default: .F, .F90 and the like)")
    form = reading.add_mutually_exclusive_group()
    form.add_argument("--fixed", dest="form", action="store_const", const="fixed", help="all files are in fixed form")
    form.add_argument("--free", dest="form", action="store_const", const="free", help="all files are in free form")
    _default_kinds(reading)
    _analysis(parser, strategies)
    add = parser.add_argument
    _running(parser)
    add("--quiet", action="store_true", help="no progress on stderr")


def _default_kinds(reading: argparse._ArgumentGroup) -> None:
    """The bytes of REAL and INTEGER without a kind, also as Tapenade's options spell them."""
    add = reading.add_argument
    add("--real-kind", "-r", type=int, choices=(4, 8), metavar="4|8",
        help="bytes of REAL, and of 1.0, without a kind; -r8 for short (default 4)")
    add("--integer-kind", "-i", type=int, choices=(2, 4, 8), metavar="2|4|8",
        help="bytes of INTEGER and LOGICAL without a kind; -i8 for short (default 4)")
    add("-dr8", action="store_true", dest="double_kind", help="DOUBLE PRECISION is real(8): always so here")


def _analysis(parser: Parser, strategies: bool) -> None:
    add = parser.add_argument_group("analysis").add_argument
    if strategies:
        add("--strategy", metavar="S,...", help=_STRATEGY)
        add("--strategy-file", action="append", metavar="FILE",
            help="a strategy in a file, named after it: a clause a line, such as 'eager' or 'relax@17: Opt3+=v'")
    else:
        parser.set_defaults(strategy=None)
    add(
        "--region",
        action="append",
        default=[],
        metavar="FILE:FIRST-LAST",
        help="these lines are a checkpointed part too",
    )
    for name, record in records().items():
        if record.flag and not record.command:
            _option(add, name)


def _option(add: Callable[..., argparse.Action], name: str) -> None:
    """An option of the analysis, as its record has it."""
    record = records()[name]
    match record.kind:
        case "switch":
            add(record.flag, dest=name, action="store_true", help=record.help)
        case "off switch":
            add(record.flag, dest=name, action="store_false", help=record.help)
        case "choice":
            add(record.flag, dest=name, choices=record.choices, help=record.help)
        case _:
            add(record.flag, dest=name, action="append", default=[], metavar=record.metavar, help=record.help)


def seed(text: str) -> int:
    """A number, 0 or more."""
    if not text.isdecimal() or len(text) > 400:
        raise argparse.ArgumentTypeError(f"{text[:30]}: not a whole number, 0 or more")
    return int(text)


def size(text: str) -> int:
    """A number of bytes or steps, 1 or more."""
    if not text.isdecimal() or len(text) > 18 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text[:30]}: not a whole number, 1 or more, such as 2000000000")
    return int(text)


def _small(text: str, complaint: str) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text[:30]}: {complaint}")
    return int(text)


_places = partial(_small, complaint="not a whole number, 1 or more, such as 20")
_iterations = partial(_small, complaint="not a number of iterations, 1 or more")
_count = partial(_small, complaint="not a number of processes, 1 or more")
