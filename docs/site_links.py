"""What mkdocs does beyond its settings: a page that the navigation forgot is in it, links out of the pages are names.

``[`snapshot`](../analysis/equations.py)`` is ``snapshot`` there, with the file's name behind it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_OUT = re.compile(r"\[([^]]*)\]\(\.\./([^)#]+)[^)]*\)")


def on_config(config: Any) -> Any:
    """The settings once they are read: every page is somewhere in the navigation."""
    listed = set(_pages(config["nav"]))
    more = sorted(page.name for page in Path(config["docs_dir"]).glob("*.md") if page.name not in listed)
    config["nav"] += [{"More": more}] if more else []
    return config


def _pages(nav: list[Any]) -> list[str]:
    """The pages that a navigation names."""
    return [page for one in nav
            for page in ([one] if isinstance(one, str) else [p for inner in one.values() for p in _pages(inner)])]


def on_page_markdown(markdown: str, **_: object) -> str:
    """A page's text before it becomes HTML; mkdocs calls this."""
    return _OUT.sub(_named, markdown)


def _named(link: re.Match[str]) -> str:
    label, target = link[1], link[2]
    return label if target.endswith(label.strip("`")) else f"{label} (`{target}`)"
