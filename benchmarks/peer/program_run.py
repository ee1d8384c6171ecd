"""One program: both tools run on it in turn, timed, and their sets compared."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from measure import Run, run
from sets import compared
from tables import parts, summary, times


class PeerError(Exception):
    """The peer made no adjoint."""


def program_tables(tapenade: Path, files: Sequence[str], head: str, given: Mapping[str, int],
                   rounds: int) -> list[str]:
    """Markdown. Raises SystemExit where one of the tools fails."""
    paths = [str(Path(file).resolve()) for file in files]
    snapset = [sys.executable, "-m", "snapset", "report", *paths, "--head", head, "--quiet", "--format",
               "json"]
    runs: dict[str, list[Run]] = {"Tapenade": [], "snapset": []}
    text = ""
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            try:
                one, text = differentiate(tapenade, paths, head, Path(folder))
            except PeerError as error:
                raise SystemExit(str(error)) from error
        runs["Tapenade"].append(one)
        ours = run(snapset)
        if ours.code not in (0, 1):
            raise SystemExit(f"snapset: {ours.errors}")
        runs["snapset"].append(ours)
    rows = compared(paths, head, text, given)
    return [*times(runs), "", *summary(rows), "", *parts(rows)]


def differentiate(tapenade: Path, paths: Sequence[str], head: str, folder: Path) -> tuple[Run, str]:
    """Run the peer; the text of its adjoint. Raises PeerError where it makes none."""
    command = [str(tapenade), "-b", "-head", head, "-o", "peer", "-O", str(folder), *paths]
    done = run(command, folder)
    made = sorted(folder.glob("peer_b.f*"))
    if done.code or not made:
        raise PeerError(f"Tapenade made no adjoint of {head}: {(done.errors or done.out).strip()[-500:]}")
    return done, made[0].read_text(errors="replace")
