"""The report as it begins: the answer first, then a few lines a part. ``snapset report --sets`` has all sets.

    burgers@13: marked part at burgers.f90:13-18, in burgers
      lazy   Snp u(2:n-1); Req_D nu    snapshot 8*n - 16, tape 8*nsteps
      eager  Snp nu, u(2:n-1)          snapshot 8*n - 8
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from snapset.analysis.results import HeadResult, Part, Solution
from snapset.render.layout.brief_look import BriefLook
from snapset.render.layout.byte_figures import Figures, total
from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.whole_result import all_diagnostics
from snapset.render.pages import report_text
from snapset.render.pages.part_messages_text import message_lines
from snapset.render.pages.report_summary import SummaryPage
from snapset.render.pages.report_text import names, plural, short, title

GROUPED = 6
"""Longer lists have their common beginnings once: ``parameters%{a, b, c}``."""


MOST_LINES = 240
"""Of the parts together; the dearest are shown."""


def brief_text(part: Part, strategies: Sequence[str], figures: Figures, look: TableStyle) -> str:
    """What the report says of a part in short; "" where there is nothing to say."""
    solutions = {name: part.solutions[name] for name in strategies if name in part.solutions}
    warnings = [one for one in part.diagnostics if one.severity != "note"]
    if not warnings and part.messages is None and all(_nothing(one) for one in solutions.values()):
        return ""
    page = report_text.ReportPage(look, figures)
    page.line(title(part), "bold cyan")
    for line in brief_lines(solutions, figures):
        page.line(line, indent=2)
    if part.messages is not None:
        for label, text in message_lines(part.messages, part.file, figures):
            page.line(f"{label:<10}{text}", indent=2)
    for code in sorted({one.code for one in warnings}):
        places = sorted({(one.span.file, one.span.line) for one in warnings if one.code == code})
        page.line(f"{code} at {', '.join(f'{file}:{line}' for file, line in places)}", "yellow", 2)
    return page.text()


def brief_lines(solutions: Mapping[str, Solution], figures: Figures) -> list[str]:
    """A line for each strategy, those that do the same together."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name, solution in solutions.items():
        alike.setdefault((_kept(solution), _bytes(solution, figures)), []).append(name)
    wide = max(len(", ".join(one)) for one in alike.values()) if alike else 0
    return [f"{', '.join(same):{wide}}  {kept}" + (f"   {amount}" if amount else "")
            for (kept, amount), same in alike.items()]


def _nothing(one: Solution) -> bool:
    return not (one.snp or one.sbk or one.req_d or one.req_c or one.tape or one.control)


def _kept(one: Solution) -> str:
    """``Snp u(2:n-1); Req_D nu``"""
    sides = (("Snp", one.snp), ("Sbk", one.sbk), ("Req_D", one.req_d), ("Req_C", one.req_c))
    said = [f"{side} {grouped(_shown(held, one))}" for side, held in sides if held]
    return "; ".join(said) or "saves nothing"


def _shown(held: Iterable[str], one: Solution) -> list[str]:
    return [one.sections.get(name, name) if name in one.sizes else name for name in sorted(held)]


def grouped(shown: Sequence[str]) -> str:
    """The names with commas; what begins alike together where there are many: ``c%{p, q}``, ``/blk/{a, b}``."""
    if len(shown) <= GROUPED:
        return ", ".join(shown)
    groups: dict[str, list[str]] = {}
    for name in shown:
        groups.setdefault(_beginning(name), []).append(name)
    found = []
    for start, members in groups.items():
        rest = [name.removeprefix(start) for name in members]
        found += [f"{start}{{{', '.join(rest)}}}"] if start and len(members) > 2 else members
    return ", ".join(found)


def _beginning(name: str) -> str:
    """What a name may share with others: all up to its last component, a module, a COMMON block."""
    plain = name.split("(", 1)[0]
    for mark in ("%", "::"):
        if mark in plain:
            return plain[: plain.rindex(mark) + len(mark)]
    return plain[: plain.rindex("/") + 1] if plain.startswith("/") else ""


def _bytes(one: Solution, figures: Figures) -> str:
    """``snapshot 8*n - 16, tape 8*nsteps, control 4``, what is not nothing of it."""
    amounts = {"snapshot": one.snapshot_bytes, "tape": total(entry.bytes for entry in one.tape),
               "control": total(entry.bytes for entry in one.control)}
    return ", ".join(f"{what} {text}" for what, amount in amounts.items()
                     if (text := short(amount, figures)) != "0")


def _fitting(order: Sequence[int], texts: Sequence[str], least: int) -> list[int]:
    """As many as fit, but ``least`` anyway."""
    lines, found = 0, list[int]()
    for place in order:
        lines += texts[place].count("\n")
        if lines > MOST_LINES and len(found) >= least:
            break
        found.append(place)
    return found


def write_around(result: HeadResult, texts: Sequence[str], figures: Figures, look: TableStyle,
                 brief: BriefLook) -> str:
    """The summary, the parts' lines, what is said of the program."""
    summary = SummaryPage(look, figures, result, brief)
    summary.write()
    pages = [summary.text()]
    if not brief.only_summary:
        dearest = [place for place in summary.order() if texts[place]]
        places = _fitting(dearest, texts, brief.top)
        pages += ["\n" if places else "", *(texts[place] for place in (places if brief.by_bytes else sorted(places)))]
        silent = [part.id for part, text in zip(result.parts, texts, strict=True) if not text]
        end = report_text.ReportPage(look, figures)
        end.line()
        if len(places) < len(dearest):
            end.line(f"the {len(places)} dearest of {len(dearest)} parts that save something; all: "
                     f"--top {len(dearest)}")
        if silent:
            end.line(f"nothing is saved or taped at {names(silent)}")
        if result.parts:
            end.line("all of a part: --part ID, of every part: --sets; why something is saved: snapset explain")
        pages.append(end.text())
    rest = report_text.ReportPage(look, figures)
    if brief.only_summary and result.parts:
        notes = sum(one.severity == "note" for one in all_diagnostics(result))
        if notes:
            rest.line(f"and {plural(notes, 'note')}, which the report without --brief has")
    else:
        rest.about_the_program(result, summary.told)
    rest.choices(result)
    return "".join((*pages, rest.text()))

