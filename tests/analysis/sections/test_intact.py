"""What a part overwrites without harm: which locations, and that execution agrees."""

from __future__ import annotations

import pytest
import snapset.analysis.adjoint.code_maker as sweeps
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.results import Part
from snapset.analysis.sections.dependence_distance import not_overwritten_after_read
from snapset.frontend.load import load_text

from tests.support.corpus import CORPUS

(HEAD,) = parse_heads("p(x)>(y)")


def text_of(part: str, before: str = "", after: str = "y = t*t*a(1)*b") -> str:
    return f"""subroutine s(v, w, n)
  integer :: n
  real(8) :: v(3), w
  w = v(1)*v(2)
  v(n) = 2.0d0*w
end subroutine s
subroutine chain(v, n)
  integer :: n, i
  real(8) :: v(3)
  do i = 2, n
    v(i) = sin(v(i - 1))
  end do
end subroutine chain
subroutine square(v, w)
  real(8) :: v, w
  v = w*w
end subroutine square
subroutine p(x, n, y)
  real(8) :: x, y, a(3), b, t
  integer :: n, i
  a = x
  b = x
  t = x
{before}
  !$AD CHECKPOINT-START
{part}
  !$AD CHECKPOINT-END
{after}
end subroutine p
"""


def first_part(text: str, save_intact: bool = False) -> Part:
    return analyse(load_text(text), HEAD, options=AnalysisOptions(save_intact=save_intact)).parts[0]


@pytest.mark.parametrize(("part", "intact", "snp"), [
    ("a(1) = 2*x\nt = a(2)*a(3)", ("a",), ()),
    ("t = a(2)*a(3)\na(1) = 2*x", ("a",), ()),  # another element
    ("if (n > 3) b = 2*x\nt = b*b", ("b",), ()),
    ("if (n > 3) b = 2*b\nt = b*b", (), ("b",)),
    ("do i = 1, n\nt = a(2)*a(3)\na(i) = 2*x\nend do", (), ("a",)),  # a(3) is read before it is written
    ("do i = 1, n\na(i) = 2*x\nend do\nt = a(2)*a(3)", ("a",), ()),
    ("goto 20\n10 b = 2*x\ngoto 30\n20 t = b*b\nif (n > 3) goto 10\n30 continue", (), ("b",)),
    ("call s(a, b, n)\nt = a(1)*a(2)*b", (), ("a",)),  # the callee reads a before it writes it
    ("call chain(a, n)", ("a",), ()),  # of one array that it reads and writes the callee loses nothing
    ("call square(a(n), a(n - 1))\nt = a(2)*b", (), ("a",)),  # two dummy arguments are one array
])
def test_what_is_intact(part: str, intact: tuple[str, ...], snp: tuple[str, ...]) -> None:
    found = first_part(text_of(part))
    assert found.sets.intact == intact
    assert found.solutions["lazy"].snp == snp
    assert set(intact) <= set(found.sets.use_cbar) & set(found.sets.out_c)


def test_the_papers_equations_to_the_letter() -> None:
    found = first_part(text_of("if (n > 3) b = 2*x\nt = b*b"), save_intact=True)
    assert found.sets.intact == ()
    assert found.solutions["lazy"].snp == ("b",)


def test_what_comes_later_must_leave_it_alone() -> None:
    part = "if (n > 3) b = 2*x\nt = b*b"
    assert first_part(text_of(part, after="y = t*t")).sets.intact == ("b",)
    assert first_part(text_of(part, after="b = t\ny = sin(b)\nb = y\ny = b*b")).sets.intact == ()
    loop = text_of(part, before="do i = 1, 3", after="x = sin(t)\nend do\ny = t*x")
    assert first_part(loop).sets.intact == ()


def test_a_second_run_that_differs_proves_nothing() -> None:
    assert first_part(text_of("read (*, *) i\nif (i > 3) b = 2*x\nt = b*b")).sets.intact == ()


def test_the_life_of_an_array_is_no_array() -> None:
    """Bits beyond the locations stand for the elements of some age; of these nothing is known element by element."""
    model = Models(load_text(text_of("a(1) = 2*x"))).by_key["p"]
    every = range(len(model.flow.nodes))
    (a,) = (i for i, one in enumerate(model.space.infos) if one.name == "a")
    assert not_overwritten_after_read(model, every, 1 << a | 1 << len(model.space)) == 1 << a


def test_execution_shows_what_is_taken_for_intact_and_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every overwritten location taken for intact, gradients are wrong."""
    program = load_text((CORPUS / "in_place.f90").read_text())
    (head,) = parse_heads((CORPUS / "in_place.expected").read_text().splitlines()[0].removeprefix("head: "))
    assert compare(program, head, parse_strategies("lazy,eager")).equal
    monkeypatch.setattr(sweeps, "lost_in", lambda *_: 0)
    assert not compare(program, head, parse_strategies("lazy,eager")).equal
