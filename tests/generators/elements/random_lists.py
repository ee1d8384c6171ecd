"""Random programs of linked lists and trees whose links change anywhere: in parts, in calls, by every name; with
pointers to data and to procedures in the nodes. No node is allocated in a part. Walks end after so many steps, for a
list may become a ring."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

HEAD = "h(x)>(cost)"
LOCATIONS = ("head", "tail", "at", "p", "q", "head%v", "head%next", "at%next", "p%v", "p%next", "q%next", "p%next%v",
             "head=>", "at=>", "p=>", "q=>", "head%next=>", "p%next=>", "at%next=>", "u", "v", "cost", "root%left",
             "root=>", "root%left=>", "root%right=>", "o%next=>", "o%next", "l%first=>", "l%first%next=>", "s", "t",
             "i", "m::anchor=>", "m::anchor%next=>", "n%next=>", "n%next", "done=>", "up=>")
_MODULE = """module m
implicit none
abstract interface
function law(u) result(f)
real(8), intent(in) :: u
real(8) :: f
end function law
end interface
type :: node
real(8) :: v = 0.5d0
real(8) :: c(2) = 0.3d0
type(node), pointer :: next => null()
type(node), pointer :: other => null()
real(8), pointer :: d(:) => null()
procedure(law), pointer, nopass :: f => f1
end type node
type :: hook
type(node), pointer :: p => null()
end type hook
type :: list
type(node), pointer :: first => null()
integer :: length = 0
end type list
type :: twig
real(8) :: v = 0.4d0
type(twig), pointer :: left => null(), right => null()
end type twig
type(node), pointer :: anchor => null()
type(hook) :: table(3)
real(8), target :: tg(3) = 0.3d0
contains
function f1(u) result(f)
real(8), intent(in) :: u
real(8) :: f
f = 0.9d0*u + 0.1d0*u*u
end function f1
function f2(u) result(f)
real(8), intent(in) :: u
real(8) :: f
f = sin(u)
end function f2
function get(k) result(p)
integer, intent(in) :: k
type(node), pointer :: p
p => table(k)%p
if (associated(p)) p => p%next
end function get
recursive subroutine down(n, k)
type(node), intent(inout), target :: n
integer, intent(in) :: k
{down}
if (k > 0 .and. associated(n%next)) call down(n%next, k - 1)
{down_after}
end subroutine down
subroutine put(up, v)
type(node), pointer, intent(inout) :: up
real(8), intent(in) :: v
type(node), pointer :: new
allocate (new)
new%v = v
new%c(2) = 0.3d0*v
new%next => up
up => new
end subroutine put
subroutine turn(up)
type(node), pointer, intent(inout) :: up
type(node), pointer :: done, p
integer :: i
done => null()
do i = 1, 7
if (.not. associated(up)) exit
p => up
up => p%next
p%next => done
done => p
end do
up => done
end subroutine turn
subroutine turned(l)
type(list), intent(inout) :: l
type(node), pointer :: done, p
integer :: i
done => null()
do i = 1, 7
if (.not. associated(l%first)) exit
p => l%first
l%first => p%next
p%next => done
done => p
end do
l%first => done
end subroutine turned
subroutine relink(n)
type(node), intent(inout), target :: n
{relink}
end subroutine relink
subroutine relink2(n, k)
type(node), intent(inout), target :: n, k
{relink2}
end subroutine relink2
subroutine aside()
{aside}
end subroutine aside
subroutine sorted(up)
type(node), pointer, intent(inout) :: up
type(node), pointer :: done, p, at
integer :: i, k
done => null()
do i = 1, 7
if (.not. associated(up)) exit
p => up
up => p%next
if (.not. associated(done)) then
p%next => null()
done => p
else if (p%v > done%v) then
p%next => done
done => p
else
at => done
do k = 1, 7
if (.not. associated(at%next)) exit
if (at%next%v < p%v) exit
at => at%next
end do
p%next => at%next
at%next => p
end if
end do
up => done
end subroutine sorted
subroutine rotate(root)
type(twig), pointer, intent(inout) :: root
type(twig), pointer :: up
if (.not. associated(root)) return
if (.not. associated(root%right)) return
up => root%right
root%right => up%left
up%left => root
root => up
end subroutine rotate
subroutine plant(root, v)
type(twig), pointer, intent(inout) :: root
real(8), intent(in) :: v
type(twig), pointer :: at, new
integer :: i
allocate (new)
new%v = v
if (.not. associated(root)) then
root => new
return
end if
at => root
do i = 1, 9
if (v < at%v) then
if (.not. associated(at%left)) then
at%left => new
return
end if
at => at%left
else
if (.not. associated(at%right)) then
at%right => new
return
end if
at => at%right
end if
end do
end subroutine plant
recursive subroutine fold(root, k, s)
type(twig), pointer, intent(in) :: root
integer, intent(in) :: k
real(8), intent(inout) :: s
if (.not. associated(root) .or. k == 0) return
call fold(root%left, k - 1, s)
s = sin(s)*0.5d0 + root%v*s + 0.2d0*root%v
{in_fold}
call fold(root%right, k - 1, s)
end subroutine fold
subroutine total(up, s)
type(node), pointer, intent(in) :: up
real(8), intent(inout) :: s
type(node), pointer :: p
integer :: i
p => up
do i = 1, 7
if (.not. associated(p)) exit
s = 0.5d0*sin(s) + p%v*s + 0.2d0*p%v + p%c(2)*p%v
s = p%f(s)
if (associated(p%d)) s = s + 0.3d0*p%d(1)*s*p%d(2)
p => p%next
end do
end subroutine total
function last(up) result(p)
type(node), pointer, intent(in) :: up
type(node), pointer :: p
integer :: i
p => up
do i = 1, 7
if (.not. associated(p)) exit
if (.not. associated(p%next)) exit
p => p%next
end do
end function last
subroutine h(x, cost)
real(8), intent(in) :: x(5)
real(8), intent(out) :: cost
type(node), pointer :: head, tail, at, p, q
type(node), target :: o, w(2), pool(3)
real(8), target :: a(3)
type(list) :: l
type(twig), pointer :: root, up
real(8) :: s, t
integer :: i, k
root => null()
up => null()
head => null()
tail => null()
do i = 1, 4
!$AD NOCHECKPOINT
call put(head, x(i))
!$AD NOCHECKPOINT
call put(tail, x(6 - i)*x(i))
!$AD NOCHECKPOINT
call plant(root, sin(7*x(i)))
end do
l%first => tail
a = x(2:4)
tg = x(1:3)*0.5d0
do i = 1, 3
pool(i)%v = x(i)*0.6d0
end do
pool(1)%next => pool(2)
pool(2)%next => pool(3)
table(1)%p => pool(1)
table(2)%p => head%next
table(3)%p => o
o%v = x(5)
w(1)%v = 0.4d0*x(2)
w(2)%c(1) = x(3)
anchor => head
at => head
p => head%next
q => tail%next%next
s = 0.7d0
t = x(1)
k = 1
{body}
call total(head, s)
call total(tail, t)
call total(l%first, s)
call total(p, t)
call fold(root, 4, s)
do i = 1, 3
call total(table(i)%p, s)
end do
s = s + a(1)*a(2) + tg(2)*t
cost = s*t + s + 0.3d0*t + o%v*s + w(1)%v*t + w(2)%v
if (associated(anchor)) cost = cost + anchor%v*s
end subroutine
end module
"""
_NODES = ("head", "tail", "at", "p", "q", "l%first", "anchor", "table(1)%p", "table(k)%p")
_OWN = ("o", "w(1)", "w(2)", "w(k)", "pool(2)", "pool(k)")
_LOCAL = ("head", "tail", "at", "p", "q")
_ARRAYS = ("a", "tg", "a(2:3)", "tg(3:1:-1)")


def numbers(random: Random) -> dict[str, int]:
    """The head has no integers."""
    return {}


def program(random: Random) -> str:
    """A module whose procedure ``h`` is the head."""
    lines = [line for _ in range(random.randint(3, 8)) for line in _top(random, 2)]
    return _MODULE.format(
        relink=_few(random, "n", "anchor"), relink2=_few(random, "n", "k", "anchor"),
        aside=_few(random, "anchor", "table(2)%p"), down=_few(random, "n"), down_after=_few(random, "n", "anchor"),
        in_fold=random.choice(("", "root%v = 0.8d0*root%v*s", "root%v = sin(s)")), body="\n".join(lines))  # fmt: skip


def _few(random: Random, *names: str) -> str:
    """What a procedure does with nodes that it sees."""
    return "\n".join(line for _ in range(random.randint(1, 3)) for line in _with_nodes(random, names))


def _guarded(lines: Sequence[str], *nodes: str) -> list[str]:
    """Statements that run where these pointers lead to nodes."""
    asked = [f"if (associated({node})) then" for node in nodes if node not in _OWN and node not in ("n", "k")]
    return [*asked, *lines, *("end if" for _ in asked)]


def _with_nodes(random: Random, names: Sequence[str]) -> list[str]:
    a, b, link = random.choice(names), random.choice(names), random.choice(("next", "other"))
    to = b if b == "anchor" else f"{b}%next"
    return random.choice((
        _guarded([f"{a}%{link} => null()"], a),
        _guarded([f"if (associated({a}%next)) {a}%next => {a}%next%next"], a),
        _guarded([f"{a}%{link} => {to}"], a, b),
        _guarded(["anchor => anchor%next"], "anchor"),
        _guarded([f"{a}%v = 0.7d0*{a}%v*{a}%{link}%v", f"{a}%{link}%v = sin({a}%v)"], a, f"{a}%{link}"),
        _guarded([f"{a}%other => {a}%next"], a),
        _guarded([f"{a}%next%c(2) = {a}%v*{a}%next%c(2)"], a, f"{a}%next"),
        _guarded([f"{a}%v = {a}%v*0.9d0*{a}%c(2) + 0.1d0"], a),
    ))


def _top(random: Random, depth: int) -> list[str]:
    """A part, a loop, a branch or statements."""
    kind = random.random()
    if depth and kind < 0.45:
        inner = [line for _ in range(random.randint(1, 3)) for line in _top(random, depth - 1)]
        return ["!$AD CHECKPOINT-START", *inner, "!$AD CHECKPOINT-END"]
    if depth and kind < 0.55:
        inner = [line for _ in range(random.randint(1, 2)) for line in _top(random, depth - 1)]
        return ["do k = 1, 2", *inner, "end do", "k = 2"] if depth == 2 else ["if (s > t) then", *inner, "end if"]
    return random.choice((_call, _link, _link, _value, _of_node, _tree))(random)


def _node(random: Random) -> str:
    return random.choice((*_NODES, *_OWN))


def _call(random: Random) -> list[str]:
    pointer, a, b, s = random.choice(_NODES), _node(random), _node(random), random.choice("st")
    return random.choice((
        [f"call turn({pointer})"], ["call turned(l)"], [f"call sorted({pointer})"], ["call aside()"],
        [f"call total({pointer}, {s})"], [f"call fold(root, 3, {s})"], _guarded([f"call relink({a})"], a),
        _guarded([f"call relink2({a}, {b})"], a, b), _guarded([f"call down({a}, 2)"], a)))


def _link(random: Random) -> list[str]:
    """What changes associations of nodes."""
    a, b, named = _node(random), _node(random), random.choice(_LOCAL)
    link, to = random.choice(("next", "next", "other")), b if random.random() < 0.5 else f"{b}%next"
    return random.choice((
        _guarded([f"{a}%{link} => {to}"], a, b),
        _guarded([f"{a}%{link} => {to}"], a, b),
        _guarded([f"{a}%{link} => null()"], a),
        _guarded([f"if (associated({a}%next)) {a}%next => {a}%next%next"], a),
        _guarded([f"{named} => {to}"], b),
        [f"{named} => last({random.choice(_NODES)})"],
        [f"{named} => get({random.randint(1, 3)})"],
        [f"table({random.choice('123k')})%p => {named}"],
        _guarded([f"l%first => {to}"], b),
        [f"anchor => {random.choice(('head', 'o', 'w(2)', 'tail'))}"],
    ))


def _value(random: Random) -> list[str]:
    a, s, link = _node(random), random.choice("st"), random.choice(("next", "other"))
    return random.choice((
        _guarded([f"{a}%v = 0.7d0*{a}%v*{a}%{link}%v", f"{a}%{link}%v = sin({a}%v)"], a, f"{a}%{link}"),
        _guarded([f"{s} = 0.6d0*s*{a}%v + 0.1d0*t"], a),
        _guarded([f"s = s*{a}%next%v*{a}%next%c(2) + t"], a, f"{a}%next"),
        _guarded([f"if (associated({a}%d)) {a}%d(2) = s*{a}%d(1) + t*tg(1)"], a),
        _guarded([f"w(2) = {a}"], a),
        _guarded([f"{a}%{link} = node(s, a(1:2), {random.choice(('null()', *_LOCAL))}, null(), null(), f2)"],
                 a, f"{a}%{link}"),
    ))


def _of_node(random: Random) -> list[str]:
    """What nodes hold besides links: pointers to data and to procedures."""
    a, link, array = _node(random), random.choice(("next", "other")), random.choice(_ARRAYS)
    return random.choice((
        _guarded([f"{a}%d => {array}"], a),
        _guarded([f"{a}%{link}%d => {random.choice((array, f'{a}%d'))}"], a, f"{a}%{link}"),
        _guarded([f"{a}%f => {random.choice(('f1', 'f2'))}"], a),
        _guarded([f"{a}%{link}%f => f2", f"s = {a}%f(s)"], a, f"{a}%{link}"),
    ))


def _tree(random: Random) -> list[str]:
    return random.choice((
        ["call rotate(root)"], _guarded(["call rotate(root%left)"], "root"),
        _guarded(["up => root%left", "root%left => root%right", "root%right => up"], "root", "root%left"),
        ["up => root", "do i = 1, 4", "if (.not. associated(up)) exit", "up%v = 0.9d0*up%v*s",
         "if (up%v > 0.2d0) then", "up => up%left", "else", "up => up%right", "end if", "end do"]))
