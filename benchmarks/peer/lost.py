"""PUSHes of Tapenade's adjoints taken away one at a time: does the gradient change, and does `snapset compare` say so?

A PUSH goes with its POPs, and with the other PUSHes that these may take off. gfortran compiles what is left, and runs
it from the same inputs as the whole adjoint, of which there are several.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import snapset
from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.comparison.adjoint_rewriter import removable, without_calls
from snapset.analysis.comparison.verdicts.compared_head import ComparedHead, SavedValue, compared_head
from snapset.analysis.evidence.part_explanation import HeadExplainer
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.ir import Program
from snapset.library.adjoint_comparison import adjoint_program
from snapset.library.analysis import analysis_options, parse_heads, parse_strategies
from snapset.library.explanation import FIRST

from benchmarks.peer.executed import compiled, counted, gradient_bytes
from benchmarks.peer.program_run import differentiate
from benchmarks.peer.sets import is_fixed
from benchmarks.peer.texts.pairing import words
from benchmarks.peer.texts.prepared import PeerError
from tests.oracles.gfortran_driver import CannotDriveError, drive

SEEDS = (1, 2, 3)
"""Of random inputs: a value that happens to be the same with one may be another one with the next."""


@dataclass(frozen=True)
class Lost:
    """One PUSH taken away. ``lines``: of the adjoint, that went; ``changed``: is the gradient another one (None: the
    smaller adjoint does not run); ``said``: what is called missing."""

    program: str
    what: str
    lines: tuple[int, ...]
    verdict: str
    changed: bool | None
    said: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """A program. ``alarms``: what is called missing in the whole adjoint; ``why``: nothing was tried."""

    program: str
    lost: tuple[Lost, ...] = ()
    alarms: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class _Adjoint:
    """Of one program, whose source is read and analysed once."""

    path: Path
    head: Head
    text: str
    folder: Path
    program: Program
    explainer: HeadExplainer

    @property
    def fixed(self) -> bool:
        return is_fixed(str(self.path))

    def compared(self, text: str) -> ComparedHead:
        file = self.folder / f"adjoint_b{'.f' if self.fixed else '.f90'}"
        file.write_text(text)
        adjoint = adjoint_program([str(file)], [str(self.path)], ReadOptions())
        return compared_head(self.program, adjoint, self.explainer, {})

    def gradients(self, text: str, times: int = 1) -> list[list[bytes]]:
        """With each of the inputs, so many times. Raises CannotDriveError."""
        machine = Machine(self.program, find_procedure(self.program, self.head).key)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            made = counted(text, self.fixed, words(self.path.read_text().lower()))
            compiled(self.path, self.head, machine, Inputs({}), made, text, folder)
            drivers = [drive(self.head, machine, Inputs({}, seed=seed)) for seed in SEEDS]
            try:
                return [[gradient_bytes(one, folder)[0] for one in drivers] for _ in range(times)]
            except subprocess.TimeoutExpired as error:
                raise CannotDriveError("it runs on and on") from error


def tried(tapenade: Path, path: Path, head: str, most: int, seed: int) -> Tried:
    """At most ``most`` PUSHes of a program, by chance; 0: all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            _, text = differentiate(tapenade, [str(path)], head, folder)
            program, (parsed,) = snapset.load([str(path)]), parse_heads([head])
            options = analysis_options(snapset.Choices(strategies=FIRST, tape_scalars=True))
            explainer = HeadExplainer(program, parsed, parse_strategies(FIRST)[0], options)
            whole = _Adjoint(path, parsed, text, folder, program, explainer)
            found = whole.compared(text)
            right, again = whole.gradients(text, 2)
            if again != right:
                return Tried(path.stem, why="another gradient each time")
        except (PeerError, CannotDriveError, snapset.InputError) as error:
            return Tried(path.stem, why=(str(error).splitlines() or [type(error).__name__])[0][:80])
        groups = list(_together(found.saved))
        if most and len(groups) > most:
            groups = random.Random(f"{seed} {path.stem}").sample(groups, most)
        lost = [one for group in groups if (one := _without(whole, group, right)) is not None]
        return Tried(path.stem, tuple(lost), tuple(map(_said, found.missing)))


def _together(saved: Iterable[SavedValue]) -> Iterator[list[SavedValue]]:
    """PUSHes that share a POP."""
    left = [one for one in saved if one.pops]
    while left:
        group, pops = [left.pop(0)], set[int]()
        while not set(pops) >= (more := {pop for one in group for pop in one.pops}):
            pops = more
            group += [one for one in left if pops & set(one.pops)]
            left = [one for one in left if not pops & set(one.pops)]
        yield group


def _without(whole: _Adjoint, group: Sequence[SavedValue], right: Sequence[bytes]) -> Lost | None:
    """None where a call does not stand by itself."""
    lines = sorted({one.line for one in group} | {pop for one in group for pop in one.pops})
    text = whole.text.splitlines()
    names = {line: match[1].lower() for line in lines
             if (match := re.search(r"call\s+((?:push|pop)\w+)", text[line - 1], re.I)) is not None}
    fixed = whole.fixed
    if len(names) < len(lines) or not removable(whole.text, fixed, list(names.items())):
        return None
    smaller = without_calls(whole.text, fixed, names)
    try:
        changed = whole.gradients(smaller) != [right]
    except CannotDriveError:
        changed = None
    said = tuple(map(_said, whole.compared(smaller).missing))
    return Lost(whole.path.stem, f"{group[0].procedure}: {group[0].location}", tuple(lines), group[0].verdict, changed,
                said)


def _said(one: object) -> str:
    return str(one)


def lost_table(found: Sequence[Tried]) -> list[str]:
    """Markdown: what was lost and not seen, what was seen though the gradient is the same, the whole in one line."""
    every = [one for each in found for one in each.lost]
    counts = {(changed, bool(said)): sum(one.changed is changed and bool(one.said) == bool(said) for one in every)
              for changed in (True, False, None) for said in (True, False)}
    lines = ["| Program | taken away | lines | judged before | gradient | called missing |", "|---|" + "---|"*5]
    for one in every:
        if one.changed is not bool(one.said):
            told = {True: "another one", False: "the same", None: "does not run"}[one.changed]
            lines.append(f"| {one.program} | `{one.what}` | {', '.join(map(str, one.lines))} | {one.verdict} | {told} "
                         f"| {'; '.join(one.said)} |")
    alarms = [f"- {one.program}, whole: {said}" for one in found for said in one.alarms]
    skipped = [f"- {one.program}: {one.why}" for one in found if one.why]
    return [*lines, "", *alarms, *skipped, "",
            f"{len(every)} PUSHes of {sum(bool(one.lost) for one in found)} programs; {counts[True, True]} of "
            f"{counts[True, True] + counts[True, False]} whose loss changes the gradient are called missing, "
            f"{counts[False, True]} of {counts[False, True] + counts[False, False]} others, too; "
            f"{counts[None, True] + counts[None, False]} do not run."]
