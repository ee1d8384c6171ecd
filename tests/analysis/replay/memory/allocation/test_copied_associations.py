"""Objects are assigned whose allocatable components hold pointers: those are given memory, and lead where the others
lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge, routine

TYPES = """type view
   real(8) :: u = 0.4d0
   real(8), pointer :: l(:) => null()
 end type
 type bare
   real(8), pointer :: l(:)
 end type
 type holder
   real(8) :: w = 0.3d0
   type(view), allocatable :: own(:)
   type(bare), allocatable :: only
 end type
 real(8), target :: room(6)
"""
FILLED = """room = x
 allocate ({0}own(2), {0}only)
 {0}own%u = x(2:3)
 {0}own(1)%l => room
 {0}own(2)%l => room(3:)
 {0}only%l => room(2:)"""
CASES = {
    "an object": (TYPES + "type(holder) :: g, h", FILLED.format("g%"), """h = g
h%own(1)%l(2) = h%own(1)%u*h%own(2)%l(1)
h%only%l(1) = h%only%l(1)*g%own(1)%l(2)
g%own(2)%u = h%own(2)%u*h%own(1)%l(2)
x(1) = x(1)*room(2)*g%own(2)%u"""),
    "an element": (TYPES + "type(holder), allocatable :: h(:)", "allocate (h(2))\n" + FILLED.format("h(1)%"),
                   """h(2) = h(1)
h(2)%own(1)%l(2) = h(2)%own(1)%u*h(1)%own(2)%l(1)
h(2)%own(2)%l => room(2:)
h(2)%own(2)%l(1) = h(2)%own(2)%l(1)*h(1)%own(1)%l(2)
h(1)%own(2)%u = h(2)%own(2)%u*h(2)%own(2)%l(2)
x(1) = x(1)*room(2)*h(1)%own(2)%u"""),
    "of another length": (TYPES + "type(holder) :: g, h, other", FILLED.format("g%") + """
 allocate (other%own(1))
 other%own(1)%l => room(4:)""", """h = other
h%own(1)%l(2) = h%own(1)%u*h%own(1)%l(1)
h = g
h%own(2)%u = g%own(1)%l(5)*h%own(2)%u
h%own(1)%l(2) = h%own(1)%u*h%own(2)%l(1)
x(1) = x(1)*room(2)*h%own(2)%u
h = other
x(2) = x(2)*h%own(1)%l(1)"""),
}


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_the_copy_is_given_memory(name: str, marked: bool, tmp_path: Path) -> None:
    declared, before, body = CASES[name]
    text = routine(body, declared, marked).replace("\n  do turn", f"\n{before}\n  do turn", 1)
    judge(text, "s(x)>(y)", tmp_path, Inputs({"n": 6}))
