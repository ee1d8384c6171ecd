"""What `snapset compare --patch` takes out of Tapenade's adjoints, executed: the same gradient, fewer bytes pushed."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import snapset
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.comparison.verdicts.missing_values import MissingValue
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.adjoint_comparison import compare, without_superfluous
from snapset.library.analysis import parse_heads

from benchmarks.peer.executed import Execution, execute
from benchmarks.peer.program_run import differentiate
from benchmarks.peer.sets import is_fixed
from benchmarks.peer.texts.prepared import PeerError
from tests.oracles.gfortran_driver import CannotDriveError

AGAIN = 4
"""Times that an adjoint is run once more as it is, where its gradient and the smaller one's differ."""


@dataclass(frozen=True)
class Patched:
    """One program. ``pushes``: in the text; ``gone``: of these; ``unjudged``: of these too. ``missing``: what a part
    needs. ``before``, ``after``: None where the adjoint cannot be run, ``why`` says what stops it. ``steady``: gives
    the adjoint the same gradient each time, as it is? (No, where it reads what nothing has given a value.)"""

    name: str
    pushes: int = 0
    gone: int = 0
    unjudged: int = 0
    missing: tuple[str, ...] = ()
    before: Execution | None = None
    after: Execution | None = None
    why: str = ""
    steady: bool = True

    @property
    def same(self) -> bool:
        return self.before is not None and self.after is not None and self.before.gradient == self.after.gradient


def patched(tapenade: Path, path: Path, head: str, values: Mapping[str, float]) -> Patched:
    """Differentiate, compare, patch, run both."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            _, text = differentiate(tapenade, [str(path)], head, folder)
        except PeerError:
            return Patched(path.name, why="Tapenade makes no adjoint")
        adjoint = folder / f"adjoint_b{'.f' if is_fixed(str(path)) else '.f90'}"
        adjoint.write_text(text)
        try:
            found = compare([str(adjoint)], [str(path)], head)
        except snapset.InputError as error:
            return Patched(path.name, why=str(error).rpartition("error: ")[2][:80])
        ((smaller, _),) = without_superfluous([str(adjoint)], found, str(folder / "new"), ReadOptions())
        after = Path(smaller).read_text()
        counts = Patched(path.name, len(found.saved), sum(one.superfluous for one in found.saved),
                         sum(one.verdict == "not judged" for one in found.saved),
                         tuple(map(_missing, found.missing)))
        try:
            runs = [_run(path, head, one, values, folder / str(n)) for n, one in enumerate((text, after))]
        except (CannotDriveError, snapset.InputError) as error:
            why = str(error).splitlines()[0][:80] if str(error) else type(error).__name__
            return replace(counts, why=why)
        steady = runs[0].gradient == runs[1].gradient or all(
            _run(path, head, text, values, folder / f"again{n}").gradient == runs[0].gradient for n in range(AGAIN))
        return replace(counts, before=runs[0], after=runs[1], steady=steady)


def _missing(one: MissingValue) -> str:
    return f"{one.location} at " + (f"line {one.statement}" if one.region is None else one.region.id)


def _run(path: Path, text: str, generated: str, values: Mapping[str, float], folder: Path) -> Execution:
    folder.mkdir()
    loaded = snapset.load([str(path)])
    (head,) = parse_heads([text])
    machine = Machine(loaded, find_procedure(loaded, head).key)
    return execute(path, head, machine, Inputs(values), generated, folder)


def patched_table(found: Iterable[Patched]) -> list[str]:
    """Markdown; programs without a PUSH are left out."""
    lines = ["| Program | PUSHes | superfluous | not judged | pushed: before | after | gradient | missing |",
             "|---|---:|---:|---:|---:|---:|---|---|"]
    for one in found:
        if not one.pushes and not one.missing and not one.why:
            continue
        if one.before is None or one.after is None:
            figures = ["-", "-", re.sub(r"\S*/(?=\w+\.f)", "", one.why).replace("|", "/")]
        else:
            figures = [f"{one.before.total:,}", f"{one.after.total:,}",
                       ("same bits" if one.same else "DIFFERS" if one.steady else "another one each time") +
                       ("" if one.before.right else ", wrong")]
        cells = [one.name, str(one.pushes), str(one.gone), str(one.unjudged), *figures, ", ".join(one.missing)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def in_all(found: Sequence[Patched]) -> str:
    """One line."""
    ran = [one for one in found if one.before is not None and one.after is not None]
    before = sum(one.before.total for one in ran if one.before is not None)
    after = sum(one.after.total for one in ran if one.after is not None)
    fewer = sum(1 for one in ran if one.gone)
    same = sum(one.same for one in ran)
    unsteady = "".join(f", {one.name} with others in each run" for one in ran if not one.same and not one.steady)
    return (f"{len(found)} programs, {len(ran)} run before and after, {same} with the same bits{unsteady}; {fewer} "
            f"push less: {before:,} bytes before, {after:,} after")
