"""Programs that keep a log on the way: a module's list that grows, is made anew, or is pointed into.

For example ``call note(1d0*b(i))`` behind ``b(i) = b(i)*y``: mostly nobody looks at the log, so that an adjoint may
leave all of it out, allocations included; ``call heed(y)`` asks how long it is, and then it may not. The rest is a
program of another kind. A list never has more than six elements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from tests.generators.calls import random_called, random_callees, random_small
from tests.generators.edits.statement_lines import bodies

HEAD = ""  # each program has its own, in its first line
LOCATIONS = ()  # those of the text
KINDS = (random_called, random_callees, random_small)
ASSIGNED = re.compile(r"\s*(?P<target>y|[a-z]\w*\((?:\w+|\w+, *\w+)\)|t)\s*=[^=>]")
BEGIN = re.compile(r"\b(subroutine|function)\b")
PURE = re.compile(r"\b(pure|elemental)\b")
HEAD_LINE = "! head: "
LOGS = """module logs
  implicit none
  real(8), allocatable, target :: list(:)
  real(8), pointer :: latest => null()
  real(8) :: total = 0
contains
subroutine longer(v)
  real(8), intent(in) :: v
  if (.not. allocated(list)) allocate (list(0))
  {grow}
end subroutine longer
subroutine shorter()
  if (allocated(list)) then
    if (size(list) > 5) then
      nullify (latest)
      deallocate (list)
    end if
  end if
end subroutine shorter
end module logs
"""
GROW = ("list = [list, v]", "call again(v)", "list = [v, list]")
AGAIN = """subroutine again(v)
  use logs
  implicit none
  real(8), intent(in) :: v
  real(8) :: old(6)
  integer :: n
  n = size(list)
  old(1:n) = list
  deallocate (list)
  allocate (list(n + 1))
  list(1:n) = old(1:n)
  list(n + 1) = v
end subroutine again
"""
CALLED = """subroutine note(v)
  use logs
  implicit none
  real(8), intent(in) :: v
  call shorter()
  call longer(v)
  {more}
end subroutine note
subroutine heed(z)
  use logs
  implicit none
  real(8), intent(inout) :: z
  if (allocated(list)) z = z*(1 + {by})
end subroutine heed
"""
MORE = ("total = total + v", "latest => list(size(list))", "if (v > 0.5d0) total = list(1)", "")
BY = ("0.01d0*size(list)", "0.01d0*list(1)", "0.01d0*sin(sum(list))")


def numbers(random: Random) -> Mapping[str, int]:
    """Values of the arguments that are integers."""
    return {"n": random.randrange(4)}


def program(random: Random) -> str:
    """A program of another kind with a log; its head in the first line."""
    other = random.choice(KINDS)
    lines, heeded = other.program(random).splitlines(), random.random() < 0.5
    for body in reversed(bodies(lines)):
        begin = next(at for at in range(body.start, -1, -1) if BEGIN.search(lines[at]))
        for at in reversed(body) if not PURE.search(lines[begin]) else ():
            found = ASSIGNED.match(lines[at])
            if found and "&" not in lines[at] and random.random() < 0.4:
                heeds = heeded and found["target"] in ("y", "t") and random.random() < 0.5
                lines.insert(at + 1, f"call heed({found['target']})" if heeds else
                             f"call note(1d0*{found['target']})")
    grow = random.choice(GROW)
    again = AGAIN if "again" in grow else ""
    called = CALLED.format(more=random.choice(MORE), by=random.choice(BY))
    return "\n".join([f"{HEAD_LINE}{other.HEAD}", LOGS.format(grow=grow), *lines, again, called])
