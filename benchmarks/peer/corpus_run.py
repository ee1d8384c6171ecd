"""All programs of corpus/."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from program_run import PeerError, differentiate
from sets import STRATEGIES, Row, compared
from tables import parts, shares, summary

CORPUS = Path(__file__).resolve().parent.parent.parent / "corpus"


def corpus_tables(tapenade: Path, only: Sequence[str], given: Mapping[str, int]) -> list[str]:
    rows: list[Row] = []
    lines = ["| Program | parts | Tapenade, bytes | lazy | optimal | larger parts |", "|---|---:|---:|---:|---:|---|"]
    for path in sorted(CORPUS.iterdir()):
        if path.suffix not in (".f", ".f90") or (only and path.stem not in only):
            continue
        match = re.search(r"^head:\s*(.+?)\s*(#|$)", path.with_suffix(".expected").read_text(), re.MULTILINE)
        assert match is not None
        with tempfile.TemporaryDirectory() as folder:
            try:
                _, text = differentiate(tapenade, [str(path)], match[1], Path(folder))
            except PeerError:
                lines.append(f"| {path.name} | | no adjoint | | | |")
                continue
        found = compared([str(path)], match[1], text, given)
        lines.append(_line(path.name, found))
        rows += [replace(row, part=f"{path.name}: {row.part}") for row in found]
    differ = [row for row in rows if row.relation("lazy") != "equal"]
    return [*lines, "", *summary(rows), "", "Parts that are not equal:", "", *parts(differ)]


def _line(name: str, rows: Sequence[Row]) -> str:
    total = shares(rows)
    figures = [f"{total.ours[s]:,}" for s in STRATEGIES]
    larger = [row.part for row in rows if row.relation("lazy") in ("larger", "other")]
    missing = [f"{row.part}?" for row in rows if row.peer is None]
    return f"| {name} | {len(rows)} | {total.peer:,} | " + " | ".join(figures) + f" | {', '.join(larger + missing)} |"
