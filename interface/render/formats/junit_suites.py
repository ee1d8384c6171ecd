"""JUnit's XML: a suite for each head, a case for each part, failed where a warning or an error stands at it."""

from __future__ import annotations

from xml.etree import ElementTree

from snapset.frontend.base.visible_text import visible, visible_line
from snapset.render.formats.annotations import Annotation, Outcome

WHOLE = "the whole"
"""The case of what is about no part."""


def write(outcome: Outcome) -> str:
    """The document."""
    found: dict[tuple[str, str], list[Annotation]] = {one: [] for one in outcome.cases}
    for one in outcome.annotations:
        for about in one.concerns():
            found.setdefault(about, []).append(one)
    heads = dict.fromkeys(head for head, _ in found)
    cases = {head: {part: said for (of, part), said in found.items() if of == head} for head in heads}
    bad = {head: sum(any(map(_fails, said)) for said in parts.values()) for head, parts in cases.items()}
    root = ElementTree.Element("testsuites", name="snapset", tests=str(len(found)), failures=str(sum(bad.values())))
    for head, parts in cases.items():
        suite = ElementTree.SubElement(root, "testsuite", name=visible_line(head) or "snapset", tests=str(len(parts)),
                                       failures=str(bad[head]), errors="0")
        for part, said in parts.items():
            case = ElementTree.SubElement(suite, "testcase", classname=visible_line(head) or "snapset",
                                          name=visible_line(part) or WHOLE)
            _case(case, said)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _fails(one: Annotation) -> bool:
    return one.level != "note"


def _case(case: ElementTree.Element, said: list[Annotation]) -> None:
    failed = [one for one in said if _fails(one)]
    if failed:
        text = "\n".join(_lines(one) for one in failed)
        failure = ElementTree.SubElement(case, "failure", message=visible_line(failed[0].title), type=failed[0].rule)
        failure.text = visible(text)
    rest = [one for one in said if not _fails(one)]
    if rest:
        ElementTree.SubElement(case, "system-out").text = visible("\n".join(map(_lines, rest)))


def _lines(one: Annotation) -> str:
    return f"{visible_line(one.file)}:{one.line}: " + "\n  ".join(one.message)
