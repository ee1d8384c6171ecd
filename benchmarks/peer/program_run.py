"""One program: both tools run on it in turn, timed, and their sets compared."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import snapset
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.ir import Program

from benchmarks.peer.externals import arguments_only, described, project_file
from benchmarks.peer.measure import Run, run
from benchmarks.peer.sets import Row, compared
from benchmarks.peer.tables import heads_table, parts, summary, times
from benchmarks.peer.texts.prepared import PeerError, Sources

TOUCH = """
      subroutine peer_touched_(x)
      real x
      x = 2*x
      end subroutine peer_touched_
"""


@dataclass(frozen=True)
class Request:
    """What to compare.

    ``choices``: snapset's. ``extra``: further options for the peer. ``generated``: the file of the peer's adjoint, made
    before (nothing is run then, and nothing timed). ``libraries``: files that tell the peer what procedures without
    source do; ``arguments_only``: all others touch their arguments only. snapset is told both.
    """

    sources: Sources
    heads: tuple[str, ...]
    rounds: int
    choices: snapset.Choices = field(default_factory=snapset.Choices)
    extra: tuple[str, ...] = ()
    generated: str | None = None
    libraries: tuple[str, ...] = ()
    arguments_only: bool = False


def program_tables(tapenade: Path, request: Request) -> list[str]:
    """Markdown. Raises PeerError where one of the tools fails on the only head, or on all of them."""
    lines: list[str] = []
    if request.generated is None and request.rounds:
        lines += [*times(timed(tapenade, request)), ""]
    with tempfile.TemporaryDirectory() as folder:
        paths = request.sources.into(Path(folder) / "sources")
        program = snapset.load(paths, read_options(request), heads=request.heads)
        choices = replace(request.choices, effects=_effects(request, program))
        found: dict[str, list[Row]] = {}
        refused: dict[str, str] = {}
        for number, head in enumerate(request.heads):
            try:
                text = _generated(tapenade, request, paths, head, Path(folder) / str(number))
            except PeerError as error:
                refused[head] = str(error)
                continue
            found[head] = compared(program, paths, head, text, choices)
    if not found:
        raise PeerError("\n".join(refused.values()))
    return [*lines, *_rendered(found, refused)]


def read_options(request: Request) -> ReadOptions:
    """The files are preprocessed by then; relative directories of -I are those of the current one. The sizes of default
    kinds that the peer is told (-r8, -i8) are told both."""
    told = [re.fullmatch(r"-([ir])([48])", one) for one in request.extra]
    sizes = {one[1]: int(one[2]) for one in told if one is not None}
    kinds = DefaultKinds(integer=sizes.get("i", 4), real=sizes.get("r", 4))
    return ReadOptions(include_dirs=tuple(str(Path(one).resolve()) for one in request.sources.includes), kinds=kinds)


def _rendered(found: Mapping[str, Sequence[Row]], refused: Mapping[str, str]) -> list[str]:
    rows = [row for one in found.values() for row in one]
    if len(found) + len(refused) == 1:
        return [*summary(rows), "", *parts(rows)]
    differ = [row for row in rows if row.relation("lazy") != "equal"]
    return [*heads_table(found, refused), "", *summary(rows), "", "Parts whose sets are not equal:", "", *parts(differ)]


def timed(tapenade: Path, request: Request) -> dict[str, list[Run]]:
    """All heads in one run of each tool, alternating.

    Raises:
        PeerError: one of the tools fails.
        InputError: what snapset cannot read.
    """
    runs: dict[str, list[Run]] = {"Tapenade": [], "snapset, cold": [], "snapset, one file touched": []}
    together = " ".join(request.heads)
    for _ in range(request.rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            paths = request.sources.into(folder / "sources")
            runs["Tapenade"].append(differentiate(tapenade, paths, together, folder / "peer", _extra(request))[0])
            if request.libraries or request.arguments_only:
                effects = _effects(request, snapset.load(paths, read_options(request), heads=request.heads))
                (folder / "snapset.toml").write_text(project_file(effects))
            runs["snapset, cold"].append(report(paths, together, folder, request))
            largest = max(map(Path, paths), key=lambda path: path.stat().st_size)
            with largest.open("a") as file:
                file.write(TOUCH)
            runs["snapset, one file touched"].append(report(paths, together, folder, request))
    return runs


def report(paths: Sequence[str], head: str, folder: Path, request: Request) -> Run:
    """A run of snapset in ``folder``, with the cache and the project file there. Raises PeerError where it fails."""
    modes = [word for split in request.choices.split for word in ("--split", split)]
    modes += ["--distinct-pointers"] * request.choices.distinct_pointers
    modes += [word for one in request.sources.includes for word in ("-I", str(Path(one).resolve()))]
    done = run([sys.executable, "-m", "snapset", "report", *paths, "--head", head, "--quiet", "--format", "json",
                "--cache-dir", str(folder / "cache"), *modes], folder)
    if done.code not in (0, 1):
        raise PeerError(f"snapset: {done.errors}")
    return done


def differentiate(tapenade: Path, paths: Sequence[str], head: str, folder: Path,
                  extra: Sequence[str] = ()) -> tuple[Run, str]:
    """Run the peer; the text of its adjoint, in one file. Raises PeerError where it makes none."""
    folder.mkdir(exist_ok=True)
    done = run([str(tapenade), "-b", *extra, "-head", head, "-o", "peer", "-O", str(folder), *paths], folder)
    made = sorted(folder.glob("peer_b.f*"))
    if done.code or not made:
        raise PeerError(f"Tapenade makes no adjoint of {head} (code {done.code}): {_why(done)}")
    return done, made[0].read_text(errors="replace")


def _why(done: Run) -> str:
    """The lines of its output that say so, else its last ones."""
    lines = [line.strip() for line in (done.out + done.errors).splitlines() if line.strip()]
    told = [line for line in lines if re.search(r"error|exception|cannot|not found|unknown|outofmemory", line, re.I)]
    return " / ".join((told or lines)[-5:])[:1000]


def _generated(tapenade: Path, request: Request, paths: Sequence[str], head: str, folder: Path) -> str:
    if request.generated is not None:
        return Path(request.generated).read_text(errors="replace")
    return differentiate(tapenade, paths, head, folder, _extra(request))[1]


def _extra(request: Request) -> list[str]:
    folders = [word for one in request.sources.includes for word in ("-I", str(Path(one).resolve()))]
    libraries = [word for one in request.libraries for word in ("-ext", str(Path(one).resolve()))]
    return [*request.extra, *folders, *libraries]


def _effects(request: Request, program: Program) -> dict[str, str]:
    """What snapset is told of procedures without source. Raises PeerError: a library file cannot be read."""
    found = dict(arguments_only(program)) if request.arguments_only else {}
    for library in request.libraries:
        try:
            found |= described(Path(library).read_text(errors="replace"))
        except OSError as error:
            raise PeerError(f"{library}: {error.strerror}") from error
    return found
