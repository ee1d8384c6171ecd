"""One program: both tools run on it in turn, timed, and their sets compared."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from measure import Run, run
from sets import compared
from tables import parts, summary, times


class PeerError(Exception):
    """The peer made no adjoint."""


TOUCH = """
      subroutine peer_touched_(x)
      real x
      x = 2*x
      end subroutine peer_touched_
"""


def program_tables(tapenade: Path, files: Sequence[str], head: str, given: Mapping[str, int],
                   rounds: int) -> list[str]:
    """Markdown. Raises SystemExit where one of the tools fails."""
    runs: dict[str, list[Run]] = {"Tapenade": [], "snapset, cold": [], "snapset, one file touched": []}
    text = ""
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            paths = copied(files, Path(folder) / "sources")
            try:
                one, text = differentiate(tapenade, paths, head, Path(folder))
            except PeerError as error:
                raise SystemExit(str(error)) from error
            runs["Tapenade"].append(one)
            cache = str(Path(folder) / "cache")
            runs["snapset, cold"].append(report(paths, head, cache))
            largest = max(map(Path, paths), key=lambda path: path.stat().st_size)
            with largest.open("a") as file:
                file.write(TOUCH)
            runs["snapset, one file touched"].append(report(paths, head, cache))
    rows = compared([str(Path(file).resolve()) for file in files], head, text, given)
    return [*times(runs), "", *summary(rows), "", *parts(rows)]


def copied(files: Sequence[str], folder: Path) -> list[str]:
    """Copies that may be changed, in the same order."""
    folder.mkdir()
    return [shutil.copy(file, folder) for file in files]


def report(paths: Sequence[str], head: str, cache: str) -> Run:
    """A run of snapset. Raises SystemExit where it fails."""
    done = run([sys.executable, "-m", "snapset", "report", *paths, "--head", head, "--quiet", "--format", "json",
                "--cache-dir", cache])
    if done.code not in (0, 1):
        raise SystemExit(f"snapset: {done.errors}")
    return done


def differentiate(tapenade: Path, paths: Sequence[str], head: str, folder: Path) -> tuple[Run, str]:
    """Run the peer; the text of its adjoint. Raises PeerError where it makes none."""
    command = [str(tapenade), "-b", "-head", head, "-o", "peer", "-O", str(folder), *paths]
    done = run(command, folder)
    made = sorted(folder.glob("peer_b.f*"))
    if done.code or not made:
        raise PeerError(f"Tapenade made no adjoint of {head}: {(done.errors or done.out).strip()[-500:]}")
    return done, made[0].read_text(errors="replace")
