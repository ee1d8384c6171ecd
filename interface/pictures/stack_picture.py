"""The stack's height over a run as SVG: a panel for each strategy, checkpoints marked beneath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snapset import atomic_file
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.plot import PlotArea, document, label

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.measurements import Comparison, StrategyRun
    from snapset.analysis.replay.machine.stack_profile import Profile

WIDTH = 900
LEFT, RIGHT, TOP, HEIGHT = 150, 30, 34, 170
ROW, FOOT = 16, 46
MOST_PARTS = 6
CURVE, TAKEN, RESTORED, GREY = "#0072b2", "#d55e00", "#009e73", "#666"


def check(path: str) -> None:
    """Raises InputError, before anything runs, for a picture that could not be written."""
    if Path(path).suffix.lower() != ".svg":
        raise InputError(f"--picture {path}: pictures are drawn as SVG; give a name that ends in .svg")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"--picture {path}: there is no directory {Path(path).parent}")


def save(path: str, results: Sequence[Comparison]) -> None:
    """Write the whole picture or nothing. Raises OSError where it cannot be written."""
    atomic_file.save(Path(path), draw(results), "picture")


def draw(results: Sequence[Comparison]) -> str:
    """One SVG document. Runs without a profile (they failed, or none was asked for) say so in their panel."""
    y, body = 12.0, []
    for result in results:
        body.append(label(12, y + 12, f"Stack of {result.head}", "start", size=15, weight="bold"))
        y += 28
        scale = _scale(result.runs)
        for run in result.runs:
            panel = _Panel(run, scale, y)
            body.extend(panel.draw())
            y += panel.total
    body.append(label(12, y + 8, "triangles: a snapshot is pushed (filled), or popped (hollow); dashed: the turn from "
                      "the forward to the backward sweep", "start", colour=GREY))
    height = y + 24
    return document(WIDTH, height, body)


def _scale(runs: Sequence[StrategyRun]) -> PlotArea:
    """Steps and bytes, the same for all strategies of a head, so that they compare."""
    profiles = [run.profile for run in runs if run.profile is not None]
    steps = max((len(one.last) * one.width for one in profiles), default=1)
    high = max((max(one.high) for one in profiles), default=1) or 1
    return PlotArea(LEFT, WIDTH - RIGHT, TOP, TOP + HEIGHT, steps, high)


class _Panel:
    """One strategy's axes, curve and marks, with its top at ``y``."""

    def __init__(self, run: StrategyRun, scale: PlotArea, y: float) -> None:
        self.run = run
        self.scale = scale
        self.y = y
        self.rows = _rows(run)
        self.total = TOP + HEIGHT + FOOT + ROW * len(self.rows)

    def draw(self) -> Iterator[str]:
        yield f'<g transform="translate(0,{self.y:g})">'
        title = self.run.name if self.run.equal else f"{self.run.name}: the gradient is wrong"
        yield label(LEFT, 20, title, "start", size=13, weight="bold")
        yield from self.scale.axes("steps of the run", "bytes on the stack", 60)
        if self.run.profile is not None:
            yield from self.curve(self.run.profile)
            for place, (name, taken, restored) in enumerate(self.rows):
                yield from self.marks(self.run.profile, place, name, taken, restored)
        yield "</g>"

    def curve(self, profile: Profile) -> Iterator[str]:
        scale = self.scale
        line = outline(profile, scale)
        end = scale.x(len(profile.last) * profile.width)
        yield f'<path d="{line}V{scale.y(0):.1f}H{LEFT}Z" fill="{CURVE}" fill-opacity="0.15"/>'
        yield f'<path d="{line}" fill="none" stroke="{CURVE}" stroke-width="1.5"/>'
        turn = scale.x(profile.turn)
        yield f'<path d="M{turn:.1f} {TOP}v{HEIGHT}" stroke="{GREY}" stroke-dasharray="4 3"/>'
        peak = max(profile.high)
        at = scale.x((profile.high.index(peak) + 0.5) * profile.width)
        side = "end" if at > WIDTH / 2 else "start"
        yield f'<circle cx="{min(at, end):.1f}" cy="{scale.y(peak):.1f}" r="3" fill="{CURVE}"/>'
        yield label(at + (-6 if side == "end" else 6), scale.y(peak) - 5, f"peak {peak:,} bytes", side)

    def marks(self, profile: Profile, place: int, name: str, taken: tuple[int, ...],
              restored: tuple[int, ...]) -> Iterator[str]:
        """One row of triangles for a part, those that would hide one another drawn once."""
        y = TOP + HEIGHT + FOOT + ROW * place
        yield label(LEFT - 6, y + 4, name if len(name) <= 22 else name[:20] + "…", "end")
        for buckets, shape, style in ((taken, "l-3.5 7h7z", f'fill="{TAKEN}"'),
                                      (restored, "l-3.5 -7h7z", f'fill="white" stroke="{RESTORED}"')):
            rise = -4 if buckets is taken else 4
            places = {round(self.scale.x((one + 0.5) * profile.width)) for one in buckets}
            path = "".join(f"M{x} {y + rise}{shape}" for x in thinned(sorted(places)))
            yield f'<path d="{path}" {style}/>'


def _rows(run: StrategyRun) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Label, buckets of pushes, buckets of pops; parts beyond the first few share a row."""
    profile = run.profile
    if profile is None:
        return []
    parts = sorted(run.parts, key=lambda part: (profile.taken.get(part, ()), run.parts[part]))
    rows = [(run.parts[p], profile.taken.get(p, ()), profile.restored.get(p, ())) for p in parts]
    if len(rows) <= MOST_PARTS:
        return rows
    rest = rows[MOST_PARTS - 1:]
    return [*rows[:MOST_PARTS - 1], (f"{len(rest)} more parts", tuple(sorted({b for _, t, _ in rest for b in t})),
                                     tuple(sorted({b for _, _, r in rest for b in r})))]


def outline(profile: Profile, scale: PlotArea) -> str:
    """The curve as an SVG path: in each bucket up to its highest and down to its lowest, so no peak is lost."""
    pieces = [f"M{scale.x(0):.1f} {scale.y(0):.1f}"]
    at = 0
    for bucket, (low, high, last) in enumerate(zip(profile.low, profile.high, profile.last, strict=True)):
        heights = [h for h in (high, low, last) if h != at] if (low, high) != (at, at) else []
        if not heights:
            continue
        pieces.append(f"H{scale.x(bucket * profile.width):.1f}")
        for height in heights:
            if height != at:
                pieces.append(f"V{scale.y(height):.1f}")
                at = height
    pieces.append(f"H{scale.x(len(profile.last) * profile.width):.1f}")
    return "".join(pieces)


def thinned(places: Sequence[int], apart: int = 4) -> list[int]:
    """Of sorted places those that stand at least ``apart`` from the one before."""
    found: list[int] = []
    for place in places:
        if not found or place - found[-1] >= apart:
            found.append(place)
    return found
