"""Loops of a walked run as functions: wherever the run stops, it is where the one that walks every node is."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from snapset.analysis.replay.divide.loop_functions import NO_LOOPS, LoopFunctions
from snapset.analysis.replay.divide.tape_counter import Recording, TapeCounter
from snapset.analysis.replay.divide.walker import Walker
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.store_all import StoreAll
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError

from tests.support.divided import Divisible, everything, from_text

LOOPS = {
    "two in each other": "do i = 1, n\n"
                         " do j = i, n, 2\n t = t + a(j)*b(i)\n a(j) = sin(t)\n end do\n b(i) = t\n end do",
    "downwards": "do i = n, 1, -2\n a(i) = a(i)*b(i)\n t = t + a(i)\n end do",
    "a step that varies": "do k = 1, 3\n do i = k, n, k\n a(i) = a(i) + t\n t = t*0.9d0\n end do\n end do",
    "none": "do i = n, 1\n a(i) = 0\n end do\n do j = 1, n\n do i = j, j - 1\n t = 0\n end do\n t = t + 1\n end do",
    "left early": "do i = 1, n\n if (i == 4) exit\n if (a(i) > 1) cycle\n do j = 1, n\n if (j > i) exit\n"
                  " t = t + a(j)\n end do\n a(i) = t\n end do",
    "left from within": "outer: do i = 1, n\n do j = 1, n\n if (i*j > 6) cycle outer\n if (i > 4) exit outer\n"
                        " t = t + b(j)\n end do\n end do outer",
    "branches": "do i = 1, n\n select case (mod(i, 3))\n case (0)\n a(i) = t\n case (1)\n t = t + b(i)\n"
                " case default\n if (t > 2) then\n t = t - 1\n else\n a(i) = 2*t\n end if\n end select\n end do",
    "three deep": "do i = 1, 2\n do j = 1, 3\n do k = 1, 4\n t = t + a(k)*b(j)\n end do\n a(j) = t\n end do\n end do",
    "a body of nothing": "do i = 1, n\n end do\n t = t + i",
    "its variable behind it": "do i = 1, n, 3\n t = t + i\n end do\n t = t + i",
    "while around": "do while (t < 9)\n do i = 1, 4\n t = t + 0.3d0\n end do\n end do",
    "a jump back": "10 do i = 1, 3\n t = t + 0.4d0\n end do\n if (t < 6) goto 10",
    "scalars of other kinds": "do i = 1, n\n"
                              " l = t > 1\n if (l) then\n f = real(t, 4)\n end if\n t = t + f*0.5\n end do",
}


def text(body: str) -> str:
    return f"""subroutine s(x, y)
  implicit none
  real(8), intent(in) :: x(7)
  real(8), intent(out) :: y
  real(8) :: a(7), b(7), t
  real(4) :: f
  logical :: l
  integer :: i, j, k, n
  n = 7
  a = x
  b = 0.5d0*x
  t = x(1)
  f = 0.25
{body}
  y = t + sum(a*b)
