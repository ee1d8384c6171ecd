"""The words of a free-form Fortran expression: operands, operators and punctuation, in linear time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, cast

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

Sort = Literal["name", "number", "string", "boz", "hollerith", "logical", "op", "punct"]


class WallError(Exception):
    """A piece of Fortran that cannot be read; ``str(error)`` says which and why."""


@frozen(quick=True)
class Token:
    """One token. ``text``: as written; a relational operator in its symbolic form (``.eq.`` is ``==``)."""

    sort: Sort
    text: str


_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
_PATTERN = pattern_of(
    rf"""\s*(?:
    (?P<boz>[bozx](?:'[0-9a-f\s]*'|"[0-9a-f\s]*")|(?:'[0-9a-f]+'|"[0-9a-f]+")[bozx](?!\w))
  | (?P<hollerith>\d+h)
  | (?P<string>(?:[a-z]\w*_|\d+_)?(?:{_QUOTED}))
  | (?P<number>(?:\d+\.\d+|\d+\.(?!\s*[a-z]+\s*\.)|\.\d+|\d+)(?:[edq][+-]?\d+)?(?:_\w+)?)
  | (?P<logical>\.(?:true|false)\.(?:_\w+)?)
  | (?P<name>[a-z_$][\w$]*)
  | (?P<dotted>\.\s*[a-z]+\s*\.)
  | (?P<op>\*\*|//|==|/=|<=|>=|<|>|[-+*/])
  | (?P<punct>=>|::|[()\[\],:=%&@])
    )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_SYMBOLIC = {".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">=", ".xor.": ".neqv."}


def tokens(text: str) -> list[Token]:
    """All tokens of ``text``; ``(/`` and ``/)`` come out as ``[`` and ``]``.

    Raises WallError for a character that starts no token, or a string that does not end.
    """
    found: list[Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _PATTERN.match(text, at)
        if match is None or match.lastgroup is None:
            raise WallError(f"cannot read `{_shorten(text[at:].strip())}`")
        at = match.end()
        word = match.group(match.lastgroup)
        if match.lastgroup == "hollerith":
            at += int(word[:-1]) if len(word) < 9 else len(text)
            if at > len(text):
                raise WallError(f"the Hollerith constant `{_shorten(word)}` does not end")
        found.append(_token(match.lastgroup, word))
    return _brackets(found)


@lru_cache(maxsize=4096)
def _token(sort: str, word: str) -> Token:
    if sort == "dotted":
        compact = "".join(word.split()).lower()
        return Token("op", _SYMBOLIC.get(compact, compact))
    if sort in ("name", "logical", "number"):
        word = word.lower()
    return Token(cast(Sort, sort), word)


def _brackets(found: list[Token]) -> list[Token]:
    """``(/`` and ``/)`` as brackets: nowhere else does a slash touch the inside of a parenthesis."""
    slash = _token("op", "/")
    if slash not in found:
        return found
    merged: list[Token] = []
    for token in found:
        last = merged[-1] if merged else None
        if token == slash and last == _token("punct", "("):
            merged[-1] = _token("punct", "[")
        elif last == slash and token == _token("punct", ")"):
            merged[-1] = _token("punct", "]")
        else:
            merged.append(token)
    return merged


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
