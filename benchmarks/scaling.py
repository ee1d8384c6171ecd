"""Time and memory of `snapset report` on synthetic programs of growing length, computed anew each time.

    python -m benchmarks.scaling [LINES ...] [--warm] [--repeat N]

A row for each length: lines, seconds (wall and processor), peak memory of all processes together, and the exponent e of
time ~ lines^e from the row before, start-up taken off. Processor time, because other load disturbs it less. ``--warm``:
and again from the cache, after a comment and after a statement was added to one procedure. Exit code 1 if the exponent
over all rows is above 1.1, or 100,000 lines take two minutes of processor time or a gigabyte.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from math import log
from pathlib import Path

from benchmarks.synthetic import HEAD, program

LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000)
EXPONENT, SECONDS, MEGABYTES, LONG = 1.1, 120.0, 1000.0, 100_000


@dataclass(frozen=True)
class Row:
    """One run. ``memory``: in megabytes."""

    lines: int
    wall: float
    processor: float
    memory: float


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("lines", type=int, nargs="*", default=LENGTHS)
    parser.add_argument("--warm", action="store_true")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="of N runs the fastest counts")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        start = run(["--version"], Path(folder), 0)
        print(f"{'lines':>8} {'wall s':>8} {'cpu s':>8} {'MB':>6}  exponent")
        rows: list[Row] = []
        for lines in options.lines:
            rows.append(measured(lines, Path(folder), options))
            before = rows[-2] if len(rows) > 1 else None
            show(rows[-1], "" if before is None else f"{exponent(before, rows[-1], start):.2f}")
            if options.warm:
                warm(lines, Path(folder))
    overall = exponent(rows[0], rows[-1], start) if len(rows) > 1 else 0.0
    print(f"time ~ lines^{overall:.2f}")
    last = rows[-1]
    per_line = LONG / last.lines
    fine = overall <= EXPONENT and last.processor * per_line <= SECONDS and last.memory * per_line <= MEGABYTES
    return 0 if fine else 1


def measured(lines: int, folder: Path, options: argparse.Namespace) -> Row:
    """The fastest of several runs on one program."""
    files = written(lines, folder)
    command = ["report", *files, "--head", HEAD, "--quiet", "--no-cache"]
    runs = [run(command, folder, total(files)) for _ in range(options.repeat)]
    return min(runs, key=lambda row: row.processor)


def warm(lines: int, folder: Path) -> None:
    """From the cache: unchanged, with a comment, with another statement."""
    files = written(lines, folder)
    command = ["report", *files, "--head", HEAD, "--quiet", "--cache-dir", str(folder / f"cache{lines}")]
    run(command, folder, 0)
    touched = Path(files[len(files) // 2])
    show(run(command, folder, total(files)), "warm")
    touched.write_text(touched.read_text() + "! a comment\n")
    show(run(command, folder, total(files)), "warm, a comment more")
    touched.write_text(touched.read_text().replace("    t = 0\n", "    t = w\n", 1))
    show(run(command, folder, total(files)), "warm, another statement")


def written(lines: int, folder: Path) -> list[str]:
    """The files of a program of that length."""
    directory = folder / str(lines)
    directory.mkdir(exist_ok=True)
    found = []
    for name, text in program(lines).items():
        (directory / name).write_text(text, encoding="utf-8")
        found.append(str(directory / name))
    return found


def total(files: list[str]) -> int:
    return sum(Path(file).read_text(encoding="utf-8").count("\n") for file in files)


def run(command: list[str], folder: Path, lines: int) -> Row:
    """One run of the command, its output thrown away."""
    begin = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen([sys.executable, "-m", "snapset", *command], stdout=nowhere, cwd=folder)
        peak = [0.0]
        watch = threading.Thread(target=_watch, args=(child.pid, peak), daemon=True)
        watch.start()
        _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"snapset {' '.join(command)}: exit code {child.returncode}")
    memory = max(peak[0], usage.ru_maxrss / 1024)
    return Row(lines, wall, usage.ru_utime + usage.ru_stime, memory)


def _watch(pid: int, peak: list[float]) -> None:
    """The greatest sum of a process's memory and its children's, as far as /proc tells."""
    while True:
        sizes = [_resident(one) for one in _family(pid)]
        if not sizes or sizes[0] == 0:
            return
        peak[0] = max(peak[0], sum(sizes))
        time.sleep(0.05)


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(one for child in children for one in _family(int(child)))]


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def exponent(short: Row, long: Row, start: Row) -> float:
    """e of time ~ lines^e, the time of an empty run taken off."""
    least = 1e-3
    times = max(long.processor - start.processor, least) / max(short.processor - start.processor, least)
    return log(times) / log(long.lines / short.lines)


def show(row: Row, remark: str) -> None:
    print(f"{row.lines:8,} {row.wall:8.2f} {row.processor:8.2f} {row.memory:6.0f}  {remark}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
