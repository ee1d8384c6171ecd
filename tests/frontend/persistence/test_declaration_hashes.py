"""The keys of lowered procedures: one hash of each declaration, however many procedures may name it."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.load import load_program
from snapset.frontend.persistence import name_dependencies
from snapset.frontend.persistence.disk_cache import open_cache


def bound(count: int) -> str:
    """A type with as many bound procedures, which every procedure can reach in ways no word shows."""
    bindings = "".join(f"procedure :: b{n}\n" for n in range(count))
    bodies = "".join(f"subroutine b{n}(this)\nclass(t) :: this\nthis%v = {n}\nend subroutine\n" for n in range(count))
    return f"module m\ntype :: t\nreal :: v\ncontains\n{bindings}end type\ncontains\n{bodies}end module\n"


def test_bound_procedures_are_linear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = 0
    whole = name_dependencies.digest

    def counted(*given: str | bytes) -> bytes:
        nonlocal pieces
        pieces += len(given)
        return whole(*given)

    def hashed(count: int) -> int:
        nonlocal pieces
        pieces = 0
        (tmp_path / "m.f90").write_text(bound(count))
        load_program([str(tmp_path / "m.f90")], cache=open_cache(tmp_path / f"cache{count}"))
        return pieces

    monkeypatch.setattr(name_dependencies, "digest", counted)
    assert 40 <= hashed(40) <= 5 * hashed(10)
