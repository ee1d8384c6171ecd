"""Random straight-line code, in loops and branches, for sections: elements under changing names, indices that are
computed, kinds that convert, intrinsics. ``program(random)`` is the text, its head :data:`HEAD`.

All is set before it is read; integers stay between 0 and 5, reals small. Everything depends on one ``Random``.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x,u)>(y,u)"
REALS = ("s", "t", "v", "f")
ARRAYS = ("a", "b", "u", "h", "d%v")
INTEGERS = ("i", "j", "k")
START = """subroutine p(x, u, n, y)
  implicit none
  type box
    real(8) :: r, v(0:6)
  end type box
  integer :: n, i, j, k, m, ix(0:5), jx(0:5)
  real(8) :: x, y, u(0:6), s, t, v, a(0:6), b(0:6)
  real(4) :: f, h(0:6)
  real(8), parameter :: c = 0.75d0, w(0:6) = 0.5d0
  logical :: l
  type(box) :: d
  i = 1; j = 4; k = 2
  ix = (/ 3, 1, 4, 0, 5, 2 /)
  jx = (/ 5, 0, 2, 2, 1, 3 /)
  s = x; t = 0.5d0*x; v = 0.25d0; f = 0.3
  a = x*0.5d0; b = 0.4d0; h = 0.2; d%r = x; d%v = 0.6d0
  l = x > 0.2d0
  y = x
"""


class Writer:
    """Writes the statements of one program."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.depth = 0
        self.loops = 0
        self.own = False  # in a loop whose iterations have elements of their own

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)

    # ------------------------------------------------------------ expressions

    def index(self) -> str:
        integer = self.pick(*INTEGERS, *(["m"] if self.loops else []))
        return self.pick("0", "2", "5", integer, integer, integer, f"ix({integer})", f"ix(jx({integer}))",
                         f"mod({integer} + 1, 6)", f"5 - {integer}")

    def element(self) -> str:
        if self.own:
            return f"{self.pick(*ARRAYS)}(m)"
        index = self.index()
        return f"{self.pick(*ARRAYS)}({index}{self.pick('', '', ' + 1')})"

    def read(self) -> str:
        if self.random.random() < 0.5:
            return self.element()
        return self.pick(*REALS, "x", "y", "d%r", "c", "w(3)", "s", "t")

    def term(self, depth: int = 2) -> str:
        if depth == 0:
            return self.read()
        one, two = self.term(depth - 1), self.term(self.random.randrange(depth))
        kinds = [] if "f" in (one, two) else [f"max({one}, 1d0*{two}, 0.1d0)"]
        return self.pick(
            one, one, f"sin({one})", f"cos({one})*{two}", f"{one}*{two}", f"({one} - {two})", *kinds,
            f"{one}/(1.5d0 + {two}**2)", f"exp(-({one})**2)", f"sqrt(1d0 + ({one})**2)", f"tanh({one})",
            f"abs({one})", f"sign(0.5d0*{one}, 1d0*{two})", f"merge(0.5d0*{one}, 1d0*{two}, l)",
            f"atan2({one}, 2d0 + 0d0*{two})", f"(2d0 + sin({one}))**1.5d0", f"({one})**k", f"real({one}, 4)*{two}",
            f"log(2d0 + abs({one}))", f"int(3*{one})*{two}", f"({one} + {one})", f"0.5d0*({one})*({one})", f"+({one})")

    def value(self) -> str:
        return self.pick("0.5d0", f"0.9d0*{self.read()}") if self.random.random() < 0.2 else f"0.7d0*sin({self.term()})"

    def integer(self) -> str:
        one, two = self.pick(*INTEGERS), self.pick(*INTEGERS)
        return self.pick("3", one, f"mod({one} + {two}, 6)", f"5 - {one}", f"ix({one})", f"jx(ix({one}))",
                         f"mod(int(100*abs({self.read()})), 6)", f"min({one}, {two})", f"merge({one}, 2, l)")

    # ------------------------------------------------------------ statements

    def statement(self) -> None:
        kind = self.random.random()*(0.72 if self.own else 1)
        if kind < 0.35:
            self.add(f"{self.pick(*REALS, 'y', 'd%r')} = {self.value()}")
        elif kind < 0.72:
            self.add(f"{self.element()} = {self.value()}")
        elif kind < 0.82:
            self.add(f"{self.pick(*INTEGERS)} = {self.integer()}")
        elif kind < 0.9:
            self.add(f"{self.pick('ix', 'jx')}({self.index()}) = {self.integer()}")
        elif kind < 0.93:
            self.add(f"l = {self.read()} > 0.2d0 .neqv. l")
        elif kind < 0.96:
            self.add(self.pick("u = 0.5d0*u + 0.1d0*b", "a = sin(u)*s", "a(1:3) = b(2:4)*t", "ix = 5 - ix", "b = 0.2d0",
                               f"a(ix({self.pick('0', '3')}):5) = s", "u(ix(0:2)) = 0.3d0*u(jx(0:2))*s"
                               if not self.lines or "ix(" not in "".join(self.lines) else "h = 0.5*h*f"))
        else:
            self.nest()

    def nest(self) -> None:
        if self.depth > 2:
            return self.add("s = sin(s)*t")
        how = self.random.randrange(5)
        if how in (0, 4) and not self.loops:
            self.add(f"do m = {self.pick('1, n', '0, 5', '5, 1, -2', '1, k') if how == 0 else '0, 6'}")
            self.loops += 1
            self.own = how == 4
            self.body()
            self.own = False
            self.loops -= 1
            self.add("end do")
        elif how == 1:
            self.add("!$AD CHECKPOINT-START")
            self.body()
            self.add("!$AD CHECKPOINT-END")
        else:
            self.add(f"if ({self.pick('l', self.read() + ' > 0.3d0', 'k > i')}) then")
            self.body()
            if how == 3:
                self.add("else")
                self.body()
            self.add("end if")
        return None

    def body(self) -> None:
        self.depth += 1
        for _ in range(self.random.randint(1, 5)):
            self.statement()
        self.depth -= 1


def program(random: Random, size: int = 14) -> str:
    """A subroutine."""
    writer = Writer(random)
    for _ in range(random.randint(2, size)):
        writer.nest() if random.random() < 0.15 else writer.statement()
    writer.add("y = y + 0.1d0*s*a(2) + b(i)*h(1)")
    return START + "\n".join(writer.lines) + "\nend subroutine p\n"
