"""What many procedures reach through their callees is kept once."""

from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

TEXT = """module m
  real(8) :: a, b(3)
end module
subroutine inner(x)
  real(8), intent(inout) :: x
  call nowhere(x)
end subroutine
subroutine middle(x)
  real(8), intent(inout) :: x
  call inner(x)
  call other(x)
end subroutine
subroutine outer(x)
  real(8), intent(inout) :: x
  call middle(x)
  call middle(x)
end subroutine
"""


def test_a_global_that_no_procedure_names_is_one_record_for_all() -> None:
    models = Models(load_text(TEXT))
    spaces = [models.by_key[key].space for key in ("inner", "middle", "outer")]
    known = [{info.name: info for info in space.infos} for space in spaces]
    for name in ("m::a", "m::b"):
        assert len({id(infos[name]) for infos in known}) == 1


def test_calls_of_one_procedure_share_what_it_reaches() -> None:
    models = Models(load_text(TEXT))
    first, second = (site.targets[0] for site in models.by_key["outer"].calls.values())
    assert first.hidden is second.hidden
    assert set(first.passed) == {0}  # the dummy argument alone has a link
    assert first.hidden.inside.bit_count() == 2
