"""What a second run would do differently is asked of each procedure of a chain, and not of all below it each time."""

from snapset.analysis.allocation.rerun_hazards import RerunHazards
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.growth import operations


def chain(n: int, last: str = "") -> RerunHazards:
    """n procedures, each of which calls the next one. ``last``: what stands in the last one."""
    text = "".join(f"subroutine p{k}(x)\n  real(8) :: x\n" + (f"  call p{k + 1}(x)\n" if k + 1 < n else last)
                   + "end subroutine\n" for k in range(n))
    hazards = RerunHazards(Models(load_text(text, name="t.f90")))
    assert len(hazards.models.by_key) == n
    for key in hazards.models.by_key:
        hazards.alone(key)
    return hazards


def asked(n: int) -> int:
    hazards = chain(n)

    def every() -> None:
        for key in hazards.models.by_key:
            assert hazards.in_procedure(key) == ()

    return operations(every)


def test_the_whole_of_a_chain_takes_twice_the_operations_when_it_is_twice_as_long() -> None:
    small, middle, large = (asked(n) for n in (20, 40, 80))
    assert large - middle <= 2.3*(middle - small), (small, middle, large)


def test_what_the_last_of_a_chain_does_is_found_from_all_above() -> None:
    hazards = chain(40, "  call random_number(x)\n")
    assert all(hazards.spoils(key) for key in hazards.models.by_key)
    assert all(len(hazards.in_procedure(key)) == 1 for key in hazards.models.by_key)


def test_what_one_of_a_cycle_does_is_found_from_all_of_it_and_from_above() -> None:
    hazards = RerunHazards(Models(load_text(
        "subroutine top(x)\n  real(8) :: x\n  call a(x)\nend subroutine\n"
        "recursive subroutine a(x)\n  real(8) :: x\n  call b(x)\n  call low(x)\nend subroutine\n"
        "recursive subroutine b(x)\n  real(8) :: x\n  if (x > 0) call a(x)\n  call random_number(x)\nend subroutine\n"
        "subroutine low(x)\n  real(8) :: x\n  x = x*x\nend subroutine\n", name="t.f90")))
    assert {key: hazards.spoils(key) for key in hazards.models.by_key} == {"top": True, "a": True, "b": True,
                                                                           "low": False}
