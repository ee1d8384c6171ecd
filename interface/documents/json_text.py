"""Documents as JSON text.

msgspec writes a report of 5.8 MB in 15 ms; the standard library's indenting writer, which is Python, takes 226 ms. Two
things msgspec 0.22 lacks: it writes the floats 1e-09 and 2e-05 as ``1e-9`` and ``0.00002``, not as snapset always has,
and it refuses a name of a file that is not UTF-8 (half of a pair in Python's string). Documents that may have either go
through the standard library; both write the same bytes of everything else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from snapset.frontend.base.lazy_patterns import pattern_of

_EXPONENT = pattern_of(rb"e(?<=[0-9]e)-?[0-9]")  # an e and what is before it: nine times as fast as from the digit on


def plain(document: msgspec.Struct) -> dict[str, Any]:
    """The document as dictionaries, lists, strings and numbers."""
    found: dict[str, Any] = msgspec.to_builtins(document)
    return found


def text_of(document: msgspec.Struct | Sequence[msgspec.Struct]) -> str:
    """The document, indented by two, without a newline at its end."""
    try:
        encoded = msgspec.json.encode(document)
    except UnicodeEncodeError:
        return _by_the_library(document)
    if b"0.0000" in encoded or _EXPONENT.search(encoded):
        return _by_the_library(document)
    return msgspec.json.format(encoded, indent=2).decode()


def dumps(documents: Sequence[msgspec.Struct]) -> str:
    """One head: its object. Several: an array of them, in the order asked for."""
    return text_of(documents[0] if len(documents) == 1 else list(documents)) + "\n"


def _by_the_library(document: msgspec.Struct | Sequence[msgspec.Struct]) -> str:
    return json.dumps(msgspec.to_builtins(document), indent=2, ensure_ascii=False)
