"""Which statements differ between two texts of a file: comments, blanks, case and line numbers do not count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

_COMMENT = re.compile(r"\s*!(?!\$)|[c*](?!\$)", re.IGNORECASE)
_INLINE = re.compile(r"""((?:[^!'"]|'[^']*'|"[^"]*")*)!(?!\$).*""")


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """Lines that changed together: ``first`` to ``last`` in the file as it is now; ``removed``: what stood before
    ``first``, where nothing has come in its place."""

    file: str
    first: int
    last: int
    removed: str = ""

    def holds(self, file: str, line: int) -> bool:
        """Is a line one of these?"""
        return not self.removed and self.file == file and self.first <= line <= self.last


def changes(file: str, before: str, now: str) -> Iterator[Change]:
    """All changes from one text of a file to another."""
    old, new = list(_code(file, before)), list(_code(file, now))
    matcher = SequenceMatcher(None, [text for _, text, _ in old], [text for _, text, _ in new], autojunk=False)
    for kind, first, _, start, end in matcher.get_opcodes():
        if kind == "delete":
            line = new[min(start, len(new) - 1)][0] if new else 1
            yield Change(file, line, line, old[first][2])
        elif kind != "equal":
            yield Change(file, new[start][0], new[end - 1][0])


def changed_files(files: Iterable[str], before: Callable[[str], str | None],
                  now: Callable[[str], str | None]) -> tuple[Change, ...]:
    """The changes in some files; one that was not there is no change of a statement."""
    found: list[Change] = []
    for file in files:
        old, new = before(file), now(file)
        if old is not None and new is not None and old != new:
            found += changes(file, old, new)
    return tuple(sorted(found))


def _code(file: str, text: str) -> Iterator[tuple[int, str, str]]:
    """Of each line with code its number, what counts of it, and itself."""
    fixed = file.lower().endswith((".f", ".for", ".ftn", ".f77"))
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.match(line)
        if comment and (fixed or comment[0].strip().startswith("!")):
            continue
        found = _INLINE.fullmatch(line)
        code = "".join((found[1] if found else line).lower().split())
        if code:
            yield number, code, line.strip()
