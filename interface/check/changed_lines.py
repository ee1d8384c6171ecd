"""Which statements differ between two texts of a file: comments, blanks, case and line numbers do not count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

_COMMENT = pattern_of(r"\s*!(?!\$)|[c*](?!\$)", re.IGNORECASE)
_CONTINUED = pattern_of(r" {5}[^ 0]|\t[1-9]")
_INLINE = pattern_of(r"""((?:[^!'"]|'[^']*'|"[^"]*")*)!(?!\$).*""")


@frozen(order=True)
class Change:
    """A statement that is another, or new: lines ``first`` to ``last`` in the file as it is now; ``removed``: what
    stood before ``first``, where nothing has come in its place."""

    file: str
    first: int
    last: int
    removed: str = ""

    def holds(self, file: str, line: int) -> bool:
        """Is a line one of these?"""
        return not self.removed and self.file == file and self.first <= line <= self.last


def changes(file: str, before: str, now: str) -> Iterator[Change]:
    """All changes from one text of a file to another."""
    old, new = _statements(file, before), _statements(file, now)
    matcher = SequenceMatcher(None, [one.code for one in old], [one.code for one in new], autojunk=False)
    for kind, first, _, start, end in matcher.get_opcodes():
        if kind == "delete":
            line = new[min(start, len(new) - 1)].first if new else 1
            yield Change(file, line, line, old[first].shown)
        elif kind != "equal":
            yield from (Change(file, one.first, one.last) for one in new[start:end])


def changed_files(files: Iterable[str], before: Callable[[str], str | None],
                  now: Callable[[str], str | None]) -> tuple[Change, ...]:
    """The changes in some files; one that was not there is no change of a statement."""
    found: list[Change] = []
    for file in files:
        old, new = before(file), now(file)
        if old is not None and new is not None and old != new:
            found += changes(file, old, new)
    return tuple(sorted(found))


@frozen
class _Statement:
    """``code``: what counts of it; ``shown``: its first line."""

    first: int
    last: int
    code: str
    shown: str


def _statements(file: str, text: str) -> list[_Statement]:
    """The statements of a text, continuation lines joined."""
    fixed = file.lower().endswith((".f", ".for", ".ftn", ".f77"))
    found: list[_Statement] = []
    open_ = False
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.match(line)
        if comment and (fixed or comment[0].strip().startswith("!")):
            continue
        inline = _INLINE.fullmatch(line)
        code = "".join((inline[1] if inline else line).lower().split())
        if not code:
            continue
        joined = bool(found) and (_CONTINUED.match(line) is not None if fixed else open_)
        open_ = not fixed and code.endswith("&")
        if joined:
            code = code[1:] if fixed or code.startswith("&") else code
            last = found[-1]
            found[-1] = replace(last, last=number, code=last.code + code.removesuffix("&"))
        else:
            found.append(_Statement(number, number, code.removesuffix("&"), line.strip()))
    return found
