"""The minimal solutions of very many locations: one of 32 rows for each."""

from __future__ import annotations

from collections import Counter

import pytest
from snapset.analysis import equations
from snapset.analysis.recording import minimal_solutions as enumeration
from snapset.analysis.recording.minimal_solutions import minimal_solutions

NAMES = [f"v{number}" for number in range(3000)]


def test_no_row_is_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, indexed and judged: the conditions are evaluated for each kind of location, not for each location."""
    asked: Counter[object] = Counter()

    def counted(sets: equations.PartSets, choice: equations.SnapshotChoice) -> bool:
        asked[sets, choice] += 1
        return real(sets, choice)

    real = equations.is_valid
    monkeypatch.setattr(equations, "is_valid", counted)
    monkeypatch.setattr(enumeration, "is_valid", counted)
    enumeration._row.cache_clear()
    enumeration._verdict.cache_clear()
    every = minimal_solutions(req=NAMES[::2], out_c=NAMES[::3], out_dbar=NAMES[::5], out_cbar=NAMES[::3],
                              use_cbar=NAMES[::7])
    last = every[every.count - 1]
    assert every.judge(sbk=last.sbk, snp=last.snp, req_d=last.req_d, req_c=last.req_c).minimal
    assert asked
    assert sum(asked.values()) <= 32 * 16 * 4


@pytest.mark.parametrize("number", [1, 2, 3, 50])
def test_the_count_is_the_product_over_all_names(number: int) -> None:
    """v in Req, out(C), out(C̄), use(C̄) has two choices; of w in nothing but out(C) there is none to be made."""
    many = minimal_solutions(req=NAMES[:number], out_c=NAMES, out_dbar=(), out_cbar=NAMES[:number],
                             use_cbar=NAMES[:number])
    assert many.count == 2**number
    assert many.count_listed == 2**number
    assert len(many.choices) == number
