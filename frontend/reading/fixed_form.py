"""Fixed form: label in columns 1 to 5, continuation in column 6, statement in 7 to 72.

Hollerith constants (``4habcd``) leave here as character literals (``'abcd'``).
"""

from __future__ import annotations

import re

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_masks import balanced, mask
from snapset.frontend.reading.continuation import JoinedLine, Piece, directive, pragma, unclosed_quote
from snapset.frontend.sources.files import SourceLines

WIDTH = 66
"""Columns 7 to 72."""

_SEQUENCE = pattern_of(r"[\w $#@:]{0,8}")
"""What cards have in columns 73 to 80."""

_COMMENT = frozenset("cC*dD!")
_SPECIAL = pattern_of(r"['\"!hH](?<![^0-9][hH])")
_TOKEN = pattern_of(r"['\"!]|(?<![\w])\d+[hH]|(?<=\d[xX])\d+[hH]")
_TYPED = pattern_of(r"(real|integer|logical|complex|character|implicit)", re.IGNORECASE)


class _Open:
    """The statement being read: its pieces so far and what literal it is inside of at the end of its line."""

    __slots__ = ("beyond", "bodies", "column", "comment", "cut", "first", "hollerith", "label", "last", "parts",
                 "quote")

    def __init__(self, first: int, column: int, label: int | None) -> None:
        self.first = first
        self.last = first
        self.column = column
        self.label = label
        self.parts: list[str] = []
        self.bodies: list[str] = []
        self.beyond = False
        self.comment = False
        self.cut: int | None = None
        self.quote = ""
        self.hollerith = 0

    def lead(self) -> str:
        """The first letters of the statement, lower case, blanks dropped."""
        return "".join(self.parts[:20])[:80].replace(" ", "").lower()


def join_fixed(source: SourceLines) -> list[Piece]:
    """The logical lines and pragmas of a fixed-form file, in order.

    Raises InputError for literals without end, bad columns 1 to 5 and preprocessor lines.
    """
    pieces: list[Piece] = []
    notes: list[Piece] = []  # pragmas met since the pending statement: after it, but before it where it goes on
    pending: _Open | None = None
    for index, line in enumerate(source.lines):
        if "\t" in line:
            line = _untab(line)
        comment = _comment(line)
        if comment is not None:
            found = pragma(comment, source, index) if comment else None
            if found is not None:
                notes.append(found)
            continue
        if line[5:6] not in ("", " ", "0") and line[:1] != "#":
            if line[:5] != "     ":
                raise _columns(source, index)
            if pending is None:
                raise InputError("continuation line without a statement before it; clear column 6", source.span(index))
            pieces += notes
            pending.last = index
        else:
            if pending is not None:
                pieces.append(_close(pending, source))
            pieces += notes
            pending = _Open(index, len(line) - len(line.lstrip()) + 1, _label(line[:6], source, index))
        notes.clear()
        _extend(pending, line[6:72], line[72:], index)
    if pending is not None:
        pieces.append(_close(pending, source))
    return pieces + notes


def _comment(line: str) -> str | None:
    """The comment that a line is, from its mark on, empty for a blank line; None for other lines."""
    if line[:1] in _COMMENT and line:
        return line
    stripped = line[:72].lstrip()
    if not stripped:
        return ""
    return line.lstrip() if stripped[0] == "!" and line[5:6] != "!" else None


def _untab(line: str) -> str:
    """A tab within columns 1 to 6 goes to column 7, or to 6 before a digit from 1 to 9 (DEC's rule)."""
    at = line.find("\t")
    if at > 5:
        return line.replace("\t", " ")
    rest = line[at + 1 :].replace("\t", " ")
    width = 5 if rest[:1] in ("1", "2", "3", "4", "5", "6", "7", "8", "9") else 6
    return line[:at].ljust(width) + rest


def _label(head: str, source: SourceLines, index: int) -> int | None:
    if head == "      ":
        return None
    if head[0] == "#":
        raise directive(source, index)
    digits = head[:5].replace(" ", "")
    if not digits:
        return None
    if not (digits.isascii() and digits.isdigit()):
        raise _columns(source, index)
    return int(digits)


