"""What all heads of a program share of its storage is found once, and is what each head would find for itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.memory.storage_units import Overlays, Storage
from snapset.cli.main import main
from snapset.frontend.ir import Area
from snapset.frontend.load import load_text

TEXT = """module m
  real(8), pointer :: p(:), q(:)
  real(8), target :: a(4), b(4)
contains
  subroutine lead(x)
    real(8), intent(in) :: x(4)
    p => a
    a = x
  end subroutine lead
  subroutine first(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: c(2, 2), d(4), old
    equivalence (c, d)
    save old
    call lead(x)
    d = p
    old = c(1, 2)
    y = old*old
  end subroutine first
  subroutine second(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    call lead(x)
    q => b
    b = p*p
    y = sum(q)
  end subroutine second
end module m
"""
HEADS = ("m%first(x)>(y)", "m%second(x)>(y)")


def test_what_there_is_to_share() -> None:
    program = load_text(TEXT, name="t.f90")
    found = Overlays(program)
    area = program.procedures["m::first"].variables["c"].area
    assert found.sizes == {area: 32}
    assert [one.name for one in found.saved] == ["old"]
    module = {name: Area("module", "m", name) for name in "pqab"}
    assert found.associations.pairs == ((module["p"], module["a"]), (module["q"], module["b"]))


def test_a_storage_takes_it_of_its_own_program_only() -> None:
    program, other = load_text(TEXT, name="t.f90"), load_text(TEXT.replace("p => a", "p => b"), name="t.f90")
    shared = Overlays(program)
    assert Storage(program, "m::first", True, shared).overlays is shared
    storage = Storage(other, "m::first", True, shared)
    p, a, b = (storage.families.of(Area("module", "m", name)) for name in "pab")
    assert p == b != a


@pytest.mark.parametrize("distinct", [False, True])
def test_two_heads_find_it_once(distinct: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.f90"
    file.write_text(TEXT)

    def report(*heads: str) -> str:
        given = [one for head in heads for one in ("--head", head)]
        assert main(["report", str(file), "--no-cache", "--jobs", "1", *given,
                     *(("--distinct-pointers",) if distinct else ())]) == 0
        return capsys.readouterr().out

    alone = [report(head) for head in HEADS]
    made: list[Overlays] = []
    begin = Overlays.__init__
    monkeypatch.setattr(Overlays, "__init__", lambda self, *given: (made.append(self), begin(self, *given))[1])
    together = report(*HEADS)
    assert len(made) == 1
    assert all(one.strip() in together for one in alone)
