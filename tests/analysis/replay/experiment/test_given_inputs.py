"""What a head is run on: inputs that are given, that are not, and that do not fit."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.inputs import Inputs, Uniform, start
from snapset.analysis.replay.experiment.used_inputs import InputUsed
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.analysis.replay.experiment.test_compare import from_text

SIZED = """module dims
  integer :: n
end module dims
subroutine p(x, z, on, y)
  use dims
  real(8) :: x(:), z(2, 2), y
  logical :: on
  integer :: i
  y = 0d0
  do i = 1, n
    y = y + x(i)*z(2, 1)
  end do
  if (on) y = y*y
end subroutine p
"""


def used(inputs: Inputs | None = None) -> dict[str, InputUsed]:
    return {one.name: one for one in from_text(SIZED, "p(x,z)>(y)", inputs).inputs}


def test_what_is_not_given() -> None:
    found = used()
    assert found["x"] == InputUsed("x", (5,), None, False)
    assert found["on"] == InputUsed("on", (), True, False)
    assert "n" not in found  # a module variable is shown when it is given


def test_what_is_given_comes_first() -> None:
    found = used(Inputs({"n": 3, "on": False}, sizes={"x": (7,)}))
    assert found["n"] == InputUsed("n", (), 3, True)
    assert found["x"] == InputUsed("x", (7,), None, True)
    assert found["on"].value is False


def test_a_sequence_is_in_array_element_order() -> None:
    text = "subroutine p(x, z, y)\n real(8) :: x, z(2, 2), y\n y = x*z(2, 1)\nend subroutine p\n"
    program = load_text(text)
    machine = Machine(program, find_procedure(program, parse_heads("p(x)>(y)")[0]).key)
    frame = start(machine, Inputs({"z": [1.0, 2.0, 3.0, 4.0]}))
    z = next(frame.s[place.number] for place in machine.codes[machine.root].layout.slots if place.variable.name == "z")
    assert z.values.tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_random_in_a_range() -> None:
    text = "subroutine p(x, y)\n real(8) :: x, y\n y = x*x\nend subroutine p\n"
    for seed in (1, 2):
        found = from_text(text, "p(x)>(y)", Inputs({"x": Uniform(-3.0, -2.0)}, seed))
        assert -3.0 <= float(found.inputs[0].value or 0.0) <= -2.0


@pytest.mark.parametrize(("inputs", "message"), [
    (Inputs({"q": 1}), "'q' is no input of p; there are x, z, on, y, n"),
    (Inputs({"i": 1}), "'i' is no input of p"),
    (Inputs({"n": 2.5}), "n is an integer of 4 bytes; 2.5 is none"),
    (Inputs({"n": 3_000_000_000}), "n is an integer of 4 bytes"),
    (Inputs({"n": Uniform()}), "n is of type integer: give it a value"),
    (Inputs({"n": True}), "n is of type integer; give it a number"),
    (Inputs({"on": 1}), "on is of type logical; give it true or false"),
    (Inputs({"z": [1.0, 2.0]}), "z has 4 elements; 2 values are given"),
    (Inputs(sizes={"z": (3, 3)}), r"size\(z\) cannot be set"),
    (Inputs(sizes={"x": (3, 3)}), r"size\(x\) needs 1 numbers"),
])
def test_inputs_that_do_not_fit(inputs: Inputs, message: str) -> None:
    with pytest.raises(InputError, match=message):
        used(inputs)


def test_a_derived_type_is_set_by_component() -> None:
    text = """module m
  type c
    real(8) :: p, q
  end type c
contains
  subroutine f(x, k, y)
    real(8) :: x, y
    type(c) :: k
    y = x*k%p
  end subroutine f
end module m
"""
    found = from_text(text, "m%f(x)>(y)", Inputs({"k%p": 3.0, "x": 1.0}))
    assert [one.value for one in found.inputs if one.name == "k%p"] == [3.0]
    with pytest.raises(InputError, match="it is of derived type, set its components: k%p, k%q"):
        from_text(text, "m%f(x)>(y)", Inputs({"k": 3.0}))


def test_where_integers_and_reals_share_storage_the_reals_count() -> None:
    text = """subroutine f(x, y)
  real(8) :: x, y, a
  integer :: k(2)
  common /both/ a
  call g(x, y)
end subroutine f
subroutine g(x, y)
  real(8) :: x, y
  integer :: k(2), j
  common /both/ k
  j = k(1)
  call h(x, y)
end subroutine g
subroutine h(x, y)
  real(8) :: x, y, a
  common /both/ a
  y = a*x
end subroutine h
"""
    found = from_text(text, "f(x)>(y)", Inputs({"x": 1.0}))
    assert found.diagnostics == ()
    assert found.equal
