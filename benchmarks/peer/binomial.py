"""Time loops: Tapenade's BINOMIAL-CKP executed beside our revolve schedule.

    SNAPSET_TAPENADE=DIRECTORY python -m benchmarks.peer.binomial [--checkpoints 3]

On every time loop of corpus/ (`loop_*` whose number of steps the loop itself tells, or a run). The same steps are run
with the same number of checkpoints; what a checkpoint holds is compared in bytes. Tapenade's schedule comes from its
own adBinomial.c; each action is counted, and each PUSH of a snapshot.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import snapset
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.package_schedules import multistage
from snapset.library.analysis import load, parse_heads
from snapset.library.replay import parse_inputs, replay_loops

from benchmarks.peer.executed import Actions, executed_actions
from benchmarks.peer.program_run import differentiate
from benchmarks.peer.texts.prepared import PeerError
from tests.oracles.gfortran_driver import CannotDriveError
from tests.support.time_loops import LOOPS, CorpusLoop, file_of

PUSHED, ADVANCE, TURNS = 1, 4, (5, 6)  # adBinomial.h


@dataclass(frozen=True)
class Compared:
    """One loop. ``theirs``, ``ours``: bytes of one checkpoint, and steps run forward. ``why``: nothing to compare."""

    name: str
    steps: int = 0
    theirs: tuple[int, int] = (0, 0)
    ours: tuple[int, int] = (0, 0)
    right: bool = True
    equal: bool = True
    why: str = ""


def compared(tapenade: Path, name: str, one: CorpusLoop, checkpoints: int) -> Compared:
    """Both tools on one loop."""
    path = Path(file_of(name))
    values = parse_inputs(one.inputs)
    program = load([str(path)], None, heads=[one.head])
    (head,) = parse_heads([one.head])
    (first,) = _replayed(path, one, "all", 10**9)
    steps = max(first.steps)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / path.name
        source.write_text(marked(path.read_text(), one.line, steps, checkpoints))
        try:
            _, text = differentiate(tapenade / "bin" / "tapenade", [str(source)], one.head, Path(folder) / "made")
            machine = Machine(program, find_procedure(program, head).key)
            shutil.copy(path, source)
            found = executed_actions(source, head, machine, values, text, Path(folder),
                                     tapenade / "ADFirstAidKit")
        except (PeerError, CannotDriveError) as error:
            return Compared(name, steps, why=" ".join(str(error).split())[:90])
    r = first.restart
    wanted = sum(recount(multistage(n, checkpoints)).forward for n in first.steps)
    if r:
        (again,) = _replayed(path, one, "revolve", r*checkpoints)
        measured = again.runs[0].measured
        assert measured is not None
        assert measured.forward == wanted, (name, measured.forward, wanted)
    return Compared(name, steps, (_snapshot(found), _forward(found)), (r, wanted), found.right,
                    first.equal and (not r or again.equal))


def _replayed(path: Path, one: CorpusLoop, schedule: str, memory: int) -> tuple[snapset.LoopReplay, ...]:
    program = load([str(path)], None, heads=[one.head])
    (head,) = parse_heads([one.head])
    return replay_loops(program, head, snapset.Choices(), parse_inputs(one.inputs),
                        SchedulesWanted(memory, (schedule,)), [(str(path), one.line)], ExperimentOptions())


def _snapshot(found: Actions) -> int:
    """Bytes that each PUSH of a snapshot takes."""
    return found.snapshots // max(1, found.actions.get(PUSHED, 0))


def _forward(found: Actions) -> int:
    return sum(found.actions.get(kind, 0) for kind in (ADVANCE, *TURNS))


def marked(text: str, line: int, steps: int, checkpoints: int) -> str:
    """The program with the pragma before its loop."""
    lines = text.splitlines()
    counted = re.match(r"\s*do \w+ = 1, (\w+)\s*$", lines[line - 1])
    lines.insert(line - 1, f"!$AD BINOMIAL-CKP {counted[1] if counted else steps} {checkpoints} 1")
    return "\n".join(lines) + "\n"


def table(found: list[Compared]) -> Iterator[str]:
    yield "| loop | steps | forward: Tapenade | ours | bytes a checkpoint: Tapenade | ours | |"
    yield "|---|---:|---:|---:|---:|---:|---|"
    for one in found:
        if one.why:
            yield f"| `{one.name}` | {one.steps} | - | | - | | {one.why} |"
            continue
        said = [] if one.right else ["Tapenade's gradient is wrong"]
        said += [] if one.equal else ["ours is wrong"]
        yield (f"| `{one.name}` | {one.steps} | {one.theirs[1]} | {one.ours[1]} | {one.theirs[0]} | {one.ours[0]} | "
               f"{'; '.join(said)} |")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.peer.binomial", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkpoints", type=int, default=3)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    options = parser.parse_args(arguments)
    folder = os.environ.get("SNAPSET_TAPENADE")
    if not folder:
        print("skipped: SNAPSET_TAPENADE does not name a Tapenade directory", file=sys.stderr)
        return 0
    found = [compared(Path(folder), name, one, options.checkpoints) for name, one in LOOPS.items()
             if not options.only or name in options.only]
    print("\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
