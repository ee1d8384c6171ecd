"""Parts that change the links of lists and trees: what they lead to is saved with its associations, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.results import HeadResult
from snapset.cli.main import main
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

START, END = "!$AD CHECKPOINT-START\n", "!$AD CHECKPOINT-END\n"
HEAD = "run(x)>(y)"
MODULE = """module links
 implicit none
 abstract interface
  function law(u) result(f)
   real(8), intent(in) :: u
   real(8) :: f
  end function law
 end interface
 type :: node
  real(8) :: v = 0.5d0
  real(8), pointer :: d(:) => null()
  procedure(law), pointer, nopass :: f => sq
  type(node), pointer :: next => null()
 end type node
 type :: twig
  real(8) :: v = 0.5d0
  type(twig), pointer :: left => null(), right => null()
 end type twig
contains
 function sq(u) result(f)
  real(8), intent(in) :: u
  real(8) :: f
  f = u*u
 end function sq
 function si(u) result(f)
  real(8), intent(in) :: u
  real(8) :: f
  f = sin(u)
 end function si
 subroutine put(head, v)
  type(node), pointer, intent(inout) :: head
  real(8), intent(in) :: v
  type(node), pointer :: new
  allocate (new)
  new%v = v
  new%next => head
  head => new
 end subroutine put
 subroutine grow(root, v)
  type(twig), pointer, intent(inout) :: root
  real(8), intent(in) :: v
  type(twig), pointer :: new
  allocate (new)
  new%v = v
  new%left => root
  root => new
 end subroutine grow
 subroutine turn(head)
  type(node), pointer, intent(inout) :: head
  type(node), pointer :: back, at
  back => null()
  do while (associated(head))
   at => head
   head => at%next
   at%next => back
   back => at
  end do
  head => back
 end subroutine turn
 subroutine sorted(head)
  type(node), pointer, intent(inout) :: head
  type(node), pointer :: rest, one, at
  type(node), target :: before
  rest => head
  before%next => null()
  do while (associated(rest))
   one => rest
   rest => one%next
   at => before
   do while (associated(at%next))
    if (at%next%v > one%v) exit
    at => at%next
   end do
   one%next => at%next
   at%next => one
  end do
  head => before%next
 end subroutine sorted
 subroutine cut(n)
  type(node), intent(inout) :: n
  n%next => n%next%next
 end subroutine cut
 subroutine over(root)
  type(twig), pointer, intent(inout) :: root
  type(twig), pointer :: up
  up => root%left
  root%left => up%right
  up%right => root
  root => up
 end subroutine over
 recursive subroutine fold(root, s)
  type(twig), pointer, intent(in) :: root
  real(8), intent(inout) :: s
  if (.not. associated(root)) return
  call fold(root%left, s)
  s = s*root%v + 0.3d0*root%v
  call fold(root%right, s)
 end subroutine fold
 subroutine total(head, s)
  type(node), pointer, intent(in) :: head
  real(8), intent(inout) :: s
  type(node), pointer :: at
  at => head
  do while (associated(at))
   s = 0.5d0*s*at%v + at%f(at%v)
   if (associated(at%d)) s = s + at%d(1)*s
   at => at%next
  end do
 end subroutine total
 subroutine run(x, y)
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  type(node), pointer :: head, tail, at, q
  type(twig), pointer :: root
  type(node), target :: pool(3)
  real(8), target :: a(3)
  real(8) :: s
  integer :: i, k
  head => null()
  root => null()
  do i = 1, 5
   !$AD NOCHECKPOINT
   call put(head, x(i) + sin(20*x(i)))
   !$AD NOCHECKPOINT
   call grow(root, x(i))
  end do
  a = x(3:5)
  pool%v = x(1:3)
  k = 2
  s = x(1)
  y = 0.7d0
  tail => head%next%next
! here
  call total(head, y)
  call total(tail, s)
  call fold(root, y)
  y = y + s + a(1)*a(2) + pool(2)%v*pool(3)%v
 end subroutine run
