"""The slot of a component is that of the type which declares it, and is found without looking through every parent."""

from snapset.analysis.memory.alias_classes import component_slot
from snapset.frontend import ir
from snapset.frontend.load import load_text

from tests.support.growth import operations


def types(n: int) -> dict[str, ir.DerivedType]:
    """n types, each of which extends the one before by one component."""
    text = "".join(f"  type{f', extends(t{k - 1})' if k else ''} :: t{k}\n    real(8), pointer :: c{k}\n  end type\n"
                   for k in range(n))
    program = load_text(f"module m\n{text}contains\n  subroutine s(v)\n    type(t{n - 1}) :: v\n    v%c0 = 1\n"
                        "  end subroutine\nend module\n", name="t.f90")
    return dict(program.types)


def test_a_component_belongs_to_the_type_that_declares_it() -> None:
    found = types(5)
    assert [component_slot(found, "m::t4", f"c{k}") for k in range(5)] == [(f"m::t{k}", f"c{k}") for k in range(5)]
    assert component_slot(found, "m::t2", "c1") == ("m::t1", "c1")
    assert component_slot(found, "m::t9", "c1") == ("m::t9", "c1")


def test_no_parents_components_are_looked_through_for_each_of_a_types() -> None:
    def steps(n: int) -> int:
        found = types(n)
        return operations(lambda: [component_slot(found, f"m::t{n - 1}", f"c{k}") for k in range(n)])

    assert steps(80) <= 5*steps(40)  # a step a parent; 8 times where each step looks through its components
