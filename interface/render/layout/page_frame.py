"""The file around a page: style, script, and the rule that nothing else may run or be fetched."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from snapset.render.layout.markup import Html, element, escaped
from snapset.render.layout.page_script import SCRIPT
from snapset.render.layout.page_style import STYLE


def document(title: str, *body: Html) -> Html:
    """The whole file. Its policy lets browsers run this script and no other, and fetch nothing."""
    script = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = (f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; base-uri 'none'; "
              "form-action 'none'")
    head = element(
        "head", element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("title", escaped(title)), element("style", Html(STYLE)))
    whole = element("html", head, element("body", *body, element("script", Html(SCRIPT))), lang="en")
    return Html(f"<!DOCTYPE html>\n{whole}\n")


def tables(title: str, pages: Iterable[str], pictures: Iterable[Html] = ()) -> Html:
    """A page of lines and tables, as :class:`snapset.render.layout.text_page.Page` writes them where its look is
    ``markup``, with pictures behind them."""
    sections = [element("section", Html(one)) for one in pages]
    return document(f"snapset: {title}", element("main", element("h1", escaped(title)), *sections, *pictures))


def figure(svg: str, caption: str) -> Html:
    """A picture of :mod:`snapset.pictures`, which escapes what it draws, and what it shows in words."""
    return element("figure", Html(svg), element("figcaption", escaped(caption), class_="soft"))
