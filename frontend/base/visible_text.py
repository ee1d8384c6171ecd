"""Text for people: what a terminal or a log would obey instead of showing is written out.

``"a\\x1b[2Jb"`` becomes ``a\\x1b[2Jb`` with a visible backslash. Names of files, names and text of the program and
whatever else comes from outside pass one of these functions before anyone reads them: :func:`visible_line` where they
are put into a line, and :func:`page` or :func:`document` once more where all leaves the program.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_OBEYED = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})
"""Unicode's categories of what has no face: controls (C0, DEL, C1), formats (bidirectional ones among them), what is no
character, halves of pairs (bytes of file names that are not UTF-8), and separators of lines."""
_BYTES = range(0xDC80, 0xDD00)  # a byte that is not UTF-8, as Python has it in names of files
_PLAIN: Final = bytes((9, 10, *range(32, 127)))
_STYLE = re.compile(r"\x1b\[(?:0|1|3[1-6]|1;3[1-6])m")
# A command at a line's beginning (GitHub), and anywhere (GitHub and Azure, TeamCity).
_AT_START = re.compile(r"^([ \t]*):(?=:)", re.MULTILINE)
_ANYWHERE = re.compile(r"##(?=\[|vso\[|teamcity\[)")


def visible(text: str) -> str:
    """``text`` of several lines, with everything written out but newlines and tabs."""
    obeyed = _obeyed(text)
    return text.translate({ord(one): _shown(one) for one in obeyed}) if obeyed else text


def visible_line(text: str) -> str:
    """``text`` as one line: newlines and tabs are written out too."""
    found = visible(text)
    return found.replace("\n", r"\n").replace("\t", r"\t") if "\n" in found or "\t" in found else found


def page(text: str, styled: bool = False) -> str:
    """All that is shown to people: as :func:`visible`, and nothing in it is a command to a CI service that reads the
    log. ``styled``: the codes for bold and for colours stay."""
    if styled:
        found = "".join(piece if _STYLE.fullmatch(piece) else visible(piece)
                        for piece in re.split(f"({_STYLE.pattern})", text))  # fmt: skip
    else:
        found = visible(text)
    if "::" in found:
        found = _AT_START.sub(r"\1\\x3a", found)
    return _ANYWHERE.sub(r"#\\x23", found) if "##" in found else found


def document(text: str) -> str:
    """JSON that means the same, with the same written out as JSON has it: it may be read in a terminal or a log too."""
    table = {ord(one): _in_json(one) for one in _obeyed(text)}
    found = text.translate(table) if table else text
    return _ANYWHERE.sub(r"#\\u0023", found) if "##" in found else found


def workflow_commands(text: str) -> str:
    """Lines that are commands to GitHub, and are meant to be; nothing in them is one to another service."""
    return _ANYWHERE.sub(r"#\\x23", visible(text))


def _obeyed(text: str) -> set[str]:
    """The characters in a text that are to be written out. Most texts have none, and are millions of characters."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    return {one for one in set(rest.decode("utf-8", "surrogatepass")) if unicodedata.category(one) in _OBEYED}


def _shown(one: str) -> str:
    if ord(one) in _BYTES:
        return f"\\x{ord(one) - 0xDC00:02x}"
    return one.encode("unicode_escape").decode("ascii")


def _in_json(one: str) -> str:
    code = ord(one)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code - 0x10000 & 0x3FF):04x}"
