"""Random programs of procedures that call themselves and each other, by name and through dummy procedures."""

from __future__ import annotations

from random import Random

HEAD = "h(x)>(cost)"
LOCATIONS = ("a", "b", "t", "u", "w", "z", "x", "cost", "m::g1", "m::g2", "g1", "g2", "n", "i")
_FORMS = ("sin({})*{}", "{}*{}", "{} + 0.5d0*{}", "cos({}) - {}", "0.3d0*{}*{}")
_SUBROUTINE = """recursive subroutine {name}(n, a, b)
integer, intent(in) :: n
real(8), intent(inout) :: a, b
real(8) :: t, u
integer :: i
{saved}
if (n <= 0) then
a = {base}
return
end if
t = a*0.7d0
u = b + 0.1d0
{body}
end subroutine
"""
_FUNCTION = """recursive function {name}(n, z) result(w)
integer, intent(in) :: n
real(8), intent(in) :: z
real(8) :: w, a, b, t, u
integer :: i
w = z*0.9d0
if (n <= 0) return
a = z
b = w
t = z*w
u = 0.3d0
{body}
w = w*a + t*b
end function
"""
_RUNNER = """recursive subroutine {name}(f, n, a, b)
interface
subroutine f(n, a, b)
integer, intent(in) :: n
real(8), intent(inout) :: a, b
end subroutine
end interface
integer, intent(in) :: n
real(8), intent(inout) :: a, b
{body}
end subroutine
"""
_PROGRAM = """module m
real(8) :: g1, g2
contains
{procedures}subroutine h(x, cost)
real(8), intent(in) :: x
real(8), intent(out) :: cost
real(8) :: a, b, t, u
integer :: i, n
n = 3
g1 = 0.5d0*x
g2 = 0.2d0
a = x
b = x*x
t = 0.1d0
u = x
{body}
call p0(3, a, b)
cost = a*b + g1*g2 + t*u
end subroutine
end module
"""


def numbers(random: Random) -> dict[str, int]:
    """The head has no integers."""
    return {}


def program(random: Random) -> str:
    """A module whose procedure ``h`` is the head."""
    count = random.randint(2, 4)
    runs = [random.randrange(count) for _ in range(count)]  # a runner is always passed the same procedure
    own = ["a", "b", "t", "u", "g1", "g2"]
    texts: list[str] = []
    for i in range(count):
        saved = random.random() < 0.3
        names = [*(["sv"] if saved else []), *own]
        texts.append(_SUBROUTINE.format(
            name=f"p{i}", saved="real(8), save :: sv = 0.4d0" if saved else "", base=_value(random, ["a", "b", "g1"]),
            body=_body(random, names, runs, random.randint(2, 5))))  # fmt: skip
        texts.append(_FUNCTION.format(name=f"fun{i}", body=_body(random, ["w", *own], runs, random.randint(1, 2))))
        call = random.choice(("call f(n, a, b)", "call f(n, b, a)", "a = a*b\ncall f(n, a, b)\nb = a*b"))
        texts.append(_RUNNER.format(name=f"run{i}", body=call))
    return _PROGRAM.format(procedures="".join(texts), body=_body(random, own, runs, random.randint(2, 3)))


def _value(random: Random, names: list[str]) -> str:
    return random.choice(_FORMS).format(random.choice(names), random.choice(names))


def _body(random: Random, names: list[str], runs: list[int], length: int) -> str:
    return "\n".join(_statement(random, names, runs) for _ in range(length))


def _statement(random: Random, names: list[str], runs: list[int]) -> str:
    kind = random.random()
    if kind < 0.5:
        return f"{random.choice(names)} = {_value(random, names)}"
    if kind < 0.6:
        return f"if ({random.choice(names)} > 0.2d0) then\n{_body(random, names, runs, 1)}\nend if"
    if kind < 0.85:
        return _call(random, runs)
    if kind < 0.93:
        return f"!$AD CHECKPOINT-START\n{_body(random, names, runs, 2)}\n!$AD CHECKPOINT-END"
    return f"do i = 1, 2\n{_body(random, names, runs, 1)}\nend do"


def _call(random: Random, runs: list[int]) -> str:
    x, y = random.sample(["a", "b", "t", "u"], 2)
    which = random.randrange(len(runs))
    if random.random() < 0.35:
        return f"call run{which}(p{runs[which]}, n - 1, {x}, {y})"
    if random.random() < 0.3:
        return f"{x} = fun{which}(n - 1, {y})"
    return f"call p{which}(n - 1, {random.choice((f'{x}, {y}', f'b={y}, a={x}'))})"
