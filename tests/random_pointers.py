"""Random programs of pointers and targets: local and global ones, passed on, associated anew between the parts."""

from __future__ import annotations

from random import Random

HEAD = "h(x)>(cost)"
TARGETS = ("a", "b", "c", "tg")
POINTERS = ("p", "q", "r", "gp")
ARRAYS = (*TARGETS, *POINTERS, "d")
_FORMS = ("sin({})*{}", "{}*{}", "{} + 0.5d0*{}", "cos({}) - {}", "0.3d0*{}*{}")
_TO_TARGET = ("u = u*0.9d0", "u = u*gp", "u(1) = u(2)*gp(1)", "gp = gp*u", "u = u*tg")
_TO_POINTERS = ("u = u*v", "u = sin(v)", "v(1) = u(1)*v(2)", "u = u*gp", "u = v*tg")
_TO_GLOBALS = ("tg = tg*gp", "gp = 0.5d0*gp", "tg(1) = gp(2)*gp(3)", "gp = tg*tg")
_MODULE = """module m
real(8), target :: tg(3)
real(8), pointer :: gp(:)
contains
subroutine s1(u)
real(8), target, intent(inout) :: u(3)
{to_target}
end subroutine
subroutine s2(u, v)
real(8), pointer :: u(:), v(:)
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
integer :: i
a = x
b = x*x
c = 0.5d0 + x
d = 0.7d0*x
tg = x*0.2d0
{body}
cost = sum(a*b) + sum(c*d) + sum(tg)*p(1) + q(2)*r(3)
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
    """What stands outside the parts: associations too, which no snapshot would restore."""
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
