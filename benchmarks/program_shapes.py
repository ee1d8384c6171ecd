"""The texts of programs of one shape, n large, that :mod:`benchmarks.shapes` measures."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

SHARED = 10  # module arrays of a chain


@dataclass(frozen=True)
class Shape:
    """``text``: the program of size n. ``n``: where the smaller one is measured. ``twice``: the size doubled.
    ``options``: of the report."""

    text: Callable[[int], str]
    head: str
    n: int
    twice: Callable[[int], int] = lambda n: 2 * n
    options: tuple[str, ...] = ()


def calls(n: int) -> str:
    """Each procedure calls the next one twice."""
    def procedure(k: int) -> str:
        inner = f"  call p{k + 1}(n, x)\n  x = x*w\n  call p{k + 1}(n, x)\n" if k + 1 < n else ""
        return (f"subroutine p{k}(n, x)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: x(n)\n"
                f"  real(8) :: w(n)\n  w = x*x\n{inner}  x = x*w\nend subroutine\n")

    return "".join(map(procedure, range(n)))


def loops(n: int) -> str:
    """Each procedure calls the next one in two loops of sizes of their own."""
    sizes = "module sizes\n" + "".join(f"  integer :: n{k}, m{k}\n" for k in range(n)) + "end module\n"

    def procedure(k: int) -> str:
        inner = (f"  do i = 1, n{k}\n    x = x*x\n    call p{k + 1}(x)\n  end do\n"
                 f"  do i = 1, m{k}\n    call p{k + 1}(x)\n  end do\n") if k + 1 < n else ""
        return (f"subroutine p{k}(x)\n  use sizes\n  real(8), intent(inout) :: x\n  integer :: i\n  x = x*x\n"
                f"{inner}  x = sin(x)*x\nend subroutine\n")

    return sizes + "".join(map(procedure, range(n)))


def halves(n: int) -> str:
    """Each procedure calls the next one for n/2 and for (n + 1)/2."""
    def procedure(k: int) -> str:
        inner = f"  call p{k + 1}(n/2, x)\n  x = x*w\n  call p{k + 1}((n + 1)/2, x)\n" if k + 1 < n else ""
        return (f"subroutine p{k}(n, x)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: x(n)\n"
                f"  real(8) :: w(n)\n  w = x*x\n  x = sin(x)*w\n{inner}  x = x*w*x\nend subroutine\n")

    return "".join(map(procedure, range(n)))


def chain(n: int) -> str:
    """Each procedure calls the next one; all share ten module arrays."""
    arrays = "".join(f"  real(8) :: a{k}(100)\n" for k in range(SHARED))

    def procedure(k: int) -> str:
        one, two, three = (f"a{(k * step + step) % SHARED}" for step in (1, 3, 7))
        inner = f"  call p{k + 1}(x)\n" if k + 1 < n else ""
        return (f"subroutine p{k}(x)\n  use shared\n  real(8), intent(inout) :: x\n  real(8) :: t\n  integer :: i\n"
                f"  do i = 1, 100\n    t = {one}(i)*x\n    {two}(i) = sin(t) + {two}(i)*t\n"
                "    if (t > 0.5d0) then\n"
                f"      {three}(i) = {one}(i)*t\n    end if\n  end do\n{inner}"
                f"  do i = 2, 100\n    x = x + {three}(i)*{two}(i - 1)\n    {one}(i) = {one}(i - 1)*x\n  end do\n"
                "end subroutine\n")

    return f"module shared\n{arrays}end module\n" + "".join(map(procedure, range(n)))


def clique(n: int) -> str:
    """Each procedure calls every other one."""
    def procedure(k: int) -> str:
        inner = "".join(f"    call p{other}(x, y, m - 1)\n    y = y*x\n" for other in range(n) if other != k)
        return (f"recursive subroutine p{k}(x, y, m)\n  real(8), intent(inout) :: x, y\n  integer, intent(in) :: m\n"
                f"  real(8) :: w\n  w = x*y\n  if (m > 0) then\n{inner}  end if\n  x = x*w\nend subroutine\n")

    return "".join(map(procedure, range(n)))


def procedure(n: int) -> str:
    """One procedure of n loops over arrays, with branches and MAX."""
    def loop(k: int) -> str:
        one, two, three = (f"a{(k * step + step) % SHARED}" for step in (1, 3, 7))
        if k % 3 == 0:
            inner = f"    if ({one}(i) > {k}.0d0) then\n      {two}(i) = {one}(i)*{three}(i)\n" \
                    f"    else\n      {two}(i) = sin({three}(i))\n    end if\n"
        elif k % 3 == 1:
            inner = f"    t = max({one}(i), {two}(i)*0.{k}d0)\n    {three}(i) = t*{one}(i)\n"
        else:
            inner = f"    {two}(i) = {one}(i)*{two}(i) + exp({three}(i))\n"
        return f"  do i = 1, n\n{inner}  end do\n"

    names = ", ".join(f"a{k}" for k in range(SHARED))
    body = "".join(map(loop, range(n)))
    return (f"subroutine p0(n, {names})\n  integer, intent(in) :: n\n"
            f"  real(8), intent(inout), dimension(n) :: {names}\n  real(8) :: t\n  integer :: i\n"
            f"{body}end subroutine\n")


def parts(n: int) -> str:
    """n parts, each of which reads four arrays that are overwritten behind it or in it: four decisions or more each."""
    def part(k: int) -> str:
        inside, behind = f"a{k % 4}", f"a{(k + 1) % 4}"
        return (f"  !$AD CHECKPOINT-START\n  do i = 1, m\n    {inside}(i) = 0.{k % 7 + 1}d0*{inside}(i)\n  end do\n"
                "  b = b*sum(a0*a0)*sum(a1*a1)*sum(a2*a2)*sum(a3*a3)\n  !$AD CHECKPOINT-END\n"
                f"  do i = 1, {k % 5 + 1}*m\n    {behind}(i) = 0.5d0*{behind}(i)\n  end do\n")

    return ("subroutine p0(m, x, y)\n  integer, intent(in) :: m\n  real(8), intent(inout) :: x, y\n"
            "  real(8) :: a0(9*m), a1(8*m), a2(20*m), a3(5*m), b\n  integer :: i\n"
            + "".join(f"  a{k} = {k + 1}*x\n" for k in range(4)) + "  b = x\n"
            + "".join(map(part, range(n))) + "  y = b*b + sum(a0*a0) + sum(a1*a1) + sum(a2*a2) + sum(a3*a3)\n"
            "end subroutine\n")


def deep(n: int) -> str:
    """Each module uses the one before."""
    def module(k: int) -> str:
        used = f"  use m{k - 1}\n" if k else ""
        return (f"module m{k}\n{used}  implicit none\n  integer, parameter :: c{k} = {k}\n  real(8) :: g{k}\n"
                f"  type :: t{k}\n    real(8) :: value(4)\n  end type\ncontains\n"
                f"  subroutine s{k}(x)\n    real(8), intent(inout) :: x\n    g{k} = x*x\n    x = x*g{k}\n"
                "  end subroutine\nend module\n")

    return ("".join(map(module, range(n)))
            + f"subroutine p0(x)\n  use m{n - 1}\n  real(8), intent(inout) :: x\n  call s{n - 1}(x)\n"
              f"  call s0(x)\n  x = x*g{n // 2}\nend subroutine\n")


def wide(n: int) -> str:
    """One procedure uses n modules, each of which uses one other."""
    def module(k: int) -> str:
        return (f"module m{k}\n  use kinds\n  implicit none\n  real(wp) :: g{k}(10)\ncontains\n"
                f"  subroutine s{k}(x)\n    real(wp), intent(inout) :: x\n    g{k} = x*x\n    x = x*g{k}(1)\n"
                "  end subroutine\nend module\n")

    used = "".join(f"  use m{k}\n" for k in range(n))
    called = "".join(f"  call s{k}(x)\n" for k in range(0, n, max(1, n // 10)))
    return ("module kinds\n  integer, parameter :: wp = 8\nend module\n" + "".join(map(module, range(n)))
            + f"subroutine p0(x)\n{used}  real(wp), intent(inout) :: x\n{called}end subroutine\n")


def constants(n: int) -> str:
    """Each integer PARAMETER is the one before and the one before."""
    given = "".join(f"  integer, parameter :: a{k} = a{k - 1} + a{k - 1}\n" for k in range(1, n + 1))
    return (f"subroutine p0(x)\n  integer, parameter :: a0 = 1\n{given}  real(8), intent(inout) :: x\n"
            f"  real(8) :: w(a{n})\n  w(1) = x*x\n  x = w(1)*x\nend subroutine\n")


def reals(n: int) -> str:
    """Each REAL PARAMETER is the one before and the one before."""
    given = "".join(f"  real(8), parameter :: a{k} = a{k - 1} + a{k - 1}/3\n" for k in range(1, n + 1))
    return (f"subroutine p0(x)\n  real(8), parameter :: a0 = 1\n{given}  real(8), intent(inout) :: x\n"
            f"  x = x*x*a{n}\nend subroutine\n")


def nest(n: int) -> str:
    """n loops, each in the one before."""
    opened = "".join(f"  do i{k} = 1, 2\n  x = x*y\n" for k in range(n))
    names = "".join(f"  integer :: i{k}\n" for k in range(n))
    return (f"subroutine p0(x, y)\n  real(8), intent(inout) :: x, y\n{names}{opened}  y = sin(x)*y\n"
            + "  end do\n" * n + "end subroutine\n")


def terms(n: int) -> str:
    """An expression of 2**n terms."""
    every = [f"x({k})" for k in range(1, 2**n + 1)]
    lines = (" + ".join(every[i:i + 8]) for i in range(0, len(every), 8))
    return ("subroutine p0(x, y, n)\n  integer :: n\n  real(8) :: x(n), y\n  y = "
            + " + &\n      ".join(lines) + "\nend subroutine\n")


def elseifs(n: int) -> str:
    """One IF with n ELSE IFs."""
    tests = "".join(f"  {'else if' if k else 'if'} (x > {n - k}.0d0*y) then\n    x = x*y\n    y = sin(y)*x\n"
                    for k in range(n))
    return f"subroutine p0(x, y)\n  real(8), intent(inout) :: x, y\n{tests}  end if\n  x = x*y\nend subroutine\n"


def blocks(n: int) -> str:
    """n BLOCKs, each in the one before."""
    opened = "".join(f"  block\n  real(8) :: t{k}\n  t{k} = x*{f't{k - 1}' if k else 'x'}\n  x = x*t{k}\n"
                     for k in range(n))
    return f"subroutine p0(x)\n  real(8), intent(inout) :: x\n{opened}" + "  end block\n" * n + "end subroutine\n"


def seen(n: int) -> str:
    """n procedures of a module of n arrays, each of which calls the next one."""
    arrays = "".join(f"  real(8) :: g{k}(10)\n" for k in range(n))

    def procedure(k: int) -> str:
        inner = f"    call p{k + 1}(x)\n" if k + 1 < n else ""
        return (f"  subroutine p{k}(x)\n    real(8), intent(inout) :: x\n    g{k} = g{(k + 1) % n}*x\n"
                f"    x = x*g{k}(1)\n{inner}    g{k * 3 % n}(2) = x\n  end subroutine\n")

    return (f"module arrays\n{arrays}contains\n{''.join(map(procedure, range(n)))}end module\n"
            "subroutine head(x)\n  use arrays\n  real(8), intent(inout) :: x\n  call p0(x)\nend subroutine\n")


def generic(n: int) -> str:
    """n specific procedures of one generic name, of 1 to n arguments, each called once: a text of n*n."""
    def dummies(k: int) -> str:
        return ", ".join(f"a{i}" for i in range(k + 1))

    def specific(k: int) -> str:
        return (f"  subroutine s{k}({dummies(k)})\n    real(8), intent(inout) :: {dummies(k)}\n    a0 = a0*a{k}\n"
                "  end subroutine\n")

    names = "".join(f"    module procedure s{k}\n" for k in range(n))
    called = "".join(f"    call g({', '.join(['x'] + ['y']*k)})\n" for k in range(n))
    return (f"module m\n  interface g\n{names}  end interface\ncontains\n{''.join(map(specific, range(n)))}"
            f"  subroutine p0(x, y)\n    real(8), intent(inout) :: x, y\n{called}  end subroutine\nend module\n")


def extended(n: int) -> str:
    """n types, each of which extends the one before; an object of the last, whose components are all used."""
    def extends(k: int) -> str:
        return f"  type{f', extends(t{k - 1})' if k else ''} :: t{k}\n    real(8) :: c{k}\n  end type\n"

    used = "".join(f"    v%c{k} = v%c{k}*x\n    x = x*v%c{k}\n" for k in range(n))
    return (f"module m\n{''.join(map(extends, range(n)))}contains\n  subroutine p0(x, v)\n"
            f"    real(8), intent(inout) :: x\n    type(t{n - 1}), intent(inout) :: v\n{used}  end subroutine\n"
            "end module\n")


def jumps(n: int) -> str:
    """n labels, from each of which a jump leads to any of them."""
    draw = random.Random(1)

    def label(k: int) -> str:
        return f"{10*k + 10} x = x*y + {k}\n  if (x > {k}.0d0) goto {10*draw.randrange(n) + 10}\n"

    return (f"subroutine p0(x, y)\n  real(8), intent(inout) :: x, y\n{''.join(map(label, range(n)))}"
            "  y = x*y\nend subroutine\n")


SHAPES = {
    "calls": Shape(calls, "p0(x)>(x)", 40),
    "loops": Shape(loops, "p0(x)>(x)", 40),
    "halves": Shape(halves, "p0(x)>(x)", 40),
    "chain": Shape(chain, "p0(x)>(x)", 75),
    "clique": Shape(clique, "p0(x)>(x)", 10),
    "procedure": Shape(procedure, "p0(a1)>(a2)", 1000),
    "parts": Shape(parts, "p0(x)>(y)", 100, options=("--strategy", "optimal")),
    "deep": Shape(deep, "p0(x)>(x)", 1000),
    "wide": Shape(wide, "p0(x)>(x)", 1000),
    "constants": Shape(constants, "p0(x)>(x)", 100),
    "reals": Shape(reals, "p0(x)>(x)", 100),
    "nest": Shape(nest, "p0(x)>(x)", 50),
    "elseifs": Shape(elseifs, "p0(x)>(x)", 300),
    "blocks": Shape(blocks, "p0(x)>(x)", 60),
    "seen": Shape(seen, "head(x)>(x)", 100),
    "generic": Shape(generic, "p0(x)>(x)", 25),
    "extended": Shape(extended, "p0(x)>(x)", 60),
    "jumps": Shape(jumps, "p0(x)>(y)", 100),
    "terms": Shape(terms, "p0(x)>(y)", 14, lambda n: n + 1),
}
