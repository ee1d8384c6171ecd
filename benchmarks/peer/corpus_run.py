"""All programs of corpus/: the sets at every part, and what both adjoints really push when they run."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import geometric_mean, mean

import snapset
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.library.analysis import parse_heads

from benchmarks.peer.executed import Execution, execute
from benchmarks.peer.lost import lost_table, tried
from benchmarks.peer.patched import in_all, patched, patched_table
from benchmarks.peer.program_run import differentiate
from benchmarks.peer.reasons import known
from benchmarks.peer.sets import STRATEGIES, Row, compared
from benchmarks.peer.tables import parts, shares, summary
from benchmarks.peer.texts.prepared import PeerError
from tests.oracles.gfortran_driver import CannotDriveError

CORPUS = Path(__file__).resolve().parent.parent.parent / "corpus"
REALISTIC = Path(__file__).resolve().parent.parent / "realistic"
VALUES = {"calls": {"dt": 1e-3}}  # forty coupled steps need calm water


@dataclass(frozen=True)
class Ours:
    """Bytes of values that one strategy pushed, and the highest they stood (with control, which counts too)."""

    pushed: int
    peak: int


@dataclass(frozen=True)
class Program:
    """``execution``, ``ours``: None where one of the two cannot be executed, ``why`` says what stops it."""

    name: str
    rows: Sequence[Row]
    execution: Execution | None
    ours: Mapping[str, Ours]
    why: str


def corpus_tables(tapenade: Path, only: Sequence[str], choices: snapset.Choices) -> list[str]:
    """Markdown."""
    found = []
    for path in sorted(CORPUS.iterdir()):
        if path.suffix in (".f", ".f90") and (not only or path.stem in only):
            found.append(program(tapenade, path, choices))
    rows = [replace(row, part=f"{one.name}: {row.part}") for one in found for row in one.rows]
    differ = [row for row in rows if row.relation("lazy") != "equal"]
    return [*table(found, known()), "", *averages(found), *summary(rows), *unexplained(found, known()), "",
            "Parts whose sets are not equal:", "", *parts(differ)]


def patched_programs(tapenade: Path, only: Sequence[str], realistic: bool, extra: Sequence[str] = ()) -> list[str]:
    """Markdown: every program of corpus/ (``realistic``: of realistic/), and of further folders with a NAME.head beside
    NAME.f90, before and after `snapset compare --patch`."""
    found = []
    folders = [REALISTIC if realistic else CORPUS, *map(Path, extra)]
    for path in sorted(one for folder in folders for one in folder.iterdir() if one.suffix in (".f", ".f90")):
        if not only or path.stem in only:
            found.append(patched(tapenade, path, _head(path), VALUES.get(path.stem, {})))
    return [*patched_table(found), "", in_all(found)]


def lost_pushes(tapenade: Path, only: Sequence[str], most: int, seed: int) -> list[str]:
    """Markdown: of every program of realistic/, ``most`` PUSHes of Tapenade's adjoint taken away one at a time."""
    paths = sorted(one for one in REALISTIC.iterdir() if one.suffix in (".f", ".f90"))
    return lost_table([tried(tapenade, path, _head(path), most, seed) for path in paths
                       if not only or path.stem in only])


def realistic_table(tapenade: Path, only: Sequence[str]) -> list[str]:
    """Markdown: the bytes that both push on every program of realistic/, with what can be computed again, with the tape
    by values too, and without; geometric means over those where Tapenade's gradient is right."""
    lines = ["| Program | Tapenade | lazy | optimal | with `--dag` too: lazy | optimal | without `--recompute`: lazy "
             "| optimal | |", "|---|" + "---:|"*7 + "---|"]
    shares = list[list[float]]()
    for path in sorted(one for one in REALISTIC.iterdir() if one.suffix in (".f", ".f90")):
        if only and path.stem not in only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            _, text = differentiate(tapenade, [str(path)], _head(path), Path(folder))
        peer = _executed(path, _head(path), text, {})
        found = [_ours(path, _head(path), {}, snapset.Choices(recompute=again, dag=dag))
                 for again, dag in ((True, False), (True, True), (False, False))]
        pushed = [ours[strategy].pushed for ours in found for strategy in STRATEGIES]
        cells = [f"`{path.name}`", f"{peer.total:,}", *(f"{one:,}" for one in pushed),
                 "" if peer.right else "its gradient is wrong"]
        lines.append("| " + " | ".join(cells) + " |")
        if peer.right:
            shares.append([one/peer.total for one in pushed])
    means = [f"{geometric_mean(column):.3f}" for column in zip(*shares, strict=True)]
    return [*lines, f"| geometric mean of {len(shares)} | 1 | " + " | ".join(means) + " | |"]


def _head(path: Path) -> str:
    beside = path.with_suffix(".head")
    if beside.exists():
        return beside.read_text().strip()
    match = re.search(r"^head:\s*(.+?)\s*(#|$)", path.with_suffix(".expected").read_text(), re.MULTILINE)
    assert match is not None, path
    return match[1]


