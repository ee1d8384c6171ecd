"""Why a program's figures are larger than the peer's: read from docs/tapenade.md, which says how it is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "tapenade.md"


def reasons(text: str) -> Mapping[str, str]:
    """By program, the second column of the page's table; the first may name several. Tables of figures give none."""
    rows = re.findall(r"^\| (`\w+\.f.*?) \| (.*?) \| .* \|$", text, re.MULTILINE)
    return {name: why for names, why in rows if not re.fullmatch(r"[\d,]+", why)
            for name in re.findall(r"`(.*?)`", names)}


def known() -> Mapping[str, str]:
    return reasons(PAGE.read_text())
