"""All of it, or some: ``python -m tests.stress.everything --mutants 3000``. Prints what is wrong, then the figures.

The exit code is 1 if anything is wrong: a traceback, a bug (exit code 3), a hang, several lines where one is due.

``--only TEXT`` takes the handmade inputs with that in their name, ``--first N`` begins with another mutant.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path

from snapset.cli import main as cli

from tests.stress.deep_shapes import HEAD
from tests.stress.inputs import GOOD, Stress, stresses
from tests.stress.limits import Ended, run
from tests.stress.mutations import mutant

COMMANDS = ("report", "replay", "report", "dag", "check")


def mutated(number: int) -> Stress:
    """A mutant under one of the commands."""
    name, text, head = mutant(number)
    command = COMMANDS[number % len(COMMANDS)]
    more = ("--update",) if command == "check" else ()
    return Stress(f"mutant {number}: {command} {name}", (command, name, "--head", head, *more), {name: text})


def ended(stress: Stress) -> Ended:
    """How one ends, in a directory of its own."""
    with tempfile.TemporaryDirectory(prefix="stress-") as directory:
        for name, content in stress.files.items():
            path = Path(directory, name if isinstance(name, str) else name.decode("utf-8", "surrogateescape"))
            path.write_bytes(content)
        return run(stress.arguments, Path(directory))


def figures(several: Iterable[Stress], jobs: int = 1, loud: bool = True) -> Counter[str]:
    """How many ended how."""
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(jobs) as pool:
        listed = list(several)
        for stress, one in zip(listed, pool.map(ended, listed), strict=True):
            counts[one.failure or f"exit code {one.code}"] += 1
            if one.failure and loud:
                print(f"{stress.name}: {one.failure} after {one.seconds:.1f} s: {one.err.strip()[-300:]}", flush=True)
    return counts


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only")
    parser.add_argument("--no-handmade", action="store_true")
    given = parser.parse_args()
    prepare()
    failed = False
    handmade = [] if given.no_handmade else [one for one in stresses() if not given.only or given.only in one.name]
    mutants = () if given.only else map(mutated, range(given.first, given.first + given.mutants))
    for what, several in (("handmade inputs", handmade), ("mutated files", mutants)):
        counts = figures(several)
        failed = failed or any(not one.startswith("exit code") for one in counts)
        found = ", ".join(f"{one}: {counts[one]}" for one in sorted(counts)) or "none"
        print(f"{sum(counts.values())} {what}: {found}", flush=True)
    return int(failed)


def prepare() -> None:
    """Import all that a run would import: runs are forked from here."""
    with tempfile.TemporaryDirectory(prefix="stress-") as directory:
        Path(directory, "f.f90").write_text(GOOD)
        for command in ("report", "replay", "dag"):
            with redirect_stdout(io.StringIO()):
                cli.main([command, f"{directory}/f.f90", "--head", HEAD, "--no-cache"])


if __name__ == "__main__":
    sys.exit(main())