def program(tapenade: Path, path: Path, choices: snapset.Choices) -> Program:
    """One program, under both tools."""
    head = _head(path)
    with tempfile.TemporaryDirectory() as folder:
        try:
            _, text = differentiate(tapenade, [str(path)], head, Path(folder))
        except PeerError:
            return Program(path.name, (), None, {}, "Tapenade makes no adjoint")
    rows = compared(snapset.load([str(path)]), [str(path)], head, text, choices)
    values = VALUES.get(path.stem, {})
    try:
        return Program(path.name, rows, _executed(path, head, text, values), _ours(path, head, values, choices), "")
    except (CannotDriveError, snapset.InputError) as error:
        return Program(path.name, rows, None, {}, _short(error))


def _executed(path: Path, text: str, generated: str, values: Mapping[str, float]) -> Execution:
    loaded = snapset.load([str(path)])
    (head,) = parse_heads([text])
    machine = Machine(loaded, find_procedure(loaded, head).key)
    with tempfile.TemporaryDirectory() as folder:
        return execute(path, head, machine, Inputs(values), generated, Path(folder))


def _ours(path: Path, head: str, values: Mapping[str, float], choices: snapset.Choices) -> dict[str, Ours]:
    """Raises InputError where a plan fails (unsafe parts) or cannot run."""
    wanted = snapset.Choices(strategies=",".join(STRATEGIES), recompute=choices.recompute,
                             dag=choices.dag)
    found = snapset.replay([str(path)], head, wanted, values=values)
    result = {}
    for run in found.runs:
        if run.error is not None or run.traffic_bytes is None or run.peak_bytes is None:
            raise snapset.InputError(run.error or "not executed")
        result[run.name] = Ours(run.traffic_bytes - (run.control_bytes or 0), run.peak_bytes)
    return result


def _short(error: Exception) -> str:
    """Without folders, compiler listings and lengthy advice."""
    text = re.sub(r"\S*/(?=\w+\.f)", "", str(error))
    fault = re.search(r"Error: (.*)", text)
    return (fault[1] if fault and text.startswith("gfortran") else text.splitlines()[0])[:90].replace("|", "/")


def table(found: Sequence[Program], known: Mapping[str, str]) -> list[str]:
    """A line for each program. ``known``: why figures are larger, by program."""
    lines = ["Saved: bytes of the sets before the parts, every size 10. Pushed: bytes of values in one run of the "
             "adjoint (snapshots and tape, without control), both from the same inputs. Peak: the highest they stood; "
             "ours with control.", "",
             "| Program | parts | saved: Tapenade | " + " | ".join(STRATEGIES) + " | pushed: Tapenade | " +
             " | ".join(STRATEGIES) + " | peak: Tapenade | " + " | ".join(STRATEGIES) + " | |",
             "|---|" + "---:|"*(4 + 3*len(STRATEGIES)) + "---|"]
    for one in found:
        total = shares(one.rows)
        cells = [one.name, str(len(one.rows)), f"{total.peer:,}", *(f"{total.ours[s]:,}" for s in STRATEGIES)]
        if one.execution is None:
            cells += [""]*(2 + 2*len(STRATEGIES))
        else:
            cells += [f"{one.execution.total:,}", *(f"{one.ours[s].pushed:,}" for s in STRATEGIES),
                      f"{one.execution.peak:,}", *(f"{one.ours[s].peak:,}" for s in STRATEGIES)]
        remark = one.why or ("" if one.execution is None or one.execution.right else "Tapenade's gradient is wrong")
        reason = known.get(one.name, "") if _more(one) else ""
        lines.append(f"| {' | '.join(cells)} | {reason or remark} |")
    return lines


def unexplained(found: Sequence[Program], known: Mapping[str, str]) -> list[str]:
    """The programs in which we save or push more, and docs/tapenade.md does not say why."""
    missing = [one.name for one in found if _more(one) and one.name not in known]
    return [f"- larger without a reason in docs/tapenade.md: {', '.join(missing)}"] if missing else []


def _more(one: Program) -> bool:
    """Is a set of a part larger, or more pushed than by an adjoint whose gradient is right?"""
    if any(row.relation(strategy) == "larger" for row in one.rows for strategy in STRATEGIES):
        return True
    return one.execution is not None and one.execution.right and any(
        one.ours[strategy].pushed > one.execution.total for strategy in STRATEGIES)


def averages(found: Sequence[Program]) -> list[str]:
    """Over the programs whose gradients by Tapenade are right: the mean share, and where we take more."""
    ran = [one for one in found if one.execution is not None and one.execution.right]
    lines = [f"{len(ran)} programs executed by both with the same gradient; of {len(found) - len(ran)} others the last "
             "column says why. Where both push nothing the share counts as 1.", ""]
    for strategy in STRATEGIES:
        pushed = {one.name: _share(one.ours[strategy].pushed, one.execution.total) for one in ran if one.execution}
        more = [f"{name} ({share:.2f})" for name, share in pushed.items() if share > 1]
        finite = [share for share in pushed.values() if share != float("inf")] or [1.0]
        why = ", for the reasons in the last column" if more else ""
        lines.append(f"- {strategy}, pushed: on average {100*mean(finite):.1f} % of Tapenade's; more "
                     f"in {len(more)}: {', '.join(more) or 'none'}{why}")
    return lines


def _share(ours: int, peer: int) -> float:
    return ours/peer if peer else (1.0 if not ours else float("inf"))
