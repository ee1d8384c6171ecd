# ruff: noqa: E501
"""Programs of the corpus with something changed in them: bytes, or words and lines. A number gives always the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from tests.support.paths import ROOT

CORPUS = ROOT / "corpus"
_WORD = re.compile(rb"\w+|[^\w\s]|\n")
_STRANGE = (
    b"", b"(", b")", b"((((((((", b"'", b'"', b"&", b"&\n", b"!", b"%", b"=>", b"::", b"[", b"]", b"*", b"**", b",",
    b"1e9999", b"2147483648", b"99999999999999999999", b"0", b"-1", b".true.", b"end", b"end do", b"end if", b"do",
    b"if", b"contains", b"module", b"call", b"goto 7", b"return", b"allocate", b"pointer", b"\n", b"\r", b"\0", b"\x1b[31m",
    b"\xff\xfe", "ä".encode(), b"\t", b" " * 200, b"x" * 5000, b"#if", b"#endif", b"include 'x'", b"select case (n)",
    b"where (a > 0)", b"data a /3*1/", b"!$AD CHECKPOINT-START", b"!$AD CHECKPOINT-END", b"!$AD II-LOOP", b"1_8", b"d0",
)


@cache
def sources() -> tuple[tuple[Path, str], ...]:
    """Programs of the corpus, each with its head."""
    found = []
    for path in sorted(CORPUS.glob("*.[fF]*")):
        expected = path.with_suffix(".expected")
        head = re.search(r"^head: (.*)$", expected.read_text(), re.MULTILINE) if expected.exists() else None
        if head:
            found.append((path, head[1]))
    return tuple(found)


def mutant(number: int) -> tuple[str, bytes, str]:
    """The name of the file, its content, and the head."""
    random = Random(number)
    programs = sources()
    path, head = programs[number % len(programs)]
    text = path.read_bytes()
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        text = random.choice((_bytes, _words, _words, _lines))(random, text)
    return path.name, text, head


def _bytes(random: Random, text: bytes) -> bytes:
    """A byte changed, taken out or put in; a piece cut off the end."""
    at = random.randrange(len(text) + 1)
    new = bytes([random.randrange(256)])
    return random.choice((text[:at] + new + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + new + text[at:],
                          text[:at]))


def _words(random: Random, text: bytes) -> bytes:
    """A word or sign replaced by another one of the text or a strange one, doubled, or left out."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    one = random.choice(words)
    new = random.choice((random.choice(words)[0], random.choice(_STRANGE), one[0] * 2, b"", one[0] + b"_" + one[0]))
    return text[: one.start()] + new + text[one.end() :]


def _lines(random: Random, text: bytes) -> bytes:
    """Lines left out, doubled, exchanged, or taken from another program."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    first = random.randrange(len(lines))
    last = min(first + random.choice((1, 1, 2, 10)), len(lines))
    other: Sequence[bytes] = random.choice(sources())[0].read_bytes().splitlines(keepends=True)
    start = random.randrange(len(other))
    new = random.choice(([], lines[first:last] * 2, lines[first:last][::-1], other[start : start + last - first]))
    return b"".join([*lines[:first], *new, *lines[last:]])
