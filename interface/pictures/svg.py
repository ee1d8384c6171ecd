"""What SVG pictures have in common."""

from __future__ import annotations

from xml.sax.saxutils import escape

from snapset.frontend.base.visible_text import visible_line


def drawn(text: str) -> str:
    """Text as it stands in an element or, between quotes, in an attribute: XML has no control characters."""
    return escape(visible_line(text), {'"': "&quot;", "'": "&#39;"})