def _columns(source: SourceLines, index: int) -> InputError:
    return InputError("columns 1 to 5 hold only a label in fixed form; move the statement to column 7, "
                      "or use --free if this is free form", source.span(index))


def _extend(pending: _Open, body: str, beyond: str, index: int) -> None:
    """Add one line; what stands beyond column 72 is kept aside (see :func:`_widened`)."""
    pending.bodies.append(body + beyond)
    pending.comment = False
    _add(pending, body)
    if beyond and not beyond.isspace():
        pending.beyond = True
        if pending.cut is None and not pending.comment and _may_be_code(body, beyond):
            pending.cut = index


def _may_be_code(body: str, beyond: str) -> bool:
    """Whether what follows column 72 may belong to the statement: no comment, no card's sequence number."""
    text = beyond.partition("!")[0].rstrip()
    if _SEQUENCE.fullmatch(text) is None:
        return True
    return body[-1].isalnum() and text.isalpha()  # a name cut in two


def _widened(pending: _Open) -> _Open:
    """The statement read beyond column 72 where cutting it there leaves a literal or a parenthesis open.

    Many codes are compiled with wider lines; sequence numbers and comments there do not close anything.
    """
    if not pending.beyond or not _is_open(pending):
        return pending
    wide = _Open(pending.first, pending.column, pending.label)
    wide.last = pending.last
    for body in pending.bodies:
        _add(wide, body)
    return pending if _is_open(wide) else wide


def _is_open(pending: _Open) -> bool:
    return bool(pending.quote or pending.hollerith) or not balanced(mask("".join(pending.parts))[0])


def _close(pending: _Open, source: SourceLines) -> JoinedLine:
    pending = _widened(pending)
    if pending.quote:
        raise unclosed_quote(source, pending.first, pending.quote)
    if pending.hollerith:
        raise InputError("Hollerith constant longer than its statement; correct its count", source.span(pending.first))
    text = pending.parts[0] if len(pending.parts) == 1 else "".join(pending.parts)
    return JoinedLine(text, pending.first, pending.last, pending.column, pending.label, pending.cut)


def _add(pending: _Open, body: str) -> None:
    """Add columns 7 to 72 of one line; a literal left open takes the padding up to column 72 along."""
    if not pending.quote and not pending.hollerith and _SPECIAL.search(body) is None:
        pending.parts.append(body)
        return
    position = 0
    if pending.hollerith:
        position = _hollerith(pending, body, 0)
    elif pending.quote:
        position = _quoted(pending, body, 0)
    while position < len(body):
        found = _TOKEN.search(body, position)
        if found is None:
            pending.parts.append(body[position:])
            return
        pending.parts.append(body[position : found.start()])
        mark = found[0]
        if mark == "!":
            pending.comment = True
            return
        if mark in "'\"":
            pending.quote = mark
            pending.parts.append(mark)
            position = _quoted(pending, body, found.end())
        elif _allows_hollerith(pending):
            pending.hollerith = int(mark[:-1])
            pending.parts.append("'")
            position = _hollerith(pending, body, found.end())
        else:
            pending.parts.append(mark)
            position = found.end()


def _quoted(pending: _Open, body: str, position: int) -> int:
    """Copy a character literal from ``position`` on; where to go on."""
    close = body.find(pending.quote, position)
    if close < 0:
        pending.parts.append(body.ljust(WIDTH)[position:])
        return WIDTH
    pending.parts.append(body[position : close + 1])
    pending.quote = ""
    return close + 1


def _hollerith(pending: _Open, body: str, position: int) -> int:
    """Copy characters of a Hollerith constant from ``position`` on, as a character literal; where to go on."""
    text = body.ljust(WIDTH)[position : position + pending.hollerith]
    pending.hollerith -= len(text)
    pending.parts.append(text.replace("'", "''"))
    if not pending.hollerith:
        pending.parts.append("'")
    return position + len(text)


def _allows_hollerith(pending: _Open) -> bool:
    """Whether digits and H at this place start a Hollerith constant rather than ``*8 h..`` or a name."""
    lead = pending.lead()
    before = "".join(pending.parts[-2:]).rstrip()[-1:]
    if lead.startswith("format("):
        return True
    if before == "*":
        return lead.startswith("data")
    return before != "" and before in "(,/=." and _TYPED.match(lead) is None
