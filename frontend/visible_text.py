"""Text for people: what a terminal or a log would obey instead of showing is written out.

``"a\\x1b[2Jb"`` becomes ``a\\x1b[2Jb`` with a visible backslash. Names of files, names and text of the program and
whatever else comes from outside pass one of these two functions before anyone reads them.
"""

from __future__ import annotations

import unicodedata

_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of what has no face: controls (C0, DEL, C1), formats (bidirectional ones among them), halves of
pairs (bytes of file names that are not UTF-8), and separators of lines."""
_BYTES = range(0xDC80, 0xDD00)  # a byte that is not UTF-8, as Python has it in names of files


def visible(text: str) -> str:
    """``text`` of several lines, with everything written out but newlines and tabs."""
    return text if _harmless(text) else "".join(one if one in "\n\t" else _shown(one) for one in text)


def visible_line(text: str) -> str:
    """``text`` as one line: newlines and tabs are written out too."""
    return text if _harmless(text) and "\n" not in text and "\t" not in text else "".join(map(_shown, text))


def _harmless(text: str) -> bool:
    return text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()


def _shown(one: str) -> str:
    if unicodedata.category(one) not in _OBEYED:
        return one
    if ord(one) in _BYTES:
        return f"\\x{ord(one) - 0xDC00:02x}"
    return one.encode("unicode_escape").decode("ascii")
