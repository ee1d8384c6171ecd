"""CLASS in arrays, components, lists and arguments executed: what has a dynamic type as a piece of something else.

Each program against gfortran's values, differences of the compiled program, and all plans against store-all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.replay.memory.dynamic_types.class_module import written
from tests.support.execution import proved_by_execution

PROGRAMS = {
    "arrays of class": """
    class(base), allocatable :: p(:)
    s = x(1)
    do i = 1, 3
      if (allocated(p)) deallocate (p)
      if (i == 2) then
        allocate (wide :: p(n))
      else
        allocate (base :: p(2))
      end if
      p(1)%u = x(i)*s
      call p(1)%act(s)
      call p(2)%act(s)
      s = s + p(1)%value()*p(2)%value()*size(p)
      select type (p)
      class is (wide)
        p%w = p%w*s
        s = s + sum(p%w) + p(n)%v(1)
      end select
    end do
    y = s""",
    "a class component": """
    type :: holder
      class(base), allocatable :: e
      real(8) :: r = 0.3d0
    end type
    type(holder) :: h, g
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, h%e)
      call h%e%act(s)
      g = h
      call g%e%act(s)
      s = s*h%e%value() + g%e%value()*g%r
    end do
    y = s""",
    "a class component of elements": """
    type :: holder
      class(base), allocatable :: e
      real(8) :: r = 0.3d0
    end type
    type(holder) :: h(2), g
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, h(1)%e)
      call h(1)%e%act(s)
      h(2) = h(1)
      call h(2)%e%act(s)
      g = h(2)
      call g%e%act(s)
      s = s*h(1)%e%value() + h(2)%e%value()*g%r
      g%r = s
      h(1) = g
      call h(1)%e%act(s)
    end do
    y = s*h(1)%r*h(1)%e%value()""",
    "the type's own selector is kept": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      select type (q => p)
      type is (wide)
        s = s + wide_only(q)
      class is (base)
        s = s + q%value()
      end select
    end do
    y = s""",
    "the parent is assigned": """
    type(wide), target :: o
    type(base) :: b
    class(base), pointer :: p
    o%w = x(1)*x(2)
    o%u = x(1)
    b%u = x(3)
    !$AD CHECKPOINT-START
    o%u = sin(o%u)
    o%base = b
    o%u = o%u*o%w
    !$AD CHECKPOINT-END
    p => o%base
    s = x(2)
    call p%act(s)
    y = o%w*o%w*o%u*s""",
    "components assigned": """
    type :: holder
      class(base), allocatable :: e
    end type
    type(holder) :: h
    type(wide) :: a
    type(other) :: b
    s = x(1)
    do i = 1, n
      a%w = s*x(i)
      if (allocated(h%e)) deallocate (h%e)
      if (i == 2) then
        h%e = a
      else
        b%c = s
        h%e = b
      end if
      call h%e%act(s)
      select type (e => h%e)
      class is (wide)
        s = s*e%w
      type is (other)
        s = s + e%c
      end select
    end do
    y = s*h%e%value()""",
    "an optional object": """
    type(wide) :: a
    type(other) :: b
    s = x(1)
    do i = 1, n
      if (i == 1) then
        call perhaps(s)
      else if (i == 2) then
        call perhaps(s, a)
      else
        call perhaps(s, b)
      end if
    end do
    y = s*a%w + b%c""",
    "a linked list": """
    type(node), pointer :: first, at
    nullify (first)
    do i = 1, 2*n
      allocate (at)
      at%next => first
      first => at
      if (mod(i, 3) == 0) then
        allocate (deep :: at%item)
      else if (mod(i, 3) == 1) then
        allocate (other :: at%item)
      else
        allocate (base :: at%item)
      end if
      at%item%u = x(1 + mod(i, n))
    end do
    s = x(1)
    at => first
    do while (associated(at))
      call at%item%act(s)
      s = s + 0.1d0*at%item%value()
      at => at%next
    end do
    y = s
    do while (associated(first))
      at => first%next
      deallocate (first%item)
      deallocate (first)
      first => at
    end do""",
    "no components, deferred bindings": """
    class(law), allocatable :: e
    s = x(1)
    do i = 1, n
      if (allocated(e)) deallocate (e)
      if (mod(i, 2) == 0) then
        allocate (square :: e)
      else
        allocate (sine :: e)
      end if
      !$AD CHECKPOINT-START
      s = e%of(s)*x(i)
      s = e%of(s) + s
      !$AD CHECKPOINT-END
    end do
    y = s""",
    "a call without a derivative chooses a law": """
    class(law), allocatable :: e
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call pick(i, e)
      s = e%of(s)*x(i)
    end do
    y = s""",
    "an array of pointers to class": """
    type(link) :: l(3)
    type(base), target :: a
    type(wide), target :: b
    type(deep), target :: c
    a%u = x(1)
    b%w = x(2)
    c%d = x(3)
    l(1)%p => c
    l(2)%p => a
    l(3)%p => b
    s = x(1)
    do i = 1, n
      !$AD CHECKPOINT-START
      call l(i)%p%act(s)
      if (i == 1) l(3)%p => a
      !$AD CHECKPOINT-END
      s = s*l(i)%p%value()
    end do
    y = s""",
    "a function gives a pointer": """
    type(wide), target :: a
    type(other), target :: b
    class(base), pointer :: p
    s = x(1)
    do i = 1, n
      p => one_of(a, b, i)
      p%u = p%u*x(i)
      call p%act(s)
    end do
    y = s*a%w*b%u""",
    "sections of class arrays": """
    type(wide) :: a(3)
    s = x(1)
    a%u = x
    call all_of(a, s)
    call all_of(a(2:3), s)
    call all_of(a(3:1:-2), s)
    y = s*sum(a%w)""",
    "a bound operator": """
    type(wide) :: a, b
    type(base) :: c
    a%u = x(1)
    b%u = x(2)
    c = combined(a, b)
    y = c%u*combined_value(c, a)""",
    "the bounds of components": """
    type :: shifted
      real(8) :: v(-1:1)
    end type
    type(shifted) :: o, a(2)
    real(8), allocatable :: h(:)
    o%v = x(1)*x(2)
    allocate (h, source=o%v)
    h(lbound(h, 1)) = x(1)
    s = 0
    do i = lbound(o%v, 1), ubound(o%v, 1)
      s = s + h(i)*o%v(i)*i
    end do
    a(2)%v = x(2)
    do i = lbound(a(2)%v, 1), ubound(a(2)%v, 1)
      s = s + a(2)%v(i)*(i + 2)
    end do
    y = s + lbound(o%v(0:1), 1)*x(3) + ubound(a%v(0), 1)*x(2) + ubound(h, 1)*x(1)""",
    "a value is passed": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call only_read((p), s)
      call only_read(wide(x(i), s, x), s)
      s = s + p%value()
    end do
    y = s""",
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tmp_path: Path) -> None:
    proved_by_execution(written(name, PROGRAMS[name]), "m%head(x)>(y)", tmp_path, {"n": 3, "x": [0.7, 1.1, 0.9]})
