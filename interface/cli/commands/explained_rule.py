"""What a diagnostic means: for a terminal (``snapset explain SN105``), and as the page docs/diagnostics.md."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.rules import RULES
from snapset.frontend.rules.rule import Example, Rule

_LINK = pattern_of(r"\[([^]]*)\]\([^)]*\)")
_GROUPS = {
    "SN1": ("the part runs twice", "A checkpointed part is executed once before its snapshot is used and once after. "
            "Saving values cannot help where a second run does something else."),
    "SN2": ("what was read", ""),
    "SN3": ("what was analysed", ""),
    "SN4": ("what was executed", ""),
}  # fmt: skip
_TOP = """\
# Diagnostics

Every remark has a stable code. None of them stops a report: where snapset does not understand something it takes the \
larger answer and says so. What makes the input unusable is an error instead: one line, exit code 2. A bug in snapset \
itself is exit code 3, never 1: one line says what was being done, in which line of the Fortran, and in which new file \
of the temporary directory the traceback is; `--debug` prints the traceback and writes no file. Library calls raise \
what they raise.

`snapset explain SN105` prints what stands here of one code. Every example is run by a test, before and after its cure.
"""


def explain(codes: Sequence[str], width: int = 80) -> str:
    """What these diagnostics mean, in the order asked for; upper and lower case are the same.

    Raises:
        ValueError: no diagnostic has such a code.
    """
    return "\n".join(_text(rule, min(width, 100)) for rule in _rules(codes))


def document(codes: Sequence[str]) -> str:
    """The same as JSON. Raises ValueError."""
    from snapset.documents.json_text import dumps
    from snapset.documents.starting.code_documents import CodeDocument, CodeExampleDocument, CodesDocument

    def example(one: Example) -> CodeExampleDocument:
        return CodeExampleDocument(command=list(one.command), files=dict(one.files))

    found = [CodeDocument(code=one.code, severities=list(one.severities), summary=one.summary, why=one.why,
                          remedy=one.remedy, example=example(one.example), cured=example(one.cured))
             for one in _rules(codes)]
    return dumps([CodesDocument(codes=found)])


def browser_page(codes: Sequence[str]) -> str:
    """The same for a browser. Raises ValueError."""
    from snapset.render.layout.markup import element, escaped
    from snapset.render.layout.page_frame import tables

    every = _rules(codes)
    return tables(", ".join(one.code for one in every), [element("pre", escaped(_text(one, 100))) for one in every])


def _rules(codes: Sequence[str]) -> list[Rule]:
    for code in codes:
        if code.upper() not in RULES:
            raise ValueError(f"{code}: no diagnostic has this code{nearest(code.upper(), set(RULES))}")
    return [RULES[code.upper()] for code in codes]


def _text(rule: Rule, width: int) -> str:
    def paragraph(text: str, first: str = "") -> str:
        plain = _LINK.sub(r"\1", text)
        return textwrap.fill(plain, width, initial_indent=first, subsequent_indent=" " * len(first),
                             break_on_hyphens=False)

    said = [f"{rule.code} ({' or '.join(rule.severities)})", paragraph(_sentence(rule.summary)), "",
            paragraph(rule.why), "", paragraph(_sentence(rule.remedy), "What to do: ")]
    for title, example in (("Example", rule.example), ("Cured", rule.cured)):
        said += ["", f"{title}: {shown(example)}"]
        for name, text in example.files.items():
            said += ["", *([f"  {name}:"] if len(example.files) > 1 else []),
                     *(f"    {line}".rstrip() for line in text.splitlines())]
    return "\n".join(said) + "\n"


def shown(example: Example) -> str:
    """The command that is run."""
    return shlex.join(("snapset", *example.command))


def page() -> str:
    """docs/diagnostics.md"""
    said = [_TOP]
    for start, (title, about) in _GROUPS.items():
        rules = [rule for code, rule in RULES.items() if code.startswith(start)]
        said += [f"## {start}xx: {title}\n", *([f"{about}\n"] if about else []),
                 "| code | severity | what | what to do |", "|---|---|---|---|",
                 *(f"| [{one.code}](#{one.code.lower()}) | {' or '.join(one.severities)} | {one.summary} | "
                   f"{one.remedy} |" for one in rules), ""]
    said += ["## Each with an example\n"]
    for rule in RULES.values():
        said += [f"### {rule.code}\n", f"{_sentence(rule.summary)} {rule.why}\n",
                 *_program(rule.example, "Found in"), *_program(rule.cured, "Cured, by its remedy")]
    return "\n".join(said).rstrip("\n") + "\n"


def _program(example: Example, what: str) -> list[str]:
    said = [f"{what} `{shown(example)}`:\n"]
    for name, text in example.files.items():
        title = [f"    ! {name}"] if len(example.files) > 1 else []
        said += [*title, *(f"    {line}".rstrip() for line in text.splitlines()), ""]
    return said


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
