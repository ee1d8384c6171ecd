"""Looking into a statement's text without being fooled by strings and parentheses."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from snapset.frontend.base.lazy_patterns import pattern_of

_STRING = pattern_of(r"'[^']*'|\"[^\"]*\"")
_BRACKET = pattern_of(r"[()\[\]]")
_BEFORE = ("=", "<", ">", "/")
_OPERATOR = pattern_of(r"\.[a-z]+\.")
_SYMBOLIC: Final = MappingProxyType({".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="})
_TOP = pattern_of(r"[()\[\],=]")


def masked(text: str) -> str:
    """``text`` with the contents of character literals blanked out, position for position."""
    if "'" not in text and '"' not in text:
        return text
    return _STRING.sub(lambda found: "'" + "_" * (len(found.group()) - 2) + "'", text)


def closing(mask: str, start: int) -> int:
    """The place of the parenthesis that closes the one at ``start`` of a masked text, or -1."""
    depth = 0
    for found in _BRACKET.finditer(mask, start):
        depth += 1 if found.group() in "([" else -1
        if depth == 0:
            return found.start()
    return -1


def split_top(text: str) -> tuple[str, ...]:
    """The parts of ``text`` between commas outside parentheses and strings, stripped; () for an empty text."""
    if not text.strip():
        return ()
    mask = masked(text)
    parts: list[str] = []
    depth = begin = 0
    for found in _TOP.finditer(mask):
        char = found.group()
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[begin : found.start()].strip())
            begin = found.end()
    parts.append(text[begin:].strip())
    return tuple(parts)


def top_equals(mask: str) -> int:
    """The place of the first ``=`` or ``=>`` outside parentheses that is not part of a comparison, or -1."""
    depth = 0
    for found in _TOP.finditer(mask):
        char, at = found.group(), found.start()
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "=" and depth == 0 and mask[at - 1 : at] not in _BEFORE and mask[at + 1 : at + 2] != "=":
            return at
    return -1


def generic_name(text: str) -> str:
    """A generic's name without blanks; ``operator(.ne.)`` is ``operator(/=)``."""
    return _OPERATOR.sub(lambda found: _SYMBOLIC.get(found.group(), found.group()), "".join(text.split()))


def keyword(text: str) -> tuple[str | None, str]:
    """``key=value`` taken apart; the key is None where there is none."""
    at = top_equals(masked(text))
    if at < 0 or text[at + 1 : at + 2] == ">":
        return None, text
    key = text[:at].strip()
    return (key, text[at + 1 :].strip()) if key.isidentifier() else (None, text)


def without_parentheses(mask: str) -> str | None:
    """A masked text with the contents of its outermost parentheses dropped; None where they do not match."""
    kept: list[str] = []
    depth = begin = 0
    for found in _BRACKET.finditer(mask):
        if found.group() in "([":
            if depth == 0:
                kept.append(mask[begin : found.start() + 1])
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                begin = found.start()
            elif depth < 0:
                return None
    kept.append(mask[begin:])
    return "".join(kept) if depth == 0 else None
