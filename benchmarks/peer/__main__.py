"""Tapenade and snapset on the same files: time, memory, and what each saves at every checkpointed part.

    SNAPSET_TAPENADE=DIRECTORY python -m benchmarks.peer [FILE ... --head HEAD ...] [-I DIR] [-D MACRO] [--rounds 3]

DIRECTORY holds bin/tapenade (version 3.16, option -b). Without files: every program of corpus/. Markdown on stdout.
With files each round runs Tapenade, snapset with an empty cache, and snapset after a change to the largest file, all
heads in one run; then Tapenade is run on each head alone, and the sets of that head are compared.
Without SNAPSET_TAPENADE a message on stderr says so, and nothing else happens.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import snapset
from snapset.library.analysis import parse_heads

from benchmarks.peer.corpus_run import corpus_tables, lost_pushes, patched_programs, realistic_table
from benchmarks.peer.measure import end_with_children
from benchmarks.peer.program_run import Request, program_tables
from benchmarks.peer.texts.prepared import PeerError, Sources

VARIABLE = "SNAPSET_TAPENADE"


def main(arguments: list[str]) -> int:
    end_with_children()
    parser = _grammar()
    options = parser.parse_args(arguments)
    if bool(options.files) != bool(options.head):
        parser.error("files and --head go together")
    folder = os.environ.get(VARIABLE)
    if not folder and options.generated is None:
        print(f"skipped: {VARIABLE} does not name a Tapenade directory", file=sys.stderr)
        return 0
    tapenade = Path(folder or ".") / "bin" / "tapenade"
    if options.generated is None and not os.access(tapenade, os.X_OK):
        parser.error(f"{VARIABLE}: there is no program bin/tapenade in that directory")
    given = {name.lower(): int(number) for name, _, number in (one.partition("=") for one in options.set)}
    try:
        if options.lost is not None:
            lines = lost_pushes(tapenade, options.only, options.lost, options.seed)
        elif options.patch:
            lines = patched_programs(tapenade, options.only, options.realistic, options.programs)
        elif options.realistic:
            lines = realistic_table(tapenade, options.only)
        elif options.files:
            lines = program_tables(tapenade, _request(options, given))
        else:
            lines = corpus_tables(tapenade, options.only, snapset.Choices(assume=given, recompute=options.recompute))
    except (PeerError, snapset.InputError) as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


def _grammar() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks/peer", description=(__doc__ or "").partition("\n\n")[0])
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE")
    add("--head", action="append", default=[], help="in Tapenade's notation; needed with files; may be repeated, and "
        "hold several")
    add("-I", action="append", default=[], metavar="DIR", dest="includes", help="where included files are")
    add("-D", action="append", default=[], metavar="NAME[=VALUE]", dest="macros", help="a macro, for .F, .F90")
    add("--cpp", action="store_true", help="preprocess every file")
    add("--tapenade-option", action="append", default=[], metavar="OPTION", help="for Tapenade, such as "
        "--tapenade-option=-noisize; may be repeated")
    add("--ext", action="append", default=[], metavar="FILE", help="a library file of Tapenade's: what procedures "
        "without source do; snapset is told the same")
    add("--arguments-only", action="store_true", help="all other procedures without source touch their arguments only, "
        "as Tapenade takes it")
    add("--split", action="append", default=[], metavar="NAME|FILE:LINE", help="as for `snapset report`")
    add("--distinct-pointers", action="store_true", help="as for `snapset report`; Tapenade always takes it so")
    add("--recompute", action="store_true", help="as for `snapset report`; Tapenade computes again what it can")
    add("--generated", metavar="FILE", help="an adjoint that Tapenade made before, of one head; nothing is timed")
    add("--set", action="append", default=[], metavar="NAME=NUMBER", help="a size's value (else 10)")
    add("--rounds", type=int, default=3, help="timed runs of each tool, alternating (3); 0: none")
    add("--only", action="append", default=[], metavar="NAME", help="of corpus/ or realistic/, this program")
    add("--realistic", action="store_true", help="every program of benchmarks/realistic/, with --recompute, with "
        "--dag too, and without")
    add("--patch", action="store_true", help="of every program of corpus/ (with --realistic: of realistic/): what "
        "`snapset compare --patch` takes out of Tapenade's adjoint, and what both push when they run")
    add("--lost", type=int, metavar="N", help="of every program of realistic/: N PUSHes by chance (0: all), each taken "
        "away by itself: whether the gradient changes, and what `snapset compare` says of what is left")
    add("--seed", type=int, default=1, help="with --lost: of that chance (1)")
    add("--programs", action="append", default=[], metavar="DIR", help="with --patch: further programs, NAME.f90 with "
        "its head in NAME.head")
    return parser


def _request(options: argparse.Namespace, given: dict[str, int]) -> Request:
    heads = tuple(one.text.replace(")>(", ")\\(") if one.turnable else one.text for one in parse_heads(options.head))
    sources = Sources(tuple(options.files), tuple(options.includes), tuple(options.macros), options.cpp)
    choices = snapset.Choices(assume=given, split=tuple(options.split), distinct_pointers=options.distinct_pointers,
                              recompute=options.recompute)
    return Request(sources, heads, options.rounds, choices, tuple(options.tapenade_option), options.generated,
                   tuple(options.ext), options.arguments_only)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
