"""What the replay machine puts in the place of files, random numbers and clocks."""

from __future__ import annotations

import numpy as np
import pytest
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.gradient import planned, primal, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.base.diagnostics import InputError

from tests.analysis.replay.machine.test_replay import from_text, records_of


def subroutine(*lines: str, declared: str = "") -> str:
    """``p(x) > y``, with a marked part where ``lines`` have START and END."""
    body = "\n".join(lines).replace("START", "!$AD CHECKPOINT-START").replace("END", "!$AD CHECKPOINT-END")
    return f"subroutine p(x, y)\nreal(8) :: x, y\n{declared}\n{body}\nend subroutine p\n"


def value(text: str) -> float:
    head, machine, _ = from_text(text, "p(x)>(y)")
    found = primal(head, machine, Inputs({"x": 3.0}))
    node_by_node = Machine(machine.program, machine.root, direct=False)
    assert primal(head, node_by_node, Inputs({"x": 3.0})) == found
    return found


def plans_agree(text: str) -> bool:
    head, machine, analysis = from_text(text, "p(x)>(y)")
    expected, _ = store_all(head, machine, Inputs({"x": 3.0}))
    assert np.any(expected.values["x"] != 0)
    return all(planned(head, machine, analysis, records_of(analysis, s), Inputs({"x": 3.0}))[0].same(expected)
               for s in parse_strategies("lazy,eager"))


def test_output_goes_nowhere_and_files_are_none() -> None:
    """Nothing is written; status is 0, and an implied DO leaves its variable behind its last value."""
    text = subroutine(
        "k = 7; i = 0", "open (10, file='none.dat', iostat=k, status='old')",
        "write (10, *, iostat=l) x, (a(i), i = 1, 9, 2)",
        "rewind 10; flush (10); backspace (10); endfile 10", "close (10)", "write (c, '(f8.3)') x",
        "print *, 'x', x, c",
        "y = x*i + k + l", declared="integer :: i, k, l\ncharacter(8) :: c\nreal(8) :: a(9)")
    assert value(text) == 33.0


def test_a_part_with_output_runs_twice() -> None:
    assert plans_agree(subroutine("a = x*x", "START", "print *, a", "a = a*x", "open (9, iostat=k)", "END",
                                  "y = a*a*(k + 1)",
                                  declared="real(8) :: a\ninteger :: k"))


@pytest.mark.parametrize("line", ["read (*, *) y", "inquire (10, number=k)", "call date_and_time(values=k8)",
                                  "write (*, *, iostat=k) ((a, i = 1, 2), j = 1, 3)"])
def test_what_cannot_be_known_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="does not execute"):
        value(subroutine(line, "y = x", declared="integer :: i, j, k, k8(8)\nreal(8) :: a"))


def test_random_numbers_are_the_same_in_every_run() -> None:
    text = subroutine("call random_number(r)", "call random_number(a(2:3))", "y = x*r + a(2)*a(3)",
                      declared="real(8) :: r, a(3)")
    assert value(text) == value(text)
    assert value(subroutine("call random_number(r)", "call random_number(y)", "y = merge(1, 0, r /= y)",
                            declared="real(8) :: r")) == 1


@pytest.mark.parametrize("target", ["a", "a(2)", "a(1:2)", "r"])
def test_what_is_drawn_depends_on_nothing(target: str) -> None:
    """Only the elements that are overwritten lose their derivative."""
    text = subroutine("a = x; r = x", f"call random_number({target})", "y = a(1) + a(2)*a(3) + r*r*x",
                      declared="real(8) :: r, a(3)")
    head, machine, _ = from_text(text, "p(x)>(y)")
    gradient, _ = store_all(head, machine, Inputs({"x": 3.0}))
    ends = [primal(head, machine, Inputs({"x": 3.0}), {"x": np.asarray(h)}) for h in (1e-6, -1e-6)]
    assert float(gradient.values["x"]) == pytest.approx((ends[0] - ends[1])/2e-6, rel=1e-8)
    assert plans_agree(text)


def test_a_generator_whose_state_is_saved_draws_the_same_again() -> None:
    """What SN103 advises."""
    declared = "real(8) :: r, a\ninteger :: s(8), n"
    draws = ("call random_number(r)", "a = a*r", "END", "y = a*a")
    assert not plans_agree(subroutine("a = x", "call random_number(r)", "START", *draws, declared=declared))
    assert plans_agree(subroutine("a = x", "call random_number(r)", "call random_seed(size=n)",
                                  "call random_seed(get=s)", "START", "call random_seed(put=s)", *draws,
                                  declared=declared))


def test_the_clock_goes_on() -> None:
    assert value(subroutine("call cpu_time(t)", "call system_clock(k, rate)", "call system_clock(count=l, count_max=m)",
                            "y = 1000000*(l - k) + rate + merge(1, 0, t > 0 .and. m > l)",
                            declared="real(8) :: t\ninteger :: k, l, m, rate")) == 1001001