end module links
"""
BODIES = {
    "one is inserted": f"{START} y = y*head%next%v\n pool(k)%next => head%next\n head%next => pool(k)\n {END}"
                       " call total(head, s)\n head%next%v = s*s",
    "one is removed": f"{START} call total(head, y)\n call cut(head%next)\n {END} tail%next => head\n call cut(tail)\n"
                      " call total(tail%next, s)\n tail%next => null()",
    "turned round": f"{START} call total(head, y)\n call turn(head)\n {END} head%next%next%v = y\n call turn(tail)",
    "sorted": f"do i = 1, 2\n {START} head%next%v = head%next%v*0.3d0 + sin(y)\n call sorted(head)\n {END}"
              " call total(head, y)\n end do",
    "a rotation": f"{START} call fold(root, y)\n call over(root)\n root%right%v = y\n {END} call over(root%left)\n"
                  " call fold(root, y)",
    "two lists share nodes": f"{START} q => pool(1)\n q%next => tail\n call total(q, y)\n tail%next => null()\n {END}"
                             " call total(head, s)\n tail%v = s*y\n call total(pool(1)%next, y)",
    "a part in a part": f"{START} y = y*head%v\n {START} at => head%next\n at%next%next => pool(3)\n call total(at, y)"
                        f"\n {END} call turn(head)\n y = y*head%v\n {END} head%next => null()",
    "what nodes point to": f"{START} head%next%d => a\n at => head%next\n at%next%d => a(2:)\n call total(head, y)\n"
                           f" at%next%d => a(3:1:-1)\n {END} call total(at, s)\n at%next%d => null()\n at%d(2) = s",
    "procedures of nodes": f"at => head%next\n {START} call total(head, y)\n at%next%f => si\n {END}"
                           " call total(head, s)\n at%next%f => sq",
    "objects with links": f"{START} call total(head, y)\n head%next%next = node(y, a, si, pool(2))\n {END}"
                          " pool(3) = head%next%next\n call total(pool(3)%next, s)\n head%next%next = pool(1)",
}


def program(body: str) -> str:
    return MODULE.replace("! here\n", body + "\n")


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BODIES)
def test_links_come_back(name: str, tmp_path: Path) -> None:
    proved_by_execution(program(BODIES[name]), HEAD, tmp_path, ways=1)


def report(body: str) -> HeadResult:
    (found,) = parse_heads(HEAD)
    return analyse(load_text(program(body)), found, parse_strategies("lazy,eager"))


def test_nothing_warns_of_links() -> None:
    """What a snapshot brings back needs no warning."""
    for body in BODIES.values():
        assert not {one.code for part in report(body).parts for one in part.diagnostics} & {"SN104", "SN105"}


def test_the_snapshot_has_all_that_the_links_lead_to() -> None:
    """`head%next` stands for every node from there on, its values and its associations."""
    (part,) = (one for one in report(f"{START} y = y*head%next%v\n head%next%next => head\n {END}").parts
               if one.kind == "region")
    assert "head%next" in part.sets.use_cbar
    assert "head%next" in part.sets.out_c
    assert "head%next" in part.solutions["lazy"].snp


STRAIGHT = """module rings
 type :: node
  real(8) :: v = 0.4d0, u = 0.2d0
  type(node), pointer :: next => null()
 end type node
contains
 subroutine run(x, y)
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  type(node), target :: a, b
  type(node), pointer :: p, q
  p => a
  q => b
  a%next => b
  b%next => a
  a%v = x(1)
  b%v = x(2)
  y = x(3)*p%next%v
  q%next%next => p%next%next
  y = y*p%next%v + p%next%next%v
  p%next%next%v = y*y
  p%next => q
  y = y + a%v*b%v
 end subroutine run
end module rings
"""


def test_a_link_is_an_address_on_the_tape() -> None:
    """Behind links, too, a statement overwrites one association, or one number, of 8 bytes: `q%next%next => ...`,
    `p%next%next%v = y*y`, and y and `p%next` by name. The machine pushes what the model says."""
    (head,) = parse_heads(HEAD)
    (run,) = compare(load_text(STRAIGHT), head, parse_strategies("lazy")).runs
    assert run.equal
    assert run.traffic_bytes == run.predicted_traffic_bytes == 4*8


def test_the_list_of_pushes_names_the_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The association of the reference that the statement has, not those of all that it may be, and by way of its node
    where it may lead to itself; of a snapshot what the links lead to."""
    for name, text in (("straight", STRAIGHT), ("part", program(
            f"{START} y = y*head%next%v\n head%next%next => head\n {END}"))):
        (tmp_path / f"{name}.f90").write_text(text)
        assert main(["report", str(tmp_path / f"{name}.f90"), "--head", HEAD, "--format", "pushes", "--no-cache"]) == 0
    said = capsys.readouterr().out
    taped = said.partition("! before line 19: ")[2].splitlines()
    assert taped[:4] == ["q%next%next => p%next%next",
                         "!     push what q%next%next is associated with, by way of a pointer to q%next",
                         "! before line 20: y = y*p%next%v + p%next%next%v", "      call push(y)"]
    assert "!     push all that head%next leads to, link by link, values and associations" in said
    assert "call push(head%next)" not in said
