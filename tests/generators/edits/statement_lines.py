"""A source as lines of statements, to be edited: ``x = a &`` and the line after it are one entry.

Fixed form is made free on the way. What a line is (assignment, begin of a block, declaration) is told from its text
alone: an editor may be wrong now and then, its program is then refused by whoever reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WORDS = re.IGNORECASE | re.DOTALL
_NEST = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
ASSIGNMENT = re.compile(rf"(?P<target>[a-z]\w*(?:{_NEST})?(?:%\w+(?:{_NEST})?)*)\s*=\s*(?P<value>[^=>].*)$", _WORDS)
OPERAND = re.compile(r"(?<![\w.%])[a-z]\w*(?:\([^()]*\))?(?![\w%(])", _WORDS)
CONDITION = re.compile(r"(?:else\s*)?if\s*(?P<test>\(.*\))\s*then\s*$", _WORDS)
_OPENING = re.compile(r"(?:\w+\s*:\s*)?(do\b|if\s*\(.*\)\s*then\s*$|select\s*(case|type)\b|where\s*\(.*\)\s*$"
                      r"|forall\s*\(.*\)\s*$|associate\b|block\s*$|critical\b)", _WORDS)
_CLOSING = re.compile(r"end\s*(do|if|select|where|forall|associate|block|critical)\b", _WORDS)
_MIDDLE = re.compile(r"(else|elsewhere|elseif|case|class\s+is|class\s+default|type\s+is)\b", _WORDS)
_LEAVING = re.compile(r"\b(go\s*to|return|cycle|exit|stop)\b|^do\s+\d", _WORDS)
_DECLARING = re.compile(
    r"(real|integer|logical|complex|character|double|type|class|implicit|use|common|dimension|parameter|data|equivalence"
    r"|save|external|intrinsic|interface|contains|include|procedure|private|public|allocatable|pointer|target|namelist"
    r"|contiguous|import|generic|abstract|enum)\b(?!\s*(=[^=>]|is\b))", _WORDS)
_BEGIN = re.compile(r"(?!end\b)(?:[\w()*=]+\s+)*(subroutine|function)\s+\w+", _WORDS)
_END = re.compile(r"(end\s*(subroutine|function|program|module)?(\s+\w+)?|contains)\s*$", _WORDS)


def free_statements(text: str, fixed: bool) -> list[str]:
    """One entry for each statement, comment and directive, in free form.

    >>> free_statements("      X = A\\n     & + B\\nC     so", True)
    ['      X = A &\\n        + B', '!     so']
    """
    return list(_joined(_freed(text.splitlines()) if fixed else text.splitlines()))


def _freed(lines: Sequence[str]) -> Iterator[str]:
    held: str | None = None
    for line in lines:
        comment = line[:1] in {"C", "c", "*", "!"}
        more = not comment and len(line) > 5 and not line[:5].strip() and line[5] not in " 0"
        if held is not None:
            yield held + (" &" if more else "")
        held = f"!{line[1:]}" if comment else f"       {line[6:72].rstrip()}" if more else line[:72].rstrip()
    if held is not None:
        yield held


def _joined(lines: Sequence[str] | Iterator[str]) -> Iterator[str]:
    held = ""
    for line in lines:
        held = f"{held}\n{line}" if held else line
        if not (held.rstrip().endswith("&") and not is_comment(held)):
            yield held
            held = ""
    if held:
        yield held


def is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip()[0] in "!#"


def is_free(line: str) -> bool:
    """An assignment or a call that nothing jumps to: it can stand elsewhere.

    >>> is_free("  a(i) = 2"), is_free("10 a(i) = 2"), is_free("  p => a"), is_free("  call s(a)")
    (True, False, False, True)
    """
    bare = line.strip()
    return not is_comment(line) and bool(ASSIGNMENT.match(bare) or re.match(r"call\b", bare, re.IGNORECASE))


def bodies(lines: Sequence[str]) -> list[range]:
    """The executable statements of each procedure, as a range of entries."""
    found, start = list[range](), None
    for at, line in enumerate(lines):
        bare = line.strip()
        if is_comment(line):
            continue
        if _BEGIN.match(bare):
            start = at + 1
        elif start is not None and _END.match(bare):
            while start < at and (is_comment(lines[start]) or _DECLARING.match(lines[start].strip())):
                start += 1
            if start < at:
                found.append(range(start, at))
            start = None
    return found


def blocks(lines: Sequence[str], body: range) -> list[range]:
    """Runs of whole statements of one depth, which a checkpointed part may hold: loops with their END DO, both sides of
    an IF. None that holds a jump or a label, nor one across a directive."""
    found, open_ = list[range](), [list[int]()]
    for at in body:
        bare = lines[at].strip()
        if is_comment(lines[at]):
            if re.match(r"!\$", bare):
                open_[-1].clear()
            continue
        if _LEAVING.search(bare) or bare[:1].isdigit():
            open_ = [[] for _ in open_]
        elif _MIDDLE.match(bare):
            open_[-1].clear()
        elif _CLOSING.match(bare) and len(open_) > 1:
            open_.pop()
            found += [range(first, at + 1) for first in open_[-1]]
        elif _OPENING.match(bare):
            open_[-1].append(at)
            open_.append([])
        else:
            open_[-1].append(at)
            found += [range(first, at + 1) for first in open_[-1]]
    return found
