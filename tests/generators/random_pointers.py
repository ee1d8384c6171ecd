"""Random programs of pointers and targets: local and global ones, components, links of a list, procedure pointers,
passed on, associated anew anywhere."""

from __future__ import annotations

from random import Random

HEAD = "h(x)>(cost)"
TARGETS = ("a", "b", "c", "tg")
POINTERS = ("p", "q", "r", "gp")
LINKS = ("o%next", "w%next", "l")
ARRAYS = (*TARGETS, *POINTERS, "d", "o%p", "w%p", "l%p")
LOCATIONS = (*ARRAYS, "x", "cost", "m::tg", "m::gp", "u", "v", "i")
_FORMS = ("sin({})*{}", "{}*{}", "{} + 0.5d0*{}", "cos({}) - {}", "0.3d0*{}*{}")
_TO_TARGET = ("u = u*0.9d0", "u = u*gp", "u(1) = u(2)*gp(1)", "gp = gp*u", "u = u*tg")
_TO_POINTERS = ("u = u*v", "u = sin(v)", "v(1) = u(1)*v(2)", "u = u*gp", "u = v*tg", "u => v\nu(2) = u(1)*u(3)",
                "w => u\nu => v\nv => w\nu = u*v", "v => u(3:1:-1)\nv = v*u")
_TO_GLOBALS = ("tg = tg*gp", "gp = 0.5d0*gp", "tg(1) = gp(2)*gp(3)", "gp = tg*tg",
               "gp => tg\ngp = gp*tg(2)", "gf => f2\ntg(1) = gf(tg(1))")
_MODULE = """module m
abstract interface
function law(u) result(f)
real(8), intent(in) :: u
real(8) :: f
end function law
end interface
type :: object
real(8), pointer :: p(:) => null()
procedure(law), pointer, nopass :: f => null()
type(object), pointer :: next => null()
real(8) :: s
end type object
real(8), target :: tg(3)
real(8), pointer :: gp(:)
procedure(law), pointer :: gf => null()
contains
function f1(u) result(f)
real(8), intent(in) :: u
real(8) :: f
f = u*u
end function f1
function f2(u) result(f)
real(8), intent(in) :: u
real(8) :: f
f = sin(u)
end function f2
function part(u, k) result(f)
real(8), target, intent(in) :: u(3)
integer, intent(in) :: k
real(8), pointer :: f(:)
f => u
if (k > 1) f => u(3:1:-1)
end function part
subroutine apply(g, u)
procedure(law) :: g
real(8), intent(inout) :: u
u = g(u)*0.9d0
end subroutine apply
subroutine s1(u)
real(8), target, intent(inout) :: u(3)
{to_target}
end subroutine
subroutine s2(u, v)
real(8), pointer :: u(:), v(:)
real(8), pointer :: w(:)
{to_pointers}
end subroutine
subroutine s3()
{to_globals}
end subroutine
subroutine h(x, cost)
real(8), intent(in) :: x(3)
real(8), intent(out) :: cost
real(8), target :: a(3), b(3), c(3)
real(8) :: d(3)
real(8), pointer :: p(:), q(:), r(:)
type(object), target :: o, w
type(object), pointer :: l
procedure(law), pointer :: f1p
integer :: i, k
k = 1
f1p => f1
gf => f2
o%f => f1
w%f => f2
o%p => a
w%p => b
o%next => w
w%next => o
o%s = 0.3d0
w%s = 1.1d0
l => o
a = x
b = x*x
c = 0.5d0 + x
d = 0.7d0*x
tg = x*0.2d0
{body}
cost = sum(a*b) + sum(c*d) + sum(tg)*p(1) + q(2)*r(3) + o%s*w%s*l%p(1)
end subroutine
end module
"""
_MAIN = """program main
use m
real(8) :: x(3), cost
x = 1
call h(x, cost)
end program
"""


def numbers(random: Random) -> dict[str, int]:
    """The head has no integers."""
    return {}


def program(random: Random) -> str:
    """A module whose procedure ``h`` is the head; every other one is a whole program."""
    lines = [f"{pointer} => {random.choice(TARGETS)}" for pointer in POINTERS]
    for _ in range(random.randint(3, 7)):
        lines += _top(random)
    text = _MODULE.format(
        to_target=random.choice(_TO_TARGET), to_pointers=random.choice(_TO_POINTERS),
        to_globals=random.choice(_TO_GLOBALS), body="\n".join(lines))  # fmt: skip
    return text + (_MAIN if random.random() < 0.5 else "")


def _top(random: Random) -> list[str]:
    """A statement or a part."""
    kind = random.random()
    if kind < 0.35:
        return ["!$AD CHECKPOINT-START", *_statement(random), *_statement(random), "!$AD CHECKPOINT-END"]
    if kind < 0.5:
        return [f"{random.choice(POINTERS)} => {random.choice(TARGETS + POINTERS)}"]
    if kind < 0.6:
        one, other = (f"{random.choice(POINTERS)} => {random.choice(TARGETS)}" for _ in range(2))
        return ["if (x(1) > 1d0) then", one, "else", other, "end if"]
    return _statement(random)


def _statement(random: Random) -> list[str]:
    kind, array = random.random(), random.choice(ARRAYS)
    if random.random() < 0.3:
        return _association(random)
    if random.random() < 0.1:
        return _procedure(random)
    if kind < 0.5:
        return [f"{array} = {random.choice(_FORMS).format(random.choice(ARRAYS), random.choice(ARRAYS))}"]
    if kind < 0.6:
        value = f"{random.choice(ARRAYS)}({random.randint(1, 3)})*{random.choice(ARRAYS)}(1)"
        return [f"{array}({random.randint(1, 3)}) = {value}"]
    if kind < 0.7:
        return [f"call s1({random.choice(('a', 'b'))})"]
    if kind < 0.78:
        return ["call s3()"]
    if kind < 0.86:
        return ["call s2({}, {})".format(*random.sample(POINTERS[:3], 2))]
    if kind < 0.93:
        return [f"if ({array}(1) > 0.3d0) then", *_statement(random), "end if"]
    return ["do i = 1, 2", *_statement(random), "end do"]


def _association(random: Random) -> list[str]:
    """A pointer that is associated anew, perhaps with what another one is, perhaps by a function or with an object."""
    kind, pointer = random.random(), random.choice((*POINTERS, "o%p", "w%p", "l%p"))
    if kind < 0.4:
        return [f"{pointer} => {random.choice((*TARGETS, *POINTERS, 'o%p', 'l%p'))}"]
    if kind < 0.5:
        return [f"{pointer}(1:) => {random.choice(TARGETS)}(3:1:-1)"]
    if kind < 0.6:
        return [f"{pointer} => part({random.choice(TARGETS)}, k)"]
    if kind < 0.75:
        return [f"{random.choice(LINKS)} => {random.choice(('o', 'w', 'l', 'l%next', 'o%next'))}"]
    if kind < 0.85:
        return [random.choice(("o = w", "w%s = o%s*l%s", "l%s = l%s*l%next%s", "k = 3 - k"))]
    return ["{} => {}".format(random.choice(("f1p", "gf", "o%f", "l%f")),
                              random.choice(("f1", "f2", "gf", "f1p", "o%f", "l%f")))]


def _procedure(random: Random) -> list[str]:
    """A call through a procedure pointer, or one that is passed it."""
    pointer, place = random.choice(("f1p", "gf", "o%f", "l%f")), f"{random.choice(ARRAYS)}({random.randint(1, 3)})"
    return [f"call apply({pointer}, {place})" if random.random() < 0.5 else f"{place} = {pointer}({place})"]
