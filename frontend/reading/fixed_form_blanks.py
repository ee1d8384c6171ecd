"""Fixed form, where blanks mean nothing: statements recognised without them, and blanks put where free form needs them.

The source's own blanks stay where no name, number or operator has one inside; elsewhere the part loses them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_masks import assigned_at, closing, has_outer_comma
from snapset.frontend.reading.keyword_spelling import ENDED

_DOTTED = pattern_of(r" ?\.[a-z]+\. ?")
_SPLIT = pattern_of(r"[\w.] [\w.]|[*/=<>:] [*/=<>:]|\( /|/ \)|[\d.][edq](?: [+-]|[+-] )")
_LHS = pattern_of(r"[a-z][\w ]*+[(=%]")
_DO = pattern_of(r"do(\d+)?,?(?:([a-z]\w*=)|(while|concurrent)(?=\()|$)")
_KIND = r"(?:\*\d+|\*?\((?:[^()]|\([^()]*\))*\))?"
_NUMERIC = rf"(?:integer|real|complex|logical|character|byte){_KIND}"
_TYPE = rf"(?:doubleprecision|doublecomplex|{_NUMERIC}|(?:type|class)\([^()]*\))"
_PROCEDURE = pattern_of(
    rf"((?:recursive|pure|elemental|impure|non_recursive|module|{_TYPE})*)(function|subroutine)([a-z]\w*)"
    r"(\([\w,*]*\))?((?:result|bind)\(.*)?$"
)
_PREFIX = pattern_of(rf"recursive|pure|elemental|impure|non_recursive|module|{_TYPE}")
_DECLARED = pattern_of(rf"({_TYPE})(.*)$")
_END = pattern_of(rf"end(?:(file)|({ENDED})((?<=interface).+|[a-z]\w*)?$)")
_ASSIGN = pattern_of(r"assign(\d+)to([a-z]\w*)$")
_IMPLIED = pattern_of(r"double(precision|complex)")
_TYPEDEF = pattern_of(r"type([a-z]\w*)$")

_HEADS = (
    "abstractinterface|allocatable|allocate|associate|asynchronous|backspace|blockdata|block|call|casedefault|case|"
    "classdefault|classis|close|codimension|common|contains|contiguous|continue|critical|cycle|data|deallocate|"
    "dimension|entry|enumerator|enum|equivalence|errorstop|exit|external|final|flush|forall|format|generic|goto|"
    "implicit|import|include|inquire|intent|interface|intrinsic|moduleprocedure|module|namelist|nullify|open|optional|"
    "parameter|pause|pointer|print|private|procedure|program|protected|public|read|return|rewind|save|"
    "selectcase|selecttype|sequence|stop|submodule|target|typeis|use|value|volatile|wait|where|write"
)
_HEAD = pattern_of(_HEADS)
_SPELLINGS = {
    "abstractinterface": "abstract interface",
    "blockdata": "block data",
    "casedefault": "case default",
    "classdefault": "class default",
    "classis": "class is",
    "errorstop": "error stop",
    "moduleprocedure": "module procedure",
    "selectcase": "select case",
    "selecttype": "select type",
    "typeis": "type is",
}


def spell_fixed(text: str) -> str:
    """A masked lower-case fixed-form statement as free form, with the spelling of
    :mod:`snapset.frontend.reading.keyword_spelling`."""
    if "=" in text and _LHS.match(text) is not None:
        assigned = _assignment(text)
        if assigned is not None:
            return assigned
    squeezed = text.replace(" ", "")
    if squeezed.startswith("if("):
        return _guarded(text, "if")
    if squeezed.startswith("call"):
        return f"call {tidy(_after(text, 4))}"
    if squeezed.startswith("do"):
        loop = _DO.match(squeezed)
        if loop is not None:
            return _loop(text, squeezed, loop)
    if squeezed.startswith("e"):
        ended = _end_or_else(text, squeezed)
        if ended is not None:
            return ended
    if "function" in squeezed or "subroutine" in squeezed:
        header = _PROCEDURE.match(squeezed)
        if header is not None:
            return _header(header)
    declared = _DECLARED.match(squeezed)
    if declared is not None and not squeezed.startswith("typeis("):
        return _declaration(text, declared)
    return _other(text, squeezed)


def tidy(text: str) -> str:
    """The text with its blanks, or with none of them where one is inside of a token."""
    if " " not in text:
        return text
    probe = _DOTTED.sub("+", text) if "." in text else text
    return text if _SPLIT.search(probe) is None else text.replace(" ", "")


def _assignment(text: str) -> str | None:
    """The statement when it is an assignment (names may have blanks inside), else None."""
    squeezed = text.replace(" ", "")
    at = assigned_at(squeezed)
    if at < 0:
        return None
    if squeezed.startswith("do") and _DO.match(squeezed) is not None and has_outer_comma(squeezed, at):
        return None
    return tidy(text)


def _after(text: str, count: int) -> str:
    """What follows the first ``count`` characters that are not blank."""
    end = count
    while True:
        missing = count - (end - text.count(" ", 0, end))
        if missing <= 0 or end >= len(text):
            return text[end:].lstrip()
        end += missing


def _guarded(text: str, head: str) -> str:
    start = text.find("(")
    close = closing(text, start)
    if close < 0:
        return text
    rest = text[close + 1 :].strip()
    condition = tidy(text[start : close + 1])
    if not rest:
        return f"{head} {condition}"
    then = rest.replace(" ", "")
    if then.startswith("then") and head == "else if":
        return f"{head} {condition} then {then[4:]}".rstrip()
    if then == "then" or then[0].isdigit():
        return f"{head} {condition} {then}"
    inner = tidy(rest) if then.startswith("if(") and assigned_at(then) < 0 else spell_fixed(rest)  # no IF in an IF
    return f"{head} {condition} {inner}"


def _loop(text: str, squeezed: str, loop: re.Match[str]) -> str:
    label = f"do {loop[1]}" if loop[1] else "do"
    start = loop.start(2) if loop[2] else loop.start(3) if loop[3] else loop.end()
    rest = tidy(_after(text, start))
    if loop[3]:
        rest = f"{loop[3]} {rest[rest.find('(') :]}"
    return f"{label} {rest}" if rest else label


def _end_or_else(text: str, squeezed: str) -> str | None:
    if squeezed in ("end", "else"):
        return squeezed
    if squeezed.startswith("elseif("):
        return _guarded(text, "else if")
    if squeezed.startswith("else"):
        rest = squeezed[9:] if squeezed.startswith("elsewhere") else squeezed[4:]
        return f"elsewhere {rest}".rstrip() if squeezed.startswith("elsewhere") else f"else {rest}"
    ended = _END.match(squeezed)
    if ended is None:
        return None
    if ended[1]:
        return f"endfile {tidy(_after(text, 7))}"
    kind = "block data" if ended[2] == "blockdata" else ended[2]
    return f"end {kind} {ended[3]}" if ended[3] else f"end {kind}"


def _header(header: re.Match[str]) -> str:
    words = [_IMPLIED.sub(r"double \1", word) for word in _PREFIX.findall(header[1])]
    suffix = " " + header[5].replace(")bind(", ") bind(").replace(")result(", ") result(") if header[5] else ""
    return " ".join([*words, header[2], header[3] + (header[4] or "")]) + suffix


def _declaration(text: str, declared: re.Match[str]) -> str:
    spec = _IMPLIED.sub(r"double \1", declared[1])
    rest = declared[2]
    if rest.startswith(","):
        attributes = tidy(_after(text, len(declared[1])))
        return f"{spec}{attributes}"
    if not rest or not (rest[0].isalpha() or rest[0] == ":"):
        return tidy(text)
    return f"{spec} {tidy(_after(text, len(declared[1])))}"


def _other(text: str, squeezed: str) -> str:
    assign = _ASSIGN.match(squeezed)
    if assign is not None:
        return f"assign {assign[1]} to {assign[2]}"
    typedef = _TYPEDEF.match(squeezed)
    if typedef is not None:
        return f"type {typedef[1]}"
    found = _HEAD.match(squeezed)
    if found is None:
        return tidy(text)
    head = found[0]
    rest = _after(text, len(head))
    handler = _TAILS.get(head)
    rest = handler(rest) if handler is not None else tidy(rest)
    spelling = _SPELLINGS.get(head, head)
    if not rest:
        return spelling
    return f"{spelling}{'' if rest[0] in ',:' else ' '}{rest}"


def _implicit(rest: str) -> str:
    return _IMPLIED.sub(r"double \1", rest.replace(" ", ""))


def _where(rest: str) -> str:
    """``(mask) assignment``"""
    if not rest.startswith("("):
        return tidy(rest)
    close = closing(rest, 0)
    return f"{tidy(rest[: close + 1])} {tidy(rest[close + 1 :].strip())}".rstrip()


_TAILS: dict[str, Callable[[str], str]] = {
    "implicit": _implicit,
    "where": _where,
    "forall": _where,
}
