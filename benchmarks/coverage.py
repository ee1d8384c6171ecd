"""How much of a body of Fortran is understood: python -m benchmarks.coverage [-I DIR] [-D MACRO] DIRECTORY...

Each directory is read as one program (a file that defines again what another one defines is read by itself). The table
says how many files are read without an opaque statement; below it, what is not understood, by construct, with the
first place of each.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from snapset.frontend.base.diagnostics import Diagnostic, InputError
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.load import load_units
from snapset.frontend.reading import unreadable_units
from snapset.frontend.reading.read import read_units

SUFFIXES = frozenset((".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08"))
OPAQUE = frozenset(("SN202", "SN207"))  # what makes a statement or a procedure opaque
_QUOTED = re.compile(r"`[^`]*`")


@dataclass(slots=True)
class Coverage:
    """One directory. ``refused`` and ``opaque``: files with the reason (the first one); ``kinds``: reasons by count."""

    name: str
    files: int = 0
    lines: int = 0
    seconds: float = 0.0
    refused: dict[str, str] = field(default_factory=dict)
    opaque: dict[str, str] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    places: dict[str, str] = field(default_factory=dict)

    @property
    def clean(self) -> int:
        return self.files - len(self.refused.keys() | self.opaque.keys())

    def note(self, kind: str, place: str) -> None:
        self.kinds[kind] += 1
        self.places.setdefault(kind, place)


def measure(directory: Path, options: ReadOptions) -> Coverage:
    """Read everything below a directory."""
    began = time.perf_counter()
    found = Coverage(directory.name or str(directory))
    paths = sorted(str(p) for p in directory.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    units: dict[str, tuple[Unit, ...]] = {}
    for path in paths:
        found.files += 1
        found.lines += Path(path).read_bytes().count(b"\n")
        try:
            units[path] = read_units(path, options)
            unreadable_units.refuse(units[path])
        except InputError as error:
            refuse(found, path, error)
    together, apart = without_doubles(units)
    load(found, together)
    for path in apart:
        load(found, {path: units[path]})
    found.seconds = time.perf_counter() - began
    return found


def without_doubles(units: Mapping[str, Sequence[Unit]]) -> tuple[dict[str, Sequence[Unit]], list[str]]:
    """The files that fit into one program, and those that define what one of them defines."""
    together: dict[str, Sequence[Unit]] = {}
    apart: list[str] = []
    seen: set[tuple[bool, str]] = set()
    for path, own in units.items():
        names = {(unit.kind == "submodule", unit.name) for unit in own}
        if names & seen:
            apart.append(path)
        else:
            together[path] = own
            seen |= names
    return together, apart


def load(found: Coverage, units: Mapping[str, Sequence[Unit]]) -> None:
    """Lower the units of some files as one program; without a file that is refused, again."""
    left = dict(units)
    while left:
        try:
            program = load_units([unit for own in left.values() for unit in own], tuple(left))
        except InputError as error:
            path = error.span.file if error.span is not None else ""
            guilty = path if path in left else next(iter(left))
            refuse(found, guilty, error)
            del left[guilty]
            continue
        tell(found, program.diagnostics)
        return


def refuse(found: Coverage, path: str, error: InputError) -> None:
    found.refused.setdefault(path, str(error))
    found.note("refused: " + _QUOTED.sub("`..`", error.message)[:90], str(error))


def tell(found: Coverage, diagnostics: Iterable[Diagnostic]) -> None:
    for said in diagnostics:
        if said.code in OPAQUE:
            place = f"{said.span.file}:{said.span.line}"
            found.opaque.setdefault(said.span.file, place)
            found.note(f"{said.code} " + _QUOTED.sub("`..`", said.message)[:90], f"{place}: {said.message}")


def show(results: Sequence[Coverage]) -> str:
    width = max(len(result.name) for result in results)
    lines = [f"{'':{width}}   files    lines   clean   share   opaque  refused  seconds"]
    for one in results:
        share = 100.0 * one.clean / one.files if one.files else 100.0
        lines.append(f"{one.name:{width}}  {one.files:6} {one.lines:8} {one.clean:7} {share:6.1f}% {len(one.opaque):8} "
                     f"{len(one.refused):8} {one.seconds:8.1f}")
    for one in results:
        for kind, count in one.kinds.most_common():
            lines += ["", f"{one.name}: {count} x {kind}", f"    first at {one.places[kind]}"]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("-I", dest="include", action="append", default=[], help="include directory")
    parser.add_argument("-D", dest="macro", action="append", default=[], help="NAME or NAME=VALUE")
    given = parser.parse_args()
    options = ReadOptions(include_dirs=tuple(given.include), macros=tuple(given.macro))
    print(show([measure(directory, options) for directory in given.directories]))


if __name__ == "__main__":
    main()
