"""Which statement a line is. Fortran has no reserved words, so an assignment is looked for first."""

from __future__ import annotations

import re
from functools import lru_cache

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import closing, masked, split_top, top_equals, without_parentheses

_PART = r"[a-z_]\w*\s*(?:\(\)\s*){0,2}(?:\[\]\s*)?"
_DESIGNATOR = pattern_of(rf"{_PART}(?:%\s*{_PART})*$")
_WORD = pattern_of(r"[a-z_]\w*")
_LABELS = pattern_of(r"\d+\s*,\s*\d+\s*,\s*\d+$")
_END = pattern_of(r"end\s*(if|do|select|where|forall|associate|block|critical|team|enum)?\s*([a-z_]\w*)?$")
_END_TEAM = pattern_of(r"end\s*team\s*\(.*\)\s*([a-z_]\w*)?$")
_DO = pattern_of(r"do(?:\s+(\d+))?\s*,?\s*([a-z_]\w*)\s*=(.*)$")
_WHILE = pattern_of(r"do(?:\s+\d+)?\s*,?\s*while\s*\(")
_CONCURRENT = pattern_of(r"do(?:\s+\d+)?\s*,?\s*concurrent\s*\(")
_FOREVER = pattern_of(r"do(?:\s+\d+)?$")
_GOTO = pattern_of(r"go\s*to\s*(\d+)$")
_GOTO_COMPUTED = pattern_of(r"go\s*to\s*\(([\d\s,]*)\)\s*,?\s*(.*)$")
_GOTO_ASSIGNED = pattern_of(r"go\s*to\s*([a-z_]\w*)\s*,?\s*(?:\(([\d\s,]*)\))?$")
_ASSIGN = pattern_of(r"assign\s+(\d+)\s+to\s+([a-z_]\w*)$")
_SELECT = pattern_of(r"select\s*(case|type|rank)\s*\(")
_GUARD = pattern_of(r"(type\s+is|class\s+is|class\s+default)\b")

_OTHER = pattern_of(
    r"(sync|lock|unlock|event|notify|fail|form|encode|decode|accept|type|find|define|delete|rewrite)\b"
)

IO_ACTIONS = ("read", "write", "print", "open", "close", "inquire", "rewind", "backspace", "endfile", "flush", "wait")
_SIMPLE = ("return", "stop", "continue", "call", "cycle", "exit", "allocate", "deallocate", "nullify", "pause")
_SILENT = ("data", "format", "entry", "namelist")


@frozen(quick=True)
class Statement:
    """One statement, taken to pieces: ``kind`` names it, ``parts`` are its pieces of text.

    assign, pointer: left and right side. if-then, else if, do while, select case, where-construct: condition.
    if, where, forall: condition or header, statement. do: variable, bounds. end: construct, name.
    other: a statement that is known but not supported (images, vendors' input/output).
    Everything that starts with its keyword (call, read, stop, ...): what follows the keyword.
    """

    kind: str
    parts: tuple[str, ...] = ()


UNKNOWN_STATEMENT = Statement("unknown")


def assignment(text: str) -> Statement | None:
    """``text`` as an assignment or pointer assignment, or None."""
    mask = masked(text)
    at = top_equals(mask)
    if at <= 0:
        return None
    target = without_parentheses(mask[:at])
    if target is None or not _DESIGNATOR.match(target.strip()):
        return None
    pointer = text[at + 1 : at + 2] == ">"
    value = text[at + 1 + pointer :].strip()
    return Statement("pointer" if pointer else "assign", (text[:at].strip(), value))


@lru_cache(maxsize=1 << 12)
def classify(text: str) -> Statement:
    """The statement ``text`` is (lower case, no label, no construct name). What stands in constructs within each other
    is asked of for each of them, by who looks for its end."""
    found = assignment(text)
    if found is not None:
        return found
    word = _WORD.match(text)
    if word is None:
        return UNKNOWN_STATEMENT
    first = word.group()
    for start, classifier in _CLASSIFIERS:
        if first.startswith(start):
            found = classifier(text)
            if found is not None:
                return found
    if first in IO_ACTIONS or first in _SIMPLE or first in _SILENT:
        return Statement(first, (text[word.end() :].strip(),))
    return Statement("other") if _OTHER.match(text) else UNKNOWN_STATEMENT


def _header(text: str, at: int) -> tuple[str, str] | None:
    """What is in the parentheses that open at ``at``, and what follows them."""
    close = closing(masked(text), at)
    if close < 0:
        return None
    return text[at + 1 : close].strip(), text[close + 1 :].strip()


def _if(text: str) -> Statement | None:
    at = text.find("(")
    if at < 0 or text[:at].strip() != "if":
        return None
    split = _header(text, at)
    if split is None:
        return None
    if split[1] == "then":
        return Statement("if-then", (split[0],))
    if _LABELS.match(split[1]):
        return Statement("arithmetic if", (split[0], split[1]))
    return Statement("if", split) if split[1] else None


