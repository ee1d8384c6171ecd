"""The source with its parts shaded, the inner ones darker. Each variable of a part that has a row leads there.

    13   u(i) = u(i) + nu*(u(i+1) - u(i))          burgers@13
         ‾‾‾‾ a link to the row of u in the box of burgers@13, bold because the part's snapshot holds it
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.render.html.part_box import PartBox
from snapset.render.layout.markup import Html, element, escaped, joined
from snapset.render.layout.quoted_code import only_code

MOST_LINES = 16_000
"""Of all files; where there are more, those far from every part are left out."""
NEAR, MOST_TAPED = 12, 2
_NAME = pattern_of(r"[A-Za-z]\w*(?:\s*%\s*[A-Za-z]\w*)*")
_DEEPEST = 3


@frozen
class _Link:
    anchor: str
    kept: bool


def listing(boxes: Sequence[PartBox], source: Mapping[str, Sequence[str]], files: Mapping[str, str]) -> Html:
    """Every file that has a part, in the order given. ``files``: their anchors."""
    by_file: defaultdict[str, list[PartBox]] = defaultdict(list)
    for box in boxes:
        by_file[box.part.file].append(box)
    shown = {file: lines for file, lines in source.items() if file in by_file}
    whole = sum(map(len, shown.values())) <= MOST_LINES
    return joined(_file(file, lines, by_file[file], files[file], whole) for file, lines in shown.items())


def _file(file: str, lines: Sequence[str], boxes: Sequence[PartBox], anchor: str, whole: bool) -> Html:
    covering, taped = _covering(boxes), _taped(file, boxes)
    kept = range(1, len(lines) + 1) if whole else sorted(_near(boxes, len(lines)))
    pieces: list[Html] = []
    before = 0
    for number in kept:
        if number != before + 1:
            pieces.append(_gap(number - before - 1))
        before = number
        pieces.append(_line(lines[number - 1], f"{anchor}-{number}", number, covering.get(number, []),
                            taped.get(number, ())))
    if before < len(lines):
        pieces.append(_gap(len(lines) - before))
    title = element("summary", element("span", escaped(file), class_="name"))
    return element("details", title, element("pre", *pieces, class_="src"), id=anchor, open="")


def _gap(lines: int) -> Html:
    return element("span", escaped(f"... {lines} lines"), class_="gap")


def _covering(boxes: Iterable[PartBox]) -> Mapping[int, list[PartBox]]:
    """The parts of each line, outer ones first."""
    found: defaultdict[int, list[PartBox]] = defaultdict(list)
    for box in sorted(boxes, key=lambda one: (one.part.first_line, -one.part.last_line)):
        for number in range(box.part.first_line, box.part.last_line + 1):
            found[number].append(box)
    return found


def _near(boxes: Iterable[PartBox], last: int) -> set[int]:
    return {number for box in boxes
            for number in range(max(1, box.part.first_line - NEAR), min(last, box.part.last_line + NEAR) + 1)}


def _taped(file: str, boxes: Iterable[PartBox]) -> Mapping[int, list[Html]]:
    """By line: what the first strategy tapes there, and for which part."""
    found: defaultdict[int, dict[str, Html]] = defaultdict(dict)
    for box in boxes:
        first = next(iter(box.part.solutions.values()), None)
        for entry in first.tape if first is not None else ():
            anchor = box.rows.get(entry.location)
            if entry.file == file and entry.callee is None and anchor is not None:
                said = f"tapes {entry.location} for {box.part.id}"
                found[entry.line][said] = element("a", escaped(said), href=f"#{anchor}", class_="taped")
    return {line: list(said.values())[:MOST_TAPED] for line, said in found.items()}


def _line(text: str, id_: str, number: int, boxes: Sequence[PartBox], taped: Sequence[Html]) -> Html:
    spans = {(box.part.first_line, box.part.last_line) for box in boxes}
    depth = min(len(spans), _DEEPEST)
    tags = [element("a", escaped(box.part.id), href=f"#{box.id}", class_="tag")
            for box in boxes if box.part.first_line == number]
    links = _links(boxes)
    inside = joined(_linked(text, links)) if links else escaped(text)
    return element("span", element("b", escaped(str(number))), *tags, *taped, inside, id=id_,
                   class_=f"d{depth}" if depth else None)


def _links(boxes: Iterable[PartBox]) -> Mapping[str, _Link]:
    """Where a name leads: to the row of the innermost part that has one."""
    found: dict[str, _Link] = {}
    for box in boxes:
        mine: dict[str, _Link] = {}
        for location, anchor in box.rows.items():
            link = _Link(anchor, location in box.kept)
            mine[spoken(location)] = link
            mine.setdefault(spoken(location).partition("%")[0], link)
        found |= mine
    return found


def spoken(location: str) -> str:
    """As the source may spell it: of a module's variable, or one in COMMON, the name alone."""
    plain = location.split("(", 1)[0].split("=>", 1)[0]
    return plain.rpartition("/")[2].rpartition("::")[2]


def _linked(text: str, links: Mapping[str, _Link]) -> Iterator[Html]:
    code = "" if re.match(r"[cC*]\s", text) else only_code(text)  # comments of fixed form begin so
    at = 0
    for found in _NAME.finditer(code):
        name = re.sub(r"\s", "", found[0]).lower()
        link = links.get(name) or links.get(name.partition("%")[0])
        if link is not None:
            yield escaped(text[at:found.start()])
            yield element("a", escaped(found[0]), href=f"#{link.anchor}", class_="saved" if link.kept else None)
            at = found.end()
    yield escaped(text[at:])
