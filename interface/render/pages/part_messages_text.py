"""What a part says to other ranks, as three lines of a report: its calls, the verdict, what its second run does.

    messages  irecv t(1, 0) from left (line 19), isend t(1, ny) to right (line 21), waitall (line 23): all inside
    verdict   self-contained (proved for 2 to 6 ranks)
    plan      all again: 16*nx bytes sent again
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.results import MessageCall, PartMessages
from snapset.frontend.base.visible_text import visible_line
from snapset.render.layout.byte_figures import Figures

MOST = 6  # calls by name; JSON has all


def message_lines(found: PartMessages, file: str, figures: Figures) -> Iterator[tuple[str, str]]:
    """Label and text; ``file``: the part's."""
    calls = [_call(one, file) for one in found.calls]
    more = f" and {len(calls) - MOST} more" if len(calls) > MOST else ""
    inside = ": all inside" if found.verdict == "self-contained" else ""
    yield "messages", f"{', '.join(calls[:MOST])}{more}{inside}"
    yield "verdict", _verdict(found)
    yield "plan", _plan(found, figures)


def _call(one: MessageCall, file: str) -> str:
    place = f"line {one.line}" if one.file == file else f"{visible_line(one.file)}:{one.line}"
    return f"{visible_line(one.text)} ({place})"


def _verdict(found: PartMessages) -> str:
    why = f": {'; '.join(found.why[:2])}" if found.why else ""
    if found.verdict == "unknown":
        return f"not provably right-tight{why}"
    more = f" and so {len(found.assumed) - 2} more" if len(found.assumed) > 2 else ""
    assumed = f", if {', '.join(found.assumed[:2])}{more}" if found.assumed else ""
    return f"{found.verdict} (proved for {_ranks(found.sizes)} ranks{assumed}){why}"


def _ranks(sizes: tuple[int, ...]) -> str:
    every = len(sizes) > 1 and sizes == tuple(range(sizes[0], sizes[-1] + 1))
    return f"{sizes[0]} to {sizes[-1]}" if every else ", ".join(map(str, sizes))


def _plan(found: PartMessages, figures: Figures) -> str:
    """What is right in the second run, and what it takes."""
    again = figures.text(found.resent_bytes)
    logged = sum(one.logged for one in found.calls)
    if found.verdict == "self-contained":
        return f"all again (popular): {again} bytes sent again"
    held = figures.text(found.held_bytes)
    log = f"log {_receives(logged)} ({figures.text(found.log_bytes)} bytes, at most {held} held)" if logged else \
        "log nothing"
    resent = f"send again what is wholly inside ({again} bytes)" if any(one.resent for one in found.calls) else \
        "send nothing again"
    return f"{log}; {resent}"


def _receives(count: int) -> str:
    return "1 receive" if count == 1 else f"{count} receives"
