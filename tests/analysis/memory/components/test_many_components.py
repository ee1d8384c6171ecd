"""Types of types of types: beyond so many locations of one variable what lies deep in it is one location."""

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.memory import storage_units
from snapset.analysis.pipeline import analyse
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

LEVELS = "".join(
    f"  type t{k}\n" + "".join(f"    type(t{k - 1}) :: c{j}\n" for j in range(4)) + "  end type\n" for k in range(1, 5))
TEXT = f"""module m
  type t0
    real(8) :: u = 1, v(3) = 2
  end type
{LEVELS}contains
  subroutine inner(a, x)
    type(t2), intent(inout) :: a
    real(8), intent(inout) :: x
    a%c1%c2%u = a%c1%c2%u*x
    x = x*a%c1%c2%u
  end subroutine
end module
subroutine s(x, y)
  use m
  real(8), intent(inout) :: x, y
  type(t4) :: all
  all%c3%c0%c1%c2%u = x*x
  all%c3%c0%c1%c2%v = sin(x)
  call inner(all%c3%c0, x)
  all%c3%c0%c1%c2%u = all%c3%c0%c1%c2%u*x
  all%c3%c1%c1%c1%u = all%c3%c0%c1%c2%u*all%c3%c0%c1%c2%v(2)
  call inner(all%c3%c1, x)
  y = y*x + all%c3%c0%c1%c2%u*all%c3%c1%c1%c1%u
end subroutine
"""


@pytest.fixture
def at_most_two_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is twenty times that: no program that is quickly run meets it."""
    monkeypatch.setattr(storage_units, "MOST", 200)


@pytest.mark.usefixtures("at_most_two_hundred")
def test_no_variable_has_more_locations_than_that() -> None:
    program = load_text(TEXT)
    leaves = storage_units.Storage(program).leaves(program.procedures["s"].variables["all"])
    assert len(leaves) == 4**3  # 4**4 values and as many arrays are more than two hundred
    assert all(leaf.info.indirect for leaf in leaves)


@pytest.mark.wide
@pytest.mark.usefixtures("at_most_two_hundred")
def test_locations_that_hold_many_components_are_right(tmp_path: Path) -> None:
    proved_by_execution(TEXT, "s(x)>(y)", tmp_path)


MANY = 1200
LARGE = """module m
  type part
{components}
  end type
end module
subroutine s(x, y)
  use m
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(part) :: all
  all%c7 = x*x
  all%c9 = 1.5d0*x
  !$AD CHECKPOINT-START
  all%c7 = all%c7*all%c7*all%c9
  !$AD CHECKPOINT-END
  y = all%c7*all%c9
end subroutine
"""


def test_more_than_a_thousand_components_are_told_apart() -> None:
    """Two reals of a variable with 1,200 components (one of them large): 8 bytes are saved, derived by hand.

    The part writes c7, which its own adjoint reads: Snp = {c7}. c9 is only read.
    """
    components = "\n".join(f"    real(8) :: c{k}{'(500)' if k == 11 else ''}" for k in range(MANY))
    text = LARGE.format(components=components)
    (head,) = parse_heads("s(x)>(y)")
    (part,) = analyse(load_text(text), head).parts
    lazy = part.solutions["lazy"]
    assert set(lazy.snp) | set(lazy.req_d) | set(lazy.req_c) >= {"all%c7"}
    assert lazy.snp == ("all%c7",)
    assert f"{lazy.snapshot_bytes}" == "8"


IN_MODULE = TEXT.replace("contains\n", "  type(t4) :: all\ncontains\n", 1).replace(
    "  type(t4) :: all\n  all%c3", "  all%c3")


@pytest.mark.usefixtures("at_most_two_hundred")
def test_an_object_of_a_module_with_more_is_one_location() -> None:
    program = load_text(IN_MODULE)
    (leaf,) = storage_units.Storage(program).leaves(program.module_variables["m", "all"])
    assert (leaf.location.path, leaf.info.name) == ((), "all")


@pytest.mark.wide
@pytest.mark.usefixtures("at_most_two_hundred")
def test_an_object_that_is_one_location_is_right(tmp_path: Path) -> None:
    proved_by_execution(IN_MODULE, "s(x)>(y)", tmp_path)


AS_ARGUMENT = TEXT.replace("s(x, y)", "s(x, y, all)").replace("type(t4) ::", "type(t4), intent(inout) ::")


@pytest.mark.usefixtures("at_most_two_hundred")
@pytest.mark.parametrize("text", [AS_ARGUMENT, IN_MODULE])
@pytest.mark.parametrize("part", ["all%c3%c0%c1%c2%u", "all%c0%c3"])
def test_a_head_that_names_a_component_of_an_undivided_object_is_one_of_what_holds_it(text: str, part: str) -> None:
    program = load_text(text)
    for named in (f"s({part})>(y)", f"s(x)>({part})"):
        (head,) = parse_heads(named)
        saved = {name.partition("%")[0] for one in analyse(program, head).parts for name in one.solutions["lazy"].snp}
        assert "all" in saved
    (head,) = parse_heads("s(all%c3%none)>(y)")
    with pytest.raises(InputError, match=r"no argument or variable 'all\.c3\.none'"):
        analyse(program, head)
