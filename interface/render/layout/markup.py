"""Pieces of HTML. ``Html`` is text that is markup already; everything else becomes some by :func:`escaped`:

    element("a", escaped("a<b"), href="#u")     <a href="#u">a&lt;b</a>

mypy tells the two apart, so a name of a file or a variable cannot come into a page as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import chain, repeat
from typing import NewType

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.visible_text import visible_line

Html = NewType("Html", str)
_LONE = ("input", "meta", "br")
_PLAIN = pattern_of(r"(?a:[\w .,()*+/=%@-]*)")
_COMMAND = pattern_of(r"#(?=#)|\A\s*:(?=:)")  # a CI service that reads the log takes it for the start of a command


def escaped(text: str) -> Html:
    """Text as it stands in an element, or between double quotes in an attribute; controls are written out."""
    if _PLAIN.fullmatch(text):  # as most are
        return Html(text)
    return Html(_COMMAND.sub(lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", escape(visible_line(text))))


def element(tag: str, *inside: Html, **attributes: str | None) -> Html:
    """``<tag ...>inside</tag>``. Of names of attributes a last ``_`` is dropped, others are ``-``; None: not there."""
    given = "".join(f' {name.rstrip("_").replace("_", "-")}="{escaped(value)}"'
                    for name, value in attributes.items() if value is not None)
    end = "" if tag in _LONE else f"</{tag}>"
    return Html(f"<{tag}{given}>{''.join(inside)}{end}")


def joined(pieces: Iterable[Html], between: Html = Html("")) -> Html:
    """One after the other, with something between them."""
    return Html(between.join(pieces))


def table(headers: Iterable[str], rows: Iterable[Iterable[Html]], ids: Iterable[str] = (),
          class_: str | None = None) -> Html:
    """A table whose first cell of each row names it; ``ids``: its rows' anchors. It scrolls where it is too wide."""
    head = element("tr", *(element("th", escaped(one), scope="col") for one in headers))
    body = joined((_row(id_, *cells) for id_, cells in zip(chain(ids, repeat(None)), rows, strict=False)), Html("\n"))
    whole = element("table", element("thead", head), element("tbody", body), class_=class_)
    return element("div", whole, class_="wide")


def _row(id_: str | None, first: Html, *rest: Html) -> Html:
    return element("tr", element("th", first, scope="row"), *(element("td", one) for one in rest), id=id_)
