"""Breaking a formula must be noticed: some claim's verdict is no longer the recorded one."""

from __future__ import annotations

import pytest
from snapset.analysis.proof.claims import Claim
from snapset.analysis.proof.prover import holds
from snapset.analysis.proof.published_formulas import FORMULAS, Theory
from snapset.analysis.proof.verify import all_claims, verify
from sympy.logic.boolalg import Boolean

SWAPPED = {"∪": "∩", "∩": "∪", "\\": "∩"}
HARMLESS = {  # a PUSH alone overwrites nothing; what tapes more or leaves less keeps the claims true
    "2: PUSH(Snp); C; Req_D ⊢ D̄; POP(Snp)",
    "taped: out(U) ∪ (Req ∪ use(Ū))",
    "plain out: (out(X̄) ∩ out(U)) \\ taped",
    "kept adjoint: ((out(U) ∩ use(X̄)) ∪ out(X̄)) ∩ use(Ū)",
}


def mutants(name: str) -> list[str]:
    """The formula with each of its operators exchanged in turn; of the code (1), with an item left out."""
    text = FORMULAS[name]
    if ";" in text:
        items = text.split("; ")
        return ["; ".join(items[:place] + items[place + 1:]) for place in range(len(items))]
    if text == "∅":
        return ["Req"]
    return [text[:place] + SWAPPED[sign] + text[place + 1:] for place, sign in enumerate(text) if sign in SWAPPED]


class Listening(Theory):
    """Notes which formulas a claim reads."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: set[str] = set()

    def __getitem__(self, name: str) -> Boolean:
        self.heard.add(name)
        return super().__getitem__(name)

    def entry_read(self, code: str) -> Boolean:
        self.heard.add(code)
        return super().entry_read(code)

    def left_changed(self, code: str) -> Boolean:
        self.heard.add(code)
        return super().left_changed(code)


@pytest.fixture(scope="module")
def readers() -> dict[str, list[Claim]]:
    """The claims that read each formula."""
    found: dict[str, list[Claim]] = {name: [] for name in FORMULAS}
    for claim in all_claims():
        theory = Listening()
        claim.query(theory)
        for name in theory.heard:
            found[name].append(claim)
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", FORMULAS)
def test_no_formula_can_be_broken_unnoticed(name: str, readers: dict[str, list[Claim]]) -> None:
    unnoticed = set()
    for text in mutants(name):
        theory = Theory({**FORMULAS, name: text})
        if all(holds(one.query(theory)) == one.holds for one in readers[name]):
            unnoticed.add(f"{name}: {text}")
    assert unnoticed <= HARMLESS


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "text", "claim"), [
    ("5", "((out(C) ∪ (out(D̄) \\ Req_D)) \\ Snp ∪ out(C̄)) \\ Sbk ∩ Req = ∅", "dh3-is-5"),
    ("at least Req_C", "out(C̄) ∩ Req", "dh45-inclusions"),
    ("Snp₀", "out(C) ∩ use(C̄)", "dh7-valid"),
    ("Opt₂", "Req ∩ out(C̄)", "dh7-minimal"),
    ("7 Snp", "Snp₀ ∪ Opt₃⁺", "dh7-valid"),
    ("7 Req_C", "Opt₁⁻", "dh7-valid"),
    ("8 Sbk", "Req", "dh8-instance"),
    ("9 Req_D", "out(D̄) ∩ use(C̄) \\ out(C)", "dh9-instance"),
    ("Opt₀", "Req ∩ out(C) \\ use(C̄) \\ out(C̄)", "dh7-all-complete"),
    ("out", "out(C̄) ∪ ((out(D̄) ∪ out(C)) \\ use(C̄))", "out-same"),
    ("use", "use(C) ∪ ((use(D̄) ∪ use(C̄)) \\ kill(C))", "use-same"),
    ("out", "(out(C̄) ∪ out(D̄) ∪ out(C)) \\ Req", "nested-out"),
])
def test_a_broken_formula_is_refuted_by_the_claim_about_it(name: str, text: str, claim: str) -> None:
    (verdict,) = verify([claim], {**FORMULAS, name: text})
    assert not verdict.holds
    assert not verdict.as_recorded
    assert verdict.counterexamples
