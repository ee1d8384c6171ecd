"""The formulas of Dauvergne & Hascoët ("DH") as they are printed, and those snapset adds, as data.

:data:`FORMULAS` is text in the paper's notation; :class:`Theory` reads it. A changed text makes another
theory, and the same claims can be put to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from snapset.analysis.proof.prover import Choice, put, same
from snapset.analysis.proof.set_notation import read, symbol
from sympy.logic.boolalg import And, Boolean, Not, Or, false

FORMULAS: Mapping[str, str] = MappingProxyType({
    # (1), the code of Req ⊢ [C];D, and where t₃ (2) and t₄ (3) are in it
    "1": "PUSH(Sbk); PUSH(Snp); C; Req_D ⊢ D̄; POP(Snp); Req_C ⊢ C̄; POP(Sbk)",
    "2": "PUSH(Sbk); PUSH(Snp); C; Req_D ⊢ D̄; POP(Snp)",
    "4": "(out(C) ∪ (out(D̄) \\ Req_D)) \\ Snp ∩ use(C̄) = ∅",
    "5": "((out(C) ∪ (out(D̄) \\ Req_D)) \\ Snp ∪ (out(C̄) \\ Req_C)) \\ Sbk ∩ Req = ∅",
    # the inclusions between (5) and (6): what each set holds at least
    "at least Sbk": "((out(C) ∪ (out(D̄) \\ Req_D)) \\ Snp ∪ (out(C̄) \\ Req_C)) ∩ Req",
    "at least Snp": "(out(C) ∪ (out(D̄) \\ Req_D)) ∩ (use(C̄) ∪ (Req \\ Sbk))",
    "at least Req_D": "(out(D̄) \\ Snp) ∩ (use(C̄) ∪ (Req \\ Sbk))",
    "at least Req_C": "(out(C̄) \\ Sbk) ∩ Req",
    # (6)
    "Snp₀": "out(C) ∩ (use(C̄) ∪ (Req \\ out(C̄)))",
    "Opt₁": "Req ∩ out(C̄) ∩ use(C̄)",
    "Opt₂": "Req ∩ out(C̄) \\ use(C̄)",
    "Opt₃": "out(D̄) ∩ (use(C̄) ∪ Req) \\ out(C)",
    # a partition: P₁, P₂, P₃ are any sets
    "Opt₁⁺": "Opt₁ ∩ P₁",
    "Opt₁⁻": "Opt₁ \\ P₁",
    "Opt₂⁺": "Opt₂ ∩ P₂",
    "Opt₂⁻": "Opt₂ \\ P₂",
    "Opt₃⁺": "Opt₃ ∩ P₃",
    "Opt₃⁻": "Opt₃ \\ P₃",
    # (7)
    "7 Sbk": "Opt₁⁺ ∪ Opt₂⁺",
    "7 Snp": "Snp₀ ∪ Opt₂⁻ ∪ Opt₃⁺",
    "7 Req_D": "Opt₃⁻",
    "7 Req_C": "Opt₁⁻ ∪ Opt₂⁻",
    # the partition called eager, and (8)
    "8 Opt₁⁺": "Opt₁",
    "8 Opt₂⁺": "Opt₂",
    "8 Opt₃⁺": "out(D̄) ∩ (use(C̄) \\ Req) \\ out(C)",
    "8 Opt₃⁻": "out(D̄) ∩ Req \\ out(C)",
    "8 Sbk": "Req ∩ out(C̄)",
    "8 Snp": "(out(C) ∩ (use(C̄) ∪ Req \\ out(C̄))) ∪ (out(D̄) ∩ use(C̄) \\ Req \\ out(C))",
    "8 Req_D": "out(D̄) ∩ Req \\ out(C)",
    "8 Req_C": "∅",
    # (9)
    "9 Sbk": "∅",
    "9 Snp": "out(C) ∩ (Req ∪ use(C̄))",
    "9 Req_D": "out(D̄) ∩ (Req ∪ use(C̄)) \\ out(C)",
    "9 Req_C": "out(C̄) ∩ Req",
    # section 5: the out set of Req ⊢ [C];D; snapset's use set of it
    "use": "use(C) ∪ (use(D̄) \\ kill(C)) ∪ use(C̄)",
    "out": "(out(C̄) ∪ ((out(D̄) ∪ out(C)) \\ use(C̄))) \\ Req",
    # snapset: (7) for a first run that does not write all that C̄ does; and the choice (7) misses
    "Opt₃′": "Opt₃ \\ Opt₂⁺",
    "trimmed Sbk": "Opt₁⁺ ∪ Opt₂⁺",
    "trimmed Snp": "Snp₀ ∪ (Opt₂⁻ ∩ out(C)) ∪ (Opt₃′ ∩ P₃)",
    "trimmed Req_D": "Opt₃′ \\ P₃",
    "trimmed Req_C": "Opt₁⁻ ∪ Opt₂⁻",
    "Opt₀": "Req ∩ (out(C) ∪ out(D̄)) \\ use(C̄) \\ out(C̄)",
    "Opt₀⁺": "Opt₀ ∩ P₀",
    # a statement U before X, without a checkpoint: →U tapes "taped", X is under "plain Req"; out(Req ⊢ U;X)
    "taped": "out(U) ∩ (Req ∪ use(Ū))",
    "plain out": "(out(X̄) ∪ out(U)) \\ taped",
    "plain Req": "(Req ∪ use(Ū)) \\ kill(U)",
    # the same where adjoint liveness drops U if what follows does not use what it writes: first run and adjoint
    "kept first": "(out(U) ∩ use(X)) ∪ out(X)",
    "kept adjoint": "((out(U) ∩ use(X̄)) ∪ out(X̄)) \\ use(Ū)",
})

SETS = tuple(map(symbol, ("Req", "out(C)", "out(D̄)", "out(C̄)", "use(C̄)")))
UNKNOWNS = tuple(map(symbol, ("Sbk", "Snp", "Req_D", "Req_C")))
SIDES = tuple(map(symbol, ("P₁", "P₂", "P₃")))
OTHER = tuple(symbol(f"{name}′") for name in ("Sbk", "Snp", "Req_D", "Req_C"))
_FIELDS = ("Sbk", "Snp", "Req_D", "Req_C")


class Theory:
    """Formulas that were read. Raises KeyError for a name that the formulas lack, ValueError for bad text."""

    def __init__(self, formulas: Mapping[str, str] = FORMULAS) -> None:
        self.texts = dict(formulas)

    def __getitem__(self, name: str) -> Boolean:
        """The formula of this name, definitions put in."""
        return read(self.texts[name], self.meaning)

    def meaning(self, name: str) -> Boolean:
        """A definition's formula, or the symbol of a set that has none."""
        return self[name] if name in self.texts else symbol(name)

    # ------------------------------------------------------------ choices

    def four(self, number: str) -> Choice:
        """Sbk, Snp, Req_D, Req_C of (7), (8), (9), the inclusions ("at least"), or "trimmed" (7)."""
        return tuple(self[f"{number} {field}"] for field in _FIELDS)

    def completed(self, number: str = "7") -> Choice:
        """(7), and for every location of Opt₀ also Sbk alone."""
        sbk, snp, req_d, req_c = self.four(number)
        alone = self["Opt₀⁺"]
        return Or(sbk, alone), And(snp, Not(alone)), And(req_d, Not(alone)), req_c

    def valid(self, choice: Choice = UNKNOWNS) -> Boolean:
        """(4) and (5) hold."""
        return put(And(self["4"], self["5"]), dict(zip(UNKNOWNS, choice, strict=True)))

    def equalities(self, choice: Choice = UNKNOWNS) -> Boolean:
        """The inclusions with = in the place of ⊇: the system whose solutions DH look for."""
        return put(same(UNKNOWNS, self.four("at least")), dict(zip(UNKNOWNS, choice, strict=True)))

    # ------------------------------------------------------------ code

    def left_changed(self, code: str) -> Boolean:
        """out of a piece of the code (1), by DH's rules for sequences, PUSH/POP pairs and required sets."""
        return _out([item.strip() for item in self.texts[code].split(";")])

    def entry_read(self, code: str) -> Boolean:
        """use of a piece of the code (1): whose value at entry may be read. A POP gives the entry's value back."""
        found: Boolean = false
        lost: Boolean = false
        for item in (one.strip() for one in self.texts[code].split(";")):
            if item.startswith("POP"):
                lost = And(lost, Not(symbol(item.removeprefix("POP(").removesuffix(")"))))
            elif not item.startswith("PUSH"):
                piece = item.rpartition("⊢")[2].strip()
                found = Or(found, And(symbol(f"use({piece})"), Not(lost)))
                lost = Or(lost, symbol(f"kill({piece})")) if piece == "C" else lost
        return found

def _out(items: list[str]) -> Boolean:
    """out(A;B) = out(A) ∪ out(B); out(PUSH(v);A;POP(v)) = out(A) \\ {v}; out(Req ⊢ Ā) = out(Ā) \\ Req."""
    if not items:
        return false
    first, rest = items[0], items[1:]
    if first.startswith("PUSH"):
        pop = first.replace("PUSH", "POP")
        if pop not in rest:
            return _out(rest)
        end = rest.index(pop)
        kept = symbol(first.removeprefix("PUSH(").removesuffix(")"))
        return Or(And(_out(rest[:end]), Not(kept)), _out(rest[end + 1:]))
    if first.startswith("POP"):
        return _out(rest)
    required, turnstile, code = first.rpartition("⊢")
    here: Boolean = symbol(f"out({code.strip()})")
    if turnstile:
        here = And(here, Not(symbol(required.strip())))
    return Or(here, _out(rest))
