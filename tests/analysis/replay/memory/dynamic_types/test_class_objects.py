"""CLASS objects executed: dispatch, SELECT TYPE, allocation and association of what has a dynamic type.

Each program against gfortran's values, differences of the compiled program, and all plans against store-all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.replay.memory.dynamic_types.class_module import written
from tests.support.execution import proved_by_execution

TURN = """    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call p%act(s)
"""
PROGRAMS = {
    "a call without a derivative changes the type": """
    class(base), allocatable :: p
    s = x(1)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(1.0d0, i, p)
      select type (p)
      type is (deep)
        s = s*p%d*x(2)
      type is (other)
        s = sin(s)*p%c
      end select
      s = s*p%value()
    end do
    y = s""",
    "types change in a loop": """
    class(base), allocatable :: p
""" + TURN + """      s = s + p%value()
    end do
    y = s""",
    "a part holds the dispatch": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      !$AD CHECKPOINT-START
      call p%act(s)
      t = p%value()*s
      s = sin(s*t)
      !$AD CHECKPOINT-END
      s = s + p%u
    end do
    y = s*s""",
    "passed on": """
    type(wide) :: a
    type(other) :: b
    type(deep) :: c
    s = x(1)
    a%u = x(2)
    b%c = x(3)
    c%d = x(3)*x(2)
    call both(a, s)
    call both(b, s)
    call both(c, s)
    call both(c%wide, s)
    call both(c%base, s)
    y = s*c%value() + a%w + b%c""",
    "generic bindings": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call p%scaled(s)
      call p%scaled(2)
      s = s + p%u
    end do
    y = s""",
    "nopass": """
    class(base), pointer :: p
    type(base), target :: a
    type(wide), target :: b
    s = x(1)
    do i = 1, n
      p => a
      if (mod(i, 2) == 0) p => b
      !$AD CHECKPOINT-START
      s = p%factor(s)*x(i)
      p => b
      s = p%factor(s) + s
      !$AD CHECKPOINT-END
    end do
    y = s""",
    "intent out gives defaults": """
    class(base), allocatable :: p
""" + TURN + """      !$AD CHECKPOINT-START
      call reset(p, s)
      s = s*p%value()
      !$AD CHECKPOINT-END
      call p%act(s)
    end do
    y = s""",
    "select type by the nearest class": """
    class(base), allocatable :: p
    s = x(1)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(x(1), i, p)
      select type (q => p)
      class is (base)
        s = s + 0.5d0*q%u
      class is (wide)
        q%v = q%v*s
        s = s + q%w*q%v(3)
      type is (other)
        q%c = q%c*s
        s = s*q%c
      end select
      s = s + p%value()
    end do
    y = s""",
    "no type fits": """
    class(base), allocatable :: p
    s = x(1)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(x(1), i, p)
      select type (p)
      type is (deep)
        s = s*p%d
      end select
    end do
    y = s""",
    "allocate source": """
    class(base), allocatable :: p, q
""" + TURN + """      if (allocated(q)) deallocate (q)
      allocate (q, source=p)
      call q%act(s)
      s = s + q%value()*p%value()
    end do
    y = s""",
    "allocate mold": """
    class(base), allocatable :: p, q
""" + TURN + """      if (allocated(q)) deallocate (q)
      allocate (q, mold=p)
      call q%act(s)
      s = s + q%value()*p%value()
    end do
    y = s""",
    "allocate source of a constructor": """
    class(base), allocatable :: p
    allocate (p, source=wide(x(1), x(2), x))
    s = x(3)
    call p%act(s)
    y = s*p%value()""",
    "assigned": """
    class(base), allocatable :: p, q
    type(other) :: o
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      if (allocated(q)) deallocate (q)
      q = p
      call q%act(s)
      s = s + q%value()
      o%c = s
      deallocate (q)
      q = o
      call q%act(s)
      s = s + q%value()
      select type (q)
      type is (other)
        s = s*q%c
      end select
    end do
    y = s""",
    "functions give class": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      if (allocated(p)) deallocate (p)
      p = made(x(i), i)
      call p%act(s)
      s = s*p%value()
    end do
    y = s""",
    "move_alloc": """
    class(base), allocatable :: p, q
    type(wide), allocatable :: z
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call p%act(s)
      call move_alloc(p, q)
      call q%act(s)
      allocate (z)
      z%w = s*q%u
      call move_alloc(z, q)
      call q%act(s)
      s = s + q%value()
    end do
    y = s""",
    "allocated pointers": """
    class(base), pointer :: p
    s = x(1)
    do i = 1, n
      if (mod(i, 2) == 0) then
        allocate (deep :: p)
      else
        allocate (p)
      end if
      p%u = x(i)*s
      call p%act(s)
      s = s + p%value()
      deallocate (p)
    end do
    y = s""",
    "pointers change in a part": """
    class(base), pointer :: p
    type(wide), target :: a
    type(other), target :: b
    s = x(1)
    p => a
    do i = 1, n
      !$AD CHECKPOINT-START
      call p%act(s)
      p => b
      if (i == 2) p => a
      call p%act(s)
      s = s + p%value()
      !$AD CHECKPOINT-END
    end do
    y = s*a%u*b%u""",
    "pointer with source": """
    class(base), pointer :: p, q
    type(wide), target :: a
    a%w = x(2)
    p => a
    s = x(1)
    allocate (q, source=p)
    call q%act(s)
    call p%act(s)
    y = s*q%value()*p%value()
    deallocate (q)""",
    "same type as": """
    class(base), allocatable :: p, q
    s = x(1)
    !$AD NOCHECKPOINT
    call chosen(x(1), 1, q)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(x(1), i, p)
      if (same_type_as(p, q)) s = s*p%u
      if (extends_type_of(p, q)) s = s*p%value()*q%u
      if (extends_type_of(q, p)) s = s + p%value()
    end do
    y = s""",
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tmp_path: Path) -> None:
    proved_by_execution(written(name, PROGRAMS[name]), "m%head(x)>(y)", tmp_path, {"n": 3, "x": [0.7, 1.1, 0.9]})
