"""Random valid Fortran programs for the replay machine: ``program(random)`` is the text, its head ``p(x)>(y)``.

Everything is set before it is read, arrays run from 0 to 5 and loop variables from 1 to 4, so neighbours
exist. Reals pass through sine and cosine often enough to stay finite. All choices come from one ``Random``,
which may be hypothesis's: then a failing program shrinks.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

HEAD = "p(x)>(y)"
MODULE = """module shared
  implicit none
  type point
    real(8) :: r
    real(8) :: v(0:5)
  end type point
  real(8) :: g, ga(0:5), gb(2, 0:5)
  integer :: kg
contains
  real(8) function f(s, t)
    real(8) :: s, t
    f = sin(s)*t
    if (t > 0.5d0) f = f + g*s
  end function f
  subroutine turned(q, s)
    type(point) :: q
    real(8) :: s
    q%v(1:3) = 0.5d0*q%v(0:2)*q%r
    if (s > 0.4d0) q%r = sin(q%r)*s
  end subroutine turned
end module shared
"""
SCALARS = ("s1", "s2", "s3")
ARRAYS = ("a", "b", "c")
ROWS = ("e({v})%v = 0.6d0*d%v", "gb(:, {v}) = 0.7d0*ga(1:2)", "e({v})%v(0:2) = 0.3d0*d%r", "gb(1, {v}) = 0.4d0*s1",
        "e({v})%r = e({v})%v(2)*sin(e({v})%v(1))", "ga(k) = gb(1, {v})*gb(2, {v})", "call turned(e({v}), s2)")
LOCATIONS = (*SCALARS, *ARRAYS, "g", "ga", "gb", "kg", "cs", "ca", "d%r", "d%v", "e%r", "e%v", "z", "q1", "q2", "h",
             "t", "u", "o", "k", "ix", "x", "y", "n", "m", "i", "j", "shared::g", "shared::ga", "/blk/cs", "/blk/ca",
             "keep", "s_one::keep", "cb", "cc")


class Unit:
    """Writes one procedure. ``callees``: those it may call, which come earlier; ``busy``: it does so often."""

    def __init__(self, random: Random, name: str, callees: list[str], busy: bool = False) -> None:
        self.busy = busy
        self.random = random
        self.name = name
        self.callees = callees
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.conditional = 0
        self.parts = 0
        self.counter = 0
        self.label = 0
        self.head = name == "p"
        self.other_view = not self.head and self.chance(30)  # of the COMMON block
        self.scalars = [*SCALARS, "g", "cs", "d%r", *([] if self.head else ["t", "keep"]), "e(2)%r", "q1", "q2",
                        *(["cb"] if self.other_view else [])]
        self.arrays = [*ARRAYS, "ga", *([] if self.other_view else ["ca"]), "d%v", "z", *([] if self.head else ["u"])]
        self.written = [*self.scalars, "y"] if self.head else self.scalars

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) >= 100 - percent

    def add(self, text: str) -> None:
        self.lines.append("  " * (len(self.loops) + self.conditional + 1) + text)

    # ------------------------------------------------------------ expressions

    def index(self) -> str:
        if self.loops and self.chance(70):
            return self.pick("{v}", "{v}", "{v}", "{v} - 1", "{v} + 1", "ix({v})").format(v=self.pick(*self.loops))
        return self.pick("1", "2", "4", "k", "k", "ix(k)", "kg")

    def element(self) -> str:
        if self.chance(10):
            return f"gb({self.pick('1', '2', 'mod(k, 2) + 1')}, {self.index()})"
        if self.other_view and self.chance(10):
            return f"cc({self.pick('1', '3', 'k')})"
        return f"{self.pick(*self.arrays)}({self.index()})"

    def read(self) -> str:
        if self.chance(50):
            return self.element()
        return self.pick(*self.scalars, *(["x", "y"] if self.head else ["x"]))

    def term(self) -> str:
        one, two = self.read(), self.read()
        sided = (f"max({one}, {two})", f"abs({one} - {two})*0.5d0", f"min({one}, 0.7d0*{two})", f"sign({one}, {two})",
                 f"dim({one}, {two})", f"merge({one}, {two}, {one} > 0.5d0)")
        return self.pick(one, f"sin({one}*{two})", f"sin({one}*{two})", f"cos({one})*{two}", f"cos({one})*{two}",
                         f"{one}/(2.0d0 + {two}**2)", f"sum({self.pick(*self.arrays)}(1:4))*0.1d0",
                         sided[len(self.lines) % len(sided)], f"f({one}, {two})*0.5d0", f"0.3d0*{one}")

    def expression(self) -> str:
        first = self.term()
        if self.chance(50):
            return f"{self.pick('0.5d0', '0.9d0')}*{first} {self.pick('+', '-')} 0.3d0*{self.term()}"
        return f"0.7d0*{first}"

    def value(self) -> str:
        """What is assigned: now and then a constant."""
        return self.pick("0.5d0", "0.25d0") if self.chance(15) else self.expression()

    def condition(self) -> str:
        return self.pick("k > 2", f"{self.read()} > {self.pick('0.1d0', '0.5d0')}", "n > m", "mod(k, 2) == 0",
                         f"{self.read()} < 0.8d0 .and. m > 1")

    # ------------------------------------------------------------ statements

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        if self.busy and self.callees and self.chance(25):
            self.call()
            return
        simple: list[Callable[[], None]] = [self.scalar, self.scalar, self.write_element, self.write_element,
                                            self.whole, self.integers, self.call, self.call, self.heap]
        nested: list[Callable[[int], None]] = [self.loop, self.loop, self.branch, self.part, self.part, self.where,
                                               self.while_loop, self.jump, self.leave, self.select, self.back]
        if depth > 0 and self.chance(55):
            nested[self.random.randrange(len(nested))](depth - 1)
        else:
            simple[self.random.randrange(len(simple))]()

    def scalar(self) -> None:
        self.add(f"{self.pick(*self.written)} = {self.value()}")
        if self.loops and len(self.lines) % 2:
            self.rows()

    def rows(self) -> None:
        """What an iteration, or a procedure, has for itself of an array of two dimensions, or of derived type."""
        at = len(self.lines)
        for one in ROWS[at % 5:at % 5 + 2 + at % 4]:
            self.add(one.format(v=self.loops[-1] if self.loops else "k"))

    def write_element(self) -> None:
        self.add(f"{self.element()} = {self.value()}")

    def whole(self) -> None:
        target, source = self.pick(*self.arrays), self.pick(*self.arrays)
        self.add(self.pick(
            f"{target} = 0.8d0*{source} + {self.pick(*self.scalars)}*0.1d0", f"{target} = sin({source})",
            f"{target}(1:3) = {source}(2:4)*{self.pick(*self.scalars)}*0.5d0", f"{target}(5:0:-1) = {source}",
            f"{target} = 0.5d0", f"{target}(ix) = {source}(1:4)*0.9d0", f"{target}(0:5:2) = cos({source}(0:2))",
            "e(1) = e(2)", "e(k)%v = d%v", "d = e(1)", f"gb(1, :) = {source}", f"gb(2, 1:4) = gb(1, 0:3)*{target}(2)",
            f"forall (i = 1:4) {target}(i) = {source}(i - 1)*0.6d0"))

    def integers(self) -> None:
        self.add(self.pick("k = mod(k, 4) + 1", f"if ({self.read()} > 0.3d0) k = {self.pick('1', '3')}", "kg = k",
                           "ix = 5 - ix", "ix(1:2) = ix(2:1:-1)", "k = ix(k)", "kg = mod(kg + 1, 4) + 1", "k = 2"))

    def heap(self) -> None:
        """An allocatable, where it cannot be allocated twice."""
        if self.parts or self.loops or self.conditional:
            return self.scalar()
        self.add("if (allocated(h)) deallocate(h)")
        self.add("allocate(h(0:5))")
        self.add(f"h = {self.pick(*self.arrays)}*0.5d0")
        self.add(f"{self.pick(*self.arrays)} = h*{self.pick(*self.scalars)}")
        return None

    def call(self) -> None:
        if self.head and self.chance(20):
            return self.add(f"call inner({self.pick('d%r', 'e(3)%r')})")
        if not self.callees:
            return self.scalar()
        name = self.pick(*self.callees)
        array = self.pick("a", "b", "c", "d%v", "z")
        scalar = self.pick("s1", "s2", "s3", "b(k)" if array != "b" else "c(k)", "d%r", f"a({self.index()})"
                           if array != "a" else "s1")
        value = "x*0.5d0" if scalar in SCALARS else self.pick("0.5d0", "0.5d0*s2", "s3", "x", "sin(s1)*x", "0.5d0*g",
                                                               "cs*x")
        last = f", {self.pick('e(1)%r', 'e(3)%r')}" if self.chance(40) else ""
        self.add(f"call {name}({array}, {scalar}, {value}, {self.pick('n', 'm', '2')}, m{last})")
        if len(self.lines) % 4 == 0:
            self.rows()
        return None

    def loop(self, depth: int) -> None:
        if len(self.loops) > 1:
            return self.scalar()
        var = "ij"[len(self.loops)]
        bounds = self.pick("1, n", "1, m", "1, 4", "4, 1, -1", "2, n", "1, k", "n, 1, -1", "1, 4, 2", "0, 5")
        full = bounds == "0, 5"
        self.add(f"do {var} = {bounds}")
        if full:
            self.conditional += 1
            for _ in range(self.random.randint(1, 2)):
                one = f"{self.pick(*self.arrays)}({var})"
                self.add(f"{self.pick(*self.arrays)}({var}) = 0.8d0*{one} + 0.1d0*{self.pick(*self.scalars)}*{one}")
            self.conditional -= 1
        else:
            self.loops.append(var)
            self.block(depth, self.random.randint(1, 3))
            if self.chance(15):
                self.add(f"if ({self.condition()}) {self.pick('exit', 'cycle')}")
                self.block(0, 1)
            self.loops.pop()
        self.add("end do")
        return None

    def branch(self, depth: int) -> None:
        self.add(f"if ({self.condition()}) then")
        self.nested(depth)
        if self.chance(50):
            self.add("else")
            self.nested(depth)
        self.add("end if")

    def select(self, depth: int) -> None:
        self.add("select case (k)")
        self.add("case (1, 3:4)")
        self.nested(depth)
        if self.chance(60):
            self.add("case default")
            self.nested(depth)
        self.add("end select")

    def nested(self, depth: int) -> None:
        self.conditional += 1
        self.block(depth, self.random.randint(1, 2))
        self.conditional -= 1

    def part(self, depth: int) -> None:
        self.add("!$AD CHECKPOINT-START")
        self.parts += 1
        self.block(depth, self.random.randint(1, 4))
        self.parts -= 1
        self.add("!$AD CHECKPOINT-END")

    def where(self, depth: int) -> None:
        a, b, c = (self.pick(*self.arrays) for _ in range(3))
        self.add(f"where ({self.pick(a, b)} > 0.3d0)")
        self.conditional += 1
        self.add(f"{a} = {self.pick('0.9d0*sin({b})*{c}', '0.4d0').format(b=b, c=c)}")
        if self.chance(40):
            self.add(f"{b} = 0.5d0*{c} + {a}")
        self.conditional -= 1
        if self.chance(40):
            self.add("elsewhere")
            self.add(f"  {c} = 0.6d0*{b}")
        self.add("end where")

    def while_loop(self, depth: int) -> None:
        self.counter += 1
        w = f"w{self.counter}"
        self.add(f"{w} = {self.pick('0', '1')}")
        self.add(f"do while ({w} < {self.pick('n', '3')})")
        self.conditional += 1
        self.add(f"{w} = {w} + 1")
        self.block(depth, self.random.randint(1, 2))
        self.conditional -= 1
        self.add("end do")

    def jump(self, depth: int) -> None:
        self.label += 10
        label = self.label
        self.add(f"if ({self.condition()}) goto {label}")
        self.conditional += 1
        self.block(depth, self.random.randint(1, 2))
        self.conditional -= 1
        self.lines.append(f"{label} continue")

    def back(self, depth: int) -> None:
        """A loop made of a jump backwards."""
        self.label += 10
        self.counter += 1
        label, w = self.label, f"w{self.counter}"
        self.add(f"{w} = 0")
        self.lines.append(f"{label} continue")
        self.conditional += 1
        self.block(depth, self.random.randint(1, 2))
        self.conditional -= 1
        self.add(f"{w} = {w} + 1")
        self.add(f"if ({w} < {self.pick('m', '2')}) goto {label}")

    def leave(self, depth: int) -> None:
        """An endless loop left in the middle."""
        self.counter += 1
        w = f"w{self.counter}"
        self.add(f"{w} = 0")
        self.add("do")
        self.conditional += 1
        self.block(0, 1)
        self.add(f"{w} = {w} + 1")
        self.add(f"if ({w} > {self.pick('m', '2')}) exit")
        self.block(depth, 1)
        self.conditional -= 1
        self.add("end do")

    # ------------------------------------------------------------ the procedure

    def text(self, size: int) -> str:
        self.setup()
        for at in range(size):
            self.statement(3)
            if not self.head and at + 1 < size and self.chance(12):
                self.add(f"if ({self.condition()}) return")
        if self.head:
            self.add(f"y = {self.expression()} + {self.pick('y', 's1*s2', 'sum(a*b)', 'ga(2)*cs')}")
        else:
            self.add("if (present(o)) o = 0.5d0*o*s1" if self.chance(50) else "u(1) = 0.5d0*u(1)")
        whiles = "".join(f", w{i + 1}" for i in range(self.counter))
        first = [f"subroutine {self.name}(x, n, m, y)" if self.head else f"subroutine {self.name}(u, t, x, n, m, o)",
                 "  use shared", "  implicit none", "  integer :: n, m",
                 "  real(8) :: x, y" if self.head else "  real(8) :: u(0:5), t, x",
                 *([] if self.head else ["  real(8), optional :: o"]),
                 *([] if self.head else ["  real(8), save :: keep = 0.3d0"]),
                 *(["  real(8) :: cs, cb, cc(5)", "  common /blk/ cs, cb, cc"] if self.other_view else
                   ["  real(8) :: cs, ca(0:5)", "  common /blk/ cs, ca"]), f"  real(8) :: {', '.join(SCALARS)}, q1, q2",
                 f"  real(8) :: {', '.join(f'{a}(0:5)' for a in ARRAYS)}, z(0:5)", "  real(8), allocatable :: h(:)",
                 "  equivalence (z(1), q1), (z(4), q2)", "  type(point) :: d, e(4)",
                 f"  integer :: i, j, k, ix(4){whiles}"]
        return "\n".join([*first, *self.lines, *(self.inner() if self.head else []),
                          f"end subroutine {self.name}"]) + "\n"

    def inner(self) -> list[str]:
        """An internal procedure, which reads and writes its host's variables."""
        one, two, three = (self.pick(*SCALARS, "g", "cs") for _ in range(3))
        return ["contains", "  subroutine inner(v)", "    real(8) :: v", f"    if ({one} > 0.4d0) v = v*{two}",
                f"    {self.pick(*SCALARS)} = {self.pick('0.5d0', '0.6d0*' + three, 'sin(v)')}",
                f"    {self.pick(*ARRAYS)}(k) = 0.7d0*v", "  end subroutine inner"]

    def setup(self) -> None:
        source = ["x", "x*x", "0.5d0", "sin(x)"] + ([] if self.head else ["t", "u(2)*x", "g"])
        self.add("k = 2")
        self.add("ix = (/ 2, 4, 1, 3 /)")
        for name in (*SCALARS, "d%r", "e(1)%r", "e(2)%r", "e(3)%r", "e(4)%r"):
            self.add(f"{name} = {self.pick(*source)}")
        for name in (*ARRAYS, "z", "d%v", "e(1)%v", "e(2)%v", "e(3)%v", "e(4)%v"):
            self.add(f"{name} = {self.pick(*source)}")
        if self.head:
            for name in ("g", "ga", "gb", "cs", "ca", "y"):
                self.add(f"{name} = {self.pick('x', '0.4d0', 'x*x')}")
            self.add("kg = 3")


def program(random: Random, size: int = 6) -> str:
    """A module, up to three callees and the head."""
    names = ["s_one", "s_two", "s_three"][: random.randrange(4)]
    busy = random.randrange(3) == 0
    units = [Unit(random, name, names[:i], busy).text(random.randint(1, 5 if busy else 3)) for i, name in
             enumerate(names)]
    text = Unit(random, "p", names, busy).text(random.randint(2, size))
    if not names:
        return f"{MODULE}\n{text}"
    body = "\n".join(units)
    return f"{MODULE}\nmodule procedures\ncontains\n{body}end module procedures\n\n" + text.replace(
        "  use shared\n", "  use shared\n  use procedures\n", 1)


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers: loops that run not at all, once, and often."""
    return {"n": random.choice((3, 4, 1, 0)), "m": random.choice((2, 4, 0))}
