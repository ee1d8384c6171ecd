"""Where our reader and fparser differ, statement by statement.

Both read each file by themselves: fparser the whole file, our reader its own way from the characters on. Compared are
the statements that begin on a line: their classes, and the operator trees of their expressions. docs/fparser.md lists
the differences that are known, and why.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fparser.two.utils import FortranSyntaxError
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, ReadOptions
from snapset.frontend.declarations.type_declarations import DeclarationError
from snapset.frontend.parsing.lexer import WallError
from snapset.frontend.reading.read import read_items

from benchmarks.fparser_judge import ours, theirs
from benchmarks.fparser_judge.trees import Read, flat

SUFFIXES = (".f", ".for", ".f90", ".f95", ".f03", ".f08")


@dataclass(frozen=True)
class Difference:
    """``what``: class, tree, statement (one reader has none on that line), unreadable."""

    file: str
    line: int
    what: str
    text: str
    ours: object
    theirs: object


@dataclass
class Verdict:
    """Statements that were compared, expressions in them, and what differs."""

    files: int = 0
    statements: int = 0
    expressions: int = 0
    differences: list[Difference] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)

    def judge(self, file: Path) -> None:
        """Compare one file."""
        start = time.process_time()
        try:
            lines = [one for one in read_items(str(file), ReadOptions()) if isinstance(one, Line)]
        except InputError as error:
            self.unread[str(file)] = f"ours: {error}"
            return
        mine = [(one, _ours(one)) for one in lines]
        middle = time.process_time()
        self.seconds["ours"] += middle - start
        try:
            found = theirs.statements(file.read_text(errors="replace"), file.suffix.lower() not in (".f", ".for"))
        except (FortranSyntaxError, RecursionError, AttributeError) as error:
            self.unread[str(file)] = f"fparser: {' '.join(str(error).split())[:160]}"
            return
        finally:
            self.seconds["fparser"] += time.process_time() - middle
        self.files += 1
        self.differences += self.compared(str(file), mine, found)

    def compared(self, file: str, mine: Sequence[tuple[Line, Read | str]],
                 found: Iterable[tuple[int, Read]]) -> Iterator[Difference]:
        """Line by line."""
        by_line: dict[int, list[Read]] = {}
        for line, read in found:
            by_line.setdefault(line, []).append(read)
        for one, read in mine:
            at = one.span.line
            others = by_line.get(at)
            if one.span.file != file or (not others and (one.label and one.text == "continue")):
                continue
            self.statements += 1
            if not others:
                yield Difference(file, at, "statement", one.text, read, None)
                continue
            other = others.pop(0)
            if isinstance(read, str):
                yield Difference(file, at, "unreadable", one.text, read, other)
                continue
            yield from self._differences(file, one, read, other)
        for at, rest in by_line.items():
            yield from (Difference(file, at, "statement", "", None, one) for one in rest)

    def _differences(self, file: str, one: Line, mine: Read, other: Read) -> Iterator[Difference]:
        at = one.span.line
        if mine.kind != other.kind:
            yield Difference(file, at, "class", one.text, mine.kind, other.kind)
            return
        self.expressions += len(mine.trees)
        if tuple(map(flat, mine.trees)) != tuple(map(flat, other.trees)):
            yield Difference(file, at, "tree", one.text, mine.trees, other.trees)
        if mine.inner is not None and other.inner is not None:
            yield from self._differences(file, one, mine.inner, other.inner)


def _ours(line: Line) -> Read | str:
    try:
        return ours.read(line)
    except (WallError, DeclarationError) as error:
        return str(error)


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The Fortran files without preprocessing, below directories too."""
    for path in paths:
        if path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.suffix in SUFFIXES)
        else:
            yield path
