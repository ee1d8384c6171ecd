"""A page of HTML as a tree, read strictly: what is opened is closed, in order, and nothing is there twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

LONE = {"meta", "input", "br"}


@dataclass
class Node:
    """An element; ``children``: elements and texts."""

    tag: str
    given: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def all(self, tag: str = "", class_: str = "") -> Iterator[Node]:
        """Itself and what is in it, as it stands, of a tag and a class."""
        if tag in ("", self.tag) and (not class_ or class_ in self.given.get("class", "").split()):
            yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.all(tag, class_)

    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def by_id(self, id_: str) -> Node:
        found = [one for one in self.all() if one.given.get("id") == id_]
        assert len(found) == 1, id_
        return found[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in LONE:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(text: str) -> Node:
    """The tree. AssertionError where the page is not well-formed, or points at what is not there."""
    assert text.startswith("<!DOCTYPE html>\n")
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert [one.tag for one in reader.open] == [""], "not all is closed"
    root = reader.root
    ids = [one.given["id"] for one in root.all() if "id" in one.given]
    assert len(ids) == len(set(ids)), "an id stands twice"
    for link in root.all("a"):
        assert link.given["href"].startswith("#")
        assert link.given["href"][1:] in ids, link.given["href"]
    return root


def words_of(page: Node) -> list[str]:
    """What a reader sees, a line for each heading, paragraph, row and summary; pictures by their titles."""
    found = []
    for one in page.all():
        if one.tag in ("h1", "h2", "h3", "p", "tr", "summary", "pre", "title", "figcaption"):
            parts = [cell for cell in one.children if isinstance(cell, Node)] if one.tag == "tr" else [one]
            text = re.sub(r"\s+", " ", " | ".join(part.text() for part in parts)).strip()
            found.append(f"{one.tag}: {text}"[:200])
    return found
