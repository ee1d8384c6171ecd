"""The tables beside this module: published schedules, and counts made by independent programmes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

TABLES = Path(__file__).parent / "tables"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """A table's rows, by column."""
    lines = [line for line in (TABLES / f"{name}.tsv").read_text().splitlines() if not line.startswith("#")]
    head, *rest = (line.split("\t") for line in lines)
    return tuple(dict(zip(head, line, strict=True)) for line in rest)


@cache
def varying() -> tuple[dict[str, Any], ...]:
    """Cases whose sizes differ from step to step."""
    return tuple(json.loads((TABLES / "schedule-varying.json").read_text())["cases"])
