"""One spelling for every keyword, in free form (:func:`spell`); :mod:`snapset.frontend.reading.fixed_form_blanks` uses
the same.

Canonical are, with one blank: ``end if``, ``end do``, ``end <any construct or unit>``, ``else if``, ``select case``,
``select type``, ``do while``, ``double precision``, ``block data``, ``error stop``, ``in out`` stays as written;
and in one word: ``goto``, ``elsewhere``, ``endfile``. A parenthesis after ``if``, ``else if`` and ``do while`` has a
blank before it, the statement or ``then`` after its parenthesis as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_masks import assigned_at, closing

ENDED = (
    "if|do|select|where|forall|associate|blockdata|block|critical|enum|interface|module|submodule|program|"
    "subroutine|function|procedure|type|team"
)
"""What END closes (ENDFILE apart), as an alternation; ``blockdata`` comes before ``block``."""

_WORD = pattern_of(r"[a-z]\w*+")
_END = pattern_of(rf"end ?(block ?data|{ENDED})(?![a-z0-9_])(?: ?(.*))?$")
_DO = pattern_of(r"do ?(\d+) ?,? ?(.*)$")
_LOOP = pattern_of(r"(while|concurrent) ?\(")
_DOUBLE = pattern_of(r"\bdouble ?(precision|complex)\b")


def spell(text: str) -> str:
    """A masked lower-case free-form statement with the canonical spelling of its keywords."""
    found = _WORD.match(text)
    if found is None:
        return text
    word = found[0]
    handler = _HANDLERS.get(word)
    if handler is None:
        if "double" in text and assigned_at(text) < 0:
            return _DOUBLE.sub(r"double \1", text)
        return text
    if "=" in text and assigned_at(text) >= 0:
        return text
    return handler(text)


def _guarded(text: str, start: int, head: str, inner: Callable[[str], str]) -> str:
    """``head (condition) rest`` where the condition's parenthesis is at ``start`` and ``inner`` spells the rest."""
    close = closing(text, start)
    if close < 0:
        return text
    rest = text[close + 1 :].strip()
    condition = text[start : close + 1]
    if not rest:
        return f"{head} {condition}"
    return f"{head} {condition} {inner(rest)}"


def _if(text: str) -> str:
    start = text.find("(")
    if text[2:start].strip() or start < 0:
        return text
    return _guarded(text, start, "if", _action)


def _action(text: str) -> str:
    """What follows ``if (..)``: THEN, the labels of an arithmetic IF, or a statement that is no IF."""
    if text == "then" or text[0].isdigit() or (text.startswith("if") and assigned_at(text) < 0):
        return text
    return spell(text)


def _else(text: str) -> str:
    rest = text[4:].lstrip()
    if rest.startswith("if") and rest[2:].lstrip().startswith("("):
        return _guarded(text, text.find("("), "else if", str)
    if rest == "where" or rest.startswith(("where ", "where(")):
        return "elsewhere" + (" " + rest[5:].lstrip() if rest != "where" else "")
    return text


def _end(text: str) -> str:
    if text == "end":
        return text
    if text.startswith(("endfile", "end file")):
        rest = text[text.find("file") + 4 :].lstrip()
        return f"endfile {rest}"
    found = _END.match(text)
    if found is None:
        return text
    kind = "block data" if found[1].startswith("block") and found[1].endswith("data") else found[1]
    return f"end {kind} {found[2]}" if found[2] else f"end {kind}"


def _do(text: str) -> str:
    label = _DO.match(text)
    head, rest = (f"do {label[1]}", label[2]) if label is not None else ("do", text[2:].lstrip())
    loop = _LOOP.match(rest)
    if loop is not None:
        rest = f"{loop[1]} {rest[loop.end() - 1 :]}"
    return f"{head} {rest}" if rest else head


def _goto(text: str) -> str:
    found = re.match(r"go ?to ?", text)
    return "goto " + text[found.end() :] if found is not None else text


def _fill(pattern: str, spelling: str) -> Callable[[str], str]:
    """A handler that rewrites a leading ``pattern`` to ``spelling``."""
    compiled = re.compile(pattern)

    def handler(text: str) -> str:
        return compiled.sub(spelling, text, count=1)

    return handler


def _double(text: str) -> str:
    return _DOUBLE.sub(r"double \1", text)


def _where(text: str) -> str:
    head, parenthesis, _ = text.partition("(")
    return _guarded(text, len(head), head.strip(), str) if parenthesis else text


_SELECT = _fill(r"select ?(case|type|rank) ?\(", r"select \1 (")
_BLOCK = _fill(r"block ?data(?![a-z0-9_])", "block data")
_STOP = _fill(r"error ?stop(?![a-z0-9_])", "error stop")

_HANDLERS: dict[str, Callable[[str], str]] = {
    "if": _if,
    "else": _else,
    "elseif": lambda text: _else("else " + text[4:]),
    "elsewhere": lambda text: _else("else " + text[4:]),
    "end": _end,
    "endfile": _end,
    "do": _do,
    "dowhile": lambda text: _do("do " + text[2:]),
    "doconcurrent": lambda text: _do("do " + text[2:]),
    "go": _goto,
    "goto": _goto,
    "where": _where,
    "forall": _where,
    "select": _SELECT,
    "selectcase": _SELECT,
    "selecttype": _SELECT,
    "double": _double,
    "doubleprecision": _double,
    "doublecomplex": _double,
    "block": _BLOCK,
    "blockdata": _BLOCK,
    "error": _STOP,
    "errorstop": _STOP,
    **{f"end{word}": _end for word in ENDED.split("|")},
}
