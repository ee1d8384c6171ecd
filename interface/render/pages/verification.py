"""The verdicts on the claims as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page

if TYPE_CHECKING:
    from snapset.analysis.proof.verify import Verdict

_ASCII = {"∪": "|", "∩": "&", "⊆": "<=", "⊇": ">=", "∅": "{}", "⊢": "|-", "→": "->", "′": "'", "⁺": "+", "⁻": "-",
          "∀": "all", "∃": "some"}
_LEGEND = (
    "(1) to (9): the equations of Dauvergne and Hascoët. A choice is four sets Sbk, Snp, Req_D, Req_C; it is valid if "
    "it preserves the derivatives. Opt₀: the choice (7) misses. docs/glossary.md has the rest."
)
_WIDE = 100  # columns that take a table of five columns
_DIGITS = "₀₁₂₃₄₅₆₇₈₉"


def write(verdicts: Sequence[Verdict], *, width: int = 80, colour: bool = False, ascii_only: bool = False,
          markup: bool = False) -> str:
    """The table of claims, then what refutes those that do not hold; ``markup``: as HTML."""
    page = _Page(TableStyle(max(width, 60), colour, ascii_only, markup))
    page.claims(verdicts)
    for one in verdicts:
        if one.counterexamples:
            page.refuted(one)
    page.end(verdicts)
    return page.text()


class _Page(Page):
    def said(self, text: str) -> str:
        return _to_ascii(text) if self.look.ascii_only else text

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        super().line(self.said(text), style, indent)

    def claims(self, verdicts: Sequence[Verdict]) -> None:
        wide = self.look.width >= _WIDE
        headers = ("claim", "statement", "hypothesis", "verdict", "as recorded")
        narrow = ("claim", "statement, and under what", "verdict", "as\nrecorded")
        table = self.table(*(headers if wide else narrow), whole=(0, 3) if wide else (0, 2))
        for one in verdicts:
            recorded = "yes" if one.as_recorded else "NO: holds" if one.recorded else "NO: refuted"
            style = "" if one.as_recorded else "bold red"
            claim = (one.statement, one.hypothesis) if wide else (f"{one.statement}\nunder: {one.hypothesis}",)
            cells = (one.id, *claim, "proved" if one.holds else "refuted", recorded)
            table.add_row(*map(self.said, cells), style=style)
        self.show(table, gap=0, indent=0)
        self.line()
        self.line(_LEGEND)

    def refuted(self, one: Verdict) -> None:
        from snapset.analysis.proof.set_notation import paper

        self.line()
        self.line(f"{one.id} is refuted: {one.statement}", "bold")
        if one.where is not None:
            self.line(f"It fails for a location in {one.where}", indent=2)
        if not one.complete:
            self.line(f"It fails in more ways than the {len(one.counterexamples)} listed here.", indent=2)
        for inside, outside in dict.fromkeys((counter.inside, counter.outside) for counter in one.counterexamples):
            place = ", ".join(map(paper, inside)) or "none of them"
            others = ", ".join(map(paper, outside))
            self.line(f"in {place}" + (f"; not in {others}" if others else ""), indent=2)
            here = [counter.choice for counter in one.counterexamples if counter.inside == inside]
            if any(here):
                choices = "; or ".join(" and ".join(map(paper, choice)) for choice in here)
                self.line(f"choice: it is in {choices}, in no other", indent=4)
        shown = next((counter.witness for counter in one.counterexamples if counter.witness is not None), None)
        if shown is not None:
            strategy = "" if shown.strategy == "lazy" else f" --strategy '{shown.strategy}'"
            self.line(f"{shown.location} at {', '.join(shown.parts)} is the first of these; --head '{shown.head}'"
                      f"{strategy}:", indent=2)
            if self.look.markup:
                self.quoted(shown.program)
                return
            for line in shown.program.splitlines():
                self.line(line, "cyan", indent=6)

    def end(self, verdicts: Sequence[Verdict]) -> None:
        proved = sum(one.holds for one in verdicts)
        changed = [one.id for one in verdicts if not one.as_recorded]
        self.line()
        self.line(f"{proved} proved, {len(verdicts) - proved} refuted; "
                  + (f"not as recorded: {', '.join(changed)}" if changed else "all as recorded"), "bold")


def _to_ascii(text: str) -> str:
    from unicodedata import normalize

    text = normalize("NFD", text)
    for letter in "CDUX":
        text = text.replace(f"{letter}\u0304", f"adj {letter}")
    text = text.replace("e\u0308", "e")
    for sign, plain in (*_ASCII.items(), *zip(_DIGITS, "0123456789", strict=True)):
        text = text.replace(sign, plain)
    return text
