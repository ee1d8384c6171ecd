"""Forward and backward sweep around a part as SVG: what is saved, restored and taped where, for each part a lane.

    forward    U ──▶ save Snp, Sbk ──▶ C ──▶ D, taping Req_D ──▶ turn
    backward   adj U ◀── restore Sbk ◀── C again, taping Req_C, then adj C ◀── restore Snp ◀── adj D

The order is that of equation (1) of Dauvergne and Hascoët, the names are those of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from snapset import atomic_file
from snapset.analysis.results import HeadResult, Part, Solution
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.plot import document, label

WIDTH, LANE, MOST_PARTS = 960, 226, 6
U, SAVE, C, D, TURN = 80, 200, 220, 480, 890
BOX, FORWARD, BACKWARD = 34, 70, 140
PART, OTHER, PUSHED, POPPED, GREY = "#fff3d6", "#f2f2f2", "#d55e00", "#009e73", "#666"
WIDE_C, WIDE_D = D - C - 30, TURN - D - 20


def check(path: str) -> None:
    """Raises InputError, before anything runs, for a picture that could not be written."""
    if Path(path).suffix.lower() != ".svg":
        raise InputError(f"--picture {path}: pictures are drawn as SVG; give a name that ends in .svg")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"--picture {path}: there is no directory {Path(path).parent}")


def save(path: str, drawn: Sequence[tuple[HeadResult, Sequence[Part]]]) -> None:
    """Write the whole picture or nothing. Raises OSError where it cannot be written."""
    atomic_file.save(Path(path), draw(drawn), "picture")


def draw(shown: Sequence[tuple[HeadResult, Sequence[Part]]]) -> str:
    """One document: of each head the parts that are given, under its first strategy."""
    y, body = 8.0, []
    for result, parts in shown:
        strategy = next(iter(result.strategies), "")
        lanes = [(part, part.solutions[strategy]) for part in parts if strategy in part.solutions]
        more = f"; {len(lanes)} of {len(result.parts)} parts" if len(lanes) < len(result.parts) else ""
        body.append(label(12, y + 16, f"{result.head}, {strategy}{more}", "start", size=15, weight="bold"))
        y += 26
        for part, solution in lanes:
            body += [f'<g transform="translate(0,{y:g})">', *_lane(part, solution), "</g>"]
            y += LANE
    return document(WIDTH, max(y, 40), body)


def _lane(part: Part, solution: Solution) -> Iterator[str]:
    lines = f"line {part.first_line}" if part.first_line == part.last_line else \
        f"lines {part.first_line}-{part.last_line}"
    what = f"call of {part.callee}, {lines}" if part.kind == "call" else lines
    yield label(12, 20, f"{part.id}: {what} of {part.file}", "start", weight="bold")
    yield label(12, FORWARD + 22, "forward", "start", colour=GREY)
    yield label(12, BACKWARD + 22, "backward", "start", colour=GREY)
    for y, names in ((FORWARD, ("U", "C", "D")), (BACKWARD, ("adj U", "C again, adj C", "adj D"))):
        for x, wide, name, fill in ((U, SAVE - U - 20, names[0], OTHER), (C, WIDE_C, names[1], PART),
                                    (D, WIDE_D, names[2], OTHER)):
            yield f'<rect x="{x}" y="{y}" width="{wide}" height="{BOX}" rx="4" fill="{fill}" stroke="#888"/>'
            yield label(x + wide / 2, y + 21, name, "middle", colour="#1a1a1a")
    yield from _way()
    saved = [_said("save Snp", solution.snp, solution, True), _said("save Sbk", solution.sbk, solution, True)]
    yield from _texts(SAVE, 42, saved if any(saved) else ["nothing is saved"], PUSHED if any(saved) else GREY, 110)
    yield from _texts(D, FORWARD + BOX + 14, [_taped("Req_D", solution.req_d, solution, "D")], PUSHED, 62)
    yield from _texts(C, BACKWARD - 6, [_taped("Req_C", solution.req_c, solution, "C")], PUSHED, 62)
    yield from _texts(D - 24, BACKWARD + BOX + 30, [_said("restore Snp", solution.snp, solution)], POPPED, 72)
    yield from _texts(SAVE, BACKWARD + BOX + 44, [_said("restore Sbk", solution.sbk, solution)], POPPED, 100)
    if solution.snp or solution.sbk:
        yield f'<path d="M{SAVE - 5} {FORWARD - 8}h10l-5 8z" fill="{PUSHED}"/>'
    if solution.snp:
        yield f'<path d="M{D - 20} {BACKWARD + BOX + 8}h10l-5 -8z" fill="{POPPED}"/>'
    if solution.sbk:
        yield f'<path d="M{SAVE - 5} {BACKWARD + BOX + 8}h10l-5 -8z" fill="{POPPED}"/>'


def _way() -> Iterator[str]:
    """Forwards to the turn, and back."""
    there, back = FORWARD + BOX / 2, BACKWARD + BOX / 2
    gaps = ((SAVE - 20, C), (C + WIDE_C, D))
    for left, right in gaps:
        yield f'<path d="M{left} {there:g}H{right - 6}m0 -4l6 4l-6 4" fill="none" stroke="black"/>'
        yield f'<path d="M{right} {back:g}H{left + 6}m0 -4l-6 4l6 4" fill="none" stroke="black"/>'
    yield (f'<path d="M{TURN - 20} {there:g}H{TURN}V{back:g}H{TURN - 14}m0 -4l-6 4l6 4" fill="none" '
           'stroke="black"/>')
    yield label(TURN + 6, (there + back) / 2 + 4, "turn", "start", colour=GREY)


def _said(verb: str, held: Iterable[str], solution: Solution, sizes: bool = False) -> str:
    """``save Snp: u(2:n-1), nu``; "" for nothing."""
    names = [solution.sections.get(name, name) for name in sorted(held)]
    amount = f" ({solution.snapshot_bytes} bytes)" if sizes and solution.snapshot_bytes is not None else ""
    return f"{verb}: {', '.join(names)}{amount}" if names else ""


def _taped(side: str, held: Iterable[str], solution: Solution, where: str) -> str:
    """``tapes nu (line 20); Req_D: x``: what is taped, at which lines, and what else this code has to keep."""
    lines: dict[str, list[int]] = {}
    for entry in solution.tape:
        if entry.part == where:
            lines.setdefault(entry.location, []).append(entry.line)
    left = [name for name in sorted(held) if name not in lines]
    said = [f"{name} (line {', '.join(map(str, sorted(set(at))[:3]))})" for name, at in sorted(lines.items())]
    return "; ".join(one for one in (f"tapes {', '.join(said)}" if said else "",
                                     f"{side}: {', '.join(left)}" if left else "") if one)


def _texts(x: float, y: float, texts: Iterable[str], colour: str, most: int) -> Iterator[str]:
    for text in texts:
        if text:
            yield label(x, y, text if len(text) <= most else text[:most - 1] + "…", "start", colour=colour)
            y += 14