end subroutine s
"""


def walked(one: Divisible, unit: str, stop: int | None, functions: bool) -> tuple[object, ...]:
    """Where a run is that was to stop there, and its memory; with or without loops as functions."""
    machine = one.divided(unit=unit)
    walker = machine.begun()
    if not functions:
        walker.loops = dict.fromkeys(walker.loops, NO_LOOPS)
    machine.go(walker, stop)
    places = [(each.node, each.frame.loops and {k: list(v) for k, v in each.frame.loops.items()
                                               if k in each.frame.code.flow.nodes[each.node].loops})
              for each in walker.stack]
    return walker.at, walker.before, walker.finished, places, everything(walker)


@pytest.mark.sample(2)
@pytest.mark.parametrize("unit", ["elements", "statements"])
@pytest.mark.parametrize("name", LOOPS)
def test_every_stop(name: str, unit: str) -> None:
    one = from_text(text(LOOPS[name]), "s(x)>(y)")
    steps = walked(one, unit, None, functions=False)[0]
    assert isinstance(steps, int)
    for stop in (*range(steps + 1), None):
        assert walked(one, unit, stop, functions=True) == walked(one, unit, stop, functions=False), stop


@pytest.mark.parametrize("name", ["two in each other", "downwards", "left early", "branches", "three deep"])
def test_a_loop_is_run_by_its_function(name: str) -> None:
    one = from_text(text(LOOPS[name]), "s(x)>(y)")
    ran: list[int] = []
    run = LoopFunctions.run

    def counting(self: LoopFunctions, node: int, frame: object, room: int, store: None) -> tuple[int, int, int]:
        count, taped, to = run(self, node, frame, room, store)  # type: ignore[arg-type]
        ran.append(count)
        return count, taped, to

    with mock.patch.object(LoopFunctions, "run", counting):
        steps = walked(one, "elements", None, functions=True)[0]
    assert isinstance(steps, int)
    assert sum(ran) > 0.3*steps


@pytest.mark.sample(2)
@pytest.mark.parametrize("unit", ["elements", "statements"])
@pytest.mark.parametrize("name", LOOPS)
def test_the_bytes_to_be_taped_are_counted_on_the_way(name: str, unit: str) -> None:
    """Against what store-all pushes when it is shown each statement."""
    one = from_text(text(LOOPS[name]), "s(x)>(y)")
    steps = one.divided(unit=unit).steps()
    for stop in range(0, steps + 1, max(1, steps//40)):
        machine, store, counter = one.divided(unit=unit), StoreAll(one.machine), TapeCounter()
        recorded, counted = machine.begun(), machine.begun()
        recorded.run(stop, Recording(store))
        counted.run(stop, counter)
        assert counter.bytes == store.stack.height, stop
        assert (counted.at, counted.stack[-1].node) == (recorded.at, recorded.stack[-1].node)


def noted(one: Divisible, unit: str, stop: int | None, functions: bool) -> tuple[object, ...]:
    """What a store-all adjoint has recorded when a run stops, and where it is; with or without loops as functions."""
    machine, store = one.divided(unit=unit), StoreAll(one.machine)
    walker = machine.begun()
    if not functions:
        walker.recording = dict.fromkeys(walker.recording, NO_LOOPS)
    walker.run(stop, Recording(store))
    slots = walker.stack[-1].frame.s
    trace: list[tuple[object, ...]] = []
    for entry in store.trace:
        if isinstance(entry, tuple):
            one_of, index, old = entry
        elif hasattr(entry, "old"):
            one_of, index, old = entry, tuple(entry.index), entry.old
        else:
            trace.append((entry.node, entry.bytes))
            continue
        number = np.asarray(old, one_of.slot.values.dtype).tobytes()
        trace.append((one_of.node, slots.index(one_of.slot), index, number, one_of.bytes))
    return trace, store.stack.height, walker.at, walker.stack[-1].node, everything(walker)


@pytest.mark.sample(3)
@pytest.mark.parametrize("unit", ["elements", "statements"])
@pytest.mark.parametrize("name", LOOPS)
def test_what_functions_record_is_what_is_recorded_node_by_node(name: str, unit: str) -> None:
    """Statement by statement: which element, and the number that it was."""
    one = from_text(text(LOOPS[name]), "s(x)>(y)")
    steps = one.divided(unit=unit).steps()
    for stop in (*range(0, steps + 1, max(1, steps//30)), None):
        assert noted(one, unit, stop, True) == noted(one, unit, stop, False), stop


@pytest.mark.parametrize("name", ["two in each other", "downwards", "left early", "branches", "three deep"])
def test_loops_are_recorded_by_functions(name: str) -> None:
    one, shown = from_text(text(LOOPS[name]), "s(x)>(y)"), []

    class Shown(Recording):
        def statement(self, frame: Frame, node: int) -> None:
            shown.append(node)
            Recording.statement(self, frame, node)

    machine = one.divided()
    machine.begun().run(None, Shown(StoreAll(one.machine)))
    assert len(shown) < 0.7*machine.steps()


@pytest.mark.parametrize(("body", "said"), [
    ("do i = 1, n\n do j = 1, n\n k = (i + j)/(nint(x(1)) - i - j)\n t = t + k\n end do\n end do", "zero"),
    ("do i = n, 1, -1\n t = t*2\n a(i + 1 - nint(x(1))) = t\n end do", "bound"),
])
def test_what_goes_wrong_while_it_is_recorded(body: str, said: str) -> None:
    """It is recorded once, or not: the node that goes wrong is run again by its own function."""
    one = replace(from_text(text(body), "s(x)>(y)"), inputs=Inputs({"x": [5.0] + 6*[0.5]}))
    found = []
    for functions in (False, True):
        store, walker = StoreAll(one.machine), one.divided().begun()
        if not functions:
            walker.recording = dict.fromkeys(walker.recording, NO_LOOPS)
        with pytest.raises(ReplayError, match=said) as error:
            walker.run(None, Recording(store))
        found.append((str(error.value), error.value.span))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["two in each other", "downwards", "left early", "branches", "three deep"])
def test_bytes_are_counted_by_functions(name: str) -> None:
    """Not statement by statement, which takes twenty times as long."""
    one, shown = from_text(text(LOOPS[name]), "s(x)>(y)"), []

    class Shown(TapeCounter):
        def statement(self, frame: Frame, node: int) -> None:
            shown.append(node)
            TapeCounter.statement(self, frame, node)

    machine = one.divided()
    machine.begun().run(None, Shown())
    assert len(shown) < 0.7*machine.steps()


@pytest.mark.parametrize(("body", "said"), [
    ("do i = 1, n\n do j = 1, n\n k = (i + j)/(nint(x(1)) - i - j)\n t = t + k\n end do\n end do", "zero"),
    ("do i = n, 1, -1\n t = t + a(i + 1 - nint(x(1)))\n end do", "bound"),
])
def test_what_goes_wrong_is_said_where_it_does(body: str, said: str) -> None:
    one = replace(from_text(text(body), "s(x)>(y)"), inputs=Inputs({"x": [5.0] + 6*[0.5]}))
    found = []
    for functions in (False, True):
        with pytest.raises(ReplayError, match=said) as error:
            walked(one, "elements", None, functions)
        found.append((str(error.value), error.value.span))
    assert found[0] == found[1]


def test_a_loop_does_not_run_beyond_what_is_allowed() -> None:
    one = from_text(text("do i = 1, 100000\n t = t*0.5d0\n end do"), "s(x)>(y)")
    machine = one.divided()
    machine.machine.limits.left = 3000
    walker = machine.begun()
    with pytest.raises(ReplayError, match="max-steps"):
        machine.go(walker, None)
    assert walker.at < 5000


def test_what_is_recorded_is_walked() -> None:
    """Who is shown each statement sees those of loops too."""
    one = from_text(text(LOOPS["downwards"]), "s(x)>(y)")
    seen = []

    class Seen:
        def statement(self, frame: object, node: int) -> None:
            seen.append(node)

        def call(self, frame: object, node: int) -> object:
            raise AssertionError

    walker: Walker = one.divided().begun()
    walker.run(None, Seen())  # type: ignore[arg-type]
    assert len(seen) > 14
