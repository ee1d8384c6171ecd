"""Tapenade and snapset on the same files: time, memory, and what each saves at every checkpointed part.

    SNAPSET_TAPENADE=DIRECTORY python benchmarks/peer [FILE ... --head HEAD] [--set NAME=NUMBER] [--rounds 3]

DIRECTORY holds bin/tapenade (version 3.16, option -b). Without files: every program of corpus/. Markdown on stdout.
With files each round runs Tapenade, snapset with an empty cache, and snapset after a change to the largest file.
Without SNAPSET_TAPENADE a message on stderr says so, and nothing else happens.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from corpus_run import corpus_tables
from program_run import program_tables

VARIABLE = "SNAPSET_TAPENADE"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/peer", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--head", help="in Tapenade's notation; needed with files")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER", help="a size's value (else 10)")
    parser.add_argument("--rounds", type=int, default=3, help="timed runs of each tool, alternating (3)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="of corpus/, this program")
    options = parser.parse_args(arguments)
    if bool(options.files) != bool(options.head):
        parser.error("files and --head go together")
    folder = os.environ.get(VARIABLE)
    if not folder:
        print(f"skipped: {VARIABLE} does not name a Tapenade directory", file=sys.stderr)
        return 0
    tapenade = Path(folder) / "bin" / "tapenade"
    if not os.access(tapenade, os.X_OK):
        parser.error(f"{VARIABLE}: there is no program bin/tapenade in that directory")
    given = {name.lower(): int(number) for name, _, number in (one.partition("=") for one in options.set)}
    if options.files:
        lines = program_tables(tapenade, options.files, options.head, given, options.rounds)
    else:
        lines = corpus_tables(tapenade, options.only, given)
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
