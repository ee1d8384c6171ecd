"""Free form: continuation by ``&``, comments after ``!``."""

from __future__ import annotations

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.reading.continuation import JoinedLine, Piece, directive, pragma, unclosed_quote
from snapset.frontend.sources.files import SourceLines

_SPECIAL = pattern_of(r"['\"!&#]")
_CODE = pattern_of(r"""(?:[^'"!]++|'[^']*+'|"[^"]*+")*+""")


class _Open:
    """The statement being continued: its pieces so far, where it started, the quote it is inside of."""

    __slots__ = ("column", "first", "parts", "quote")

    def __init__(self, first: int, column: int) -> None:
        self.first = first
        self.column = column
        self.parts: list[str] = []
        self.quote = ""


def join_free(source: SourceLines) -> list[Piece]:
    """The logical lines and pragmas of a free-form file, in order.

    Raises InputError for a literal that neither closes nor continues, and for preprocessor lines.
    """
    pieces: list[Piece] = []
    pending: _Open | None = None
    last = 0
    search = _SPECIAL.search
    for index, line in enumerate(source.lines):
        text = line.strip()
        if not text:
            continue
        if pending is None and search(text) is None:
            pieces.append(JoinedLine(text, index, index, len(line) - len(line.lstrip()) + 1))
            continue
        if text[0] == "!" and not (pending and pending.quote):
            found = pragma(text, source, index)
            if found is not None:
                pieces.append(found)
            continue
        if text[0] == "#" and not (pending and pending.quote):
            raise directive(source, index)
        if pending is None:
            pending = _Open(index, len(line) - len(line.lstrip()) + 1)
        last = index
        if not _add(pending, text, source):
            pieces.append(JoinedLine("".join(pending.parts), pending.first, index, pending.column))
            pending = None
    if pending is not None:
        if pending.quote:
            raise unclosed_quote(source, pending.first, pending.quote)
        pieces.append(JoinedLine("".join(pending.parts), pending.first, last, pending.column))
    return pieces


def _add(pending: _Open, text: str, source: SourceLines) -> bool:
    """Add one physical line (stripped) to the statement; whether it goes on after this line."""
    if pending.parts:
        if text[0] == "&":
            text = text[1:]
            if not text.strip():
                return True
        elif not pending.quote:
            text = " " + text
    start = 0
    if pending.quote:
        close = text.find(pending.quote)
        if close < 0:
            return _cut(pending, text, source)
        start = close + 1
        pending.quote = ""
    found = _CODE.match(text, start)
    end = found.end() if found is not None else len(text)
    if end < len(text) and text[end] != "!":
        pending.quote = text[end]
        return _cut(pending, text, source)
    code = text[:end].rstrip()
    if code.endswith("&"):
        pending.parts.append(code[:-1])
        return True
    pending.parts.append(code)
    return False


def _cut(pending: _Open, text: str, source: SourceLines) -> bool:
    """Add a line that ends inside a literal, which is right only before a final ``&``."""
    if not text.endswith("&"):
        raise unclosed_quote(source, pending.first, pending.quote)
    pending.parts.append(text[:-1])
    return True
