"""The rooms that are changed, and the tests that guard each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FIRST = "tests/analysis/exact/", "tests/analysis/recording/recorded/"  # asked before all others, and all their cases
EVERYWHERE = ("tests/analysis/test_corpus.py", "tests/oracles/test_choices_by_execution.py", *FIRST,
              "tests/analysis/replay/machine")


@dataclass(frozen=True)
class Room:
    """Modules (name of import and file), and the folders or files of their tests."""

    name: str
    modules: tuple[tuple[str, Path], ...]
    tests: tuple[str, ...]


def module_of(path: Path) -> str:
    """``analysis/sections/lost_values.py`` is ``snapset.analysis.sections.lost_values``."""
    return ".".join(("snapset", *path.relative_to(ROOT).with_suffix("").parts))


def room(name: str, *tests: str, everywhere: bool = True, within: str = "analysis") -> Room:
    """A folder of ``analysis``, or a module."""
    place = ROOT / within / name
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return Room(name, tuple((module_of(path), path) for path in paths if path.name != "__init__.py"),
                (f"tests/{within}/{name if place.is_dir() else f'test_{name}.py'}", *tests,
                 *(EVERYWHERE if everywhere else ())))


ROOMS = {one.name: one for one in (
    room("procedures", "tests/analysis/allocation", "tests/analysis/external", "tests/analysis/memory",
         "tests/analysis/dataflow", "tests/analysis/incremental"),
    room("sections", "tests/analysis/loops", "tests/analysis/replay/timeloop/test_rotating_planes.py",
         "tests/analysis/replay/timeloop/test_recorded_ways.py"),
    room("adjoint", "tests/analysis/activity", "tests/analysis/recording/again/test_reruns.py",
         "tests/analysis/recording/again/test_calls_again.py", "tests/analysis/recording/test_private_scalars.py",
         "tests/analysis/sections/test_intact.py"),
    room("recording", "tests/analysis/reversal", "tests/frontend/base/test_collections.py", "tests/analysis/adjoint",
         "tests/analysis/activity/test_dependence.py", "tests/analysis/sections/test_pieces.py"),
    room("equations", "tests/analysis/proof", "tests/frontend/base/test_collections.py"),
    room("allocation", "tests/analysis/incremental"),
    room("memory", "tests/analysis/allocation"),
    room("interprocedural", "tests/analysis/memory", "tests/analysis/allocation", "tests/analysis/procedures",
         within="frontend"),
    room("symbols", "tests/frontend/lowering", "tests/analysis/procedures", within="frontend"),
    room("activity", "tests/analysis/dataflow"),
    room("dataflow"),
    room("symbolic", "tests/analysis/costs"),
    room("incremental"),
    room("schedules", "tests/analysis/loops", everywhere=False),
)}

# What is asked where no room is named.
CORE = "procedures", "sections", "adjoint", "recording", "equations"


def digest(paths: Iterable[Path]) -> str:
    """Stands for the texts of files."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()[:16]