def _else(text: str) -> Statement | None:
    words = re.match(r"else\s*(if|where)?\b\s*", text)
    if words is None:
        return None
    at = words.end()
    if words.group(1) == "if":
        split = _header(text, at) if text[at : at + 1] == "(" else None
        return Statement("else if", (split[0],)) if split and split[1].startswith("then") else None
    if words.group(1) == "where":
        split = _header(text, at) if text[at : at + 1] == "(" else None
        return Statement("elsewhere", (split[0],) if split else ())
    return Statement("else")


def _end(text: str) -> Statement | None:
    team = _END_TEAM.match(text)
    if team is not None:
        return Statement("end", ("team", team.group(1) or ""))
    found = _END.match(text)
    if found is None or (found.group(1) is None and found.group(2) is not None):
        return None
    return Statement("end", (found.group(1) or "", found.group(2) or ""))


def _do(text: str) -> Statement | None:
    if _FOREVER.match(text):
        return Statement("do forever")
    for kind, pattern in (("do while", _WHILE), ("do concurrent", _CONCURRENT)):
        found = pattern.match(text)
        if found:
            split = _header(text, found.end() - 1)
            return Statement(kind, split) if split else None
    found = _DO.match(text)
    if found is None:
        return None
    bounds = split_top(found.group(3))
    return Statement("do", (found.group(2), *bounds)) if len(bounds) in (2, 3) else None


def _goto(text: str) -> Statement | None:
    found = _GOTO.match(text)
    if found:
        return Statement("goto", (found.group(1),))
    found = _GOTO_COMPUTED.match(text)
    if found:
        return Statement("computed goto", (found.group(1), found.group(2)))
    found = _GOTO_ASSIGNED.match(text)
    return Statement("assigned goto", (found.group(1), found.group(2) or "")) if found else None


def _assign_label(text: str) -> Statement | None:
    found = _ASSIGN.match(text)
    return Statement("assign label", (found.group(1), found.group(2))) if found else None


def _select(text: str) -> Statement | None:
    found = _SELECT.match(text)
    if found is None:
        return None
    split = _header(text, found.end() - 1)
    return Statement(f"select {found.group(1)}", (split[0],)) if split and not split[1] else None


def _case(text: str) -> Statement | None:
    if re.match(r"case\s*default\b", text):
        return Statement("case", ("default",))
    at = text.find("(")
    if at < 0 or text[:at].strip() != "case":
        return None
    split = _header(text, at)
    return Statement("case", ("values", split[0])) if split else None


def _guard(text: str) -> Statement | None:
    found = _GUARD.match(text)
    if found is None:
        return None
    words = " ".join(found.group(1).split())
    at = text.find("(")
    split = _header(text, at) if at >= 0 else None
    return Statement("guard", (words, split[0] if split else ""))


def _rank(text: str) -> Statement | None:
    if re.match(r"rank\s*default\b", text):
        return Statement("guard", ("class default", ""))
    split = _header(text, text.find("(")) if re.match(r"rank\s*\(", text) else None
    return Statement("guard", ("rank", split[0])) if split else None


def _where(text: str) -> Statement | None:
    at = text.find("(")
    if at < 0 or text[:at].strip() not in ("where", "forall"):
        return None
    kind = text[:at].strip()
    split = _header(text, at)
    if split is None:
        return None
    return Statement(kind, split) if split[1] else Statement(f"{kind}-construct", (split[0],))


def _scope(text: str) -> Statement | None:
    found = re.match(r"(associate|block|critical|change team)\b\s*(?:\((.*)\))?$", text)
    return Statement(found.group(1), (found.group(2) or "",)) if found else None


def _stop(text: str) -> Statement | None:
    found = re.match(r"(?:error\s*)?stop\b(.*)$", text)
    return Statement("stop", (found.group(1).strip(),)) if found else None


def _end_file(text: str) -> Statement | None:
    found = re.match(r"end\s*file\b(.*)$", text)
    return Statement("endfile", (found.group(1).strip(),)) if found else None


def labels(text: str) -> tuple[int, ...]:
    """``10, 20, 30`` as numbers."""
    return tuple(int(part) for part in split_top(text))


_CLASSIFIERS = (
    ("if", _if),
    ("endfile", _end_file),
    ("end", _end),
    ("end", _end_file),
    ("else", _else),
    ("do", _do),
    ("case", _case),
    ("go", _goto),
    ("assign", _assign_label),
    ("select", _select),
    ("type", _guard),
    ("class", _guard),
    ("rank", _rank),
    ("where", _where),
    ("forall", _where),
    ("associate", _scope),
    ("block", _scope),
    ("critical", _scope),
    ("change", _scope),
    ("error", _stop),
    ("stop", _stop),
)
